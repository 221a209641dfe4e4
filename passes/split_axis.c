/* SPDX-License-Identifier: MIT */
#include "passes/split_axis.h"

#include <string.h>

#include "ir/infer.h"
#include "ir/ops.h"
#include "passes/core_affinity.h"
#include "passes/pass.h"
#include "passes/refusals.h"
#include "passes/rewrite.h"

bool split_mode_of(const struct ir_expr *e, enum split_mode *mode)
{
    static const char *const names[] = {"NONE", "UP_DOWN", "LEFT_RIGHT"};
    const char *name = e && e->kind == IR_NAME ? strrchr(e->name, '.') : NULL;
    if (e && e->kind == IR_INT && e->integer.value >= 0 && e->integer.value <= SPLIT_LEFT_RIGHT) {
        *mode = (enum split_mode)e->integer.value;
        return true;
    }
    for (int i = 0; name && i <= SPLIT_LEFT_RIGHT; i++)
        if (!strcmp(name + 1, names[i])) {
            *mode = (enum split_mode)i;
            return true;
        }
    return false;
}

struct ir_stmt *split_lane_index(struct arena *a, struct map *names, struct span at)
{
    const char *name = "subblock_idx";
    for (int n = 1; map_get_text(names, name); n++)
        name = arena_printf(a, "subblock_idx_%d", n);
    struct ir_var *v = ir_var_new(a, name, ir_scalar_type(IR_INDEX), at);
    map_put_text(names, name, v);
    return pass_assign(a, v, ir_op_call(a, "tile.get_subblock_idx", (ir_exprs){0}, at));
}

/* ---- extents ---- */

static struct ir_expr *binary(struct split_axis *x, enum ir_binary_op op, struct ir_expr *lhs,
                              struct ir_expr *rhs)
{
    return ir_binary(x->arena, op, lhs, rhs, lhs->span);
}

static struct ir_expr *half_of(struct split_axis *x, struct ir_expr *extent)
{
    if (extent->kind == IR_INT)
        return ir_int(x->arena, (extent->integer.value + 1) / 2, extent->integer.dtype,
                      extent->span);
    return binary(x, IR_FLOORDIV, extent, ir_int(x->arena, 2, IR_INDEX, extent->span));
}

static struct ir_expr *lane_times(struct split_axis *x, struct ir_expr *half)
{
    return binary(x, IR_MUL, ir_var_ref(x->arena, x->lane, half->span), half);
}

static bool same_extent(const struct ir_expr *x, const struct ir_expr *y)
{
    return (x->kind == IR_INT && y->kind == IR_INT && x->integer.value == y->integer.value) ||
           (x->kind == IR_VAR && y->kind == IR_VAR && x->var == y->var);
}

static bool is_even(const struct ir_expr *extent)
{
    return extent->kind != IR_INT || extent->integer.value % 2 == 0;
}

/* What the lane has of the first `valid` of `extent` rows or columns: none, some or half of them. */
static struct ir_expr *valid_of_lane(struct split_axis *x, struct ir_expr *valid,
                                     const struct ir_expr *extent, struct ir_expr *half)
{
    if (same_extent(valid, extent) && is_even(extent))
        return half;
    struct ir_expr *before = lane_times(x, half);
    return binary(x, IR_MIN, binary(x, IR_SUB, binary(x, IR_MAX, valid, before), before), half);
}

struct ir_expr *split_valid_of_lane(struct arena *a, struct ir_var *lane, struct ir_expr *valid,
                                    struct ir_expr *extent)
{
    struct split_axis x = {.arena = a, .lane = lane};
    return valid_of_lane(&x, valid, extent, half_of(&x, extent));
}

static bool is_one(const struct ir_expr *e)
{
    return e->kind == IR_INT && e->integer.value == 1;
}

/* A tuple with another element i. */
static struct ir_expr *with_item(struct split_axis *x, struct ir_expr *tuple, int i,
                                 struct ir_expr *item)
{
    if ((tuple->kind != IR_TUPLE && tuple->kind != IR_LIST) || (size_t)i >= tuple->items.len)
        return tuple;
    struct ir_expr *copy = arena_dup(x->arena, tuple, sizeof *tuple);
    copy->items = (ir_exprs){0};
    for (size_t k = 0; k < tuple->items.len; k++)
        vec_push(x->arena, &copy->items, k == (size_t)i ? item : tuple->items.items[k]);
    return copy;
}

static struct ir_expr *item_of(const struct ir_expr *tuple, int i)
{
    bool has = (tuple->kind == IR_TUPLE || tuple->kind == IR_LIST) && (size_t)i < tuple->items.len;
    return has ? tuple->items.items[i] : NULL;
}

static struct ir_expr *halved_item(struct split_axis *x, struct ir_expr *tuple, int i)
{
    struct ir_expr *item = item_of(tuple, i);
    return item ? with_item(x, tuple, i, half_of(x, item)) : tuple;
}

static struct ir_expr *moved_item(struct split_axis *x, struct ir_expr *tuple, int i,
                                  struct ir_expr *half)
{
    struct ir_expr *item = item_of(tuple, i);
    return item ? with_item(x, tuple, i, binary(x, IR_ADD, item, lane_times(x, half))) : tuple;
}

static struct ir_expr *valid_item(struct split_axis *x, struct ir_expr *tuple, int i,
                                  const struct ir_expr *extent, struct ir_expr *half)
{
    struct ir_expr *item = item_of(tuple, i);
    return item ? with_item(x, tuple, i, valid_of_lane(x, item, extent, half)) : tuple;
}

/* ---- types ---- */

/* TileView(valid_shape=...) with what the lane has of it. */
static struct ir_expr *lane_view(struct split_axis *x, struct ir_expr *view, int axis,
                                 const struct ir_expr *extent, struct ir_expr *half)
{
    struct ir_expr *valid = ir_kwarg_find(&view->call.kwargs, "valid_shape");
    if (!valid)
        return view;
    struct ir_expr *copy = arena_dup(x->arena, view, sizeof *view);
    copy->call.kwargs = (ir_kwargs){0};
    vec_foreach (struct ir_kwarg, k, &view->call.kwargs) {
        struct ir_kwarg kept = *k;
        if (!strcmp(k->name, "valid_shape"))
            kept.value = valid_item(x, valid, axis, extent, half);
        vec_push(x->arena, &copy->call.kwargs, kept);
    }
    return copy;
}

static bool is_view(const struct ir_expr *e)
{
    return e->kind == IR_CALL && e->call.name && !strcmp(e->call.name, "TileView");
}

/* All but an odd axis is whole in both lanes when it was whole before. */
static void add_odd_view(struct split_axis *x, struct ir_type *t, const struct ir_type *whole,
                         int axis)
{
    struct ir_expr *view = ir_expr_new(x->arena, IR_CALL, t->shape.items[axis]->span),
                   *valid = ir_expr_new(x->arena, IR_LIST, view->span);
    vec_foreach (struct ir_expr *, e, &whole->shape)
        vec_push(x->arena, &valid->items, *e);
    valid = valid_item(x, valid, axis, whole->shape.items[axis], t->shape.items[axis]);
    view->call.callee = IR_CALLEE_UNKNOWN;
    view->call.name = view->call.written = "TileView";
    struct ir_kwarg k = {"valid_shape", valid, view->span};
    vec_push(x->arena, &view->call.kwargs, k);
    vec_push(x->arena, &t->annots, view);
}

static struct ir_type *halved_type(struct split_axis *x, const struct ir_type *t, int axis)
{
    if (!t || t->kind != IR_TYPE_TILE || (size_t)axis >= t->shape.len)
        return (struct ir_type *)t;
    struct ir_type *out = arena_dup(x->arena, t, sizeof *t);
    struct ir_expr *extent = t->shape.items[axis], *half = half_of(x, extent);
    bool viewed = false;
    out->shape = out->annots = (ir_exprs){0};
    for (size_t i = 0; i < t->shape.len; i++)
        vec_push(x->arena, &out->shape, i == (size_t)axis ? half : t->shape.items[i]);
    vec_foreach (struct ir_expr *, e, &t->annots) {
        viewed |= is_view(*e);
        vec_push(x->arena, &out->annots, is_view(*e) ? lane_view(x, *e, axis, extent, half) : *e);
    }
    if (!viewed && !is_even(extent))
        add_odd_view(x, out, t, axis);
    return out;
}

/* ---- variables ---- */

static int axis_of_var(const struct split_axis *x, const struct ir_var *v)
{
    return (int)(uintptr_t)map_get(&x->axes, v) - 1;
}

static int axis_of(const struct split_axis *x, const struct ir_expr *e)
{
    return e->kind == IR_VAR ? axis_of_var(x, e->var) : -1;
}

static struct ir_var *halved_var(struct split_axis *x, struct ir_var *v, const struct ir_type *t,
                                 int axis)
{
    struct ir_var *known = map_get(&x->renamed, v);
    if (known)
        return known;
    struct ir_var *fresh =
        ir_var_new(x->arena, v->name, halved_type(x, v->type ? v->type : t, axis), v->span);
    fresh->shown = v->shown;
    void *mark = (void *)(uintptr_t)(axis + 1);
    map_put(&x->axes, v, mark);
    map_put(&x->axes, fresh, mark);
    map_put(&x->renamed, v, fresh);
    return fresh;
}

static struct ir_expr *renamed(void *ctx, struct ir_expr *e)
{
    struct split_axis *x = ctx;
    struct ir_var *v = e->kind == IR_VAR ? map_get(&x->renamed, e->var) : NULL;
    return v ? ir_var_ref(x->arena, v, e->span) : e;
}

/* ---- operators ---- */

static const struct ir_type *type_of(const struct ir_expr *e)
{
    return e->kind == IR_VAR && e->var->type ? e->var->type : e->type;
}

static bool is_named(const struct ir_call *call, const char *name)
{
    return call->op && strcmp(call->op->name, name) == 0;
}

static bool starts(const struct ir_call *call, const char *name)
{
    return call->op && strncmp(call->op->name, name, strlen(name)) == 0;
}

/* Rows are reduced to a column, columns to a row: along the axis that the lanes share, each would
 * reduce a part. */
static bool reduces(const struct ir_call *call, int axis)
{
    static const char *const kinds[] = {"sum", "max", "min", "prod", "argmax", "argmin"};
    const struct ir_type *t = call->args.len ? type_of(call->args.items[0]) : NULL;
    int last = t && t->shape.len ? (int)t->shape.len - 1 : 1;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (starts(call, "tile.row_") && !strcmp(call->op->name + strlen("tile.row_"), kinds[i]))
            return axis == last;
        if (starts(call, "tile.col_") && !strcmp(call->op->name + strlen("tile.col_"), kinds[i]))
            return axis == 0;
    }
    return false;
}

/* The axis along which the first halved operand is halved, or -1. */
static int axis_of_operands(const struct split_axis *x, const struct ir_call *call)
{
    vec_foreach (struct ir_expr *, e, &call->args)
        if (axis_of(x, *e) >= 0)
            return axis_of(x, *e);
    return -1;
}

/* A slice of a whole tile is the lane's part of it. */
static void halve_slice(struct split_axis *x, struct ir_call *call, int axis,
                        const struct ir_type *whole)
{
    struct ir_expr *extent = whole->shape.items[axis], *half = half_of(x, extent);
    call->args.items[1] = halved_item(x, call->args.items[1], axis);
    if (axis_of(x, call->args.items[0]) < 0)
        call->args.items[2] = moved_item(x, call->args.items[2], axis, half);
    if (call->args.len > 3)
        call->args.items[3] = valid_item(x, call->args.items[3], axis, extent, half);
}

static void halve_valid(struct split_axis *x, struct ir_call *call, int axis,
                        const struct ir_type *whole)
{
    struct ir_expr *extent = whole->shape.items[axis], *half = half_of(x, extent),
                   **valid = &call->args.items[1 + axis];
    bool spans = same_extent(*valid, extent) || ((*valid)->kind == IR_INT && half->kind == IR_INT &&
                                                 (*valid)->integer.value > half->integer.value);
    if (spans)
        *valid = valid_of_lane(x, *valid, extent, half);
}

/* The arguments of a call whose result of type `whole` is halved; they are a copy. */
static void halve_arguments(struct split_axis *x, struct ir_call *call, int axis,
                            const struct ir_type *whole)
{
    struct ir_expr *extent = whole->shape.items[axis], *half = half_of(x, extent);
    if (is_named(call, "tile.load") && call->args.len >= 4) {
        call->args.items[1] = moved_item(x, call->args.items[1], axis, half);
        call->args.items[2] = halved_item(x, call->args.items[2], axis);
        call->args.items[3] = valid_item(x, call->args.items[3], axis, extent, half);
    } else if (is_named(call, "tile.full") || is_named(call, "tile.create")) {
        call->args.items[0] = halved_item(x, call->args.items[0], axis);
    } else if ((is_named(call, "tile.reshape") || is_named(call, "tile.reinterpret_view")) &&
               call->args.len >= 2) {
        call->args.items[1] = halved_item(x, call->args.items[1], axis);
    } else if (is_named(call, "tile.slice") && call->args.len >= 3) {
        halve_slice(x, call, axis, whole);
    } else if (is_named(call, "tile.set_validshape") && call->args.len == 3) {
        halve_valid(x, call, axis, whole);
    }
}

static struct ir_expr *copy_call(struct split_axis *x, const struct ir_expr *e)
{
    struct ir_expr *copy = arena_dup(x->arena, e, sizeof *e);
    copy->call.args = (ir_exprs){0};
    vec_foreach (struct ir_expr *, it, &e->call.args)
        vec_push(x->arena, &copy->call.args, *it);
    return copy;
}

static struct ir_stmt *assign(struct split_axis *x, const struct ir_stmt *s, struct ir_var *target,
                              struct ir_expr *value)
{
    struct ir_stmt *copy = arena_dup(x->arena, s, sizeof *s);
    copy->assign.targets = (ir_vars){0};
    vec_push(x->arena, &copy->assign.targets, target);
    copy->assign.value = value;
    return copy;
}

/* A view of a whole tile stays whole, and the lane takes its part of that. */
static struct ir_stmt *slice_view(struct split_axis *x, const struct ir_stmt *s, int axis,
                                  const struct ir_type *t, ir_block *out)
{
    struct ir_var *v = s->assign.targets.items[0],
                  *full = ir_var_new(x->arena, arena_printf(x->arena, "%s_full", v->name), v->type,
                                     v->span);
    vec_push(x->arena, out,
             assign(x, s, full, rewrite_expr(x->arena, s->assign.value, renamed, x)));
    ir_exprs shape = {0}, offset = {0}, args = {0};
    for (size_t i = 0; i < t->shape.len; i++) {
        struct ir_expr *half = half_of(x, t->shape.items[i]);
        bool here = i == (size_t)axis;
        vec_push(x->arena, &shape, here ? half : t->shape.items[i]);
        vec_push(x->arena, &offset,
                 here ? lane_times(x, half) : ir_int(x->arena, 0, IR_INDEX, s->span));
    }
    vec_push(x->arena, &args, ir_var_ref(x->arena, full, s->span));
    vec_push(x->arena, &args, ir_tuple(x->arena, shape, s->span));
    vec_push(x->arena, &args, ir_tuple(x->arena, offset, s->span));
    return pass_assign(x->arena, halved_var(x, v, t, axis),
                       ir_op_call(x->arena, "tile.slice", args, s->span));
}

static bool is_reshape(const struct ir_call *call)
{
    return is_named(call, "tile.reshape") || is_named(call, "tile.reinterpret_view");
}

static int64_t product(const ir_exprs *shape, size_t from, size_t to)
{
    int64_t n = 1;
    for (size_t i = from; i < to; i++) {
        if (shape->items[i]->kind != IR_INT)
            return -1;
        n *= shape->items[i]->integer.value;
    }
    return n;
}

/* The axis of a reshaped tile on which its first half is that of the tile before: -1 when no axis
 * is; the old one where that cannot be told. */
static int reshaped_axis(const struct ir_type *from, const struct ir_type *to, int axis)
{
    int64_t inner = product(&from->shape, (size_t)axis + 1, from->shape.len),
            extent = product(&from->shape, (size_t)axis, (size_t)axis + 1);
    if (product(&from->shape, 0, (size_t)axis) != 1 || inner < 0 || extent < 0 || extent % 2)
        return axis;
    for (size_t i = 0; i < to->shape.len && product(&to->shape, 0, i) == 1; i++) {
        int64_t here = product(&to->shape, i, i + 1),
                under = product(&to->shape, i + 1, to->shape.len);
        if (here < 0 || under < 0)
            return axis;
        if (here % 2 == 0 && here * under == extent * inner)
            return (int)i;
    }
    return -1;
}

static struct ir_stmt *halve_value(struct split_axis *x, struct ir_stmt *s, ir_block *out)
{
    struct ir_expr *e = s->assign.value;
    const struct ir_call *call = &e->call;
    const struct ir_type *t =
        s->assign.targets.items[0]->type ? s->assign.targets.items[0]->type : e->type;
    int from = axis_of_operands(x, call), own = x->mode == SPLIT_UP_DOWN ? 0 : 1,
        axis = from >= 0 ? from : own;
    if (reduces(call, axis)) {
        REFUSE(x, SPLIT_REDUCES, e->span, call->op->name);
        return s;
    }
    if (!t || t->kind != IR_TYPE_TILE || t->shape.len < 2)
        return s;
    if (from >= 0 && is_reshape(call) && type_of(call->args.items[0]))
        axis = reshaped_axis(type_of(call->args.items[0]), t, from);
    if (axis < 0) {
        REFUSE(x, SPLIT_RESHAPES, e->span);
        return s;
    }
    if ((size_t)axis >= t->shape.len || is_one(t->shape.items[axis]))
        return s;
    if (is_named(call, "tile.ci") || is_named(call, "tile.random")) {
        REFUSE(x, SPLIT_GENERATES, e->span, call->op->name);
        return s;
    }
    if (is_reshape(call) && from < 0)
        return slice_view(x, s, axis, t, out);
    struct ir_expr *copy = copy_call(x, e);
    halve_arguments(x, &copy->call, axis, t);
    struct ir_expr *halved = rewrite_expr(x->arena, copy, renamed, x);
    struct ir_var *target = halved_var(x, s->assign.targets.items[0], t, axis);
    halved = arena_dup(x->arena, halved, sizeof *halved);
    halved->type = pass_type_now(x->arena, e, &halved->call);
    return assign(x, s, target, halved);
}

/* A store of a halved tile goes to the lane's part. */
static struct ir_expr *moved_store(struct split_axis *x, struct ir_expr *e)
{
    int axis = axis_of(x, e->call.args.items[0]);
    const struct ir_type *t = type_of(e->call.args.items[0]);
    if (axis < 0 || !t)
        return e;
    struct ir_var *half = map_get(&x->renamed, e->call.args.items[0]->var);
    struct ir_expr *copy = copy_call(x, e);
    copy->call.args.items[1] =
        moved_item(x, e->call.args.items[1], axis,
                   half ? half->type->shape.items[axis] : t->shape.items[axis]);
    return copy;
}

/* ---- tiles that cross ---- */

static struct ir_expr *boundary(struct split_axis *x, const char *name, struct ir_expr *tile,
                                int64_t split)
{
    ir_exprs args = {0};
    vec_push(x->arena, &args, tile);
    struct ir_expr *call = ir_op_call(x->arena, name, args, tile->span);
    struct ir_kwarg k = {"split", ir_int(x->arena, split, IR_INDEX, tile->span), tile->span};
    vec_push(x->arena, &call->call.kwargs, k);
    call->type = ir_infer_call(x->arena, &call->call);
    return call;
}

/* Each vector core gets its half of what the cube hands over. */
static struct ir_stmt *shard(struct split_axis *x, struct ir_stmt *s)
{
    struct ir_var *v = s->assign.targets.items[0];
    struct ir_expr *call =
        boundary(x, "tile.aiv_shard", s->assign.value->call.args.items[0], (int64_t)x->mode);
    int axis = x->mode == SPLIT_UP_DOWN ? 0 : 1;
    return assign(x, s, halved_var(x, v, s->assign.value->type, axis), call);
}

/* Two halves become the tile that the cube takes, which is then put where it wants it. */
static struct ir_stmt *gather(struct split_axis *x, struct ir_stmt *s, ir_block *out)
{
    struct ir_expr *move = s->assign.value, *tile = move->call.args.items[0];
    struct ir_var *v = s->assign.targets.items[0];
    int axis = axis_of(x, tile);
    if (axis != 0 && axis != 1) {
        REFUSE(x, SPLIT_WHOLE, move->span, tile->kind == IR_VAR ? tile->var->name : "the tile");
        return s;
    }
    struct ir_expr *call = boundary(x, "tile.aic_gather", rewrite_expr(x->arena, tile, renamed, x),
                                    axis == 0 ? SPLIT_UP_DOWN : SPLIT_LEFT_RIGHT);
    struct ir_var *whole =
        ir_var_new(x->arena, arena_printf(x->arena, "%s_mat", v->name), call->type, s->span);
    vec_push(x->arena, out, pass_assign(x->arena, whole, call));
    struct ir_expr *copy = copy_call(x, move);
    copy->call.args.items[0] = ir_var_ref(x->arena, whole, tile->span);
    return assign(x, s, v, copy);
}

/* A transposition takes the halves to the other axis. */
static bool transposes(const struct split_axis *x, const struct ir_call *call)
{
    const struct ir_type *t = call->args.len ? type_of(call->args.items[0]) : NULL;
    int axis = x->mode == SPLIT_UP_DOWN ? 0 : 1;
    return is_named(call, "tile.transpose") && t && t->shape.len > 1 &&
           !is_one(t->shape.items[axis]);
}

static struct ir_stmt *leaf(struct split_axis *x, struct ir_stmt *s, ir_block *out)
{
    struct ir_expr **at = s->kind == IR_ASSIGN ? &s->assign.value : &s->eval;
    struct ir_expr *e = *at;
    enum core_crossing way = s->kind == IR_ASSIGN ? core_crossing_of(x->spaces, e) : CROSSES_NOT;
    if (way != CROSSES_NOT && is_named(&e->call, "tile.move"))
        return way == CROSSES_TO_VECTOR ? shard(x, s) : gather(x, s, out);
    bool vector = e->kind == IR_CALL && e->call.callee == IR_CALLEE_OP &&
                  core_affinity_of(x->spaces, e) == CORE_VECTOR;
    if (!vector)
        return rewrite_exprs(x->arena, s, renamed, x);
    if (transposes(x, &e->call)) {
        REFUSE(x, SPLIT_TRANSPOSES, e->span);
        return s;
    }
    if (is_named(&e->call, "tile.store") && e->call.args.len >= 3) {
        struct ir_stmt *copy = arena_dup(x->arena, s, sizeof *s);
        *(s->kind == IR_ASSIGN ? &copy->assign.value : &copy->eval) = moved_store(x, e);
        return rewrite_exprs(x->arena, copy, renamed, x);
    }
    if (s->kind == IR_ASSIGN && s->assign.targets.len == 1) {
        struct ir_stmt *halved = halve_value(x, s, out);
        return halved == s ? rewrite_exprs(x->arena, s, renamed, x) : halved;
    }
    return rewrite_exprs(x->arena, s, renamed, x);
}

/* ---- control ---- */

/* What a loop carries is halved when it starts so. */
static void carry(struct split_axis *x, ir_vars *carried, const ir_exprs *inits)
{
    ir_vars out = {0};
    for (size_t i = 0; i < carried->len; i++) {
        int axis = i < inits->len ? axis_of(x, inits->items[i]) : -1;
        vec_push(x->arena, &out,
                 axis < 0 ? carried->items[i] : halved_var(x, carried->items[i], NULL, axis));
    }
    *carried = out;
}

static const struct ir_expr *yielded(const ir_block *block, size_t i)
{
    const struct ir_stmt *y = ir_block_yield(block);
    return y && i < y->yield.values.len ? y->yield.values.items[i] : NULL;
}

static void results_of(struct split_axis *x, ir_vars *results, const ir_block *body)
{
    ir_vars out = {0};
    for (size_t i = 0; i < results->len; i++) {
        const struct ir_expr *e = yielded(body, i);
        int axis = e ? axis_of(x, e) : -1;
        vec_push(x->arena, &out,
                 axis < 0 ? results->items[i] : halved_var(x, results->items[i], NULL, axis));
    }
    *results = out;
}

static struct ir_stmt *compound(struct split_axis *x, struct ir_stmt *s)
{
    struct ir_stmt *copy = arena_dup(x->arena, s, sizeof *s);
    if (s->kind == IR_FOR)
        carry(x, &copy->for_.iter_args, &s->for_.inits);
    else if (s->kind == IR_WHILE)
        carry(x, &copy->while_.iter_args, &s->while_.inits);
    copy = arena_dup(x->arena, rewrite_exprs(x->arena, copy, renamed, x), sizeof *copy);
    ir_block *inner[PASS_MAX_BLOCKS];
    size_t n = pass_child_blocks(copy, inner);
    for (size_t i = 0; i < n; i++)
        *inner[i] = split_axis_block(x, inner[i]);
    if (s->kind == IR_FOR)
        results_of(x, &copy->for_.results, &copy->for_.body);
    else if (s->kind == IR_WHILE)
        results_of(x, &copy->while_.results, &copy->while_.body);
    else if (s->kind == IR_IF)
        results_of(x, &copy->if_.results, &copy->if_.then_body);
    return copy;
}

ir_block split_axis_block(struct split_axis *x, const ir_block *block)
{
    ir_block out = {0};
    for (size_t i = 0; i < block->len && !x->diag->failed; i++) {
        struct ir_stmt *s = block->items[i];
        bool plain = s->kind == IR_ASSIGN || s->kind == IR_EVAL;
        struct ir_stmt *done = plain ? leaf(x, s, &out) : compound(x, s);
        vec_push(x->arena, &out, done);
    }
    return out;
}
