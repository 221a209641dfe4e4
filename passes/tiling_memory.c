/* SPDX-License-Identifier: MIT */
/* ConvertTensorToTileOps: what reads and writes memory, views, and transfers between ranks. */
#include <string.h>

#include "passes/rewrite.h"
#include "passes/tiling.h"

static bool in_memory(const struct ir_expr *e)
{
    return e->type && ir_type_is_tensor_like(e->type);
}

static struct ir_expr *argument(const struct ir_expr *e, const char *name)
{
    return ir_call_arg(&e->call, name);
}

static struct ir_expr *keyword(const struct ir_expr *e, const char *name)
{
    return ir_kwarg_find(&e->call.kwargs, name);
}

static struct ir_expr *renamed_call(struct tiling *t, const char *op, const struct ir_expr *e)
{
    struct ir_expr *out = tiling_call(t, op, e->call.args.len, e->call.args.items);
    vec_foreach (struct ir_kwarg, k, &e->call.kwargs)
        if (ir_op_keyword(out->call.op, k->name))
            vec_push(t->arena, &out->call.kwargs, *k);
    out->call.attrs = e->call.attrs;
    return out;
}

static struct ir_expr *same(struct tiling *t, const struct tile_form *form, struct ir_expr *e)
{
    return tiling_typed(t, renamed_call(t, form->tile, e));
}

/* A scalar access of memory stays one; of a tile it becomes one of the tile. */
static struct ir_expr *access_element(struct tiling *t, const struct tile_form *form,
                                      struct ir_expr *e)
{
    return in_memory(e->call.args.items[0]) ? e : same(t, form, e);
}

/* ---- parts ---- */

static const ir_exprs *items_of(const struct ir_expr *e)
{
    bool list = e && (e->kind == IR_TUPLE || e->kind == IR_LIST);
    return list && e->items.len ? &e->items : NULL;
}

static bool drops(const ir_exprs *dropped, size_t axis)
{
    int64_t value;
    for (size_t i = 0; dropped && i < dropped->len; i++)
        if (ir_const_int(dropped->items[i], &value) && value == (int64_t)axis)
            return true;
    return false;
}

static struct ir_expr *binary(struct tiling *t, enum ir_binary_op op, struct ir_expr *x,
                              struct ir_expr *y)
{
    struct ir_expr *e = ir_expr_new(t->arena, IR_BINARY, t->at);
    e->binary.op = op;
    e->binary.lhs = x;
    e->binary.rhs = y;
    e->type = ir_scalar_type(IR_INDEX);
    int64_t value;
    return ir_const_int(e, &value) ? tiling_index(t, value) : e;
}

/* What is asked for, and no more than the tensor has from there on: by what is valid in it, or, with
 * clamp=, by its edge. */
static struct ir_expr *valid_extents(struct tiling *t, const struct ir_expr *e,
                                     const ir_exprs *shape, const ir_exprs *offsets)
{
    const struct ir_type *x = e->call.args.items[0]->type;
    const ir_exprs *asked = items_of(argument(e, "valid_shape")),
                   *bound = items_of(ir_view_keyword(x, "valid_shape"));
    if (!bound && ir_call_int(&e->call, "clamp"))
        bound = &x->shape;
    if (!asked)
        asked = shape;
    if (!bound || bound->len != asked->len || offsets->len != asked->len)
        return tiling_tuple(t, asked);
    ir_exprs out = {0};
    for (size_t i = 0; i < asked->len; i++) {
        struct ir_expr *left = binary(t, IR_SUB, bound->items[i], offsets->items[i]);
        int64_t constant;
        if (!ir_const_int(left, &constant) || constant < 0)
            left = binary(t, IR_MAX, left, tiling_index(t, 0));
        vec_push(t->arena, &out, binary(t, IR_MIN, left, asked->items[i]));
    }
    return tiling_tuple(t, &out);
}

/* Of memory a load, into the space in which the slice is wanted; dropped dimensions go by a reshape
 * of what is loaded. */
static struct ir_expr *slice(struct tiling *t, const struct tile_form *form, struct ir_expr *e)
{
    struct ir_expr *x = e->call.args.items[0];
    const ir_exprs *shape = items_of(argument(e, "shape")), *at = items_of(argument(e, "offset")),
                   *dropped = items_of(argument(e, "drop_dims"));
    ir_exprs kept = {0};
    if (!shape || !at)
        return tiling_no_shape(t, form, e);
    for (size_t i = 0; i < shape->len; i++)
        if (!drops(dropped, i))
            vec_push(t->arena, &kept, shape->items[i]);
    if (kept.len == 0) {
        REFUSE(t, SLICE_SCALAR, e->span);
        return NULL;
    }
    if (!in_memory(x))
        return same(t, form, e);
    enum ir_space space = (enum ir_space)(uintptr_t)map_get(&t->wanted, t->target);
    struct ir_expr *load =
        tiling_load(t, x, argument(e, "offset"), argument(e, "shape"),
                    valid_extents(t, e, shape, at), space ? space : IR_SPACE_VEC);
    if (kept.len == shape->len)
        return load;
    struct ir_expr *whole = tiling_bind(t, "slice_load", load);
    return tiling_typed(t, TILING_CALL(t, "tile.reshape", whole, tiling_tuple(t, &kept)));
}

static struct ir_expr *store(struct tiling *t, struct ir_expr *tile, struct ir_expr *offsets,
                             struct ir_expr *into)
{
    return tiling_typed(t, TILING_CALL(t, "tile.store", tile, offsets, into));
}

/* A tile into memory is a store. One tensor in memory into another stays: nothing on a core does it.
 */
static struct ir_expr *assemble(struct tiling *t, const struct tile_form *form, struct ir_expr *e)
{
    struct ir_expr *into = e->call.args.items[0], *from = e->call.args.items[1],
                   *at = e->call.args.items[2], *atomic = keyword(e, "atomic");
    bool adds = ir_call_int(&e->call, "atomic") != 0;
    if (in_memory(into) && tiling_is_tile(from)) {
        struct ir_expr *out = TILING_CALL(t, "tile.store", from, at, into);
        if (adds)
            tiling_keyword(t, out, "atomic", atomic);
        return tiling_typed(t, out);
    }
    if (adds) {
        pass_refuse(t->diag, t->prog,
                    tiling_is_tile(into) ? REFUSE_ATOMIC_TILE : REFUSE_ATOMIC_COPY, e->span, NULL);
        return NULL;
    }
    if (in_memory(into))
        return e;
    if (in_memory(from))
        from = tiling_bind(t, "assemble_src", tiling_load(t, from, NULL, NULL, NULL, IR_SPACE_VEC));
    return tiling_typed(t, TILING_CALL(t, form->tile, into, from, at));
}

/* ---- tiles without contents, padding ---- */

static struct ir_expr *create_in(struct tiling *t, const struct ir_expr *e, enum ir_space space)
{
    struct ir_expr *out = TILING_CALL(t, "tile.create", e->call.args.items[0]),
                   *dtype = keyword(e, "dtype"), *turned = keyword(e, "transpose");
    if (dtype)
        tiling_keyword(t, out, "dtype", dtype);
    tiling_keyword(t, out, "target_memory", tiling_space(t, space));
    if (turned)
        tiling_keyword(t, out, "transpose", turned);
    return tiling_typed(t, out);
}

static struct ir_expr *create(struct tiling *t, const struct tile_form *form, struct ir_expr *e)
{
    bool l1 = strcmp(form->tensor, "tensor.create_l1") == 0;
    return create_in(t, e, l1 ? IR_SPACE_MAT : IR_SPACE_VEC);
}

/* What is valid of a tensor. */
static struct ir_expr *load_valid(struct tiling *t, const char *name, struct ir_expr *x)
{
    const ir_exprs *part = items_of(ir_view_keyword(x->type, "valid_shape"));
    return tiling_bind(
        t, name, tiling_load(t, x, NULL, NULL, part ? tiling_tuple(t, part) : NULL, IR_SPACE_VEC));
}

static struct ir_expr *pad(struct tiling *t, const struct tile_form *form, struct ir_expr *e)
{
    struct ir_expr *x = e->call.args.items[0];
    if (!x->type || x->type->kind != IR_TYPE_TENSOR)
        return same(t, form, e);
    struct ir_expr *out = renamed_call(t, form->tile, e);
    out->call.args.items[0] = load_valid(t, form->other, x);
    return tiling_typed(t, out);
}

/* ---- views ---- */

static struct ir_expr *transpose(struct tiling *t, const struct tile_form *form, struct ir_expr *e)
{
    return tiling_typed(t, tiling_call(t, form->tile, 3, e->call.args.items));
}

/* With columns one behind the other, which bytes are neighbours would be lost. */
static struct ir_expr *reinterpret(struct tiling *t, const struct tile_form *form,
                                   struct ir_expr *e)
{
    struct ir_expr *x = e->call.args.items[0];
    if (x->type && strcmp(ir_tensor_layout(x->type), "pl.TensorLayout.DN") == 0) {
        REFUSE(t, REINTERPRET_LAYOUT, e->span);
        return NULL;
    }
    return same(t, form, e);
}

/* ---- between ranks ---- */

static bool is_pipelined(const struct ir_expr *e)
{
    const struct ir_expr *k = keyword(e, "pipeline");
    return k && k->kind == IR_BOOLEAN ? k->boolean : ir_call_int(&e->call, "pipeline") != 0;
}

/* The least of an extent and a chunk; a chunk of 0 is none. False when neither is known. */
static bool bounded(bool known, int64_t extent, int64_t chunk, int64_t *out)
{
    *out = !known || (chunk > 0 && chunk < extent) ? chunk : extent;
    return known || chunk > 0;
}

/* [rows, columns] of the tile through which the transfer goes: all of it, or a chunk. */
static bool stage_shape(struct tiling *t, const struct ir_expr *e, ir_exprs *out)
{
    const ir_exprs *given = items_of(argument(e, "shape")),
                   *extents = given ? given : &e->call.args.items[0]->type->shape;
    int64_t rows = 1, cols = 0, extent;
    bool known = true;
    if (extents->len == 0)
        return false;
    for (size_t i = 0; i + 1 < extents->len; i++) {
        known = known && ir_const_int(extents->items[i], &extent) &&
                !__builtin_mul_overflow(rows, extent, &rows);
    }
    bool width = ir_const_int(extents->items[extents->len - 1], &cols);
    if (!bounded(known, rows, ir_call_int(&e->call, "chunk_rows"), &rows) ||
        !bounded(width, cols, ir_call_int(&e->call, "chunk_cols"), &cols))
        return false;
    vec_push(t->arena, out, tiling_index(t, rows));
    vec_push(t->arena, out, tiling_index(t, cols));
    return true;
}

/* put and get go through a tile, or through two in turn. */
static struct ir_expr *transfer(struct tiling *t, const struct tile_form *form, struct ir_expr *e)
{
    bool twice = is_pipelined(e);
    struct ir_expr *const *args = e->call.args.items;
    ir_exprs shape = {0};
    for (size_t i = 0; i < 3; i += 2)
        if (tiling_is_tile(args[i])) {
            REFUSE(t, TRANSFER_TILE, args[i]->span, form->tensor);
            return NULL;
        }
    if (!in_memory(args[0]) || !stage_shape(t, e, &shape))
        return tiling_no_shape(t, form, e);
    struct ir_expr *out = tiling_call(t, form->tile, 3, args);
    for (int i = 0; i < 1 + twice; i++) {
        const char *name =
            twice ? arena_printf(t->arena, "%s_%s", form->other, i ? "pong" : "ping") : form->other;
        vec_push(t->arena, &out->call.args, tiling_scratch(t, name, &shape, args[0]->type->dtype));
    }
    for (size_t i = 3; i < e->call.args.len; i++)
        vec_push(t->arena, &out->call.args, args[i]);
    struct ir_expr *atomic = keyword(e, "atomic");
    if (atomic)
        tiling_keyword(t, out, "atomic", atomic);
    return tiling_typed(t, out);
}

/* ---- a tensor repeated to a shape ---- */

/* The row of x at those offsets, once for each row of the shape. */
static struct ir_expr *repeated_row(struct tiling *t, struct ir_expr *at, struct ir_expr *x,
                                    const ir_exprs *to)
{
    const ir_exprs *part = items_of(ir_view_keyword(x->type, "valid_shape"));
    ir_exprs row = {0}, all = {0};
    for (int i = 0; i < 3; i++) {
        struct ir_expr *last = part ? part->items[2] : x->type->shape.items[2];
        vec_push(t->arena, &row, i < 2 ? tiling_index(t, 1) : last);
        vec_push(t->arena, &all, i ? to->items[i] : tiling_index(t, 1));
    }
    struct ir_expr *shape = tiling_tuple(t, &row);
    struct ir_expr *loaded =
        tiling_bind(t, "expand_clone_d1_input", tiling_load(t, x, at, shape, shape, IR_SPACE_VEC));
    struct ir_expr *into = tiling_scratch(t, "expand_clone_d1_target", &all, x->type->dtype);
    return tiling_bind(t, "expand_clone_d1_col",
                       tiling_typed(t, TILING_CALL(t, "tile.col_expand", into, loaded)));
}

/* for i: acc = what the body stores. */
static struct ir_expr *store_each(struct tiling *t, int axis, struct ir_expr *x,
                                  struct ir_expr *target, struct ir_expr *loaded)
{
    const ir_exprs *to = &target->type->shape;
    struct ir_stmt *loop = ir_stmt_new(t->arena, IR_FOR, t->at);
    struct ir_type *type = target->type;
    struct ir_var *acc = ir_var_new(t->arena, "expand_clone_acc", type, t->at),
                  *result = ir_var_new(t->arena,
                                       axis ? "expand_clone_d1_result" : "expand_clone_d0_result",
                                       type, t->at);
    loop->for_.var = ir_var_new(t->arena, "i", ir_scalar_type(IR_INDEX), t->at);
    loop->for_.start = tiling_index(t, 0);
    loop->for_.stop = to->items[0];
    loop->for_.step = tiling_index(t, 1);
    vec_push(t->arena, &loop->for_.iter_args, acc);
    vec_push(t->arena, &loop->for_.inits, target);
    vec_push(t->arena, &loop->for_.results, result);
    ir_block *outer = t->out;
    t->out = &loop->for_.body;
    struct ir_expr *at = tiling_origin(t, 3);
    at->items.items[0] = ir_var_ref(t->arena, loop->for_.var, t->at);
    if (axis)
        loaded = repeated_row(t, at, x, to);
    struct ir_expr *stored =
        tiling_bind(t, axis ? "expand_clone_d1_store" : "expand_clone_d0_store",
                    store(t, loaded, at, ir_var_ref(t->arena, acc, t->at)));
    struct ir_stmt *yield = ir_stmt_new(t->arena, IR_YIELD, t->at);
    vec_push(t->arena, &yield->yield.values, stored);
    vec_push(t->arena, t->out, yield);
    t->out = outer;
    vec_push(t->arena, t->out, loop);
    return ir_var_ref(t->arena, result, t->at);
}

/* The axis along which x is repeated: -1 none, -2 it does not fit. */
static int repeated_axis(const ir_exprs *from, const ir_exprs *to)
{
    int axis = -1;
    for (int i = 0; i < 3; i++) {
        const struct ir_expr *p = from->items[i], *q = to->items[i];
        int64_t m, n;
        bool one = ir_const_int(p, &m) && m == 1,
             equal = (p->kind == IR_VAR && q->kind == IR_VAR && p->var == q->var) ||
                     (ir_const_int(p, &m) && ir_const_int(q, &n) && m == n);
        if (equal)
            continue;
        if (!one || axis >= 0)
            return -2;
        axis = i;
    }
    return axis;
}

static struct ir_expr *expand(struct tiling *t, const struct tile_form *form, struct ir_expr *e)
{
    struct ir_expr *x = e->call.args.items[0], *target = e->call.args.items[1];
    bool fits = in_memory(x) && in_memory(target) && x->type->shape.len == 3 &&
                target->type->shape.len == 3;
    int axis = fits ? repeated_axis(&x->type->shape, &target->type->shape) : -2;
    if (axis == -2) {
        REFUSE(t, EXPAND_SHAPE, e->span, form->tensor);
        return NULL;
    }
    if (axis == 1)
        return store_each(t, 1, x, target, NULL);
    struct ir_expr *loaded = load_valid(t, "expand_clone_input", x);
    if (axis == 0)
        return store_each(t, 0, x, target, loaded);
    if (axis == 2) {
        struct ir_expr *into =
            tiling_scratch(t, "expand_clone_d2_target", &target->type->shape, x->type->dtype);
        loaded = tiling_bind(t, "expand_clone_d2_row",
                             tiling_typed(t, TILING_CALL(t, "tile.row_expand", into, loaded)));
    }
    return store(t, loaded, tiling_origin(t, 3), target);
}

/* clang-format off */
const struct tile_form tiling_memory[] = {
    {"tensor.slice", "tile.slice", slice, NULL, NULL, true},
    {"tensor.assemble", "tile.assemble", assemble, NULL, NULL, true},
    {"tensor.read", "tile.read", access_element, NULL, NULL, true},
    {"tensor.write", "tile.write", access_element, NULL, NULL, true},
    {"tensor.expand_clone", NULL, expand, NULL, NULL, true},
    {"tensor.create", "tile.create", create, NULL, NULL, false},
    {"tensor.create_l1", "tile.create", create, NULL, NULL, true},
    {"tensor.gather_row", "tile.gather_row", same, NULL, NULL, true},
    {"tensor.fillpad", "tile.fillpad", pad, "fillpad_src", NULL, false},
    {"tensor.fillpad_expand", "tile.fillpad_expand", pad, "fillpad_expand_src", NULL, false},
    {"tensor.reshape", "tile.reshape", same, NULL, NULL, false},
    {"tensor.reinterpret_view", "tile.reinterpret_view", reinterpret, NULL, NULL, false},
    {"tensor.transpose", "tile.transpose", transpose, NULL, NULL, false},
    {"pld.tensor.remote_store", "pld.tile.remote_store", same, NULL, "V", false},
    {"pld.tensor.put", "pld.tile.put", transfer, "tput_stage", NULL, false},
    {"pld.tensor.get", "pld.tile.get", transfer, "tget_stage", NULL, false},
    {0},
};
/* clang-format on */
