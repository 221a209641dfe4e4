/* SPDX-License-Identifier: MIT */
#include "bench/campaign/build_dir.h"

#include <dirent.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "isa/builder.h"

enum { MAX_TASKS = 1 << 13 };

static bool is_folder(const char *path)
{
    struct stat st;
    return !stat(path, &st) && S_ISDIR(st.st_mode);
}

bool build_dir_is(const char *path)
{
    struct arena a = {0};
    bool is = is_folder(path) && is_folder(arena_printf(&a, "%s/next_levels", path));
    arena_free(&a);
    return is;
}

const char *build_dir_bindings(struct arena *a, const char *dir)
{
    return arena_printf(a, "%s/build.bind", dir);
}

struct kernel_row {
    int id;
    const char *name;
};

/* A task as it was recorded. */
struct record {
    const char *id;
    const char *name; /* of its kernel, of two lanes without _aic and _aiv; NULL: a barrier */
    const json_t *json;
    int kernel;     /* its first number */
    int vectors;    /* cores that run its vector kernel */
    int at;         /* among the tasks that are taken; -1: it is left out */
    VEC(int) preds; /* records */
};

struct reading {
    struct arena *arena;
    const char *dir, *program; /* DIR/next_levels/PROGRAM */
    const char *run;           /* deps.json */
    const struct directives *said;
    struct build_dir *out;
    struct diag *d;
    VEC(struct kernel_row) kernels;
    VEC(struct record) records;
    const json_t *tensors;
};

/* ---- kernel_config.py ---- */

/* The only folder of next_levels that has a kernel table. */
static bool find_program(struct reading *r)
{
    const char *levels = arena_printf(r->arena, "%s/next_levels", r->dir);
    DIR *dir = opendir(levels);
    if (!dir)
        return diag_file(r->d, levels, "cannot be read");
    bool ok = true;
    for (struct dirent *e; (e = readdir(dir));) {
        const char *path = arena_printf(r->arena, "%s/%s", levels, e->d_name);
        if (access(arena_printf(r->arena, "%s/kernel_config.py", path), R_OK))
            continue;
        if (r->program)
            ok = diag_file(r->d, levels, "holds several programs; expected one");
        r->program = path;
    }
    closedir(dir);
    return ok && (r->program || diag_file(r->d, levels, "holds no kernel_config.py"));
}

/* The text behind `"key":` in a line, or NULL. */
static const char *behind_key(const char *line, size_t n, const char *key)
{
    const char *at = memmem(line, n, key, strlen(key));
    return at ? at + strlen(key) + strspn(at + strlen(key), " \t") : NULL;
}

static bool read_kernels(struct reading *r)
{
    const char *path = arena_printf(r->arena, "%s/kernel_config.py", r->program);
    const struct source *s = source_read(r->arena, path, r->d);
    if (!s)
        return false;
    for (const char *p = s->text; *p;) {
        size_t n = strcspn(p, "\n");
        const char *id = behind_key(p, n, "\"func_id\":"), *name = behind_key(p, n, "\"name\":");
        if (id && name && *name == '"') {
            struct kernel_row row = {atoi(id),
                                     arena_strndup(r->arena, name + 1, strcspn(name + 1, "\"\n"))};
            vec_push(r->arena, &r->kernels, row);
        }
        p += n + (p[n] == '\n');
    }
    return r->kernels.len || diag_file(r->d, path, "lists no kernels");
}

static const char *kernel_name(const struct reading *r, int64_t id)
{
    vec_foreach (const struct kernel_row, k, &r->kernels)
        if (k->id == id)
            return k->name;
    return NULL;
}

/* ---- deps.json ---- */

static bool wrong(struct reading *r, const char *what)
{
    return diag_file(r->d, r->run, "is no recorded run: %s", what);
}

/* Numbers of 64 bits stand as strings. */
static uint64_t number_of(const json_t *j)
{
    if (json_is_string(j))
        return strtoull(json_string_value(j), NULL, 0);
    return json_is_integer(j) && json_integer_value(j) > 0 ? (uint64_t)json_integer_value(j) : 0;
}

static bool add_record(struct reading *r, const json_t *task)
{
    struct record x = {
        .id = json_string_value(json_object_get(task, "task_id")), .json = task, .at = -1};
    const json_t *ids = json_object_get(task, "kernel_ids");
    int lanes = 0;
    if (!x.id || !json_is_array(ids))
        return wrong(r, "a task has no task_id or kernel_ids");
    x.id = arena_strdup(r->arena, x.id);
    for (size_t i = 0; i < json_array_size(ids); i++) {
        int64_t id = json_integer_value(json_array_get(ids, i));
        if (id < 0)
            continue;
        const char *name = kernel_name(r, id);
        if (!name)
            return wrong(r, arena_printf(r->arena, "no kernel has number %lld", (long long)id));
        x.vectors += i > 0; /* the cube's comes first */
        if (!lanes++) {
            x.name = name;
            x.kernel = (int)id;
        }
    }
    size_t stem = lanes > 1 ? pto_stem_length(x.name) : 0;
    if (stem)
        x.name = arena_strndup(r->arena, x.name, stem);
    vec_push(r->arena, &r->records, x);
    return r->records.len <= MAX_TASKS || wrong(r, "it has too many tasks");
}

static int find_record(const struct reading *r, const char *id)
{
    for (size_t i = 0; id && i < r->records.len; i++)
        if (!strcmp(r->records.items[i].id, id))
            return (int)i;
    return -1;
}

/* What no record is are allocations. */
static bool read_edges(struct reading *r, const json_t *edges)
{
    for (size_t i = 0; i < json_array_size(edges); i++) {
        const json_t *e = json_array_get(edges, i);
        int pred = find_record(r, json_string_value(json_object_get(e, "pred"))),
            succ = find_record(r, json_string_value(json_object_get(e, "succ")));
        if (pred >= succ && pred >= 0 && succ >= 0)
            return wrong(r, "a task waits for one that comes later");
        if (pred >= 0 && succ >= 0)
            vec_push(r->arena, &r->records.items[succ].preds, pred);
    }
    return true;
}

/* ---- tensors of a task ---- */

static const struct {
    const char *name;
    int bytes;
} dtypes[] = {{"FLOAT32", 4}, {"INT32", 4},  {"UINT32", 4}, {"FLOAT16", 2}, {"BFLOAT16", 2},
              {"INT16", 2},   {"UINT16", 2}, {"INT64", 8},  {"UINT64", 8},  {"INT8", 1},
              {"UINT8", 1},   {"BOOL", 1},   {"FLOAT8", 1}};

static int64_t element_bytes(const json_t *of)
{
    const char *name = json_string_value(json_object_get(of, "dtype"));
    for (size_t i = 0; name && i < sizeof dtypes / sizeof *dtypes; i++)
        if (!strcmp(dtypes[i].name, name))
            return dtypes[i].bytes;
    return 0;
}

static const json_t *buffer_of(const struct reading *r, const char *tensor)
{
    for (size_t i = 0; tensor && i < json_array_size(r->tensors); i++) {
        const json_t *t = json_array_get(r->tensors, i);
        const char *id = json_string_value(json_object_get(t, "tensor_id"));
        if (id && !strcmp(id, tensor))
            return t;
    }
    return NULL;
}

static bool read_tensor(struct reading *r, const json_t *arg, struct pto_tensor *out)
{
    const json_t *buffer = buffer_of(r, json_string_value(json_object_get(arg, "tensor_id"))),
                 *shape = json_object_get(arg, "shape");
    int64_t size = element_bytes(arg), each = buffer ? element_bytes(buffer) : 0;
    if (!buffer || !size || !each || !json_is_array(shape))
        return wrong(r, "an argument has no tensor_id, dtype or shape that is known");
    *out = (struct pto_tensor){.address = number_of(json_object_get(buffer, "buffer_addr")),
                               .elem_bytes = (int)size,
                               .ndims = (int)json_array_size(shape)};
    uint64_t elems = number_of(json_object_get(buffer, "buffer_numel")),
             at = number_of(json_object_get(arg, "start_offset"));
    if (elems < 1 || elems > MAX_MEMORY || at >= elems || out->ndims > PTO_MAX_DIMS)
        return wrong(r, "the size of a tensor is out of range");
    out->bytes = (int64_t)elems * each;
    out->at = (int64_t)at * size;
    out->buffer = arena_printf(r->arena, "buffer %#llx", (unsigned long long)out->address);
    for (int i = 0; i < out->ndims; i++)
        out->shape[i] = json_integer_value(json_array_get(shape, (size_t)i));
    return true;
}

static bool read_tensors(struct reading *r, const struct record *x)
{
    const json_t *args = json_object_get(x->json, "args");
    struct pto_tensor *tensors =
        arena_array(r->arena, struct pto_tensor, json_array_size(args) + 1);
    for (size_t i = 0; i < json_array_size(args); i++)
        if (!read_tensor(r, json_array_get(args, i), &tensors[i]))
            return false;
    struct recorded_task t = {x->kernel, tensors, (int)json_array_size(args)};
    vec_push(r->arena, &r->out->recorded, t);
    return true;
}

/* ---- tasks ---- */

/* All, or those that are named. */
static bool is_taken(const struct reading *r, const struct record *x)
{
    vec_foreach (const struct directive_task, t, &r->said->tasks)
        if (x->name && !strcmp(t->name, x->name))
            return true;
    return x->name && !r->said->tasks.len;
}

/* The taken tasks that record i waits for, directly or through others; seen: records that were looked
 * at. */
static void collect(struct reading *r, int i, bool *seen, struct pto_task *out)
{
    vec_foreach (const int, p, &r->records.items[i].preds) {
        const struct record *before = &r->records.items[*p];
        if (seen[*p])
            continue;
        seen[*p] = true;
        if (before->at >= 0)
            out->after[out->nafter++] = r->out->tasks.items[before->at].name;
        else
            collect(r, *p, seen, out);
    }
}

static const char *task_name(const struct reading *r, const char *kernel)
{
    const char *name = kernel;
    for (int run = 2;; run++) {
        bool used = false;
        vec_foreach (const struct pto_task, t, &r->out->tasks)
            used |= !strcmp(t->name, name);
        if (!used)
            return name;
        name = arena_printf(r->arena, "%s_run%d", kernel, run);
    }
}

static const char *kernel_file(struct reading *r, const char *kernel)
{
    const char *path = arena_printf(r->arena, "%s/ptoas/%s.pto", r->program, kernel);
    vec_foreach (const char *, known, &r->out->files)
        if (!strcmp(*known, path))
            return *known;
    vec_push(r->arena, &r->out->files, path);
    return path;
}

static bool take(struct reading *r, int i)
{
    struct record *x = &r->records.items[i];
    int64_t blocks = json_integer_value(json_object_get(x->json, "block_num"));
    struct pto_task t = {.name = task_name(r, x->name),
                         .file = kernel_file(r, x->name),
                         .source = source_from_string(r->arena, r->run, ""),
                         .blocks = (int)blocks,
                         .vectors = x->vectors};
    if (blocks < 1 || blocks > 1024)
        return wrong(r, "block_num of a task is out of range");
    t.after = arena_array(r->arena, const char *, r->records.len + 1);
    t.after_at = arena_array(r->arena, struct span, r->records.len + 1);
    collect(r, i, arena_array(r->arena, bool, r->records.len), &t);
    t.tensors = r->out->recorded.items[i].tensors;
    t.ntensors = r->out->recorded.items[i].ntensors;
    x->at = (int)r->out->tasks.len;
    vec_push(r->arena, &r->out->tasks, t);
    vec_push(r->arena, &r->out->records, i);
    return true;
}

static bool names_are_known(struct reading *r)
{
    vec_foreach (const struct directive_task, t, &r->said->tasks) {
        bool known = false;
        vec_foreach (const struct record, x, &r->records)
            known |= x->name && !strcmp(x->name, t->name);
        if (!known)
            return diag_error(r->d, t->source, t->span, "no task of the recorded run is '%s'",
                              t->name);
        if (t->blocks || t->ordered)
            return diag_error(r->d, t->source, t->span,
                              "blocks and order of '%s' are those of the recorded run", t->name);
    }
    return true;
}

static bool read_run(struct reading *r, const json_t *run)
{
    const json_t *tasks = json_object_get(run, "tasks"), *edges = json_object_get(run, "edges");
    r->tensors = json_object_get(run, "tensors");
    if (!json_is_array(tasks) || !json_is_array(edges) || !json_is_array(r->tensors))
        return wrong(r, "it lacks tasks, tensors or edges");
    for (size_t i = 0; i < json_array_size(tasks); i++)
        if (!add_record(r, json_array_get(tasks, i)))
            return false;
    if (!read_edges(r, edges) || !names_are_known(r))
        return false;
    vec_foreach (const struct record, x, &r->records)
        if (!read_tensors(r, x))
            return false;
    for (int i = 0; i < (int)r->records.len; i++)
        if (is_taken(r, &r->records.items[i]) && !take(r, i))
            return false;
    return r->out->tasks.len || wrong(r, "no task of it has a kernel");
}

static bool is_readable(const char *path)
{
    return !access(path, R_OK);
}

/* The text that the chip's orchestration was generated as, where it is kept. */
static bool read_orchestration(struct reading *r)
{
    const char *program = strrchr(r->program, '/') + 1,
               *chip = arena_printf(r->arena, "%s/orchestration/%s.cpp", r->program, program),
               *host = arena_printf(r->arena, "%s/orchestration/host_orch.py", r->dir);
    if (!is_readable(chip))
        return true;
    const struct source *text = source_read(r->arena, chip, r->d),
                        *above = is_readable(host) ? source_read(r->arena, host, r->d) : NULL;
    if (r->d->failed)
        return false;
    r->out->scalars = orchestration_read(r->arena, text, above, &r->out->recorded);
    return true;
}

static int count_ranks(const struct reading *r)
{
    int n = 0;
    while (n < MAX_RANKS && is_folder(arena_printf(r->arena, "%s/dfx_outputs/rank%d", r->dir, n)))
        n++;
    return n;
}

bool build_dir_read(struct arena *a, const char *dir, const struct directives *said,
                    struct build_dir *out, struct diag *d)
{
    struct reading r = {.arena = a, .dir = dir, .said = said, .out = out, .d = d};
    r.run = arena_printf(a, "%s/dfx_outputs/rank0/d0/deps.json", dir);
    if (!find_program(&r) || !read_kernels(&r))
        return false;
    const struct source *s = source_read(a, r.run, d);
    json_error_t e;
    json_t *run = s ? json_loads(s->text, 0, &e) : NULL;
    out->nranks = count_ranks(&r);
    bool ok = run ? read_run(&r, run) && read_orchestration(&r)
                  : s && diag_error(d, s, (struct span){e.line, e.column, 1}, "%s", e.text);
    json_decref(run);
    return ok;
}
