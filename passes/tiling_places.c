/* SPDX-License-Identifier: MIT */
/*
 * ConvertTensorToTileOps: gathering and scattering by index. The instructions take places in the
 * whole tile, in order of its rows, and a scatter leaves zeros where it does not write.
 */
#include <string.h>

#include "passes/rewrite.h"
#include "passes/tiling.h"

/* The constant extents of a matrix; false when it is none. */
static bool matrix(const struct ir_expr *e, int64_t *rows, int64_t *cols)
{
    const ir_exprs *shape = e->type ? &e->type->shape : NULL;
    return shape && shape->len == 2 && ir_const_int(shape->items[0], rows) &&
           ir_const_int(shape->items[1], cols) && *rows > 0 && *cols > 0;
}

static struct ir_expr *refuse_shape(struct tiling *t, const struct tile_form *form,
                                    const struct ir_expr *e, const char *what)
{
    REFUSE(t, GATHER_SHAPE, e->span, form->tensor, what);
    return NULL;
}

static struct ir_expr *extents(struct tiling *t, int64_t rows, int64_t cols)
{
    return tiling_pair(t, tiling_index(t, rows), tiling_index(t, cols));
}

static struct ir_expr *put(struct tiling *t, const char *base, const char *name,
                           struct ir_expr *call)
{
    return tiling_bind(t, arena_printf(t->arena, "%s_%s", base, name), tiling_typed(t, call));
}

static struct ir_expr *scratch(struct tiling *t, const char *base, const char *name, int64_t rows,
                               int64_t cols, enum ir_dtype dtype)
{
    return tiling_scratch(t, arena_printf(t->arena, "%s_%s", base, name),
                          &extents(t, rows, cols)->items, dtype);
}

static struct ir_expr *full(struct tiling *t, const char *base, const char *name, int64_t rows,
                            int64_t cols, int64_t value, enum ir_dtype dtype)
{
    struct ir_expr *e =
        TILING_CALL(t, "tile.full", extents(t, rows, cols), tiling_number(t, value, dtype));
    tiling_keyword(t, e, "dtype", tiling_dtype(t, dtype));
    return put(t, base, name, e);
}

static struct ir_expr *counting(struct tiling *t, const char *base, const char *name, int64_t n,
                                enum ir_dtype dtype)
{
    struct ir_expr *e = TILING_CALL(t, "tile.ci", tiling_number(t, 0, dtype), extents(t, 1, n));
    tiling_keyword(t, e, "dtype", tiling_dtype(t, dtype));
    tiling_keyword(t, e, "descending", ir_bool(t->arena, false, t->at));
    return put(t, base, name, e);
}

static struct ir_expr *cast(struct tiling *t, const char *base, const char *name, struct ir_expr *x,
                            enum ir_dtype dtype)
{
    if (x->type->dtype == dtype)
        return x;
    struct ir_expr *e = TILING_CALL(t, "tile.cast", x);
    tiling_keyword(t, e, "target_type", tiling_dtype(t, dtype));
    tiling_keyword(t, e, "mode", tiling_index(t, 0));
    return put(t, base, name, e);
}

static struct ir_expr *scalar(struct tiling *t, const char *name, enum ir_binary_op op,
                              struct ir_expr *x, struct ir_expr *y)
{
    struct ir_expr *e = ir_expr_new(t->arena, IR_BINARY, t->at);
    e->binary.op = op;
    e->binary.lhs = x;
    e->binary.rhs = y;
    e->type = ir_scalar_type(IR_INDEX);
    return name ? tiling_bind(t, name, e) : e;
}

/* ---- gather: along the rows, one row after the other ---- */

/* A loop that carries a tile on; what is made next goes into its body. */
static struct ir_stmt *begin_rows(struct tiling *t, const char *base, struct ir_expr *init,
                                  struct ir_expr *rows)
{
    struct ir_stmt *loop = ir_stmt_new(t->arena, IR_FOR, t->at);
    const char *names[] = {arena_printf(t->arena, "%s_lv", base),
                           arena_printf(t->arena, "%s_ia", base),
                           arena_printf(t->arena, "%s_rv", base)};
    loop->for_.var = ir_var_new(t->arena, names[0], ir_scalar_type(IR_INDEX), t->at);
    loop->for_.start = tiling_index(t, 0);
    loop->for_.stop = rows;
    loop->for_.step = tiling_index(t, 1);
    vec_push(t->arena, &loop->for_.inits, init);
    vec_push(t->arena, &loop->for_.iter_args, ir_var_new(t->arena, names[1], init->type, t->at));
    vec_push(t->arena, &loop->for_.results, ir_var_new(t->arena, names[2], init->type, t->at));
    t->out = &loop->for_.body;
    return loop;
}

/* Ends a round with the tile as it is now, and the loop; what it leaves. */
static struct ir_expr *end_rows(struct tiling *t, struct ir_stmt *loop, struct ir_expr *now,
                                ir_block *outer)
{
    struct ir_stmt *yield = ir_stmt_new(t->arena, IR_YIELD, t->at);
    vec_push(t->arena, &yield->yield.values, now);
    vec_push(t->arena, t->out, yield);
    t->out = outer;
    vec_push(t->arena, t->out, loop);
    return ir_var_ref(t->arena, loop->for_.results.items[0], t->at);
}

/* A row of what lies in memory, or of a value. */
static struct ir_expr *row_of(struct tiling *t, const char *name, struct ir_expr *x,
                              struct ir_expr *at, int64_t cols)
{
    struct ir_expr *shape = extents(t, 1, cols);
    struct ir_expr *e = tiling_is_tile(x)
                            ? tiling_typed(t, TILING_CALL(t, "tile.slice", x, shape, at, shape))
                            : tiling_load(t, x, at, shape, shape, IR_SPACE_VEC);
    return tiling_bind(t, name, e);
}

/* Elements of one row, at places in it. */
static struct ir_expr *pick(struct tiling *t, struct ir_expr *from, struct ir_expr *places,
                            int64_t cols)
{
    struct ir_expr *work = scratch(t, "gather", "row_tmp", 1, cols, IR_INT32);
    return put(t, "gather", "row", TILING_CALL(t, "tile.gather", from, places, work));
}

/* The carried tile of a loop with that row in this round's place. */
static struct ir_expr *add_row(struct tiling *t, const char *base, const struct ir_stmt *loop,
                               struct ir_expr *row)
{
    struct ir_expr *acc = ir_var_ref(t->arena, loop->for_.iter_args.items[0], t->at),
                   *round = ir_var_ref(t->arena, loop->for_.var, t->at);
    return put(
        t, base, "asmbl",
        TILING_CALL(t, "tile.assemble", acc, row, tiling_pair(t, round, tiling_index(t, 0))));
}

static struct ir_expr *gather_row(struct tiling *t, struct ir_stmt *loop, struct ir_expr *input,
                                  struct ir_expr *index, int64_t width, int64_t cols)
{
    struct ir_expr *at =
        tiling_pair(t, ir_var_ref(t->arena, loop->for_.var, t->at), tiling_index(t, 0));
    struct ir_expr *from = row_of(t, "gather_inp_row", input, at, width),
                   *places = row_of(t, "gather_idx_row", index, at, cols);
    return add_row(t, "gather", loop, pick(t, from, places, cols));
}

/* ---- gather in three dimensions: what is loaded becomes rows, and the result is a matrix that has
 * the rows of all planes ---- */

enum { PLANES = 3 };

/* The constant extents of a tensor of three dimensions; false when it is none. */
static bool planes(const struct ir_expr *e, int64_t *n)
{
    const ir_exprs *shape = e->type ? &e->type->shape : NULL;
    if (!shape || shape->len != PLANES || tiling_is_tile(e))
        return false;
    for (size_t i = 0; i < PLANES; i++)
        if (!ir_const_int(shape->items[i], &n[i]) || n[i] <= 0)
            return false;
    return true;
}

static struct ir_expr *triple(struct tiling *t, struct ir_expr *x, struct ir_expr *y,
                              struct ir_expr *z)
{
    ir_exprs items = {0};
    vec_push(t->arena, &items, x);
    vec_push(t->arena, &items, y);
    vec_push(t->arena, &items, z);
    return tiling_tuple(t, &items);
}

static struct ir_expr *reshape(struct tiling *t, const char *name, struct ir_expr *x, int64_t rows,
                               int64_t cols)
{
    return put(t, "gather", name, TILING_CALL(t, "tile.reshape", x, extents(t, rows, cols)));
}

/* A box of a tensor. */
static struct ir_expr *box_of(struct tiling *t, const char *name, struct ir_expr *x,
                              struct ir_expr *at, int64_t depth, int64_t rows, int64_t cols)
{
    struct ir_expr *shape =
        triple(t, tiling_index(t, depth), tiling_index(t, rows), tiling_index(t, cols));
    return tiling_bind(t, name, tiling_load(t, x, at, shape, shape, IR_SPACE_VEC));
}

/* Along the last one: the rows of a plane, plane by plane. */
static struct ir_expr *gather_planes(struct tiling *t, struct ir_expr *input, struct ir_expr *index,
                                     const int64_t *in, const int64_t *n)
{
    enum ir_dtype dtype = input->type->dtype;
    struct ir_expr *init = scratch(t, "gather", "outer_acc_init", n[0], n[1] * n[2], dtype);
    ir_block *around = t->out;
    struct ir_stmt *outer = begin_rows(t, "gather_outer", init, index->type->shape.items[0]);
    init = scratch(t, "gather", "inner_acc_init", n[1], n[2], dtype);
    ir_block *within = t->out;
    struct ir_stmt *inner = begin_rows(t, "gather_inner", init, index->type->shape.items[1]);
    struct ir_expr *at = triple(t, ir_var_ref(t->arena, outer->for_.var, t->at),
                                ir_var_ref(t->arena, inner->for_.var, t->at), tiling_index(t, 0));
    struct ir_expr *from =
        reshape(t, "inp_row", box_of(t, "gather_inp_raw", input, at, 1, 1, in[2]), 1, in[2]);
    struct ir_expr *places =
        reshape(t, "idx_row", box_of(t, "gather_idx_raw", index, at, 1, 1, n[2]), 1, n[2]);
    struct ir_expr *row = add_row(t, "gather_inner", inner, pick(t, from, places, n[2]));
    row = reshape(t, "inner_flat", end_rows(t, inner, row, within), 1, n[1] * n[2]);
    row = end_rows(t, outer, add_row(t, "gather_outer", outer, row), around);
    return reshape(t, "out", row, n[0] * n[1], n[2]);
}

/* Along another one: the places of a row of indices are those in the flat matrix of that dimension
 * and the last one. */
static struct ir_expr *gather_across(struct tiling *t, struct ir_expr *input, struct ir_expr *index,
                                     const int64_t *in, const int64_t *n, bool first)
{
    int64_t depth = first ? in[0] : in[1];
    struct ir_expr *columns =
        TILING_CALL(t, "tile.ci", tiling_number(t, 0, IR_INT32), extents(t, 1, n[2]));
    tiling_keyword(t, columns, "dtype", tiling_dtype(t, IR_INT32));
    columns = put(t, "gather", "range", columns);
    struct ir_expr *init =
        scratch(t, "gather", "main_acc_init", n[0] * n[1], n[2], input->type->dtype);
    ir_block *outer = t->out;
    struct ir_stmt *loop = begin_rows(t, "gather_main", init, tiling_index(t, n[0] * n[1]));
    struct ir_expr *round = ir_var_ref(t->arena, loop->for_.var, t->at),
                   *plane = scalar(t, NULL, IR_FLOORDIV, round, tiling_index(t, n[1])),
                   *row = scalar(t, NULL, IR_MOD, round, tiling_index(t, n[1])),
                   *none = tiling_index(t, 0);
    struct ir_expr *from = box_of(t, "gather_inp_raw", input,
                                  first ? triple(t, none, row, none) : triple(t, plane, none, none),
                                  first ? depth : 1, first ? 1 : depth, in[2]);
    from = reshape(t, "inp_flat", reshape(t, "inp_2d", from, depth, in[2]), 1, depth * in[2]);
    struct ir_expr *places =
        box_of(t, "gather_idx_raw", index, triple(t, plane, row, none), 1, 1, n[2]);
    places = reshape(t, "idx_row", places, 1, n[2]);
    places = put(t, "gather", "idx_s",
                 TILING_CALL(t, "tile.muls", places, tiling_number(t, in[2], IR_INT32)));
    places = put(t, "gather", "fidx", TILING_CALL(t, "tile.add", places, columns));
    struct ir_expr *now = add_row(t, "gather_main", loop, pick(t, from, places, n[2]));
    return reshape(t, "out", end_rows(t, loop, now, outer), n[0] * n[1], n[2]);
}

static bool is_wide(const struct ir_expr *e)
{
    return e->type->dtype == IR_FP32 || e->type->dtype == IR_INT32;
}

static struct ir_expr *gather(struct tiling *t, const struct tile_form *form, struct ir_expr *e)
{
    struct ir_expr *input = e->call.args.items[0], *index = e->call.args.items[1];
    int64_t in[PLANES], n[PLANES], rows, cols, height, width, dim = ir_call_int(&e->call, "dim");
    bool solid = planes(index, n) && planes(input, in);
    if (solid && (dim == 2 || dim == -1))
        return gather_planes(t, input, index, in, n);
    if (solid && is_wide(input) && is_wide(index))
        return gather_across(t, input, index, in, n, dim == 0 || dim == -PLANES);
    if (!matrix(index, &rows, &cols) || !matrix(input, &height, &width) || (dim != 1 && dim != -1))
        return refuse_shape(t, form, e,
                            "two dimensions, along the last one, or three of what lies in memory, "
                            "along the last one or of 32 bits");
    struct ir_expr *init = scratch(t, "gather", "acc_init", rows, cols, input->type->dtype);
    ir_block *outer = t->out;
    struct ir_stmt *loop = begin_rows(t, "gather", init, index->type->shape.items[0]);
    return end_rows(t, loop, gather_row(t, loop, input, index, width, cols), outer);
}

/* ---- paged gather: rows of memory, where a table of pages says ---- */

/* Element i of a tensor of INT32, [n] or [1, n], as an index. */
static struct ir_expr *element(struct tiling *t, const char *name, struct ir_expr *x,
                               struct ir_expr *i)
{
    ir_exprs at = {0};
    if (x->type->shape.len == 2)
        vec_push(t->arena, &at, tiling_index(t, 0));
    vec_push(t->arena, &at, i);
    struct ir_expr *raw = put(t, name, "raw__tile",
                              TILING_CALL(t, "tensor.read", x, tiling_tuple(t, &at))),
                   *e = ir_expr_new(t->arena, IR_CAST, t->at);
    e->cast.operand = raw;
    e->cast.dtype = IR_INDEX;
    e->type = ir_scalar_type(IR_INDEX);
    return tiling_bind(t, name, e);
}

/* The row of memory where the pages hold row i of the indices. */
static struct ir_expr *paged_row(struct tiling *t, const struct ir_expr *e, struct ir_expr *i)
{
    int64_t size = ir_call_int(&e->call, "block_size");
    struct ir_expr *at = element(t, "pg_idx", e->call.args.items[1], i),
                   *block = scalar(t, "pg_blk", IR_FLOORDIV, at, tiling_index(t, size)),
                   *rest = scalar(t, "pg_rem", IR_MOD, at, tiling_index(t, size)),
                   *page = element(t, "pg_pblk", e->call.args.items[2], block);
    return scalar(t, "pg_phys", IR_ADD, scalar(t, NULL, IR_MUL, page, tiling_index(t, size)), rest);
}

/* Indices and pages are read by the scalar unit, rows are loaded (pypto-ops-facts 1.3). */
static struct ir_expr *pages(struct tiling *t, const struct tile_form *form, struct ir_expr *e)
{
    (void)form;
    struct ir_expr *src = e->call.args.items[0], *indices = e->call.args.items[1],
                   *where = ir_kwarg_find(&e->call.kwargs, "space"),
                   *init = TILING_CALL(t, "tile.create", tiling_tuple(t, &e->type->shape));
    int64_t size = ir_call_int(&e->call, "size");
    bool turned = ir_call_int(&e->call, "is_trans");
    tiling_keyword(t, init, "dtype", tiling_dtype(t, src->type->dtype));
    tiling_keyword(t, init, "target_memory", where ? where : tiling_space(t, IR_SPACE_MAT));
    struct ir_expr *rows = put(t, "pg", "rows",
                               TILING_CALL(t, "tensor.dim", indices,
                                           tiling_index(t, (int64_t)indices->type->shape.len - 1)));
    init = put(t, "pg", "acc", init);
    ir_block *outer = t->out;
    struct ir_stmt *loop = begin_rows(t, "pg", init, rows);
    struct ir_expr *i = ir_var_ref(t->arena, loop->for_.var, t->at), *none = tiling_index(t, 0),
                   *row = paged_row(t, e, i);
    struct ir_expr *load = TILING_CALL(
        t, "tile.gather_row", ir_var_ref(t->arena, loop->for_.iter_args.items[0], t->at), src,
        turned ? tiling_pair(t, none, i) : tiling_pair(t, i, none),
        tiling_pair(t, row, tiling_index(t, ir_call_int(&e->call, "col_off"))),
        extents(t, 1, size));
    tiling_keyword(t, load, "transpose", ir_bool(t->arena, turned, t->at));
    return end_rows(t, loop, put(t, "pg", "row", load), outer);
}

/* ---- scatter: into zeros, and so marks; then by the marks into what was there ---- */

/* An element type of that size which can be compared. */
static enum ir_dtype marks_of(enum ir_dtype dtype)
{
    int bits = ir_dtype_bits(dtype);
    return bits == 32 ? IR_FP32 : bits == 16 ? IR_FP16 : IR_INT8;
}

/* Where marks are, what was scattered, and what was there elsewhere. */
static struct ir_expr *blend(struct tiling *t, const char *base, struct ir_expr *marks,
                             struct ir_expr *scattered, struct ir_expr *there)
{
    struct ir_expr *bits =
        TILING_CALL(t, "tile.cmps", marks, tiling_number(t, 0, marks->type->dtype));
    tiling_keyword(t, bits, "cmp_type", tiling_index(t, 1));
    bits = put(t, base, "pred", bits);
    struct ir_expr *work = scratch(t, base, "sel_tmp", 1, 32, IR_UINT8);
    return tiling_typed(t, TILING_CALL(t, "tile.sel", bits, scattered, there, work));
}

/* The most elements that an index of 16 bits reaches. */
enum { REACH = 32768 };

static struct ir_expr *scatter_at(struct tiling *t, const char *base, const struct ir_expr *e,
                                  struct ir_expr *flat, struct ir_expr *source)
{
    struct ir_expr *there = e->call.args.items[0];
    enum ir_dtype dtype = there->type->dtype, marks = marks_of(dtype);
    int64_t rows = 0, cols = 0, n = 0, width = 0;
    matrix(there, &rows, &cols);
    matrix(source, &n, &width);
    struct ir_expr *zero = full(t, base, "values_zero", rows, cols, 0, dtype);
    struct ir_expr *values =
        put(t, base, "values", TILING_CALL(t, "tile.scatter", zero, source, flat));
    struct ir_expr *unmarked = full(t, base, "mask_zero", rows, cols, 0, marks),
                   *ones = full(t, base, "ones", n, width, 1, marks);
    struct ir_expr *mask =
        put(t, base, "mask", TILING_CALL(t, "tile.scatter", unmarked, ones, flat));
    return blend(t, base, mask, values, there);
}

/* input[i, index[i, j]] = src[i, j] */
static struct ir_expr *scatter(struct tiling *t, const struct tile_form *form, struct ir_expr *e)
{
    struct ir_expr *const *args = e->call.args.items;
    int64_t rows, cols, n, width, dim = ir_call_int(&e->call, "dim");
    if (!matrix(args[0], &rows, &cols) || !matrix(args[1], &n, &width) ||
        !matrix(args[2], &n, &width) || (dim != 1 && dim != -1))
        return refuse_shape(t, form, e, "two dimensions, along the last one");
    enum ir_dtype index = args[1]->type->dtype;
    if (index == IR_INT16 && n * cols > REACH) {
        REFUSE(t, INDEX_RANGE, e->span, form->tensor);
        return NULL;
    }
    struct ir_expr *flat = args[1];
    if (n > 1) {
        struct ir_expr *numbers = counting(t, "scatter", "ci_rows", n, index);
        numbers = put(t, "scatter", "row_arange",
                      TILING_CALL(t, "tile.reshape", numbers, extents(t, n, 1)));
        numbers = put(t, "scatter", "row_base",
                      TILING_CALL(t, "tile.muls", numbers, tiling_number(t, cols, index)));
        flat = put(t, "scatter", "flat_idx", TILING_CALL(t, "tile.row_expand_add", flat, numbers));
    }
    return scatter_at(t, "scatter", e, flat, args[2]);
}

/* input[index[k]] = src[k], a whole row. */
static struct ir_expr *update(struct tiling *t, const struct tile_form *form, struct ir_expr *e)
{
    struct ir_expr *const *args = e->call.args.items;
    int64_t rows, cols, n, width, p, q;
    if (!matrix(args[0], &rows, &cols) || !matrix(args[2], &n, &width) ||
        !matrix(args[1], &p, &q) || n != p * q || width != cols)
        return refuse_shape(t, form, e, "two dimensions, with a row of src for each index");
    enum ir_dtype index = ir_dtype_bits(args[0]->type->dtype) == 32 ? IR_INT32 : IR_INT16;
    if (index == IR_INT16 && rows * cols >= REACH) {
        REFUSE(t, INDEX_RANGE, e->span, form->tensor);
        return NULL;
    }
    struct ir_expr *columns = counting(t, "su", "col", cols, IR_INT32);
    struct ir_expr *all = full(t, "su", "tmpl", n, cols, 0, IR_INT32);
    all = put(t, "su", "col_nd", TILING_CALL(t, "tile.col_expand", all, columns));
    struct ir_expr *at = cast(t, "su", "idx_i32", args[1], IR_INT32);
    at = put(t, "su", "idx_flat", TILING_CALL(t, "tile.reshape", at, extents(t, n, 1)));
    at =
        put(t, "su", "row_base", TILING_CALL(t, "tile.muls", at, tiling_number(t, cols, IR_INT32)));
    at = put(t, "su", "flat_idx", TILING_CALL(t, "tile.row_expand_add", all, at));
    return scatter_at(t, "su", e, cast(t, "su", "flat_idx_cast", at, index), args[2]);
}

static struct ir_expr *by_mask(struct tiling *t, struct ir_expr *into, struct ir_expr *from,
                               const struct ir_expr *e)
{
    struct ir_expr *out = TILING_CALL(t, "tile.scatter_mask", into, from);
    tiling_keyword(t, out, "mask_pattern", ir_kwarg_find(&e->call.kwargs, "mask_pattern"));
    return out;
}

static struct ir_expr *scatter_mask(struct tiling *t, const struct tile_form *form,
                                    struct ir_expr *e)
{
    static const char base[] = "scatter_mask";
    struct ir_expr *from = e->call.args.items[0], *there = e->call.args.items[1];
    int64_t rows, cols, height, width;
    if (!matrix(from, &rows, &cols) || !matrix(there, &height, &width))
        return refuse_shape(t, form, e, "two dimensions");
    enum ir_dtype dtype = there->type->dtype, marks = marks_of(dtype);
    struct ir_expr *zero = full(t, base, "values_zero", rows, width, 0, dtype);
    struct ir_expr *values = put(t, base, "values", by_mask(t, zero, from, e));
    struct ir_expr *unmarked = full(t, base, "mask_zero", rows, width, 0, marks),
                   *ones = full(t, base, "ones", rows, cols, 1, marks);
    return blend(t, base, put(t, base, "mask", by_mask(t, unmarked, ones, e)), values, there);
}

const struct tile_form tiling_places[] = {
    {"tensor.gather", "tile.gather", gather, NULL, NULL, true},
    {"tensor.paged_gather", "tile.gather_row", pages, NULL, NULL, true},
    {"tensor.scatter", "tile.scatter", scatter, NULL, "VVV", false},
    {"tensor.scatter_update", "tile.scatter", update, NULL, "VVV", false},
    {"tile.scatter_update", "tile.scatter", update, NULL, "VVV", false},
    {"tensor.scatter_mask", "tile.scatter_mask", scatter_mask, NULL, "VV", false},
    {0},
};
