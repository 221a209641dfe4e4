/* SPDX-License-Identifier: MIT */
#include "bench/campaign/host_orch.h"

#include <ctype.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "codegen/bind.h"
#include "isa/builder.h"

/* NAME = EXPRESSION, or tensors["NAME"] = EXPRESSION. */
struct line_definition {
    const char *name, *expr;
};

struct window_spec {
    const char *name;
    uint64_t at;
};

struct host_reading {
    struct arena *arena;
    struct host_program *out;
    struct diag *d;
    const json_t *meta;
    const char *submitted; /* the arguments of the chip program, "_ta_0" */
    const char *rank;      /* the variable that counts ranks */
    VEC(struct line_definition) definitions;
    VEC(struct window_spec) windows;
    uint64_t window_bytes;
};

int host_element_bytes(const char *dtype)
{
    static const struct {
        const char *name;
        int bytes;
    } known[] = {{"FLOAT32", 4}, {"INT32", 4},  {"UINT32", 4},  {"FLOAT16", 2},  {"BFLOAT16", 2},
                 {"INT16", 2},   {"UINT16", 2}, {"INT64", 8},   {"UINT64", 8},   {"INT8", 1},
                 {"UINT8", 1},   {"BOOL", 1},   {"FLOAT8", 1},  {"fp32", 4},     {"int32", 4},
                 {"uint32", 4},  {"fp16", 2},   {"float16", 2}, {"bfloat16", 2}, {"bf16", 2},
                 {"int16", 2},   {"uint16", 2}, {"int64", 8},   {"uint64", 8},   {"int8", 1},
                 {"uint8", 1},   {"bool", 1},   {"float32", 4}};
    for (size_t i = 0; dtype && i < sizeof known / sizeof *known; i++)
        if (!strcmp(known[i].name, dtype))
            return known[i].bytes;
    return 0;
}

/* ---- pieces of a line ---- */

/* The text between quotes that p begins with, or NULL. */
static const char *quoted(struct arena *a, const char *p)
{
    size_t n = *p == '"' ? strcspn(p + 1, "\"\n") : 0;
    return *p == '"' && p[1 + n] == '"' ? arena_strndup(a, p + 1, n) : NULL;
}

/* Up to the bracket that closes the one at open. */
static const char *inside(struct arena *a, const char *open)
{
    int depth = 0;
    const char *p = open;
    do {
        depth += *p == '(' || *p == '[';
        depth -= *p == ')' || *p == ']';
    } while (*p++ && depth > 0);
    return depth ? "" : arena_strndup(a, open + 1, (size_t)(p - open - 2));
}

/* The text behind a word of the line, or NULL. */
static const char *behind(const char *line, const char *word)
{
    const char *at = strstr(line, word);
    return at ? at + strlen(word) : NULL;
}

/* The next part of a list, up to a comma outside of brackets; *p moves behind it. NULL: none is left. */
static const char *next_part(struct arena *a, const char **p)
{
    const char *begin = *p + strspn(*p, " "), *end = begin;
    int depth = 0;
    if (!*begin)
        return NULL;
    for (; *end && (depth > 0 || *end != ','); end++) {
        depth += *end == '(' || *end == '[';
        depth -= *end == ')' || *end == ']';
    }
    *p = end + (*end == ',');
    while (end > begin && end[-1] == ' ')
        end--;
    return arena_strndup(a, begin, (size_t)(end - begin));
}

static const char *defined(const struct host_reading *h, const char *name)
{
    for (size_t i = h->definitions.len; i-- > 0;)
        if (!strcmp(h->definitions.items[i].name, name))
            return h->definitions.items[i].expr;
    return NULL;
}

/* Without what the compiler put behind a name: "local_t" of "local_t__ssa_v0". */
static const char *shown(struct arena *a, const char *name)
{
    const char *end = strstr(name, "__ssa_v");
    return end && end > name ? arena_strndup(a, name, (size_t)(end - name)) : name;
}

static void add_name(struct host_reading *h, const char *name)
{
    vec_foreach (const char *, known, &h->out->names)
        if (!strcmp(*known, name))
            return;
    vec_push(h->arena, &h->out->names, name);
}

/* ---- distributed_meta.json ---- */

static const json_t *parameter(const struct host_reading *h, const char *name)
{
    const json_t *params = json_object_get(h->meta, "params");
    for (size_t i = 0; i < json_array_size(params); i++) {
        const json_t *p = json_array_get(params, i);
        const char *is = json_string_value(json_object_get(p, "name"));
        if (is && !strcmp(is, name))
            return p;
    }
    return NULL;
}

/* An extent of a parameter: what is said, or one of the name. */
static struct host_extent extent_of(struct host_reading *h, const char *param, int dim,
                                    const char *name)
{
    const json_t *shape = json_object_get(parameter(h, param), "shape");
    int64_t n = json_integer_value(json_array_get(shape, (size_t)dim));
    if (n > 0)
        return (struct host_extent){.n = n};
    if (!name)
        name = arena_printf(h->arena, "%s_dim%d", shown(h->arena, param), dim);
    add_name(h, name);
    return (struct host_extent){.name = name};
}

/* ---- extents and tensors ---- */

/* "4096", or a name that is tensors["P"].shape[K], or one that nobody defines. */
static struct host_extent extent_of_text(struct host_reading *h, const char *text)
{
    char *end;
    int64_t n = strtoll(text, &end, 10);
    const char *expr = defined(h, text), *param = expr ? behind(expr, "tensors[") : NULL,
               *dim = expr ? behind(expr, "].shape[") : NULL;
    if (end != text && !*end && n >= 0)
        return (struct host_extent){.n = n};
    param = param ? quoted(h->arena, param) : NULL;
    if (param && dim)
        return extent_of(h, param, atoi(dim) & 0xff, text);
    add_name(h, text);
    return (struct host_extent){.name = text};
}

static bool refuse(struct host_reading *h, struct span at, const char *what, const char *text)
{
    return diag_error(h->d, h->out->source, at, "%s is not read: '%s'", what, text);
}

/* tensors["T"]: the whole of a parameter, or a part of it as it was defined. */
static bool read_own_tensor(struct host_reading *h, const char *name, struct host_tensor *t)
{
    const char *expr = defined(h, name), *param = expr ? behind(expr, "tensors[") : NULL;
    param = param ? quoted(h->arena, param) : NULL;
    if (!param) {
        const json_t *shape = json_object_get(parameter(h, name), "shape");
        t->name = shown(h->arena, name);
        t->elem_bytes =
            host_element_bytes(json_string_value(json_object_get(parameter(h, name), "dtype")));
        for (size_t k = 0; k < json_array_size(shape) && k < PTO_MAX_DIMS; k++)
            t->shape[t->ndims++] = extent_of(h, name, (int)k, NULL);
        return true;
    }
    const char *index = strchr(expr, ']'), *part;
    t->name = shown(h->arena, param);
    t->elem_bytes =
        host_element_bytes(json_string_value(json_object_get(parameter(h, param), "dtype")));
    index = index && index[1] == '[' ? inside(h->arena, index + 1) : "";
    while ((part = next_part(h->arena, &index))) {
        const char *colon = strchr(part, ':');
        if (!colon)
            continue; /* one element: the dimension is none of the part */
        if (strncmp(part, "0:", 2) != 0 || t->ndims == PTO_MAX_DIMS)
            return false;
        t->shape[t->ndims++] = extent_of_text(h, colon + 1);
    }
    return true;
}

/* buffers["W"].tensor(shapes=(2, 64), dtype=DataType.FLOAT32) */
static bool read_window(struct host_reading *h, const char *text, struct host_tensor *t)
{
    const char *shapes = behind(text, "shapes=("), *dtype = behind(text, "DataType."), *part;
    const char *name = quoted(h->arena, text);
    if (!name || !shapes || !dtype)
        return false;
    t->name = shown(h->arena, name);
    t->window = true;
    t->elem_bytes = host_element_bytes(arena_strndup(h->arena, dtype, bind_name_length(dtype)));
    vec_foreach (const struct window_spec, w, &h->windows)
        if (!strcmp(w->name, name))
            t->address = w->at;
    shapes = inside(h->arena, shapes - 1);
    while ((part = next_part(h->arena, &shapes))) {
        if (t->ndims == PTO_MAX_DIMS)
            return false;
        t->shape[t->ndims++] = extent_of_text(h, part);
    }
    return t->elem_bytes > 0;
}

static bool add_tensor(struct host_reading *h, const char *text, struct span at)
{
    struct host_tensor t = {0};
    const char *window = behind(text, ".buffers["), *own = behind(text, "tensors[");
    const char *name = own ? quoted(h->arena, own) : NULL;
    bool ok = window ? read_window(h, window, &t) : name && read_own_tensor(h, name, &t);
    if (!ok)
        return refuse(h, at, "a tensor of the chip program", text);
    vec_push(h->arena, &h->out->tensors, t);
    return true;
}

/* ---- scalars ---- */

/* A name in an expression of the host: as ours call it, or NULL. */
static const char *scalar_name(struct host_reading *h, const char *name)
{
    const char *expr = defined(h, name);
    if (!strcmp(name, "world_size") || (expr && !strcmp(expr, "world_size")))
        return "nranks";
    if (h->rank && !strcmp(name, h->rank))
        return "rank";
    if (!expr || strncmp(expr, "tensors[", strlen("tensors[")) != 0)
        return NULL;
    struct host_extent e = extent_of_text(h, name);
    if (!e.name)
        return arena_printf(h->arena, "%lld", (long long)e.n);
    const char *own = strstr(expr, ".shape[") ? name : shown(h->arena, name);
    add_name(h, own);
    return own;
}

static void add_scalar(struct host_reading *h, const char *text, struct span at)
{
    struct host_scalar s = {.text = text, .at = at, .ctx = strstr(text, ".device_ctx") != NULL};
    struct strbuf b = strbuf_make(h->arena);
    bool read = !s.ctx && *text;
    for (const char *p = text; read && *p;) {
        size_t n = bind_name_length(p);
        const char *name = n ? scalar_name(h, arena_strndup(h->arena, p, n)) : NULL;
        if (n && name)
            strbuf_add(&b, name);
        else if (!n && strchr("+-*/%() 0123456789", *p))
            strbuf_addn(&b, p, 1);
        else
            read = false;
        p += n ? n : 1;
    }
    s.expr = read ? b.text : NULL;
    vec_push(h->arena, &h->out->scalars, s);
}

/* ---- lines ---- */

/* The bytes of a window, with whose sum the next one begins. */
static bool add_window(struct host_reading *h, const char *line, struct span at)
{
    const char *name = behind(line, "name="), *bytes = behind(line, "nbytes=");
    name = name ? quoted(h->arena, name) : NULL;
    const char *rest = bytes ? bytes : "", *expr = next_part(h->arena, &rest);
    size_t n = expr ? strlen(expr) : 0;
    int closing = 0;
    for (const char *p = expr; p && *p; p++)
        closing += (*p == ')') - (*p == '(');
    for (; closing > 0 && n; closing--)
        n--; /* the specification's own */
    struct binding b = {.name = "nbytes",
                        .source = h->out->source,
                        .line = at.line,
                        .col = at.col,
                        .expr = expr ? arena_strndup(h->arena, expr, n) : ""};
    int64_t size = 0;
    if (!name || !expr)
        return refuse(h, at, "a window", line);
    if (!binding_eval(h->arena, &b, 0, 1, &size, h->d))
        return false;
    if (size < 1 || size > MAX_MEMORY)
        return refuse(h, at, "a window's size", b.expr);
    vec_push(h->arena, &h->windows, ((struct window_spec){name, h->window_bytes}));
    h->window_bytes += (uint64_t)size;
    return true;
}

static void note_definition(struct host_reading *h, const char *line)
{
    const char *key = strncmp(line, "tensors[", 8) ? NULL : quoted(h->arena, line + 8);
    size_t n = key ? strcspn(line, "]") + 1 : bind_name_length(line);
    if (!n || strncmp(line + n, " = ", 3) != 0)
        return;
    struct line_definition d = {key ? key : arena_strndup(h->arena, line, n),
                                arena_strdup(h->arena, line + n + 3)};
    vec_push(h->arena, &h->definitions, d);
}

/* The first look: names, windows, and which arguments are those of the chip program. */
static bool note_line(struct host_reading *h, const char *program, const char *line, struct span at)
{
    const char *submit = behind(line, "_submit_chip("), *spec = behind(line, "CommBufferSpec(");
    note_definition(h, line);
    if (behind(line, "allocate_domain"))
        h->window_bytes = align_up(h->window_bytes, CACHE_LINE); /* of its own */
    if (spec)
        return add_window(h, line, at);
    if (!submit)
        return true;
    const char *args = inside(h->arena, submit - 1), *part[5] = {0};
    for (int i = 0; i < 5; i++)
        part[i] = next_part(h->arena, &args);
    const char *callee = part[1] ? behind(part[1], "callables[") : NULL;
    callee = callee ? quoted(h->arena, callee) : NULL;
    if (!callee || !part[4] || strcmp(callee, program) != 0)
        return refuse(h, at, "what is submitted", line);
    if (h->submitted)
        return diag_error(h->d, h->out->source, at, "'%s' is submitted more than once", program);
    h->submitted = part[2];
    h->rank = part[4];
    return true;
}

static bool read_line(struct host_reading *h, const char *line, struct span at)
{
    size_t n = h->submitted ? strlen(h->submitted) : 0;
    if (!n || strncmp(line, h->submitted, n) != 0)
        return true;
    const char *tensor = behind(line + n, ".add_tensor("),
               *scalar = behind(line + n, ".add_scalar(");
    if (scalar)
        add_scalar(h, inside(h->arena, scalar - 1), at);
    return !tensor || add_tensor(h, inside(h->arena, tensor - 1), at);
}

static bool each_line(struct host_reading *h, const char *program)
{
    int number = 0;
    for (const char *p = h->out->source->text; *p;) {
        size_t n = strcspn(p, "\n"), blank = strspn(p, " \t");
        blank = blank < n ? blank : n;
        const char *line = arena_strndup(h->arena, p + blank, n - blank);
        struct span at = {++number, (int)blank + 1, (int)(n - blank)};
        if (!(program ? note_line(h, program, line, at) : read_line(h, line, at)))
            return false;
        p += n + (p[n] == '\n');
    }
    return true;
}

/* ---- both files ---- */

static json_t *read_meta(struct arena *a, const char *dir, struct diag *d)
{
    const char *path = arena_printf(a, "%s/distributed_meta.json", dir);
    const struct source *s = access(path, R_OK) ? NULL : source_read(a, path, d);
    json_error_t e;
    json_t *meta = s ? json_loads(s->text, 0, &e) : NULL;
    if (s && !meta)
        diag_error(d, s, (struct span){e.line, e.column, 1}, "%s", e.text);
    return meta;
}

bool host_orch_read(struct arena *a, const char *dir, const char *program, struct host_program *out,
                    struct diag *d)
{
    const char *path = arena_printf(a, "%s/orchestration/host_orch.py", dir);
    json_t *meta = read_meta(a, dir, d);
    struct host_reading h = {.arena = a, .out = out, .d = d, .meta = meta};
    bool ok = !d->failed;
    const json_t *config = json_object_get(meta, "distributed_config");
    size_t devices = json_array_size(json_object_get(config, "device_ids"));
    out->nranks = devices <= MAX_RANKS ? (int)devices : 0;
    if (ok && !access(path, R_OK)) {
        out->source = source_read(a, path, d);
        ok = out->source && each_line(&h, program) && each_line(&h, NULL);
    }
    json_decref(meta);
    return ok;
}
