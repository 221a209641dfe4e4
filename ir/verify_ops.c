/* SPDX-License-Identifier: MIT */
/* Checks that a registry row cannot state: ranks, element types, static bounds, operands that must
 * differ. */
#include <string.h>

#include "ir/verify_internal.h"

/* ---- regions ---- */

/*
 * Tuples that address a tensor, by parameter name: which argument they lie in. NULL: the first
 * tensor argument, or the first tile of an operator without tensors.
 */
static const struct {
    const char *offsets, *extents, *place;
} regions[] = {
    {"dst_offsets", "shape", "dst"},
    {"src_offsets", "shape", "src"},
    {"offsets", "shapes", NULL},
    {"indices", NULL, NULL},
};

static const struct ir_expr *first_place(const struct ir_call *call)
{
    const struct ir_expr *tile = NULL;
    for (size_t i = 0; i < call->args.len; i++) {
        char kind = ir_op_arg_kind(call->op, call->args.len, i);
        if (strchr("TDP", kind))
            return call->args.items[i];
        if (kind == 't' && !tile)
            tile = call->args.items[i];
    }
    return tile;
}

static bool check_rank(struct verifier *v, const struct ir_expr *tuple, const char *param,
                       const struct ir_call *call, const struct ir_type *place)
{
    size_t n = verify_tuple(tuple)->len, total = strlen(call->op->args);
    int at = ir_op_param(call->op, param);
    return n == place->shape.len ||
           verify_fail(v, tuple->span,
                       "argument '%s' of %s has %zu elements, but the tensor has rank %zu",
                       ir_op_arg_name(&v->arena, call->op, total, (size_t)at), call->op->name, n,
                       place->shape.len);
}

/* Extent along a dimension of the region: from a tuple, from the stored value's shape, or one
 * element. */
static bool extent_at(const struct verifier *v, const ir_exprs *extents, size_t rank, size_t dim,
                      int64_t *out)
{
    *out = 1;
    if (!extents || dim + extents->len < rank) /* leading dimensions that the value lacks are 1 */
        return true;
    return verify_const(v, extents->items[dim + extents->len - rank], out);
}

static bool check_bounds(struct verifier *v, const struct ir_call *call, const ir_exprs *offsets,
                         const ir_exprs *extents, const struct ir_type *place)
{
    for (size_t i = 0; i < offsets->len; i++) {
        int64_t offset, extent, limit, end;
        if (!verify_const(v, offsets->items[i], &offset))
            continue;
        if (offset < 0)
            return verify_fail(v, offsets->items[i]->span, "offset %ld of %s is negative",
                               (long)offset, call->op->name);
        if (!extent_at(v, extents, offsets->len, i, &extent) ||
            !verify_const(v, place->shape.items[i], &limit))
            continue;
        if (__builtin_add_overflow(offset, extent, &end) || end > limit)
            return verify_fail(v, offsets->items[i]->span,
                               "%s reaches element %ld of dimension %zu, which has %ld elements",
                               call->op->name, (long)(end - 1), i, (long)limit);
    }
    return true;
}

/* Physical and valid extents: the valid part must not be negative or larger. */
static bool check_valid(struct verifier *v, const struct ir_call *call, const ir_exprs *shape,
                        const ir_exprs *valid)
{
    for (size_t i = 0; i < valid->len && i < shape->len; i++) {
        int64_t x, y;
        if (!verify_const(v, valid->items[i], &x))
            continue;
        if (x < 0)
            return verify_fail(v, valid->items[i]->span, "valid extent %ld of %s is negative",
                               (long)x, call->op->name);
        if (verify_const(v, shape->items[i], &y) && x > y)
            return verify_fail(v, valid->items[i]->span,
                               "valid extent %ld of %s exceeds the extent %ld", (long)x,
                               call->op->name, (long)y);
    }
    return true;
}

/* The extents that an access covers: the valid ones if given; NULL: one element. */
static const ir_exprs *covered(const struct ir_call *call, const char *extents)
{
    if (!extents)
        return NULL;
    const ir_exprs *valid = verify_tuple(verify_arg(call, "valid_shape"));
    if (valid && valid->len)
        return valid;
    const ir_exprs *shape = verify_tuple(verify_arg(call, extents));
    if (shape)
        return shape;
    const struct ir_expr *value = call->args.len ? call->args.items[0] : NULL;
    bool stored = call->op->args[0] == 't' || call->op->args[0] == 'P';
    return stored && value && verify_is_shaped(value->type) ? &value->type->shape : NULL;
}

static bool check_region(struct verifier *v, const struct ir_call *call, size_t r)
{
    const struct ir_expr *offsets = verify_arg(call, regions[r].offsets);
    const struct ir_expr *place =
        regions[r].place ? verify_arg(call, regions[r].place) : first_place(call);
    if (!verify_tuple(offsets) || !place || !verify_is_shaped(place->type))
        return true;
    if (!check_rank(v, offsets, regions[r].offsets, call, place->type))
        return false;
    bool memory = call->op->effect != IR_EFFECT_PURE;
    const struct ir_expr *shape = regions[r].extents ? verify_arg(call, regions[r].extents) : NULL;
    if (memory && verify_tuple(shape) &&
        !check_rank(v, shape, regions[r].extents, call, place->type))
        return false;
    const struct ir_expr *valid = verify_arg(call, "valid_shape");
    if (memory && verify_tuple(valid) && !check_rank(v, valid, "valid_shape", call, place->type))
        return false;
    if (!memory && regions[r].extents) /* a view: nothing is accessed yet */
        return true;
    return check_bounds(v, call, verify_tuple(offsets), covered(call, regions[r].extents),
                        place->type);
}

static bool check_regions(struct verifier *v, const struct ir_call *call)
{
    const ir_exprs *shape = verify_tuple(verify_arg(call, "shape")),
                   *valid = verify_tuple(verify_arg(call, "valid_shape"));
    if (shape && valid && !check_valid(v, call, shape, valid))
        return false;
    for (size_t r = 0; r < sizeof regions / sizeof *regions; r++)
        if (!check_region(v, call, r))
            return false;
    return true;
}

/* ---- element types ---- */

/* Arguments that must hold the same element type. */
static const struct {
    const char *op, *first, *second;
} same_dtype[] = {
    {"tile.store", "tile", "output_tensor"},
    {"pld.tile.remote_store", "src_tile", "target"},
    {"pld.tensor.remote_store", "src", "target"},
    {"pld.tile.put", "src", "dst"},
    {"pld.tile.put", "stage", "dst"},
    {"pld.tile.put", "stage2", "dst"},
    {"pld.tensor.put", "src", "dst"},
    {"pld.tile.get", "src", "dst"},
    {"pld.tile.get", "stage", "dst"},
    {"pld.tile.get", "stage2", "dst"},
    {"pld.tensor.get", "src", "dst"},
    {"pld.tensor.allgather", "input", "target"},
    {"pld.tensor.all_to_all", "input", "target"},
    {"pld.tensor.all_to_all_v", "input", "target"},
};

/* The matrix unit narrows its accumulator on the way to memory. */
static bool is_accumulator(const struct ir_type *t)
{
    vec_foreach (struct ir_expr *, e, &t->annots)
        if ((*e)->kind == IR_NAME && !(*e)->type && strcmp((*e)->name, "pl.Mem.Acc") == 0)
            return true;
    return false;
}

static bool check_dtypes(struct verifier *v, const struct ir_call *call)
{
    for (size_t i = 0; i < sizeof same_dtype / sizeof *same_dtype; i++) {
        if (strcmp(same_dtype[i].op, call->op->name) != 0)
            continue;
        const struct ir_expr *x = verify_arg(call, same_dtype[i].first),
                             *y = verify_arg(call, same_dtype[i].second);
        if (!x || !y || !verify_is_shaped(x->type) || !verify_is_shaped(y->type) ||
            x->type->dtype == y->type->dtype || is_accumulator(x->type))
            continue;
        return verify_fail(v, x->span, "argument '%s' of %s holds pl.%s, but '%s' holds pl.%s",
                           same_dtype[i].first, call->op->name, ir_dtype_name(x->type->dtype),
                           same_dtype[i].second, ir_dtype_name(y->type->dtype));
    }
    return true;
}

/* fp32 bf16 fp16 int32 int16 int8 (pypto-facts 2). */
static bool check_atomic(struct verifier *v, const struct ir_call *call)
{
    static const enum ir_dtype allowed[] = {IR_FP32, IR_BF16, IR_FP16, IR_INT32, IR_INT16, IR_INT8};
    if (!ir_kwarg_find(&call->kwargs, "atomic") || ir_call_int(call, "atomic") == 0 ||
        call->op->target < 0)
        return true;
    const struct ir_expr *target = call->args.items[call->op->target];
    if (!verify_is_shaped(target->type))
        return true;
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++)
        if (allowed[i] == target->type->dtype)
            return true;
    return verify_fail(v, target->span, "%s cannot add atomically to pl.%s", call->op->name,
                       ir_dtype_name(target->type->dtype));
}

/* ---- rules of single operators ---- */

static bool check_defer_wait(struct verifier *v, const struct ir_expr *e)
{
    const struct ir_expr *signal = verify_arg(&e->call, "signal"),
                         *expected = verify_arg(&e->call, "expected");
    int64_t value;
    if (ir_call_int(&e->call, "cmp") != 1)
        return verify_fail(v, e->span, "pld.system.defer_wait compares with pld.WaitCmp.Ge only");
    if (signal->type && signal->type->dtype != IR_INT32)
        return verify_fail(v, signal->span,
                           "the signal of pld.system.defer_wait must hold pl.INT32");
    if (verify_const(v, expected, &value) && (value < 0 || value > INT32_MAX))
        return verify_fail(v, expected->span,
                           "pld.system.defer_wait expects a value in 0 .. 2147483647, found %ld",
                           (long)value);
    return true;
}

/* Static pushes: the leading dimensions that the target has not are 1. */
static bool check_remote_store(struct verifier *v, const struct ir_expr *e)
{
    const struct ir_expr *src = e->call.args.items[0], *target = verify_arg(&e->call, "target");
    int64_t extent;
    if (!verify_is_shaped(src->type) || !verify_is_shaped(target->type))
        return true;
    size_t rank = target->type->shape.len;
    if (rank < 2)
        return verify_fail(v, target->span, "the target of %s must have rank 2 or more, found %zu",
                           e->call.op->name, rank);
    for (size_t i = 0; i + rank < src->type->shape.len; i++)
        if (verify_const(v, src->type->shape.items[i], &extent) && extent != 1)
            return verify_fail(v, src->span,
                               "leading dimension %zu of the source of %s is %ld, expected 1", i,
                               e->call.op->name, (long)extent);
    return true;
}

static bool elements(const struct verifier *v, const ir_exprs *shape, int64_t *out)
{
    *out = 1;
    vec_foreach (struct ir_expr *, e, shape) {
        int64_t extent;
        if (!verify_const(v, *e, &extent) || __builtin_mul_overflow(*out, extent, out))
            return false;
    }
    return true;
}

static bool same_shape(const struct verifier *v, const ir_exprs *x, const ir_exprs *y)
{
    for (size_t i = 0; i < x->len && i < y->len; i++) {
        int64_t a, b;
        if (verify_const(v, x->items[i], &a) && verify_const(v, y->items[i], &b) && a != b)
            return false;
    }
    return x->len == y->len;
}

static bool check_stage(struct verifier *v, const struct ir_expr *e, const ir_exprs *transfer)
{
    const struct ir_expr *stage = verify_arg(&e->call, "stage"),
                         *second = verify_arg(&e->call, "stage2");
    int64_t have, need;
    if (!stage || !verify_is_shaped(stage->type))
        return true;
    if (stage->type->shape.len != 2)
        return verify_fail(v, stage->span, "the stage of %s must have rank 2, found %zu",
                           e->call.op->name, stage->type->shape.len);
    if (second && verify_is_shaped(second->type) &&
        !same_shape(v, &stage->type->shape, &second->type->shape))
        return verify_fail(v, second->span, "the stages of %s differ in shape", e->call.op->name);
    if (elements(v, &stage->type->shape, &have) && elements(v, transfer, &need) && have > need)
        return verify_fail(v, stage->span,
                           "the stage of %s has %ld elements, more than the transfer's %ld",
                           e->call.op->name, (long)have, (long)need);
    return true;
}

static bool check_chunks(struct verifier *v, const struct ir_expr *e, const ir_exprs *transfer)
{
    const struct ir_call *call = &e->call;
    int64_t rows = ir_call_int(call, "chunk_rows"), cols = ir_call_int(call, "chunk_cols"), extent;
    if (ir_op_param(call->op, "stage") >= 0)
        return true;
    if (rows < 0 || cols < 0)
        return verify_fail(v, e->span, "chunk_rows and chunk_cols of %s cannot be negative",
                           call->op->name);
    if (ir_call_int(call, "pipeline") && (rows == 0 || cols == 0))
        return verify_fail(v, e->span, "pipeline=True of %s needs chunk_rows and chunk_cols",
                           call->op->name);
    for (size_t i = 0; i < transfer->len; i++) {
        bool last = i + 1 == transfer->len;
        if (!verify_const(v, transfer->items[i], &extent) && (last ? cols : rows) == 0)
            return verify_fail(v, e->span, "%s needs %s: dimension %zu is not static",
                               call->op->name, last ? "chunk_cols" : "chunk_rows", i);
    }
    return true;
}

static bool check_transfer(struct verifier *v, const struct ir_expr *e)
{
    const struct ir_expr *dst = verify_arg(&e->call, "dst"), *src = verify_arg(&e->call, "src");
    const ir_exprs *region = verify_tuple(verify_arg(&e->call, "shape"));
    int64_t extent;
    if (!verify_is_shaped(dst->type) || !verify_is_shaped(src->type))
        return true;
    if (dst->type->shape.len != src->type->shape.len)
        return verify_fail(v, src->span, "source and destination of %s have ranks %zu and %zu",
                           e->call.op->name, src->type->shape.len, dst->type->shape.len);
    if (!region && !same_shape(v, &dst->type->shape, &src->type->shape))
        return verify_fail(v, src->span,
                           "source and destination of %s differ in shape; name the region to copy",
                           e->call.op->name);
    for (size_t i = 0; region && i < region->len; i++)
        if (verify_const(v, region->items[i], &extent) && extent <= 0)
            return verify_fail(v, region->items[i]->span, "extent %ld of %s must be positive",
                               (long)extent, e->call.op->name);
    const ir_exprs *transfer = region ? region : &dst->type->shape;
    return check_stage(v, e, transfer) && check_chunks(v, e, transfer);
}

/* ---- collectives ---- */

static bool same_var(const struct ir_expr *x, const struct ir_expr *y)
{
    return x && y && x->kind == IR_VAR && y->kind == IR_VAR && x->var == y->var;
}

static bool check_signal(struct verifier *v, const struct ir_expr *e)
{
    const struct ir_expr *signal = verify_arg(&e->call, "signal");
    if (!signal || !verify_is_shaped(signal->type) || signal->type->dtype == IR_INT32)
        return true;
    return verify_fail(v, signal->span, "the signal of %s must hold pl.INT32, found pl.%s",
                       e->call.op->name, ir_dtype_name(signal->type->dtype));
}

static bool check_allreduce(struct verifier *v, const struct ir_expr *e)
{
    const struct ir_expr *target = verify_arg(&e->call, "target");
    int64_t cores = ir_call_int(&e->call, "core_num");
    enum ir_dtype dtype = verify_is_shaped(target->type) ? target->type->dtype : IR_FP32;
    if (dtype != IR_FP32 && dtype != IR_FP16)
        return verify_fail(v, target->span,
                           "pld.tensor.allreduce reduces pl.FP16 and pl.FP32, found pl.%s",
                           ir_dtype_name(dtype));
    if (cores <= 0)
        return verify_fail(v, e->span,
                           "core_num of pld.tensor.allreduce must be positive, found %ld",
                           (long)cores);
    if (!ir_func_is_incore(v->func))
        return check_signal(v, e);
    if (e->call.args.len < 2)
        return verify_fail(v, e->span,
                           "pld.tensor.allreduce in an InCore function needs its signal");
    if (cores != 1)
        return verify_fail(v, e->span,
                           "pld.tensor.allreduce in an InCore function runs with core_num=1");
    return check_signal(v, e);
}

static bool check_reduce_scatter(struct verifier *v, const struct ir_expr *e)
{
    const struct ir_expr *target = verify_arg(&e->call, "target");
    if (verify_is_shaped(target->type) && target->type->shape.len != 2)
        return verify_fail(v, target->span,
                           "the target of pld.tensor.reduce_scatter must have rank 2, found %zu",
                           target->type->shape.len);
    if (ir_call_int(&e->call, "op") != 0)
        return verify_fail(v, e->span, "pld.tensor.reduce_scatter supports pld.ReduceOp.Sum only");
    return check_signal(v, e);
}

/* Equal last extents; a gather's input has one row, an exchange as many as its target. */
static bool check_exchange(struct verifier *v, const struct ir_expr *e)
{
    const struct ir_expr *input = verify_arg(&e->call, "input"),
                         *target = verify_arg(&e->call, "target");
    int64_t x, y;
    if (same_var(input, target))
        return verify_fail(v, input->span, "input and target of %s must be different buffers",
                           e->call.op->name);
    if (verify_is_shaped(input->type) && verify_is_shaped(target->type)) {
        const ir_exprs *a = &input->type->shape, *b = &target->type->shape;
        if (a->len && b->len && verify_const(v, a->items[a->len - 1], &x) &&
            verify_const(v, b->items[b->len - 1], &y) && x != y)
            return verify_fail(v, input->span,
                               "input and target of %s have rows of %ld and %ld elements",
                               e->call.op->name, (long)x, (long)y);
    }
    return check_signal(v, e);
}

static bool check_broadcast(struct verifier *v, const struct ir_expr *e)
{
    int64_t root = ir_call_int(&e->call, "root");
    if (root < 0)
        return verify_fail(v, e->span, "root of pld.tensor.broadcast cannot be negative, found %ld",
                           (long)root);
    return check_signal(v, e);
}

/* ---- host ---- */

static bool check_window(struct verifier *v, const struct ir_expr *e)
{
    const struct ir_expr *shape = verify_arg(&e->call, "shape");
    const ir_exprs *dims = verify_tuple(shape);
    int64_t extent;
    if (dims->len == 0)
        return verify_fail(v, shape->span, "the shape of pld.tensor.window is empty");
    vec_foreach (struct ir_expr *, d, dims)
        if (verify_const(v, *d, &extent) && extent <= 0)
            return verify_fail(v, (*d)->span, "extent %ld of pld.tensor.window must be positive",
                               (long)extent);
    return true;
}

static bool check_alloc(struct verifier *v, const struct ir_expr *e)
{
    const struct ir_expr *size = e->call.args.items[0],
                         *name = ir_kwarg_find(&e->call.kwargs, "name");
    const struct ir_expr *dtype = ir_kwarg_find(&e->call.kwargs, "dtype");
    bool shape = verify_tuple(size) != NULL;
    int64_t bytes;
    if (name && name->string[0] == '\0')
        return verify_fail(v, name->span, "the name of a window buffer is empty");
    if (shape && !dtype)
        return verify_fail(v, size->span, "pld.tensor.alloc_window_buffer of a shape needs dtype=");
    if (!shape && dtype)
        return verify_fail(v, dtype->span,
                           "pld.tensor.alloc_window_buffer of a size in bytes takes no dtype=");
    if (!shape && verify_const(v, size, &bytes) && bytes <= 0)
        return verify_fail(v, size->span, "window size %ld must be positive", (long)bytes);
    return true;
}

static const struct {
    const char *op;
    bool (*check)(struct verifier *v, const struct ir_expr *e);
} rules[] = {
    {"pld.system.defer_wait", check_defer_wait},
    {"pld.tile.remote_store", check_remote_store},
    {"pld.tensor.remote_store", check_remote_store},
    {"pld.tile.put", check_transfer},
    {"pld.tile.get", check_transfer},
    {"pld.tensor.put", check_transfer},
    {"pld.tensor.get", check_transfer},
    {"pld.tensor.allreduce", check_allreduce},
    {"pld.tensor.reduce_scatter", check_reduce_scatter},
    {"pld.tensor.allgather", check_exchange},
    {"pld.tensor.all_to_all", check_exchange},
    {"pld.tensor.all_to_all_v", check_exchange},
    {"pld.tensor.broadcast", check_broadcast},
    {"pld.tensor.barrier", check_signal},
    {"pld.tensor.window", check_window},
    {"pld.tensor.alloc_window_buffer", check_alloc},
};

bool verify_op_rules(struct verifier *v, const struct ir_expr *e)
{
    if (!check_regions(v, &e->call) || !check_dtypes(v, &e->call) || !check_atomic(v, &e->call))
        return false;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (strcmp(rules[i].op, e->call.op->name) == 0)
            return rules[i].check(v, e);
    return true;
}
