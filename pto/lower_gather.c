/* SPDX-License-Identifier: MIT */
/* mgather and mscatter (isa/gather.h). */
#include <string.h>

#include "isa/gather.h"
#include "pto/lower.h"

static bool memory_of(struct lower *l, const struct pto_op *op, const struct slot *v,
                      struct gather_memory *out)
{
    int64_t dense = 1;
    *out = (struct gather_memory){.base = v->op,
                                  .elem = v->elem,
                                  .region = v->region,
                                  .use = v->use,
                                  .ndims = v->ndims,
                                  .dense = true};
    for (int i = v->ndims - 1; i >= 0; i--) {
        if (v->stride[i].reg != NO_REG)
            return lower_error(l, op->span, "the strides of a view must be known before the run");
        bool one = v->extent[i].reg == NO_REG && v->extent[i].imm == 1;
        out->extent[i] = v->extent[i];
        out->stride[i] = v->stride[i].imm;
        out->dense &= (one || v->stride[i].imm == dense) && (!i || v->extent[i].reg == NO_REG);
        dense *= v->extent[i].reg == NO_REG && v->extent[i].imm < MAX_MEMORY / dense
                     ? v->extent[i].imm
                     : 1;
    }
    return true;
}

static const char *word_of(const struct pto_op *op, const char *name, const char *otherwise)
{
    const struct pto_attr *a = pto_find_attr(op, name);
    return a && a->word ? a->word : otherwise;
}

static bool beyond_of(struct lower *l, const struct pto_op *op, enum beyond *out)
{
    static const char *const names[] = {[BEYOND_UNDEFINED] = "undefined",
                                        [BEYOND_CLAMP] = "clamp",
                                        [BEYOND_WRAP] = "wrap",
                                        [BEYOND_ZERO] = "zero"};
    const char *how = word_of(op, "gatherOob", "undefined");
    for (int i = 0; i < (int)(sizeof names / sizeof *names); i++)
        if (!strcmp(names[i], how)) {
            *out = (enum beyond)i;
            return true;
        }
    return lower_error(l, op->span, "gatherOob is 'undefined', 'clamp', 'wrap' or 'zero', not '%s'",
                       how);
}

/* A tile as a whole: the scalar unit finds its elements by their places in it. */
static const struct slot *whole_tile(struct lower *l, const struct pto_op *op, const char *group,
                                     int n)
{
    const struct slot *t = lower_slot(l, op, group, n, SLOT_TILE);
    if (!t || !t->placed)
        return t;
    lower_error(l, op->span, "a part of a tile whose place the run computes is not gathered");
    return NULL;
}

static bool are_indices(struct lower *l, const struct pto_op *op, enum elem e)
{
    return e == ELEM_I32 || lower_error(l, op->span, "indices are i32, not %s", elem_name(e));
}

/* Where rows are gathered the indices stand in one row; those of the memory are evenly spaced. */
static bool by_rows(struct lower *l, const struct pto_op *op, const struct slot *memory,
                    const struct slot *indices, struct gathering *m)
{
    const struct gather_memory *from = &m->memory;
    int last = from->ndims - 1;
    bool even = last >= 1 && from->stride[last] == 1;
    for (int i = 0; i < last - 1; i++)
        even &= from->dense || (from->extent[i].reg == NO_REG && from->extent[i].imm == 1);
    if (!even)
        return lower_error(l, op->span,
                           "rows are gathered from memory in which they lie evenly "
                           "spaced");
    if (indices && (indices->rows.reg != NO_REG || indices->rows.imm != 1))
        return lower_error(l, op->span, "rows are gathered by indices in one row");
    if (indices)
        m->rows = indices->cols;
    m->cols = memory->extent[last];
    m->count = gather_count(&l->build, from, last);
    return true;
}

/* Into L1, by indices in memory. */
static bool gather_to_l1(struct lower *l, const struct pto_op *op, const struct slot *memory,
                         bool rows, struct gathering *m)
{
    struct gather_memory list, through;
    const struct slot *indices = lower_slot(l, op, "ins", 1, SLOT_VIEW);
    if (!indices || !are_indices(l, op, indices->elem) || !memory_of(l, op, indices, &list))
        return false;
    m->listed = &list;
    if (rows) {
        struct operand cols = m->cols;
        if (!by_rows(l, op, memory, NULL, m))
            return false;
        m->cols = cols;
        build_gather_rows_to_l1(&l->build, m);
        return true;
    }
    const struct slot *scratch = lower_slot(l, op, "ins", 2, SLOT_VIEW);
    if (!scratch || !memory_of(l, op, scratch, &through))
        return false;
    if (!through.dense || scratch->elem != memory->elem)
        return lower_error(l, op->span, "the scratch memory is dense and holds %s",
                           elem_name(memory->elem));
    build_gather_elements_to_l1(&l->build, m, &through);
    return true;
}

static bool alike(struct lower *l, const struct pto_op *op, const struct slot *tile,
                  const struct slot *memory)
{
    return tile->elem == memory->elem ||
           lower_error(l, op->span, "the tile holds %s, the memory %s", elem_name(tile->elem),
                       elem_name(memory->elem));
}

bool lower_mgather(struct lower *l, const struct pto_op *op)
{
    const struct slot *memory = lower_slot(l, op, "ins", 0, SLOT_VIEW),
                      *to = memory ? whole_tile(l, op, "outs", 0) : NULL;
    bool rows = !strcmp(word_of(op, "coalesce", "elem"), "row");
    struct gathering m = {0};
    if (!to || !alike(l, op, to, memory) || !memory_of(l, op, memory, &m.memory) ||
        !beyond_of(l, op, &m.beyond))
        return false;
    m.tile = to->tile;
    m.rows = to->rows;
    m.cols = to->cols;
    m.count = gather_count(&l->build, &m.memory, m.memory.ndims);
    const struct pto_operand *o = pto_find_operand(op, "outs", 0);
    if (!strcmp(o->value->type->space, "mat"))
        return gather_to_l1(l, op, memory, rows, &m);
    const struct slot *indices = whole_tile(l, op, "ins", 1);
    if (!indices || !are_indices(l, op, indices->elem))
        return false;
    m.indices = indices->tile;
    if (rows && !by_rows(l, op, memory, indices, &m))
        return false;
    if (!rows) {
        m.rows = indices->rows;
        m.cols = indices->cols;
    }
    (rows ? build_gather_rows : build_gather_elements)(&l->build, &m);
    return true;
}

bool lower_mscatter(struct lower *l, const struct pto_op *op)
{
    const struct slot *from = whole_tile(l, op, "ins", 0),
                      *indices = from ? whole_tile(l, op, "ins", 1) : NULL,
                      *memory = indices ? lower_slot(l, op, "outs", 0, SLOT_VIEW) : NULL;
    const char *coalesce = word_of(op, "coalesce", "elem"),
               *atomic = word_of(op, "scatterAtomicOp", "none");
    struct gathering m = {0};
    if (!memory || !are_indices(l, op, indices->elem) || !alike(l, op, from, memory) ||
        !memory_of(l, op, memory, &m.memory))
        return false;
    if (strcmp(coalesce, "elem") || strcmp(atomic, "none") || pto_find_attr(op, "scatterOob"))
        return lower_error(l, op->span,
                           "a scatter of rows, one that adds or that skips is of the A5, and "
                           "not run");
    m.tile = from->tile;
    m.indices = indices->tile;
    m.rows = from->rows;
    m.cols = from->cols;
    m.count = gather_count(&l->build, &m.memory, m.memory.ndims);
    build_scatter_elements(&l->build, &m);
    return true;
}
