/* SPDX-License-Identifier: MIT */
#include "bench/campaign/recorded_run.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "bench/campaign/host_orch.h"
#include "isa/builder.h"

struct run_reading {
    struct arena *arena;
    const char *path;
    struct diag *d;
    run_tasks *out;
    VEC(const char *) ids; /* of the tasks */
    const json_t *tensors;
};

static bool wrong(struct run_reading *r, const char *what)
{
    return diag_file(r->d, r->path, "is no recorded run: %s", what);
}

/* Numbers of 64 bits stand as strings. */
static uint64_t number_of(const json_t *j)
{
    if (json_is_string(j))
        return strtoull(json_string_value(j), NULL, 0);
    return json_is_integer(j) && json_integer_value(j) > 0 ? (uint64_t)json_integer_value(j) : 0;
}

/* ---- tensors of a task ---- */

static int64_t element_bytes(const json_t *of)
{
    return host_element_bytes(json_string_value(json_object_get(of, "dtype")));
}

static const json_t *buffer_of(const struct run_reading *r, const char *tensor)
{
    for (size_t i = 0; tensor && i < json_array_size(r->tensors); i++) {
        const json_t *t = json_array_get(r->tensors, i);
        const char *id = json_string_value(json_object_get(t, "tensor_id"));
        if (id && !strcmp(id, tensor))
            return t;
    }
    return NULL;
}

/* What is wrong with it, or NULL. */
static const char *read_tensor(struct run_reading *r, const json_t *arg, struct pto_tensor *out)
{
    const json_t *buffer = buffer_of(r, json_string_value(json_object_get(arg, "tensor_id"))),
                 *shape = json_object_get(arg, "shape");
    int64_t size = element_bytes(arg), each = buffer ? element_bytes(buffer) : 0;
    *out = (struct pto_tensor){.buffer = ""};
    if (!buffer || !size || !each || !json_is_array(shape))
        return "an argument has no tensor_id, dtype or shape that is known";
    uint64_t elems = number_of(json_object_get(buffer, "buffer_numel")),
             at = number_of(json_object_get(arg, "start_offset"));
    size_t ndims = json_array_size(shape);
    if (elems < 1 || elems > MAX_MEMORY || at >= elems || ndims > PTO_MAX_DIMS)
        return "the size of a tensor is out of range";
    *out = (struct pto_tensor){.address = number_of(json_object_get(buffer, "buffer_addr")),
                               .elem_bytes = (int)size,
                               .ndims = (int)ndims,
                               .bytes = (int64_t)elems * each,
                               .at = (int64_t)at * size};
    out->buffer = arena_printf(r->arena, "buffer %#llx", (unsigned long long)out->address);
    for (int i = 0; i < out->ndims; i++)
        out->shape[i] = json_integer_value(json_array_get(shape, (size_t)i));
    return NULL;
}

/* ---- tasks ---- */

static bool add_task(struct run_reading *r, const json_t *task)
{
    struct run_task x = {.kernels = {-1, -1, -1}};
    const char *id = json_string_value(json_object_get(task, "task_id"));
    const json_t *ids = json_object_get(task, "kernel_ids"), *args = json_object_get(task, "args");
    int64_t blocks = json_integer_value(json_object_get(task, "block_num"));
    if (!id || !json_is_array(ids) || json_array_size(ids) > 3)
        return wrong(r, "a task has no task_id or kernel_ids");
    for (size_t i = 0; i < json_array_size(ids); i++) {
        int64_t n = json_integer_value(json_array_get(ids, i));
        x.kernels[i] = n < 0 || n > INT32_MAX ? -1 : (int)n;
    }
    if (blocks < 1 || blocks > RUN_MAX_BLOCKS)
        return wrong(r, "block_num of a task is out of range");
    x.blocks = (int)blocks;
    x.ntensors = (int)json_array_size(args);
    x.tensors = arena_array(r->arena, struct pto_tensor, (size_t)x.ntensors + 1);
    for (int i = 0; i < x.ntensors; i++) {
        const char *why = read_tensor(r, json_array_get(args, (size_t)i), &x.tensors[i]);
        x.wrong = x.wrong ? x.wrong : why;
    }
    vec_push(r->arena, &r->ids, arena_strdup(r->arena, id));
    vec_push(r->arena, r->out, x);
    return r->out->len <= RUN_MAX_TASKS || wrong(r, "it has too many tasks");
}

static int find_task(const struct run_reading *r, const char *id)
{
    for (size_t i = 0; id && i < r->ids.len; i++)
        if (!strcmp(r->ids.items[i], id))
            return (int)i;
    return -1;
}

/* What no task is are allocations. */
static bool read_edges(struct run_reading *r, const json_t *edges)
{
    for (size_t i = 0; i < json_array_size(edges); i++) {
        const json_t *e = json_array_get(edges, i);
        int pred = find_task(r, json_string_value(json_object_get(e, "pred"))),
            succ = find_task(r, json_string_value(json_object_get(e, "succ")));
        if (pred >= succ && pred >= 0 && succ >= 0)
            return wrong(r, "a task waits for one that comes later");
        if (pred >= 0 && succ >= 0)
            vec_push(r->arena, &r->out->items[succ].preds, pred);
    }
    return true;
}

static bool read_run(struct run_reading *r, const json_t *run)
{
    const json_t *tasks = json_object_get(run, "tasks"), *edges = json_object_get(run, "edges");
    r->tensors = json_object_get(run, "tensors");
    if (!json_is_array(tasks) || !json_is_array(edges) || !json_is_array(r->tensors))
        return wrong(r, "it lacks tasks, tensors or edges");
    for (size_t i = 0; i < json_array_size(tasks); i++)
        if (!add_task(r, json_array_get(tasks, i)))
            return false;
    return read_edges(r, edges);
}

bool recorded_run_read(struct arena *a, const char *path, run_tasks *out, struct diag *d)
{
    struct run_reading r = {.arena = a, .path = path, .d = d, .out = out};
    const struct source *s = source_read(a, path, d);
    json_error_t e;
    json_t *run = s ? json_loads(s->text, 0, &e) : NULL;
    bool ok = run ? read_run(&r, run)
                  : s && diag_error(d, s, (struct span){e.line, e.column, 1}, "%s", e.text);
    json_decref(run);
    return ok;
}
