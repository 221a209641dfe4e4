/* SPDX-License-Identifier: MIT */
/* ConvertTensorToTileOps: arithmetic, reductions, products, sorting. */
#include <string.h>

#include "ir/infer.h"
#include "passes/tiling.h"

/* ---- the same on tiles ---- */

/* Keywords that the operator on tiles has as well. */
static void copy_keywords(struct tiling *t, struct ir_expr *to, const struct ir_expr *from)
{
    vec_foreach (struct ir_kwarg, k, &from->call.kwargs)
        if (ir_op_keyword(to->call.op, k->name))
            vec_push(t->arena, &to->call.kwargs, *k);
    to->call.attrs = from->call.attrs;
}

static struct ir_expr *call_as(struct tiling *t, const char *op, const struct ir_expr *e)
{
    struct ir_expr *out = tiling_call(t, op, e->call.args.len, e->call.args.items);
    copy_keywords(t, out, e);
    return out;
}

static struct ir_expr *same(struct tiling *t, const struct tile_form *form, struct ir_expr *e)
{
    return tiling_typed(t, call_as(t, form->tile, e));
}

/* The tile is used as it is, whatever else the call says. */
static struct ir_expr *bare(struct tiling *t, const struct tile_form *form, struct ir_expr *e)
{
    return tiling_typed(t, tiling_call(t, form->tile, e->call.args.len, e->call.args.items));
}

/* A scalar as second operand has an operator of its own. */
static struct ir_expr *by_kind(struct tiling *t, const struct tile_form *form, struct ir_expr *e)
{
    bool scalar = tiling_is_scalar(e->call.args.items[1]);
    return tiling_typed(t, call_as(t, scalar ? form->other : form->tile, e));
}

/* ---- a column beside a matrix ---- */

static bool is_one(const struct ir_expr *e)
{
    int64_t value;
    return ir_const_int(e, &value) && value == 1;
}

/* The operand that is a column of one element a row, beside one that is not: 0, 1, or -1. */
static int column_operand(const struct ir_expr *x, const struct ir_expr *y)
{
    if (!tiling_is_tile(x) || !tiling_is_tile(y) || x->type->shape.len != 2 ||
        y->type->shape.len != 2)
        return -1;
    bool first = is_one(x->type->shape.items[1]), second = is_one(y->type->shape.items[1]);
    return first == second ? -1 : second ? 1 : 0;
}

static struct ir_expr *column_form(struct tiling *t, const char *op, struct ir_expr *x,
                                   struct ir_expr *y, int column)
{
    return tiling_typed(t, TILING_CALL(t, op, column == 1 ? x : y, column == 1 ? y : x));
}

/* add, sub, mul: a scalar, a tile, or a column that is repeated along the rows. */
static struct ir_expr *broadcast(struct tiling *t, const struct tile_form *form, struct ir_expr *e)
{
    struct ir_expr *x = e->call.args.items[0], *y = e->call.args.items[1];
    int column = column_operand(x, y);
    if (column >= 0)
        return column_form(t, form->other, x, y, column);
    if (tiling_is_scalar(y))
        return tiling_typed(t, call_as(t, arena_printf(t->arena, "%ss", form->tile), e));
    return same(t, form, e);
}

static struct ir_expr *cast_to(struct tiling *t, const char *name, struct ir_expr *x,
                               enum ir_dtype dtype)
{
    if (!tiling_is_tile(x) || x->type->dtype == dtype)
        return x;
    struct ir_expr *e = TILING_CALL(t, "tile.cast", x);
    tiling_keyword(t, e, "target_type", tiling_dtype(t, dtype));
    tiling_keyword(t, e, "mode", tiling_index(t, 2));
    return tiling_bind(t, name, tiling_typed(t, e));
}

/* Both operands of a division have one element type; only a matrix is divided by a column. */
static struct ir_expr *divide(struct tiling *t, const struct tile_form *form, struct ir_expr *e)
{
    struct ir_expr *x = e->call.args.items[0], *y = e->call.args.items[1];
    if (tiling_is_scalar(y))
        return tiling_typed(t, call_as(t, "tile.divs", e));
    struct ir_type *both = ir_infer_call(t->arena, &call_as(t, form->tile, e)->call);
    int column = column_operand(x, y);
    if (both) {
        x = cast_to(t, "div_lhs_cast", x, both->dtype);
        y = cast_to(t, "div_rhs_cast", y, both->dtype);
    }
    if (column < 0) {
        struct ir_expr *out = TILING_CALL(t, form->tile, x, y);
        copy_keywords(t, out, e);
        return tiling_typed(t, out);
    }
    bool real = both && (both->dtype == IR_FP16 || both->dtype == IR_FP32);
    if (column == 0 || ir_call_int(&e->call, "high_precision") || !real) {
        REFUSE(t, TILE_DIVISION, e->span);
        return NULL;
    }
    return column_form(t, form->other, x, y, column);
}

/* ---- operators that need a tile to work in ---- */

static struct ir_expr *with_scratch(struct tiling *t, const struct tile_form *form,
                                    struct ir_expr *e, const char *name)
{
    const struct ir_type *x = e->call.args.items[0]->type;
    struct ir_expr *out = tiling_call(t, form->tile, e->call.args.len, e->call.args.items);
    vec_push(t->arena, &out->call.args, tiling_scratch(t, name, &x->shape, x->dtype));
    return tiling_typed(t, out);
}

static struct ir_expr *exclusive_or(struct tiling *t, const struct tile_form *form,
                                    struct ir_expr *e)
{
    return with_scratch(t, form, e, "xor_tmp");
}

static struct ir_expr *place_of(struct tiling *t, const struct tile_form *form, struct ir_expr *e)
{
    return with_scratch(t, form, e, "tmp_tile");
}

static struct ir_expr *reciprocal_root(struct tiling *t, const struct tile_form *form,
                                       struct ir_expr *e)
{
    return ir_call_int(&e->call, "high_precision") ? with_scratch(t, form, e, "rsqrt_tmp")
                                                   : bare(t, form, e);
}

enum { WORK_COLUMNS = 128 };

/* Its rows have at least 128 elements. */
static struct ir_expr *reduce(struct tiling *t, const struct tile_form *form, struct ir_expr *e)
{
    struct ir_expr *x = e->call.args.items[0];
    ir_exprs shape = {0};
    int64_t last;
    vec_foreach (struct ir_expr *, extent, &x->type->shape)
        vec_push(t->arena, &shape, *extent);
    if (shape.len >= 2 && (!ir_const_int(shape.items[shape.len - 1], &last) || last < WORK_COLUMNS))
        shape.items[shape.len - 1] = tiling_index(t, WORK_COLUMNS);
    struct ir_expr *work = tiling_scratch(t, "tmp_tile", &shape, x->type->dtype);
    return tiling_typed(t, TILING_CALL(t, form->tile, x, work));
}

/* The type of all operands side by side, or NULL. */
static struct ir_type *joined(struct tiling *t, const ir_exprs *operands)
{
    struct ir_expr *all = operands->items[0];
    for (size_t i = 1; i < operands->len && all->type; i++) {
        all = TILING_CALL(t, "tile.concat", all, operands->items[i]);
        all->type = ir_infer_call(t->arena, &all->call);
    }
    return all->type;
}

/* It merges into a tile that holds all of them. */
static struct ir_expr *merge(struct tiling *t, const struct tile_form *form, struct ir_expr *e)
{
    struct ir_expr *out = call_as(t, form->tile, e);
    struct ir_type *all = joined(t, &e->call.args);
    if (!all)
        return tiling_no_shape(t, form, e);
    vec_push(t->arena, &out->call.args, tiling_scratch(t, "mrgsort2_tmp", &all->shape, all->dtype));
    return tiling_typed(t, out);
}

/* The first number has the type of the elements. */
static struct ir_expr *consecutive(struct tiling *t, const struct tile_form *form,
                                   struct ir_expr *e)
{
    struct ir_expr *out = call_as(t, form->tile, e), **start = &out->call.args.items[0];
    struct ir_type *type = ir_infer_call(t->arena, &out->call);
    if (type && (*start)->kind == IR_INT)
        *start = tiling_number(t, (*start)->integer.value, type->dtype);
    return tiling_typed(t, out);
}

/* ---- comparisons ---- */

/* Ones where it holds and zeros elsewhere, of the operands' element type. */
static struct ir_expr *compare(struct tiling *t, const struct tile_form *form, struct ir_expr *e)
{
    bool scalar = tiling_is_scalar(e->call.args.items[1]);
    struct ir_type *both = e->type;
    struct ir_expr *bits = tiling_typed(t, call_as(t, scalar ? form->other : form->tile, e));
    if (!both || !bits->type)
        return tiling_no_shape(t, form, e);
    bits = tiling_bind(t, "cmp_mask", bits);
    struct ir_expr *constants[2];
    for (int i = 0; i < 2; i++) {
        struct ir_expr *full = TILING_CALL(t, "tile.full", tiling_tuple(t, &both->shape),
                                           tiling_number(t, 1 - i, both->dtype));
        tiling_keyword(t, full, "dtype", tiling_dtype(t, both->dtype));
        constants[i] = tiling_bind(t, i ? "cmp_zero" : "cmp_one", tiling_typed(t, full));
    }
    ir_exprs work = tiling_pair(t, tiling_index(t, 1), tiling_index(t, 32))->items;
    return tiling_typed(t, TILING_CALL(t, "tile.sel", bits, constants[0], constants[1],
                                       tiling_scratch(t, "cmp_tmp", &work, IR_UINT8)));
}

/* ---- products ---- */

/* A batch has operators of its own; they know no condition. */
static struct ir_expr *multiply(struct tiling *t, const struct tile_form *form, struct ir_expr *e)
{
    bool batch = false, condition = strchr(form->tile, '_') && e->call.args.len == 4;
    size_t operands = strchr(form->tile, '_') ? 3 : 2;
    for (size_t i = 0; i < operands; i++)
        batch |= e->call.args.items[i]->type && e->call.args.items[i]->type->shape.len > 2;
    if (batch && condition) {
        REFUSE(t, BATCH_CONDITION, e->span);
        return NULL;
    }
    return tiling_typed(
        t, tiling_call(t, batch ? form->other : form->tile, e->call.args.len, e->call.args.items));
}

/* A product with an input that says where positions are found. */
static struct ir_expr *find_places(struct tiling *t, const struct tile_form *form,
                                   struct ir_expr *e)
{
    const struct ir_expr *x = e->call.args.items[0];
    struct ir_expr *out = TILING_CALL(t, form->tile, e->call.args.items[0], e->call.args.items[1],
                                      tiling_scratch(t, "gc_tmp", &x->type->shape, IR_UINT8));
    copy_keywords(t, out, e);
    return tiling_typed(t, out);
}

/* clang-format off */
#define SAME(n) {"tensor." n, "tile." n, same, NULL, NULL, false}
#define FORM(n, fn) {"tensor." n, "tile." n, fn, NULL, NULL, false}
#define TWO(n, fn, other) {"tensor." n, "tile." n, fn, "tile." other, NULL, false}

const struct tile_form tiling_values[] = {
    SAME("adds"), SAME("subs"), SAME("muls"), SAME("divs"), SAME("fmods"),
    TWO("add", broadcast, "row_expand_add"), TWO("sub", broadcast, "row_expand_sub"),
    TWO("mul", broadcast, "row_expand_mul"), TWO("div", divide, "row_expand_div"),
    TWO("fmod", by_kind, "fmods"), TWO("maximum", by_kind, "maximums"), TWO("minimum", by_kind, "minimums"),
    SAME("part_add"), SAME("part_mul"), SAME("part_max"), SAME("part_min"),
    SAME("neg"), SAME("abs"), SAME("recip"), SAME("exp"), SAME("log"), SAME("sin"), SAME("cos"),
    SAME("sqrt"), SAME("cast"), FORM("rsqrt", reciprocal_root),
    SAME("and"), SAME("ands"), SAME("or"), SAME("ors"), SAME("not"), SAME("shl"), SAME("shls"),
    SAME("shr"), SAME("shrs"), FORM("xor", exclusive_or), FORM("xors", exclusive_or),
    TWO("cmp", compare, "cmps"),
    SAME("row_expand"), SAME("row_expand_add"), SAME("row_expand_sub"), SAME("row_expand_mul"),
    SAME("row_expand_div"), SAME("row_expand_max"), SAME("row_expand_min"), SAME("row_expand_expdif"),
    SAME("col_expand"), SAME("col_expand_add"), SAME("col_expand_sub"), SAME("col_expand_mul"),
    SAME("col_expand_div"), SAME("col_expand_max"), SAME("col_expand_min"), SAME("col_expand_expdif"),
    SAME("expands"), SAME("concat"), SAME("set_validshape"), SAME("full"), FORM("ci", consecutive), SAME("random"),
    FORM("row_sum", reduce), FORM("row_max", reduce), FORM("row_min", reduce), FORM("row_prod", reduce),
    SAME("col_sum"), SAME("col_max"), SAME("col_min"), SAME("col_prod"),
    FORM("row_argmax", place_of), FORM("row_argmin", place_of), FORM("col_argmax", place_of),
    FORM("col_argmin", place_of),
    SAME("sort32"), SAME("mrgsort_format1"), SAME("gather_mask"),
    {"tensor.mrgsort_format2", "tile.mrgsort_format2", merge, NULL, "VVVV", false},
    {"tensor.gather_compare", "tile.gather_compare", find_places, NULL, "V", false},
    {"tensor.matmul", "tile.matmul", multiply, "tile.batch_matmul", "MM", false},
    {"tensor.matmul_acc", "tile.matmul_acc", multiply, "tile.batch_matmul_acc", "-MM", false},
    SAME("get_block_idx"), SAME("get_subblock_idx"), SAME("get_block_num"),
    SAME("aiv_shard"), SAME("aic_gather"),
    {0},
};
/* clang-format on */
