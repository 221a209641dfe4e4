/* SPDX-License-Identifier: MIT */
#include "bench/campaign/build_dir.h"

#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/strbuf.h"

static bool is_folder(const char *path)
{
    struct stat st;
    return !stat(path, &st) && S_ISDIR(st.st_mode);
}

static bool is_readable(const char *path)
{
    return !access(path, R_OK);
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

/* A task of the program, whoever says it. */
struct record {
    const char *name; /* of its kernel, of two lanes without _aic and _aiv; NULL: a barrier */
    int vectors;      /* cores that run its vector kernel */
    int at;           /* among the tasks that are taken; -1: it is left out */
    struct run_task task;
    const struct chip_task *chip; /* of the orchestration, or NULL */
};

struct reading {
    struct arena *arena;
    const char *dir, *program; /* DIR/next_levels/PROGRAM */
    const char *run;           /* deps.json, or NULL */
    const struct directives *said;
    const struct binding *args;
    size_t nargs;
    struct build_dir *out;
    struct diag *d;
    VEC(struct kernel_row) kernels;
    VEC(struct record) records;
    struct build_runs runs;
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
        if (!is_readable(arena_printf(r->arena, "%s/kernel_config.py", path)))
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

static const char *kernel_name(const struct reading *r, int id)
{
    vec_foreach (const struct kernel_row, k, &r->kernels)
        if (k->id == id)
            return k->name;
    return NULL;
}

/* ---- the directory ---- */

/* The recorded run of rank 0: of the only dispatch that has one. */
static bool find_run(struct reading *r)
{
    const char *rank = arena_printf(r->arena, "%s/dfx_outputs/rank0", r->dir);
    DIR *dir = opendir(rank);
    bool ok = true;
    for (struct dirent *e; dir && (e = readdir(dir));) {
        const char *path = arena_printf(r->arena, "%s/%s/deps.json", rank, e->d_name);
        if (e->d_name[0] != 'd' || !is_readable(path))
            continue;
        if (r->run)
            ok = diag_file(r->d, rank, "holds several recorded runs; expected one");
        r->run = path;
    }
    if (dir)
        closedir(dir);
    return ok;
}

static int count_ranks(const struct reading *r)
{
    int n = 0;
    while (n < MAX_RANKS && is_folder(arena_printf(r->arena, "%s/dfx_outputs/rank%d", r->dir, n)))
        n++;
    return n ? n : r->out->host.nranks;
}

/* The texts that submit the tasks, where they are kept. */
static bool read_texts(struct reading *r)
{
    const char *program = strrchr(r->program, '/') + 1,
               *chip = arena_printf(r->arena, "%s/orchestration/%s.cpp", r->program, program);
    if (!host_orch_read(r->arena, r->dir, program, &r->out->host, r->d))
        return false;
    if (is_readable(chip))
        r->out->chip = source_read(r->arena, chip, r->d);
    return !r->d->failed;
}

/* ---- extents and scalars of the host that are said ---- */

static const struct binding *binding_of(const struct reading *r, const char *name)
{
    for (size_t i = r->nargs; i-- > 0;)
        if (!strcmp(r->args[i].name, name))
            return &r->args[i];
    for (size_t i = r->said->args.len; i-- > 0;)
        if (!strcmp(r->said->args.items[i].name, name))
            return &r->said->args.items[i];
    return NULL;
}

static bool read_extents(struct reading *r)
{
    int nranks = r->said->ranks.len ? r->said->ranks.items[0] : r->out->nranks;
    vec_foreach (const char *, name, &r->out->host.names) {
        const struct binding *b = binding_of(r, *name);
        struct chip_extent x = {.name = *name};
        if (!b)
            continue;
        if (!binding_eval(r->arena, b, 0, nranks ? nranks : 1, &x.n, r->d))
            return false;
        vec_push(r->arena, &r->out->known, x);
    }
    return true;
}

/* ---- the orchestration's tasks ---- */

static const struct chip_run *run_of(const struct build_dir *b, struct build_runs *runs, int rank)
{
    if (!runs->of[rank])
        runs->of[rank] =
            orchestration_run(runs->arena, b->chip, &b->host, &b->known, rank, runs->nranks);
    return runs->of[rank];
}

static const struct chip_run *first_run(struct reading *r)
{
    return run_of(r->out, &r->runs, 0);
}

/* Names of the host that must be said, in one error. */
static bool report_needs(struct reading *r, const char *const *names, size_t n, struct span at)
{
    struct strbuf b = strbuf_make(r->arena);
    for (size_t i = 0; i < n; i++)
        strbuf_addf(&b, "%s%s", i ? ", " : "", names[i]);
    return diag_error(r->d, r->out->chip, at,
                      "the host program does not say what is %s; give --arg %s=NUMBER or a line "
                      "'// fencebench: arg %s=NUMBER'",
                      b.text, names[0], names[0]);
}

/* What the tasks that are taken need and nobody says. */
struct needs {
    VEC(const char *) names;
    const char *why; /* of something else that is not known */
    struct span at;
};

static int64_t number_of(struct reading *r, struct needs *needs, const struct chip_number *n,
                         struct span at)
{
    if (n->known)
        return n->n;
    if (!n->needs) {
        needs->at = needs->why ? needs->at : n->at.line ? n->at : at;
        needs->why = needs->why ? needs->why : n->why;
        return 0;
    }
    vec_foreach (const char *, known, &needs->names)
        if (!strcmp(*known, n->needs))
            return 0;
    vec_push(r->arena, &needs->names, n->needs);
    return 0;
}

/* A part of a buffer, as a recorded run would say it. */
static struct pto_tensor tensor_of(struct reading *r, const struct chip_run *run,
                                   const struct chip_tensor *t, struct needs *needs, struct span at)
{
    const struct chip_buffer *b = &run->buffers.items[t->buffer];
    struct pto_tensor out = {.buffer = arena_printf(r->arena, "%s %d", b->name, t->buffer),
                             .address = b->address,
                             .window = b->window,
                             .elem_bytes = t->elem_bytes,
                             .ndims = t->ndims < 0 ? 0 : t->ndims};
    struct chip_number elem =
        t->elem_bytes ? (struct chip_number){.known = true, .n = t->elem_bytes}
                      : (struct chip_number){
                            .why = arena_printf(r->arena, "the element type of '%s'", b->name)};
    number_of(r, needs, &elem, at);
    for (int i = 0; i < out.ndims; i++)
        out.shape[i] = number_of(r, needs, &t->shape[i], at);
    int64_t elems = number_of(r, needs, &b->elems, at), from = number_of(r, needs, &t->at, at);
    bool fits = elems >= 0 && elems <= MAX_MEMORY && from >= 0 && from <= MAX_MEMORY;
    if (!fits && !needs->why) {
        needs->why = arena_printf(r->arena, "the size of '%s' is out of range", b->name);
        needs->at = at;
    }
    out.bytes = fits ? elems * t->elem_bytes : 0;
    out.at = fits ? from * t->elem_bytes : 0;
    return out;
}

/* The sizes of a task that is taken. */
static void take_sizes(struct reading *r, const struct chip_run *run, struct record *x,
                       struct needs *needs)
{
    const struct chip_task *c = x->chip;
    int64_t blocks = number_of(r, needs, &c->blocks, c->at);
    if (c->blocks.known && (blocks < 1 || blocks > RUN_MAX_BLOCKS) && !needs->why) {
        needs->why = arena_printf(r->arena, "%lld blocks are out of range", (long long)blocks);
        needs->at = c->at;
    }
    x->task.blocks = blocks < 1 || blocks > RUN_MAX_BLOCKS ? 1 : (int)blocks;
    x->task.tensors = arena_array(r->arena, struct pto_tensor, c->args.len + 1);
    vec_foreach (const struct chip_argument, a, &c->args)
        x->task.tensors[x->task.ntensors++] = tensor_of(r, run, &a->tensor, needs, c->at);
}

/* ---- records ---- */

static bool name_record(struct reading *r, struct record *x, const struct source *src,
                        const char *file, struct span at)
{
    int lanes = 0;
    for (int i = 0; i < 3; i++) {
        int id = x->task.kernels[i];
        const char *name = id >= 0 ? kernel_name(r, id) : NULL;
        if (id < 0)
            continue;
        if (!name)
            return src ? diag_error(r->d, src, at, "no kernel has number %d", id)
                       : diag_file(r->d, file, "is no recorded run: no kernel has number %d", id);
        x->vectors += i > 0; /* the cube's comes first */
        x->name = lanes++ ? x->name : name;
    }
    size_t stem = lanes > 1 ? pto_stem_length(x->name) : 0;
    if (stem)
        x->name = arena_strndup(r->arena, x->name, stem);
    return true;
}

static bool records_of_run(struct reading *r)
{
    run_tasks tasks = {0};
    if (!recorded_run_read(r->arena, r->run, &tasks, r->d))
        return false;
    vec_foreach (const struct run_task, t, &tasks) {
        struct record x = {.at = -1, .task = *t};
        if (!name_record(r, &x, NULL, r->run, (struct span){0}))
            return false;
        vec_push(r->arena, &r->records, x);
    }
    return true;
}

static bool records_of_orchestration(struct reading *r)
{
    const struct chip_run *run = first_run(r);
    if (run->stopped && run->needs)
        return report_needs(r, &run->needs, 1, run->at);
    if (run->stopped)
        return diag_error(r->d, r->out->chip, run->at, "the orchestration is not read: %s",
                          run->why);
    vec_foreach (const struct chip_task, c, &run->tasks) {
        struct record x = {.at = -1, .chip = c};
        memcpy(x.task.kernels, c->kernels, sizeof x.task.kernels);
        vec_foreach (const int, p, &c->preds)
            vec_push(r->arena, &x.task.preds, *p);
        if (!name_record(r, &x, r->out->chip, NULL, c->at))
            return false;
        vec_push(r->arena, &r->records, x);
    }
    return true;
}

/* ---- both ---- */

/* What the recorded run tells of an extent that the host has by name. True when it was not known. */
static bool learn(struct reading *r, const struct chip_number *n, int64_t is)
{
    if (n->known || !n->symbol || is < 1)
        return false;
    vec_foreach (const struct chip_extent, x, &r->out->known)
        if (!strcmp(x->name, n->symbol))
            return false;
    struct chip_extent x = {n->symbol, is};
    vec_push(r->arena, &r->out->known, x);
    return true;
}

static bool learn_extents(struct reading *r, const struct chip_run *run)
{
    bool more = false;
    for (size_t i = 0; i < run->tasks.len && i < r->records.len; i++) {
        const struct chip_task *c = &run->tasks.items[i];
        const struct run_task *t = &r->records.items[i].task;
        for (int k = 0; k < t->ntensors && k < (int)c->args.len; k++) {
            const struct chip_tensor *x = &c->args.items[k].tensor;
            bool same = x->ndims == t->tensors[k].ndims || x->ndims < 0;
            for (int j = 0; same && j < t->tensors[k].ndims; j++)
                more |= learn(r, &x->shape[j], t->tensors[k].shape[j]);
        }
    }
    return more;
}

static const char *name_of(const struct reading *r, const int kernels[3])
{
    int id = kernels[0] >= 0 ? kernels[0] : kernels[1];
    const char *name = id >= 0 ? kernel_name(r, id) : "a barrier";
    return name ? name : "an unknown kernel";
}

/* The orchestration submits what was recorded. */
static bool runs_agree(struct reading *r, const struct chip_run *run)
{
    const struct source *src = r->out->chip;
    for (size_t i = 0; i < run->tasks.len; i++) {
        const struct chip_task *c = &run->tasks.items[i];
        if (i >= r->records.len)
            return diag_error(r->d, src, c->at, "the recorded run has %zu tasks, and not this one",
                              r->records.len);
        const struct run_task *t = &r->records.items[i].task;
        if (memcmp(c->kernels, t->kernels, sizeof t->kernels) != 0)
            return diag_error(r->d, src, c->at, "the recorded run has %s as task %zu, not %s",
                              name_of(r, t->kernels), i, name_of(r, c->kernels));
        if (c->blocks.known && c->blocks.n != t->blocks)
            return diag_error(r->d, src, c->at,
                              "the recorded run has %s with %d blocks, not with %lld",
                              name_of(r, t->kernels), t->blocks, (long long)c->blocks.n);
    }
    return run->stopped || run->tasks.len == r->records.len ||
           diag_error(r->d, src, (struct span){0},
                      "submits %zu tasks, where the recorded run has %zu", run->tasks.len,
                      r->records.len);
}

/* Which recorded tensors are windows of the host. */
static void note_windows(struct reading *r, const struct chip_run *run)
{
    for (size_t i = 0; i < run->tasks.len; i++) {
        const struct chip_task *c = &run->tasks.items[i];
        const struct run_task *t = &r->records.items[i].task;
        for (int k = 0; k < t->ntensors && k < (int)c->args.len; k++)
            t->tensors[k].window = run->buffers.items[c->args.items[k].tensor.buffer].window;
    }
}

/* Runs the orchestration until the recorded run tells no more. */
static bool compare(struct reading *r)
{
    const struct chip_run *run;
    if (!r->out->chip)
        return true;
    do {
        r->runs.of[0] = NULL;
        run = first_run(r);
    } while (learn_extents(r, run));
    if (!runs_agree(r, run))
        return false;
    note_windows(r, run);
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

typedef VEC(const char *) task_names;

/* The taken tasks that record i waits for, directly or through others; seen: records that were looked
 * at. */
static void collect(struct reading *r, int i, bool *seen, task_names *out)
{
    vec_foreach (const int, p, &r->records.items[i].task.preds) {
        const struct record *before = &r->records.items[*p];
        if (seen[*p])
            continue;
        seen[*p] = true;
        if (before->at >= 0)
            vec_push(r->arena, out, r->out->tasks.items[before->at].name);
        else
            collect(r, *p, seen, out);
    }
}

/* Of the kernel; what runs again has a number. */
static const char *task_name(const struct reading *r, int i)
{
    const char *kernel = r->records.items[i].name;
    int run = 1;
    for (int k = 0; k < i; k++)
        run += r->records.items[k].at >= 0 && !strcmp(r->records.items[k].name, kernel);
    return run == 1 ? kernel : arena_printf(r->arena, "%s_run%d", kernel, run);
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

/* A buffer has as many elements as its part says, times what else it holds. */
static void scale_tensor(const struct reading *r, struct pto_tensor *t)
{
    vec_foreach (const struct directive_number, x, &r->said->scales)
        for (int i = 0; i < t->ndims; i++) {
            bool whole = t->bytes % x->from == 0 && t->at % x->from == 0;
            if (t->shape[i] != x->from || !whole)
                continue;
            t->shape[i] = x->to;
            t->bytes = t->bytes / x->from * x->to;
            t->at = t->at / x->from * x->to;
        }
}

static void take(struct reading *r, int i)
{
    struct record *x = &r->records.items[i];
    const char *said = r->run ? r->run : r->out->chip->name;
    struct pto_task t = {.name = task_name(r, i),
                         .file = kernel_file(r, x->name),
                         .source = source_from_string(r->arena, said, ""),
                         .blocks = x->task.blocks,
                         .vectors = x->vectors,
                         .tensors = x->task.tensors,
                         .ntensors = x->task.ntensors};
    task_names after = {0};
    for (int k = 0; k < x->task.ntensors; k++)
        scale_tensor(r, &x->task.tensors[k]);
    collect(r, i, arena_array(r->arena, bool, r->records.len), &after);
    t.after = after.items;
    t.nafter = (int)after.len;
    t.after_at = arena_array(r->arena, struct span, after.len + 1);
    x->at = (int)r->out->tasks.len;
    vec_push(r->arena, &r->out->tasks, t);
    vec_push(r->arena, &r->out->numbers, i);
}

static bool names_are_known(struct reading *r)
{
    vec_foreach (const struct directive_task, t, &r->said->tasks) {
        bool known = false;
        vec_foreach (const struct record, x, &r->records)
            known |= x->name && !strcmp(x->name, t->name);
        if (!known)
            return diag_error(r->d, t->source, t->span, "no task of the %s is '%s'",
                              r->run ? "recorded run" : "orchestration", t->name);
        if (t->blocks || t->ordered)
            return diag_error(r->d, t->source, t->span,
                              "blocks and order of '%s' are those of the %s", t->name,
                              r->run ? "recorded run" : "orchestration");
    }
    return true;
}

/* Sizes first: what they need is said at once. */
static bool take_tasks(struct reading *r)
{
    struct needs needs = {0};
    vec_foreach (struct record, x, &r->records) {
        if (!is_taken(r, x))
            continue;
        if (x->task.wrong)
            return diag_file(r->d, r->run, "is no recorded run of '%s': %s", x->name,
                             x->task.wrong);
        if (x->chip)
            take_sizes(r, first_run(r), x, &needs);
    }
    if (needs.why)
        return diag_error(r->d, r->out->chip, needs.at, "a size is not known: %s", needs.why);
    if (needs.names.len)
        return report_needs(r, needs.names.items, needs.names.len, (struct span){0});
    for (int i = 0; i < (int)r->records.len; i++)
        if (is_taken(r, &r->records.items[i]))
            take(r, i);
    return r->out->tasks.len || diag_file(r->d, r->dir, "no task of it has a kernel");
}

bool build_dir_read(struct arena *a, const char *dir, const struct directives *said,
                    const struct binding *args, size_t nargs, struct build_dir *out, struct diag *d)
{
    struct reading r = {
        .arena = a, .dir = dir, .said = said, .args = args, .nargs = nargs, .out = out, .d = d};
    if (!find_program(&r) || !read_kernels(&r) || !find_run(&r) || !read_texts(&r))
        return false;
    out->nranks = count_ranks(&r);
    r.runs = (struct build_runs){.arena = a, .nranks = out->nranks ? out->nranks : 2};
    if (!read_extents(&r))
        return false;
    if (out->known.len && out->chip)
        r.run = NULL; /* other sizes than those that were recorded */
    if (!r.run && !out->chip)
        return diag_file(d, dir,
                         "holds neither a recorded run, dfx_outputs/rank0/d0/deps.json, nor the "
                         "orchestration's text, %s/orchestration/PROGRAM.cpp",
                         strrchr(r.program, '/') + 1);
    bool ok = r.run ? records_of_run(&r) && compare(&r) : records_of_orchestration(&r);
    return ok && names_are_known(&r) && take_tasks(&r);
}

/* ---- scalars ---- */

static bool same_task(const struct chip_task *x, const struct chip_task *y)
{
    bool same = !memcmp(x->kernels, y->kernels, sizeof x->kernels) && x->args.len == y->args.len &&
                x->scalars.len == y->scalars.len && x->blocks.n == y->blocks.n;
    for (size_t i = 0; same && i < x->args.len; i++) {
        const struct chip_tensor *a = &x->args.items[i].tensor, *b = &y->args.items[i].tensor;
        same = a->buffer == b->buffer && a->at.n == b->at.n && a->ndims == b->ndims;
    }
    return same;
}

bool build_dir_scalar(const struct build_dir *b, struct build_runs *runs, int task, int scalar,
                      int rank, struct chip_number *out, struct diag *d)
{
    *out = (struct chip_number){.why = NULL};
    if (!b->chip)
        return true;
    int n = b->numbers.items[task];
    const struct chip_run *run = run_of(b, runs, rank), *first = run_of(b, runs, 0);
    if (n >= (int)run->tasks.len)
        return diag_error(d, b->chip, run->at, "the orchestration is not read: %s", run->why);
    const struct chip_task *t = &run->tasks.items[n];
    if (n >= (int)first->tasks.len || !same_task(t, &first->tasks.items[n]))
        return diag_error(d, b->chip, t->at,
                          "rank %d does not submit here what rank 0 submits; this is not run",
                          rank);
    if (scalar >= 0 && scalar < (int)t->scalars.len)
        *out = t->scalars.items[scalar];
    return true;
}
