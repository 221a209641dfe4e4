/* SPDX-License-Identifier: MIT */
/* Tuples that address a tensor: their length, and the bounds of what they cover (pypto-facts 2). */
#include <string.h>

#include "ir/verify_internal.h"

/*
 * Tuples that address a tensor, by parameter name: which argument they lie in. NULL: the one
 * that the operator writes or polls, or else its first tensor, or its first tile if it has none.
 */
static const struct {
    const char *offsets, *extents, *place;
} regions[] = {
    {"dst_offsets", "shape", "dst"},
    {"src_offsets", "shape", "src"},
    {"offsets", "shapes", NULL},
    {"indices", NULL, NULL},
};

/* Operators that may reach this many elements beyond the last dimension if the keyword is set. */
static const struct {
    const char *op, *keyword;
    int64_t padding;
} padded[] = {{"pld.tile.remote_load", "allow_physical_tail_padding", 15}};

static const struct ir_expr *first_place(const struct ir_call *call)
{
    const struct ir_expr *tile = NULL;
    int target = call->op->target;
    if (target >= 0 && (size_t)target < call->args.len)
        return call->args.items[target];
    for (size_t i = 0; i < call->args.len; i++) {
        char kind = ir_op_arg_kind(call->op, call->args.len, i);
        if (strchr("TDP", kind))
            return call->args.items[i];
        if (kind == 't' && !tile)
            tile = call->args.items[i];
    }
    return tile;
}

static bool check_region_rank(struct verifier *v, const struct ir_expr *tuple, const char *param,
                              const struct ir_call *call, const struct ir_type *place)
{
    size_t n = verify_tuple(tuple)->len, total = strlen(call->op->args);
    int at = ir_op_param(call->op, param);
    return n == place->shape.len ||
           verify_fail(v, IR_RULE_REGION_RANK, tuple->span,
                       ir_op_arg_name(&v->arena, call->op, total, (size_t)at), call->op->name,
                       verify_number(v, (int64_t)n), verify_number(v, (int64_t)place->shape.len),
                       NULL);
}

/* A box in a tensor: extents NULL is one element; padding may reach beyond the last dimension. */
struct box {
    const ir_exprs *offsets, *extents;
    int64_t padding;
    bool open;   /* its extents are not known */
    bool rows;   /* a matrix that is stored */
    bool turned; /* rows lie as columns: the extents are those of the other dimension */
};

/* Extent along a dimension of the box: from a tuple, from the stored value's shape, or one. */
static bool extent_at(const struct box *b, size_t dim, int64_t *out)
{
    size_t rank = b->offsets->len;
    *out = 1;
    if (b->open)
        return false;
    /* leading dimensions that the value lacks are 1 */
    if (!b->extents || dim + b->extents->len < rank)
        return true;
    size_t at = dim + b->extents->len - rank;
    return ir_const_int(b->extents->items[b->turned ? b->extents->len - 1 - at : at], out);
}

/* A stored matrix goes on in the next plane where the rows of one end: they lie evenly spaced. */
static bool runs_on(const struct box *b, const struct ir_type *place)
{
    size_t rank = b->offsets->len;
    int64_t row = 0, rows = 1, extent, offset, limit;
    if (!b->rows || rank < 3 || place->annots.len || !extent_at(b, rank - 2, &extent))
        return false;
    for (size_t i = 0; i + 1 < rank; i++) {
        if (!ir_const_int(b->offsets->items[i], &offset) ||
            !ir_const_int(place->shape.items[i], &limit) || offset < 0 || offset >= limit ||
            __builtin_mul_overflow(rows, limit, &rows) ||
            __builtin_mul_overflow(row, limit, &row) || __builtin_add_overflow(row, offset, &row))
            return false;
    }
    return extent <= rows - row;
}

static bool check_bounds(struct verifier *v, const struct ir_call *call, const struct box *b,
                         const struct ir_type *place)
{
    for (size_t i = 0; i < b->offsets->len; i++) {
        const struct ir_expr *at = b->offsets->items[i];
        int64_t offset, extent, limit, end;
        if (!ir_const_int(at, &offset))
            continue;
        if (offset < 0)
            return verify_fail(v, IR_RULE_REGION_NEGATIVE, at->span, verify_number(v, offset),
                               call->op->name, NULL);
        if (!extent_at(b, i, &extent) || !ir_const_int(place->shape.items[i], &limit))
            continue;
        int64_t padding = i + 1 == b->offsets->len ? b->padding : 0;
        if (__builtin_add_overflow(offset, extent, &end))
            end = INT64_MAX;
        if (end - padding > limit && !(i + 2 == b->offsets->len && runs_on(b, place)))
            return verify_fail(v, IR_RULE_REGION_BOUNDS, at->span, call->op->name,
                               verify_number(v, end - 1), verify_number(v, (int64_t)i),
                               verify_number(v, limit), NULL);
    }
    return true;
}

/* Physical and valid extents: the valid part must not be negative or larger. */
static bool check_valid(struct verifier *v, const struct ir_call *call, const ir_exprs *shape,
                        const ir_exprs *valid)
{
    for (size_t i = 0; i < valid->len && i < shape->len; i++) {
        int64_t x, y;
        if (!ir_const_int(valid->items[i], &x))
            continue;
        if (x < 0)
            return verify_fail(v, IR_RULE_VALID_NEGATIVE, valid->items[i]->span,
                               verify_number(v, x), call->op->name, NULL);
        if (ir_const_int(shape->items[i], &y) && x > y)
            return verify_fail(v, IR_RULE_VALID_EXCEEDS, valid->items[i]->span, verify_number(v, x),
                               call->op->name, verify_number(v, y), NULL);
    }
    return true;
}

/* What a store covers: the valid part of the stored value; NULL when it is not known. */
static const ir_exprs *stored_extents(const struct verifier *v, const struct ir_expr *value)
{
    struct ir_valid valid = ir_valid_of(&v->valid, v->prog, value);
    return valid.kind == IR_VALID_PART    ? valid.extents
           : valid.kind == IR_VALID_WHOLE ? &value->type->shape
                                          : NULL;
}

/* The extents that an access covers: the valid ones if given. False when they are not known; NULL:
 * one element. */
static bool covered(const struct verifier *v, const struct ir_call *call, const char *extents,
                    const ir_exprs **out)
{
    *out = NULL;
    if (!extents)
        return true;
    *out = verify_tuple(ir_call_arg(call, "valid_shape"));
    if (*out && (*out)->len)
        return true;
    *out = verify_tuple(ir_call_arg(call, extents));
    const struct ir_expr *value = call->args.len ? call->args.items[0] : NULL;
    bool stored = call->op->args[0] == 't' || call->op->args[0] == 'P';
    if (*out || !stored || !value || !verify_is_shaped(value->type))
        return true;
    *out = stored_extents(v, value);
    return *out != NULL;
}

static int64_t padding_of(const struct ir_call *call)
{
    for (size_t i = 0; i < ROWS(padded); i++)
        if (strcmp(padded[i].op, call->op->name) == 0 && ir_call_int(call, padded[i].keyword))
            return padded[i].padding;
    return 0;
}

static bool check_region(struct verifier *v, const struct ir_call *call, size_t r)
{
    const struct ir_expr *offsets = ir_call_arg(call, regions[r].offsets);
    const struct ir_expr *place =
        regions[r].place ? ir_call_arg(call, regions[r].place) : first_place(call);
    if (!verify_tuple(offsets) || !place || !verify_is_shaped(place->type))
        return true;
    if (!check_region_rank(v, offsets, regions[r].offsets, call, place->type))
        return false;
    bool memory = call->op->effect != IR_EFFECT_PURE;
    const struct ir_expr *shape = regions[r].extents ? ir_call_arg(call, regions[r].extents) : NULL;
    if (memory && verify_tuple(shape) &&
        !check_region_rank(v, shape, regions[r].extents, call, place->type))
        return false;
    const struct ir_expr *valid = ir_call_arg(call, "valid_shape");
    if (memory && verify_tuple(valid) &&
        !check_region_rank(v, valid, "valid_shape", call, place->type))
        return false;
    if (!memory && regions[r].extents) /* a view: nothing is accessed yet */
        return true;
    struct box box = {.offsets = verify_tuple(offsets), .padding = padding_of(call)};
    box.open = !covered(v, call, regions[r].extents, &box.extents) || ir_call_int(call, "clamp");
    box.rows = box.extents && box.extents->len == 2 && call->op->args[0] == 't' &&
               call->op->effect != IR_EFFECT_PURE;
    box.turned = regions[r].place && !strcmp(regions[r].place, "dst") &&
                 ir_call_int(call, "transpose") && box.extents && box.extents->len == 2;
    return check_bounds(v, call, &box, place->type);
}

bool verify_regions(struct verifier *v, const struct ir_expr *e)
{
    const ir_exprs *shape = verify_tuple(ir_call_arg(&e->call, "shape")),
                   *valid = verify_tuple(ir_call_arg(&e->call, "valid_shape"));
    if (shape && valid && !check_valid(v, &e->call, shape, valid))
        return false;
    for (size_t r = 0; r < ROWS(regions); r++)
        if (!check_region(v, &e->call, r))
            return false;
    return true;
}

bool verify_positive(struct verifier *v, const struct ir_call *call, const ir_exprs *shape)
{
    int64_t extent;
    vec_foreach (struct ir_expr *, d, shape)
        if (ir_const_int(*d, &extent) && extent <= 0)
            return verify_fail(v, IR_RULE_REGION_EXTENT, (*d)->span, verify_number(v, extent),
                               call->op->name, NULL);
    return true;
}
