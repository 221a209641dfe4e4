/* SPDX-License-Identifier: MIT */
/* What orchestrators compute besides views: arrays, ids of tasks, and elements of their inputs. */
#include <string.h>

#include "codegen/host/host_internal.h"
#include "codegen/internal.h"
#include "isa/builder.h"

/* An array is copied whenever an element changes. */
enum { MAX_ARRAY = 4096 };

static const struct host_value nothing = {.kind = HOST_VOID};
static const struct host_value no_task = {.kind = HOST_TASK, .number = -1};

/* ---- arrays ---- */

struct host_value host_array_create(struct host_run *h, const struct ir_expr *e)
{
    const struct ir_expr *dtype = host_attr(&e->call, "dtype");
    bool tasks = dtype && dtype->kind == IR_NAME && !strcmp(dtype->name, "pl.TASK_ID");
    int64_t n = 0;
    if (!host_int(h, e->call.args.items[0], "the length of an array", &n))
        return nothing;
    if (n < 1 || n > MAX_ARRAY) {
        host_error(h, e->span, "an array of an orchestrator has 1 to %d elements", MAX_ARRAY);
        return nothing;
    }
    struct host_value *items = arena_array(h->arena, struct host_value, (size_t)n);
    for (int64_t i = 0; i < n; i++)
        items[i] = tasks ? no_task : (struct host_value){.kind = HOST_INT};
    return (struct host_value){.kind = HOST_TUPLE, .items = items, .nitems = (size_t)n};
}

static bool element_of(struct host_run *h, const struct ir_expr *e, struct host_value *array,
                       int64_t *at)
{
    *array = host_eval(h, e->call.args.items[0]);
    if (h->d->failed || !host_int(h, e->call.args.items[1], "an index", at))
        return false;
    if (array->kind != HOST_TUPLE)
        return host_error(h, e->call.args.items[0]->span, "expected an array");
    return (*at >= 0 && (uint64_t)*at < array->nitems) ||
           host_error(h, e->call.args.items[1]->span, "the array has %zu elements, none at %lld",
                      array->nitems, (long long)*at);
}

struct host_value host_array_get(struct host_run *h, const struct ir_expr *e)
{
    struct host_value array;
    int64_t at;
    return element_of(h, e, &array, &at) ? array.items[at] : nothing;
}

struct host_value host_array_update(struct host_run *h, const struct ir_expr *e)
{
    struct host_value array;
    int64_t at;
    if (!element_of(h, e, &array, &at))
        return nothing;
    struct host_value *items = arena_array(h->arena, struct host_value, array.nitems);
    memcpy(items, array.items, array.nitems * sizeof *items);
    items[at] = host_eval(h, e->call.args.items[2]);
    array.items = items;
    return array;
}

/* ---- ids of tasks ---- */

static void mark_tasks(const struct host_value *v, bool *named)
{
    for (size_t i = 0; v->kind == HOST_TUPLE && i < v->nitems; i++)
        mark_tasks(&v->items[i], named);
    for (size_t i = 0; v->kind == HOST_TASK && v->number >= 0 && i < v->nitems; i++)
        named[v->number - (int64_t)i] = true;
}

/* A task that only joins others: whoever waits for it waits for them, each of which is named once. */
struct host_value host_task_dummy(struct host_run *h, const struct ir_expr *e)
{
    const struct ir_expr *deps = host_attr(&e->call, "deps");
    struct host_value given = deps ? host_eval(h, deps) : nothing;
    size_t tasks = h->plan->tasks.len, n = 0;
    bool *named = arena_array(h->arena, bool, tasks + 1);
    struct host_value *items = arena_array(h->arena, struct host_value, tasks + 1);
    if (!h->d->failed)
        mark_tasks(&given, named);
    for (size_t t = 0; t < tasks; t++)
        if (named[t])
            items[n++] = (struct host_value){.kind = HOST_TASK, .number = (int64_t)t, .nitems = 1};
    return (struct host_value){.kind = HOST_TUPLE, .items = items, .nitems = n};
}

struct host_value host_task_invalid(struct host_run *h, const struct ir_expr *e)
{
    (void)h;
    (void)e;
    return no_task;
}

struct host_value host_task_is_valid(struct host_run *h, const struct ir_expr *e)
{
    struct host_value v = host_eval(h, e->call.args.items[0]);
    bool none = v.kind == HOST_VOID || (v.kind == HOST_TASK && v.number < 0);
    return (struct host_value){.kind = HOST_INT, .number = !none};
}

/* ---- elements of inputs ---- */

/* The index of the element in its object, in elements. */
static bool element_index(struct host_run *h, const struct ir_expr *indices,
                          const struct host_view *v, int64_t *index)
{
    bool flat = indices->kind != IR_TUPLE && indices->kind != IR_LIST;
    int64_t at = 0;
    *index = v->at / elem_size(v->elem);
    if (!flat && indices->items.len != (size_t)v->ndims)
        return host_error(h, indices->span, "expected %d indices, one per dimension", v->ndims);
    if (flat && !host_int(h, indices, "an index", &at))
        return false;
    for (int i = v->ndims; i-- > 0;) {
        if (!flat && !host_int(h, indices->items.items[i], "an index", &at))
            return false;
        bool last = flat && i > 0;
        int64_t here = last ? at % v->shape[i] : at;
        if (here < 0 || here >= v->shape[i])
            return host_error(h, indices->span, "the tensor has no element there");
        *index += here * v->stride[i];
        at = last ? at / v->shape[i] : at;
    }
    return true;
}

static bool is_written(const struct host_run *h, const struct host_extent *e)
{
    for (size_t t = 0; t < h->task_uses.len; t++)
        vec_foreach (const struct host_extent, use, &h->task_uses.items[t])
            if (h->plan->tasks.items[t].rank == h->rank && use->object == e->object &&
                use->low < e->high && e->low < use->high && (use->use & HOST_WRITES))
                return true;
    return false;
}

/* An orchestrator of the chip runs before its tasks do: it reads what its inputs start with. */
struct host_value host_read(struct host_run *h, const struct ir_expr *e)
{
    struct host_value v = host_eval(h, e->call.args.items[0]);
    int64_t index = 0;
    if (h->d->failed)
        return nothing;
    const struct host_object *o =
        v.kind == HOST_VIEW ? &h->plan->objects.items[v.view.object] : NULL;
    if (!o || h->rank < 0)
        host_error(h, e->span, o ? "the host reads no elements" : "expected a tensor");
    else if (!o->input || o->elem != v.view.elem)
        host_error(h, e->span, "'%s' is no input: an orchestrator reads what its inputs start with",
                   o->name);
    if (h->d->failed || !element_index(h, ir_call_arg(&e->call, "indices"), &v.view, &index))
        return nothing;
    int64_t size = elem_size(o->elem);
    struct host_extent at = {v.view.object, index * size, (index + 1) * size, HOST_READS};
    if (is_written(h, &at)) {
        host_error(h, e->span,
                   "a task in front of this writes '%s': an orchestrator reads what its inputs "
                   "start with",
                   o->name);
        return nothing;
    }
    int64_t value = build_pattern(ELEM_I64, (uint64_t)index, o->own ? h->rank : 0);
    return e->type && ir_dtype_is_float(e->type->dtype)
               ? (struct host_value){.kind = HOST_FLOAT, .real = (double)value}
               : (struct host_value){.kind = HOST_INT, .number = value};
}
