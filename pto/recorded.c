/* SPDX-License-Identifier: MIT */
/*
 * Arguments as a recorded run had them (pto-facts 4): which buffers tensors are parts of, how large these
 * are and where windows lie in their lines, and what dimensions were.
 */
#include <stdlib.h>
#include <string.h>

#include "pto/lower.h"

bool recorded_arguments(struct lower *l, int lane)
{
    const struct task_lane *own = &l->lanes.items[lane];
    const struct task *t = &l->launches.items[own->task];
    for (int i = 0; i < t->ntensors; i++) {
        struct pto_arg *a = &l->args.items[own->first_arg + (size_t)i];
        bool there = i < (int)own->nargs;
        if (!there || a->value->type->kind != PTO_POINTER)
            return lower_error(l, there ? a->value->span : own->func->span,
                               "the recorded run gives '%s' %d tensors; argument %d is none",
                               t->name, t->ntensors, i);
        a->tensor = &t->tensors[i];
        if (a->tensor->elem_bytes != elem_size(a->elem))
            return lower_error(l, a->value->span,
                               "the recorded run gives '%s' elements of %d bytes here, not of %d",
                               t->name, a->tensor->elem_bytes, elem_size(a->elem));
        a->name = a->tensor->buffer;
        if (a->role == ROLE_CTX) /* a tensor of 64-bit integers */
            a->role = ROLE_TENSOR;
        if (a->role == ROLE_TENSOR && a->tensor->window)
            a->role = ROLE_WINDOW;
    }
    return true;
}

static bool same_buffer(const struct pto_arg *a, const struct pto_arg *b)
{
    return a->tensor && b->tensor && !strcmp(a->tensor->buffer, b->tensor->buffer);
}

void recorded_windows(struct lower *l)
{
    vec_foreach (const struct pto_arg, window, &l->args)
        vec_foreach (struct pto_arg, a, &l->args)
            if (window->role == ROLE_WINDOW && a->role == ROLE_TENSOR && same_buffer(a, window))
                a->role = ROLE_WINDOW;
}

const struct pto_arg *recorded_peer(const struct lower *l, const struct pto_arg *a)
{
    vec_foreach (const struct pto_arg, other, &l->args)
        if (other != a && other->region >= 0 && other->role == a->role && same_buffer(a, other))
            return other;
    return NULL;
}

/* The n of an extent that is n, or n times a constant. */
void recorded_dims(struct lower *l, const struct pto_arg *a, const struct pto_op *view,
                   struct pto_arg *(*argument)(struct lower *, const struct pto_value *))
{
    int n = pto_count_operands(view, "shape");
    for (int i = 0; a->tensor && n == a->tensor->ndims && i < n; i++) {
        const struct pto_operand *o = pto_find_operand(view, "shape", i);
        const struct pto_op *def = o->value ? o->value->def : NULL;
        bool product = def && !strcmp(def->name, "arith.muli") && def->operands.len == 2;
        for (int k = 0; k < (product ? 2 : 1); k++) {
            const struct pto_value *v = product ? def->operands.items[k].value : o->value;
            const struct pto_value *by = product ? def->operands.items[1 - k].value : NULL;
            int64_t factor = 1;
            struct pto_arg *d = v ? argument(l, v) : NULL;
            if (by && by->def && !strcmp(by->def->name, "arith.constant") && by->def->attrs.len)
                factor = by->def->attrs.items[0].number;
            if (d && d->role == ROLE_DIM && !d->recorded && factor > 0)
                d->recorded = a->tensor->shape[i] / factor;
        }
    }
}

/* ---- memory ---- */

/* A window, and where it lay. */
struct place {
    int region;
    uint64_t address;
};

static int by_address(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    return x->address < y->address ? -1 : x->address > y->address;
}

static const struct pto_tensor *tensor_of(const struct lower *l, int region)
{
    vec_foreach (const struct pto_arg, a, &l->args)
        if (a->tensor && a->region == region && a->role == ROLE_WINDOW)
            return a->tensor;
    return NULL;
}

uint64_t recorded_lay_out(struct lower *l)
{
    VEC(struct place) windows = {0};
    uint64_t at = 0;
    for (int i = 0; i < (int)l->regions.len; i++) {
        const struct pto_tensor *t = tensor_of(l, i);
        if (t)
            vec_push(l->arena, &windows, ((struct place){i, t->address}));
    }
    if (windows.len)
        qsort(windows.items, windows.len, sizeof *windows.items, by_address);
    vec_foreach (const struct place, w, &windows) {
        uint64_t into = w->address % CACHE_LINE;
        at = align_up(at >= into ? at - into : 0, CACHE_LINE) + into;
        l->regions.items[w->region].offset = at;
        at += l->regions.items[w->region].size;
    }
    vec_foreach (struct region, r, &l->regions) {
        if (tensor_of(l, (int)(r - l->regions.items)))
            continue;
        r->offset = at = align_up(at, CACHE_LINE);
        at += r->size;
    }
    return at;
}
