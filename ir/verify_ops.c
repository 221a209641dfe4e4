/* SPDX-License-Identifier: MIT */
/* Rules of single operators (pypto-facts 2). */
#include <string.h>

#include "ir/verify_internal.h"

#define D(t) VERIFY_DTYPE(t)

/* fp32 bf16 fp16 int32 int16 int8 (pypto-facts 2). */
static bool check_atomic(struct verifier *v, const struct ir_expr *e)
{
    static const unsigned allowed = D(FP32) | D(BF16) | D(FP16) | D(INT32) | D(INT16) | D(INT8);
    const struct ir_call *call = &e->call;
    if (!ir_kwarg_find(&call->kwargs, "atomic") || ir_call_int(call, "atomic") == 0 ||
        call->op->target < 0)
        return true;
    const struct ir_expr *target = call->args.items[call->op->target];
    return !verify_is_shaped(target->type) || allowed >> target->type->dtype & 1 ||
           verify_fail(v, IR_RULE_ATOMIC_DTYPE, target->span, call->op->name,
                       ir_dtype_name(target->type->dtype), NULL);
}

enum { MOST_CONDITIONS = 64 };

/* A task registers its conditions and completes when all hold. Only certain executions count. */
static bool check_defer_wait(struct verifier *v, const struct ir_expr *e)
{
    const char *op = e->call.op->name;
    const struct ir_expr *signal = ir_call_arg(&e->call, "signal"),
                         *expected = ir_call_arg(&e->call, "expected");
    int64_t value;
    if (ir_call_int(&e->call, "cmp") != 1)
        return verify_fail(v, IR_RULE_DEFER_WAIT_CMP, e->span, op, NULL);
    if (!verify_is_parameter(v->func, signal))
        return verify_fail(v, IR_RULE_DEFER_WAIT_SIGNAL, signal->span, op, NULL);
    if (ir_const_int(expected, &value) && (value < 0 || value > INT32_MAX))
        return verify_fail(v, IR_RULE_DEFER_WAIT_EXPECTED, expected->span, op,
                           verify_number(v, value), NULL);
    if (__builtin_add_overflow(v->deferred, v->trips, &v->deferred))
        v->deferred = INT32_MAX;
    return v->deferred <= MOST_CONDITIONS ||
           verify_fail(v, IR_RULE_DEFER_WAIT_LIMIT, e->span, op, verify_number(v, v->deferred),
                       verify_number(v, MOST_CONDITIONS), NULL);
}

/* A layout of scaled blocks, named pl.TensorLayout.MX_... in the type. */
static bool is_mx_layout(const struct ir_expr *e, void *found)
{
    const char *last = e->kind == IR_NAME && e->name ? strrchr(e->name, '.') : NULL;
    if (!last || strncmp(last, ".MX", 3) != 0)
        return true;
    *(const char **)found = e->name;
    return false;
}

/* The layout of scaled blocks that e's type has, or NULL. */
static const char *mx_layout(const struct ir_expr *e)
{
    const char *layout = NULL;
    for (size_t i = 0; verify_is_shaped(e->type) && !layout && i < e->type->annots.len; i++)
        ir_walk_expr(e->type->annots.items[i], is_mx_layout, &layout);
    return layout;
}

/* Scales of blocks are loaded as they lie: a part or another shape of them has no layout. */
static bool check_view(struct verifier *v, const struct ir_expr *e)
{
    const struct ir_expr *x = e->call.args.items[0];
    const char *layout = mx_layout(x);
    return !layout || verify_fail(v, IR_RULE_VIEW_LAYOUT, x->span, e->call.op->name, layout, NULL);
}

static bool check_remote_load(struct verifier *v, const struct ir_expr *e)
{
    const struct ir_call *call = &e->call;
    const struct ir_expr *target = ir_call_arg(call, "target");
    const ir_exprs *valid = verify_tuple(ir_call_arg(call, "valid_shape"));
    const char *layout = mx_layout(target);
    if (!verify_is_shaped(target->type))
        return true;
    if (layout)
        return verify_fail(v, IR_RULE_REMOTE_LOAD_LAYOUT, target->span, call->op->name, layout,
                           NULL);
    const char *need = target->type->dtype != IR_FP16 ? "a window of pl.FP16"
                       : target->type->shape.len != 2 ? "a window of rank 2"
                       : !valid || valid->len == 0    ? "an explicit valid_shape"
                                                      : NULL;
    return !need || !ir_call_int(call, "allow_physical_tail_padding") ||
           verify_fail(v, IR_RULE_TAIL_PADDING, e->span, call->op->name, need, NULL);
}

/* Static pushes: the leading dimensions that the target has not are 1. */
static bool check_remote_store(struct verifier *v, const struct ir_expr *e)
{
    const struct ir_expr *src = e->call.args.items[0], *target = ir_call_arg(&e->call, "target");
    int64_t extent;
    if (!verify_is_shaped(src->type) || !verify_is_shaped(target->type))
        return true;
    for (size_t i = 0; i + target->type->shape.len < src->type->shape.len; i++)
        if (ir_const_int(src->type->shape.items[i], &extent) && extent != 1)
            return verify_fail(v, IR_RULE_REMOTE_STORE_LEADING, src->span,
                               verify_number(v, (int64_t)i), e->call.op->name,
                               verify_number(v, extent), NULL);
    return true;
}

/* ---- transfers ---- */

static bool elements(const ir_exprs *shape, int64_t *out)
{
    *out = 1;
    vec_foreach (struct ir_expr *, e, shape) {
        int64_t extent;
        if (!ir_const_int(*e, &extent) || __builtin_mul_overflow(*out, extent, out))
            return false;
    }
    return true;
}

static bool same_shape(const ir_exprs *x, const ir_exprs *y)
{
    for (size_t i = 0; i < x->len && i < y->len; i++) {
        int64_t a, b;
        if (ir_const_int(x->items[i], &a) && ir_const_int(y->items[i], &b) && a != b)
            return false;
    }
    return x->len == y->len;
}

static bool check_stage(struct verifier *v, const struct ir_expr *e, const ir_exprs *transfer)
{
    const struct ir_expr *stage = ir_call_arg(&e->call, "stage"),
                         *second = ir_call_arg(&e->call, "stage2");
    int64_t have, need;
    if (!stage || !verify_is_shaped(stage->type))
        return true;
    if (second && verify_is_shaped(second->type) &&
        !same_shape(&stage->type->shape, &second->type->shape))
        return verify_fail(v, IR_RULE_STAGE_PAIR, second->span, e->call.op->name, NULL);
    return !elements(&stage->type->shape, &have) || !elements(transfer, &need) || have <= need ||
           verify_fail(v, IR_RULE_STAGE_SIZE, stage->span, e->call.op->name, verify_number(v, have),
                       verify_number(v, need), NULL);
}

static bool check_chunks(struct verifier *v, const struct ir_expr *e, const ir_exprs *transfer)
{
    const struct ir_call *call = &e->call;
    int64_t rows = ir_call_int(call, "chunk_rows"), cols = ir_call_int(call, "chunk_cols"), extent;
    if (ir_op_param(call->op, "stage") >= 0)
        return true;
    if (ir_call_int(call, "pipeline") && (rows == 0 || cols == 0))
        return verify_fail(v, IR_RULE_CHUNK_PIPELINE, e->span, call->op->name, NULL);
    for (size_t i = 0; i < transfer->len; i++) {
        bool last = i + 1 == transfer->len;
        if (!ir_const_int(transfer->items[i], &extent) && (last ? cols : rows) == 0)
            return verify_fail(v, IR_RULE_CHUNK_MISSING, e->span, call->op->name,
                               last ? "chunk_cols" : "chunk_rows", verify_number(v, (int64_t)i),
                               NULL);
    }
    return true;
}

static bool check_transfer(struct verifier *v, const struct ir_expr *e)
{
    const struct ir_expr *dst = ir_call_arg(&e->call, "dst"), *src = ir_call_arg(&e->call, "src");
    const ir_exprs *region = verify_tuple(ir_call_arg(&e->call, "shape"));
    if (!verify_is_shaped(dst->type) || !verify_is_shaped(src->type))
        return true;
    if (!region && !same_shape(&dst->type->shape, &src->type->shape))
        return verify_fail(v, IR_RULE_TRANSFER_WHOLE, src->span, e->call.op->name, NULL);
    const ir_exprs *transfer = region ? region : &dst->type->shape;
    return verify_positive(v, &e->call, transfer) && check_stage(v, e, transfer) &&
           check_chunks(v, e, transfer);
}

/* ---- collectives ---- */

static bool check_reduce_scatter(struct verifier *v, const struct ir_expr *e)
{
    return ir_call_int(&e->call, "op") == 0 ||
           verify_fail(v, IR_RULE_REDUCE_SCATTER_SUM, e->span, e->call.op->name, NULL);
}

/* The target holds as many rows of each rank: its rows are a multiple of the ranks. */
static bool check_rows(struct verifier *v, const struct ir_expr *e)
{
    const char *op = e->call.op->name;
    const struct ir_expr *target = verify_shaped_arg(&e->call, op, "target");
    int64_t rows, ranks_given;
    return !verify_extent(target, 0, &rows) ||
           !verify_extent(verify_shaped_arg(&e->call, op, "signal"), 0, &ranks_given) ||
           ranks_given <= 0 || rows % ranks_given == 0 ||
           verify_fail(v, IR_RULE_ROWS_PER_RANK, target->span, op, verify_number(v, rows),
                       verify_number(v, ranks_given), NULL);
}

/* ---- host ---- */

static bool check_shape(struct verifier *v, const struct ir_expr *e, const struct ir_expr *shape)
{
    if (verify_tuple(shape)->len == 0)
        return verify_fail(v, IR_RULE_EMPTY_SHAPE, shape->span, e->call.op->name, NULL);
    return verify_positive(v, &e->call, verify_tuple(shape));
}

static bool check_window(struct verifier *v, const struct ir_expr *e)
{
    return check_shape(v, e, ir_call_arg(&e->call, "shape"));
}

static bool check_alloc(struct verifier *v, const struct ir_expr *e)
{
    const struct ir_expr *size = e->call.args.items[0],
                         *name = ir_kwarg_find(&e->call.kwargs, "name"),
                         *dtype = ir_kwarg_find(&e->call.kwargs, "dtype");
    bool shape = verify_tuple(size) != NULL;
    int64_t bytes;
    if (name && name->string[0] == '\0')
        return verify_fail(v, IR_RULE_ALLOC_NAME, name->span, NULL);
    if (shape && !dtype)
        return verify_fail(v, IR_RULE_ALLOC_SHAPE, size->span, e->call.op->name, NULL);
    if (!shape && dtype)
        return verify_fail(v, IR_RULE_ALLOC_BYTES, dtype->span, e->call.op->name, NULL);
    if (!shape && (size->type ? !verify_is_integer(size->type) : verify_is_shapeless(size)))
        return verify_fail(v, IR_RULE_ARGUMENT_KIND, size->span, "size", e->call.op->name,
                           "an integer scalar or a shape", verify_found(v, size), "", NULL);
    if (!shape && ir_const_int(size, &bytes) && bytes <= 0)
        return verify_fail(v, IR_RULE_ALLOC_SIZE, size->span, verify_number(v, bytes), NULL);
    return !shape || (verify_integers(v, &e->call, "size", size) && check_shape(v, e, size));
}

static bool check_dummy(struct verifier *v, const struct ir_expr *e)
{
    return verify_deps(v, e->call.op->name, ir_kwarg_find(&e->call.kwargs, "deps"));
}

/* Inside of pl.split_aiv the loop says how values are halved; elsewhere the operator does. */
static bool check_half(struct verifier *v, const struct ir_expr *e)
{
    return ir_kwarg_find(&e->call.kwargs, "split") || verify_in_halves(v) ||
           verify_fail(v, IR_RULE_KEYWORD_REQUIRED, e->span, e->call.op->name, "split", NULL);
}

/* ---- gathers, products, prefetches (pypto-ops-facts 1.2, 1.3) ---- */

static bool is_known_scalar(const struct ir_expr *e)
{
    return e && e->type && e->type->kind == IR_TYPE_SCALAR && e->type->dtype != IR_DTYPE_NONE;
}

/* A literal takes the element type of what it is compared with. */
static bool check_compare(struct verifier *v, const struct ir_expr *e)
{
    const char *first = strncmp(e->call.op->name, "tile.", 5) ? "input" : "src";
    const struct ir_expr *x = ir_call_arg(&e->call, first), *k = ir_call_arg(&e->call, "kvalue");
    bool literal = k && k->kind != IR_VAR && k->kind != IR_CALL;
    return literal || !is_known_scalar(k) || !verify_is_shaped(x->type) ||
           k->type->dtype == x->type->dtype ||
           verify_fail(v, IR_RULE_SAME_DTYPE, k->span, "kvalue", e->call.op->name,
                       ir_dtype_name(k->type->dtype), first, ir_dtype_name(x->type->dtype), NULL);
}

static bool check_condition(struct verifier *v, const struct ir_expr *e)
{
    const struct ir_expr *c = ir_call_arg(&e->call, "init_cond");
    return !is_known_scalar(c) || c->type->dtype == IR_BOOL ||
           verify_fail(v, IR_RULE_ARGUMENT_DTYPE, c->span, "init_cond", e->call.op->name, "pl.BOOL",
                       ir_dtype_name(c->type->dtype), NULL);
}

static bool check_static(struct verifier *v, const struct ir_expr *e, const char *argument)
{
    const ir_exprs *list = verify_tuple(ir_call_arg(&e->call, argument));
    int64_t extent;
    for (size_t i = 0; list && i < list->len; i++)
        if (!ir_const_int(list->items[i], &extent))
            return verify_fail(v, IR_RULE_ARGUMENT_STATIC, list->items[i]->span,
                               verify_number(v, (int64_t)i), argument, e->call.op->name, NULL);
    return true;
}

/* The window of a transfer is of known size; what of it is transferred need not be, but for rows
 * that become columns. */
static bool check_gather_row(struct verifier *v, const struct ir_expr *e)
{
    return check_static(v, e, "shapes") &&
           (!ir_call_int(&e->call, "transpose") || check_static(v, e, "valid_shape"));
}

static bool check_create_l1(struct verifier *v, const struct ir_expr *e)
{
    const ir_exprs *shape = verify_tuple(ir_call_arg(&e->call, "shape"));
    return check_static(v, e, "shape") && (!shape || verify_positive(v, &e->call, shape));
}

/* A tile has elements. */
static bool check_load(struct verifier *v, const struct ir_expr *e)
{
    const ir_exprs *shape = verify_tuple(ir_call_arg(&e->call, "shapes"));
    return !shape || verify_positive(v, &e->call, shape);
}

/* Only a matrix in Mat lies in columns. */
static bool check_create(struct verifier *v, const struct ir_expr *e)
{
    const struct ir_expr *where = ir_kwarg_find(&e->call.kwargs, "target_memory"),
                         *turned = ir_kwarg_find(&e->call.kwargs, "transpose");
    const ir_exprs *shape = verify_tuple(ir_call_arg(&e->call, "shape"));
    bool mat = where && where->kind == IR_NAME && !strcmp(where->name, "pl.Mem.Mat");
    return !ir_call_int(&e->call, "transpose") || (mat && shape && shape->len == 2) ||
           verify_fail(v, IR_RULE_KEYWORD_PLACE, turned->span, "transpose", e->call.op->name,
                       "but for a matrix in pl.Mem.Mat", NULL);
}

/* A prefetch takes one run of memory: all extents but the last are 1. */
static bool check_prefetch(struct verifier *v, const struct ir_expr *e)
{
    const struct ir_expr *x = ir_call_arg(&e->call, "src");
    int64_t extent;
    for (size_t i = 0; verify_is_shaped(x->type) && i + 1 < x->type->shape.len; i++)
        if (verify_extent(x, i, &extent) && extent != 1)
            return verify_fail(v, IR_RULE_ARGUMENT_EXTENT, x->span, verify_number(v, (int64_t)i),
                               "src", e->call.op->name, verify_number(v, extent), NULL);
    return true;
}

/* ---- all of it ---- */

static const struct {
    const char *op;
    bool (*check)(struct verifier *v, const struct ir_expr *e);
} rules[] = {
    {"tile.gather_compare", check_compare},
    {"tensor.gather_compare", check_compare},
    {"tile.matmul_acc", check_condition},
    {"tensor.matmul_acc", check_condition},
    {"tile.gather_row", check_gather_row},
    {"tensor.gather_row", check_gather_row},
    {"tensor.create_l1", check_create_l1},
    {"tile.load", check_load},
    {"tensor.slice", check_view},
    {"tensor.reshape", check_view},
    {"tensor.transpose", check_view},
    {"tensor.reinterpret_view", check_view},
    {"tensor.view", check_view},
    {"tile.create", check_create},
    {"prefetch.async_prefetch", check_prefetch},
    {"system.task_dummy", check_dummy},
    {"tile.aiv_shard", check_half},
    {"tile.aic_gather", check_half},
    {"tensor.aiv_shard", check_half},
    {"tensor.aic_gather", check_half},
    {"pld.system.defer_wait", check_defer_wait},
    {"pld.tile.remote_load", check_remote_load},
    {"pld.tile.remote_store", check_remote_store},
    {"pld.tensor.remote_store", check_remote_store},
    {"pld.tile.put", check_transfer},
    {"pld.tile.get", check_transfer},
    {"pld.tensor.put", check_transfer},
    {"pld.tensor.get", check_transfer},
    {"pld.tensor.reduce_scatter", check_reduce_scatter},
    {"pld.tensor.all_to_all_v", check_rows},
    {"pld.tensor.window", check_window},
    {"pld.tensor.alloc_window_buffer", check_alloc},
};

bool verify_op_rules(struct verifier *v, const struct ir_expr *e)
{
    if (!verify_arguments(v, e) || !verify_regions(v, e) || !check_atomic(v, e))
        return false;
    for (size_t i = 0; i < ROWS(rules); i++)
        if (strcmp(rules[i].op, e->call.op->name) == 0)
            return rules[i].check(v, e);
    return true;
}
