/* SPDX-License-Identifier: MIT */
/* Result types of operators, one function a rule of the registry (pypto-ops-facts 1). */
#include <string.h>

#include "ir/infer.h"
#include "ir/ops.h"

typedef struct ir_type *(*rule)(struct arena *a, const struct ir_call *call);

/* ---- parts of a call ---- */

static struct ir_type *arg_type(const struct ir_call *call, int i)
{
    return i >= 0 && (size_t)i < call->args.len ? call->args.items[i]->type : NULL;
}

static struct ir_type *rule_arg(const struct ir_call *call)
{
    return arg_type(call, call->op->result_arg);
}

static const ir_exprs *tuple_items(const struct ir_expr *e)
{
    return e && (e->kind == IR_TUPLE || e->kind == IR_LIST) ? &e->items : NULL;
}

static const ir_exprs *shape_arg(const struct ir_call *call)
{
    return tuple_items(ir_call_arg(call, "shape"));
}

static bool has_shape(const struct ir_type *t)
{
    return t && (ir_type_is_tensor_like(t) || t->kind == IR_TYPE_TILE);
}

static bool is_matrix(const struct ir_type *t)
{
    return has_shape(t) && t->shape.len == 2;
}

static struct ir_type *shaped(struct arena *a, enum ir_type_kind kind, enum ir_dtype dtype,
                              const ir_exprs *shape)
{
    if (!shape || dtype == IR_DTYPE_NONE)
        return NULL;
    struct ir_type *t = ir_type_new(a, kind);
    t->dtype = dtype;
    t->shape = *shape;
    return t;
}

/* A distributed tensor is a place; what is computed from it is a plain tensor. */
static enum ir_type_kind value_kind(const struct ir_type *t)
{
    return t->kind == IR_TYPE_DIST_TENSOR ? IR_TYPE_TENSOR : t->kind;
}

/* ---- extents ---- */

static struct ir_expr *extent(struct arena *a, int64_t value, const struct ir_expr *like)
{
    return ir_int(a, value, IR_INDEX, like->span);
}

static bool is_one(const struct ir_expr *e)
{
    int64_t value;
    return ir_const_int(e, &value) && value == 1;
}

static struct ir_expr *combined(struct arena *a, enum ir_binary_op op, struct ir_expr *x,
                                struct ir_expr *y)
{
    int64_t m, n;
    bool known = ir_const_int(x, &m) && ir_const_int(y, &n) && (op != IR_FLOORDIV || n > 0);
    if (known)
        return extent(a, op == IR_ADD ? m + n : op == IR_MUL ? m * n : m / n, x);
    return ir_binary(a, op, x, y, x->span);
}

/* The shape of t with another extent along one axis. */
static ir_exprs with_extent(struct arena *a, const struct ir_type *t, size_t axis,
                            struct ir_expr *instead)
{
    ir_exprs shape = {0};
    for (size_t i = 0; i < t->shape.len; i++)
        vec_push(a, &shape, i == axis ? instead : t->shape.items[i]);
    return shape;
}

/* ---- element types ---- */

static enum ir_dtype dtype_named(const struct ir_expr *e)
{
    return e && e->kind == IR_NAME && strncmp(e->name, "pl.", 3) == 0 ? ir_dtype_parse(e->name + 3)
                                                                      : IR_DTYPE_NONE;
}

/* The element type that a keyword gives, whatever the row calls it (pypto-facts 1.3). */
static enum ir_dtype dtype_keyword(const struct ir_call *call)
{
    static const char *const names[] = {"target_type", "dtype", "output_dtype", "out_dtype"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct ir_op_kwarg *row = ir_op_keyword(call->op, names[i]);
        const struct ir_expr *e = ir_kwarg_find(&call->kwargs, names[i]);
        if (e)
            return dtype_named(e);
        if (row && row->default_is)
            return ir_dtype_parse(row->default_is + strlen("pl."));
    }
    return IR_DTYPE_NONE;
}

/* Floats before integers, then the wider one, then the signed one. */
static enum ir_dtype promoted(enum ir_dtype x, enum ir_dtype y)
{
    if (ir_dtype_is_float(x) != ir_dtype_is_float(y))
        return ir_dtype_is_float(x) ? x : y;
    if (ir_dtype_bits(x) != ir_dtype_bits(y))
        return ir_dtype_bits(x) > ir_dtype_bits(y) ? x : y;
    return !ir_dtype_is_float(x) && !ir_dtype_is_signed(x) && ir_dtype_is_signed(y) ? y : x;
}

/* A literal has no element type of its own: the tensor's is its type. */
static bool is_literal(const struct ir_expr *e)
{
    return e->kind == IR_INT || e->kind == IR_FLOAT ||
           (e->kind == IR_UNARY && is_literal(e->unary.operand));
}

static enum ir_dtype result_dtype(const struct ir_call *call)
{
    const struct ir_type *x = arg_type(call, 0), *y = arg_type(call, 1);
    enum ir_dtype stated = x ? x->dtype : IR_DTYPE_NONE, keyword;
    switch (call->op->dtype) {
    case IR_ELEM_PROMOTED:
        return y && y->dtype != IR_DTYPE_NONE && !is_literal(call->args.items[1])
                   ? promoted(stated, y->dtype)
                   : stated;
    case IR_ELEM_KEYWORD:
        keyword = dtype_keyword(call);
        return keyword != IR_DTYPE_NONE || ir_op_keyword(call->op, "target_type") ? keyword
                                                                                  : stated;
    case IR_ELEM_INT32:
        return IR_INT32;
    default:
        return stated;
    }
}

/* ---- rules ---- */

static struct ir_type *as_argument(struct arena *a, const struct ir_call *call)
{
    struct ir_type *x = rule_arg(call);
    bool computed = call->op->effect == IR_EFFECT_PURE && has_shape(x);
    if (!computed)
        return x;
    enum ir_dtype dtype = call->op->dtype == IR_ELEM_STATED ? x->dtype : result_dtype(call);
    /* A computed tile has its operand's shape, but lies in no memory yet. */
    bool fresh = x->kind == IR_TYPE_TILE && x->annots.len;
    bool same = dtype == x->dtype && !fresh;
    return same ? x : shaped(a, value_kind(x), dtype, &x->shape);
}

static struct ir_type *element(struct arena *a, const struct ir_call *call)
{
    (void)a;
    struct ir_type *x = rule_arg(call);
    return has_shape(x) ? ir_scalar_type(x->dtype) : NULL;
}

static struct ir_type *loaded(struct arena *a, const struct ir_call *call)
{
    struct ir_type *x = rule_arg(call);
    return has_shape(x) ? shaped(a, IR_TYPE_TILE, x->dtype, shape_arg(call)) : NULL;
}

static struct ir_type *made_tile(struct arena *a, const struct ir_call *call)
{
    return shaped(a, IR_TYPE_TILE, dtype_keyword(call), shape_arg(call));
}

static struct ir_type *made_tensor(struct arena *a, const struct ir_call *call)
{
    return shaped(a, IR_TYPE_TENSOR, dtype_keyword(call), shape_arg(call));
}

static struct ir_type *made_window(struct arena *a, const struct ir_call *call)
{
    return shaped(a, IR_TYPE_DIST_TENSOR, dtype_keyword(call), shape_arg(call));
}

static struct ir_type *broadcast(struct arena *a, const struct ir_call *call)
{
    struct ir_type *x = arg_type(call, 0);
    if (!has_shape(x))
        return NULL;
    ir_exprs shape = x->shape;
    for (int k = 1; (size_t)k < call->args.len; k++) {
        const struct ir_type *y = arg_type(call, k);
        struct ir_type so_far = {.shape = shape};
        for (size_t i = 0; has_shape(y) && y->shape.len == shape.len && i < shape.len; i++)
            if (is_one(shape.items[i]))
                so_far.shape = with_extent(a, &so_far, i, y->shape.items[i]);
        shape = so_far.shape;
    }
    return shaped(a, value_kind(x), result_dtype(call), &shape);
}

/* The axis stays, as 1, unless keep_dim= says otherwise. Other axes than the row's own are not
 * told.
 */
static struct ir_type *reduced(struct arena *a, const struct ir_call *call, size_t from_end)
{
    struct ir_type *x = arg_type(call, 0);
    bool keep = !ir_op_keyword(call->op, "keep_dim") || ir_call_int(call, "keep_dim");
    if (!has_shape(x) || x->shape.len < from_end)
        return NULL;
    size_t axis = x->shape.len - from_end;
    int64_t given = ir_call_int(call, "axis");
    if (given && given != (int64_t)axis && given != -(int64_t)from_end)
        return NULL;
    ir_exprs shape = with_extent(a, x, axis, extent(a, 1, x->shape.items[axis]));
    if (!keep) {
        shape = (ir_exprs){0};
        for (size_t i = 0; i < x->shape.len; i++)
            if (i != axis)
                vec_push(a, &shape, x->shape.items[i]);
    }
    return shape.len ? shaped(a, value_kind(x), result_dtype(call), &shape) : NULL;
}

static struct ir_type *of_rows(struct arena *a, const struct ir_call *call)
{
    return reduced(a, call, 1);
}

static struct ir_type *of_columns(struct arena *a, const struct ir_call *call)
{
    return reduced(a, call, 2);
}

/* Leading extents are a batch; the last two those of a product. */
static bool product_shape(struct arena *a, const struct ir_type *x, const struct ir_type *y,
                          bool x_turned, bool y_turned, ir_exprs *out)
{
    *out = (ir_exprs){0};
    if (!has_shape(x) || !has_shape(y) || x->shape.len < 2 || y->shape.len < 2)
        return false;
    const struct ir_type *batch = x->shape.len >= y->shape.len ? x : y;
    for (size_t i = 0; i + 2 < batch->shape.len; i++) {
        size_t n = batch->shape.len - i;
        struct ir_expr *e = batch->shape.items[i];
        if (is_one(e) && x->shape.len >= n && y->shape.len >= n)
            e = y->shape.items[y->shape.len - n];
        vec_push(a, out, e);
    }
    vec_push(a, out, x->shape.items[x->shape.len - (x_turned ? 1 : 2)]);
    vec_push(a, out, y->shape.items[y->shape.len - (y_turned ? 2 : 1)]);
    return true;
}

/* The matrix unit adds in 32 bits, in its accumulator (pypto-ops-facts 1.2, 2). */
static struct ir_type *accumulator(struct arena *a, const struct ir_type *x, const ir_exprs *shape)
{
    struct ir_type *t =
        shaped(a, IR_TYPE_TILE, ir_dtype_is_float(x->dtype) ? IR_FP32 : IR_INT32, shape);
    struct ir_expr *space = ir_expr_new(a, IR_NAME, shape->items[0]->span);
    space->name = "pl.Mem.Acc";
    vec_push(a, &t->annots, space);
    return t;
}

static struct ir_type *product_tile(struct arena *a, const struct ir_call *call)
{
    ir_exprs shape;
    struct ir_type *x = arg_type(call, 0);
    return product_shape(a, x, arg_type(call, 1), false, false, &shape) ? accumulator(a, x, &shape)
                                                                        : NULL;
}

enum { GEMV_ROWS = 16 };

static struct ir_type *row_product(struct arena *a, const struct ir_call *call)
{
    ir_exprs shape;
    struct ir_type *x = arg_type(call, 0);
    if (!product_shape(a, x, arg_type(call, 1), false, false, &shape) || shape.len != 2)
        return NULL;
    shape.items[0] = extent(a, GEMV_ROWS, shape.items[0]);
    return accumulator(a, x, &shape);
}

static struct ir_type *product(struct arena *a, const struct ir_call *call)
{
    ir_exprs shape;
    struct ir_type *x = arg_type(call, 0);
    enum ir_dtype dtype = dtype_keyword(call);
    bool known = product_shape(a, x, arg_type(call, 1), ir_call_int(call, "a_trans"),
                               ir_call_int(call, "b_trans"), &shape);
    return known ? shaped(a, value_kind(x), dtype ? dtype : result_dtype(call), &shape) : NULL;
}

static bool dropped(const ir_exprs *drop, size_t axis)
{
    int64_t value;
    if (drop)
        vec_foreach (struct ir_expr *, d, drop)
            if (ir_const_int(*d, &value) && value == (int64_t)axis)
                return true;
    return false;
}

static ir_exprs at_least_two(struct arena *a, const ir_exprs *shape, const struct ir_expr *like)
{
    ir_exprs out = {0};
    for (size_t n = shape->len; n < 2; n++)
        vec_push(a, &out, extent(a, 1, like));
    vec_foreach (struct ir_expr *, e, shape)
        vec_push(a, &out, *e);
    return out;
}

/* A view of a window is a window: it keeps the kind and the buffer of what it views. A slice of a
 * tile that drops dimensions keeps two (pypto-front-facts 2.4). */
static struct ir_type *view(struct arena *a, const struct ir_call *call)
{
    struct ir_type *x = arg_type(call, 0);
    const ir_exprs *wanted = shape_arg(call);
    if (!has_shape(x))
        return NULL;
    if (!wanted)
        wanted = &x->shape;
    const ir_exprs *drop = tuple_items(ir_call_arg(call, "drop_dims"));
    ir_exprs shape = {0};
    for (size_t i = 0; i < wanted->len; i++)
        if (!dropped(drop, i))
            vec_push(a, &shape, wanted->items[i]);
    if (drop && drop->len && x->kind == IR_TYPE_TILE)
        shape = at_least_two(a, &shape, call->args.items[0]);
    struct ir_type *t = shaped(a, x->kind, x->dtype, &shape);
    if (t)
        t->window = x->window;
    return t;
}

static const ir_exprs *view_list(const struct ir_type *x, const char *keyword)
{
    const ir_exprs *items = tuple_items(ir_view_keyword(x, keyword));
    return items && items->len ? items : NULL;
}

/* The items, with the last two in each other's place. */
static ir_exprs last_two_swapped(struct arena *a, const ir_exprs *items)
{
    ir_exprs out = {0};
    vec_foreach (struct ir_expr *, e, items)
        vec_push(a, &out, *e);
    if (out.len >= 2) {
        out.items[out.len - 2] = items->items[out.len - 1];
        out.items[out.len - 1] = items->items[out.len - 2];
    }
    return out;
}

/* Elements side by side, row by row. */
static ir_exprs packed_strides(struct arena *a, const ir_exprs *shape)
{
    ir_exprs out = {0};
    vec_foreach (struct ir_expr *, e, shape)
        vec_push(a, &out, extent(a, 1, *e));
    for (size_t i = out.len; i-- > 1;)
        out.items[i - 1] = is_one(out.items[i])
                               ? shape->items[i]
                               : combined(a, IR_MUL, shape->items[i], out.items[i]);
    return out;
}

static struct ir_expr *tensor_view(struct arena *a, struct span at)
{
    struct ir_expr *e = ir_expr_new(a, IR_CALL, at);
    e->call = (struct ir_call){
        .callee = IR_CALLEE_UNKNOWN, .name = "TensorView", .written = "TensorView"};
    return e;
}

static void say_list(struct arena *a, struct ir_expr *view, const char *name, const ir_exprs *items)
{
    struct ir_expr *list = ir_expr_new(a, IR_LIST, view->span);
    list->items = *items;
    vec_push(a, &view->call.kwargs, ((struct ir_kwarg){name, list, view->span}));
}

/* tensor.view: the type says the strides that follow from shape and layout, and another layout alone
 * exchanges the last two extents, as each element stays in its place (pypto-front-facts 3.8). */
static struct ir_type *relaid(struct arena *a, const struct ir_call *call)
{
    struct ir_type *x = arg_type(call, 0), *t = view(a, call);
    if (!t || !ir_type_is_tensor_like(x))
        return t;
    static const char columns[] = "pl.TensorLayout.DN";
    struct ir_expr *layout = ir_kwarg_find(&call->kwargs, "layout");
    const char *old = ir_tensor_layout(x),
               *now = layout && layout->kind == IR_NAME ? layout->name : old;
    bool shape = shape_arg(call), turned = !shape && strcmp(old, now) != 0;
    const ir_exprs *strides = shape ? NULL : view_list(x, "stride"),
                   *valid = tuple_items(ir_call_arg(call, "valid_shape"));
    const struct ir_expr *pad = !shape || valid ? ir_view_keyword(x, "pad") : NULL;
    if (!shape && !valid)
        valid = view_list(x, "valid_shape");
    if (turned)
        t->shape = last_two_swapped(a, &t->shape);
    struct ir_expr *said = tensor_view(a, call->args.items[0]->span);
    if (valid) {
        ir_exprs items = turned ? last_two_swapped(a, valid) : *valid;
        say_list(a, said, "valid_shape", &items);
    }
    bool by_columns = strcmp(now, columns) == 0;
    ir_exprs rows = by_columns ? last_two_swapped(a, &t->shape) : t->shape;
    ir_exprs packed = strides ? *strides : packed_strides(a, &rows);
    if (strides ? turned : by_columns)
        packed = last_two_swapped(a, &packed);
    say_list(a, said, "stride", &packed);
    struct ir_expr *name = ir_expr_new(a, IR_NAME, said->span);
    name->name = now;
    vec_push(a, &said->call.kwargs, ((struct ir_kwarg){"layout", name, said->span}));
    if (pad)
        vec_push(a, &said->call.kwargs,
                 ((struct ir_kwarg){"pad", (struct ir_expr *)pad, said->span}));
    vec_push(a, &t->annots, said);
    return t;
}

static struct ir_type *expanded(struct arena *a, const struct ir_call *call)
{
    struct ir_type *x = arg_type(call, 0);
    return has_shape(x) ? shaped(a, value_kind(x), x->dtype, shape_arg(call)) : NULL;
}

/* One bit an element, in rows of whole blocks of 32 bytes. */
static struct ir_type *predicate(struct arena *a, const struct ir_call *call)
{
    struct ir_type *x = broadcast(a, call);
    int64_t columns;
    if (!x || x->shape.len == 0 || !ir_const_int(x->shape.items[x->shape.len - 1], &columns) ||
        columns < 0)
        return NULL;
    struct ir_expr *last = x->shape.items[x->shape.len - 1];
    ir_exprs shape =
        with_extent(a, x, x->shape.len - 1, extent(a, ((columns + 7) / 8 + 31) / 32 * 32, last));
    return shaped(a, x->kind, IR_UINT8, &shape);
}

/* The shape of the named argument, or of the last one given. */
static struct ir_type *like(struct arena *a, const struct ir_call *call)
{
    struct ir_type *x = arg_type(call, 0);
    int last = (int)call->args.len - 1;
    struct ir_type *y = arg_type(call, call->op->result_arg < last ? call->op->result_arg : last);
    return has_shape(x) && has_shape(y) ? shaped(a, value_kind(x), result_dtype(call), &y->shape)
                                        : NULL;
}

static struct ir_type *blocks(struct arena *a, const struct ir_call *call)
{
    struct ir_type *x = arg_type(call, 0), *y = rule_arg(call);
    enum ir_dtype dtype = result_dtype(call);
    if (!is_matrix(x) || !is_matrix(y) || ir_dtype_bits(dtype) < 8)
        return NULL;
    ir_exprs shape = {0};
    vec_push(a, &shape, x->shape.items[0]);
    vec_push(a, &shape,
             combined(a, IR_MUL, y->shape.items[1],
                      extent(a, 32 / (ir_dtype_bits(dtype) / 8), y->shape.items[1])));
    return shaped(a, IR_TYPE_TILE, dtype, &shape);
}

static struct ir_type *concatenated(struct arena *a, const struct ir_call *call)
{
    struct ir_type *x = arg_type(call, 0);
    if (!has_shape(x) || x->shape.len == 0)
        return NULL;
    size_t last = x->shape.len - 1;
    struct ir_expr *sum = x->shape.items[last];
    for (int k = 1; (size_t)k < call->args.len; k++) {
        const struct ir_type *y = arg_type(call, k);
        if (!has_shape(y) || y->shape.len != x->shape.len)
            return NULL;
        sum = combined(a, IR_ADD, sum, y->shape.items[last]);
    }
    ir_exprs shape = with_extent(a, x, last, sum);
    return shaped(a, value_kind(x), x->dtype, &shape);
}

/* The last extent times m, by n. */
static struct ir_type *scaled(struct arena *a, const struct ir_type *x, size_t axis, int64_t m,
                              int64_t n, enum ir_dtype dtype)
{
    if (!has_shape(x) || axis >= x->shape.len)
        return NULL;
    struct ir_expr *e = x->shape.items[axis];
    if (m != 1)
        e = combined(a, IR_MUL, e, extent(a, m, e));
    if (n != 1)
        e = combined(a, IR_FLOORDIV, e, extent(a, n, e));
    ir_exprs shape = with_extent(a, x, axis, e);
    return shaped(a, value_kind(x), dtype, &shape);
}

static struct ir_type *doubled(struct arena *a, const struct ir_call *call)
{
    struct ir_type *x = arg_type(call, 0);
    return has_shape(x) && x->shape.len ? scaled(a, x, x->shape.len - 1, 2, 1, x->dtype) : NULL;
}

/* Patterns 1 and 2 take every other element, 3 to 6 every fourth, 7 all. */
static struct ir_type *masked(struct arena *a, const struct ir_call *call)
{
    struct ir_type *x = arg_type(call, 0);
    int64_t pattern = ir_call_int(call, "mask_pattern");
    if (!has_shape(x) || x->shape.len == 0 || pattern < 1 || pattern > 7)
        return NULL;
    return scaled(a, x, x->shape.len - 1, 1,
                  pattern <= 2   ? 2
                  : pattern <= 6 ? 4
                                 : 1,
                  result_dtype(call));
}

static struct ir_type *found(struct arena *a, const struct ir_call *call)
{
    struct ir_type *x = arg_type(call, 0), *t = ir_type_new(a, IR_TYPE_TUPLE);
    struct ir_expr *columns = ir_kwarg_find(&call->kwargs, "out_cols");
    const struct ir_expr *given = ir_kwarg_find(&call->kwargs, "count_dtype");
    if (!is_matrix(x) || !columns)
        return NULL;
    ir_exprs places = {0}, counts = {0};
    vec_push(a, &places, x->shape.items[0]);
    vec_push(a, &places, columns);
    vec_push(a, &counts, extent(a, 1, columns));
    vec_push(a, &counts, x->shape.items[0]);
    vec_push(a, &t->elems, shaped(a, value_kind(x), IR_INT32, &places));
    vec_push(a, &t->elems,
             shaped(a, value_kind(x), given ? dtype_named(given) : IR_INT32, &counts));
    return t->elems.items[1] ? t : NULL;
}

static bool axis_of(const struct ir_call *call, const char *name, int64_t rank, int64_t *out)
{
    const struct ir_expr *e = ir_call_arg(call, name);
    if (!e || !ir_const_int(e, out))
        return false;
    *out += *out < 0 ? rank : 0;
    return *out >= 0 && *out < rank;
}

static struct ir_type *transposed(struct arena *a, const struct ir_call *call)
{
    struct ir_type *x = arg_type(call, 0);
    int64_t rank = has_shape(x) ? (int64_t)x->shape.len : 0, i = rank - 2, j = rank - 1;
    bool named = ir_op_param(call->op, "axis1") >= 0;
    if (rank < 2 ||
        (named && (!axis_of(call, "axis1", rank, &i) || !axis_of(call, "axis2", rank, &j))))
        return NULL;
    ir_exprs shape = with_extent(a, x, (size_t)i, x->shape.items[j]);
    shape.items[j] = x->shape.items[i];
    return shaped(a, value_kind(x), x->dtype, &shape);
}

static struct ir_type *reinterpreted(struct arena *a, const struct ir_call *call)
{
    struct ir_type *x = arg_type(call, 0);
    enum ir_dtype dtype = dtype_keyword(call);
    if (!has_shape(x) || dtype == IR_DTYPE_NONE || x->shape.len == 0)
        return NULL;
    struct ir_type *t = shape_arg(call) ? shaped(a, x->kind, dtype, shape_arg(call))
                                        : scaled(a, x, x->shape.len - 1, ir_dtype_bits(x->dtype),
                                                 ir_dtype_bits(dtype), dtype);
    t->kind = x->kind;
    t->window = x->window;
    return t;
}

/* split 1: rows, 2: columns, 0: the whole of it on every lane (pypto-ops-facts 3.2). */
static struct ir_type *split(struct arena *a, const struct ir_call *call, int64_t m, int64_t n)
{
    struct ir_type *x = arg_type(call, 0);
    const struct ir_expr *given = ir_kwarg_find(&call->kwargs, "split");
    int64_t how = ir_call_int(call, "split");
    if (!has_shape(x) || x->shape.len < 2 || !given || how < 0 || how > 2)
        return NULL;
    int64_t odd;
    size_t axis = x->shape.len - (how == 1 ? 2 : 1);
    bool uneven = n == 2 && how && ir_const_int(x->shape.items[axis], &odd) && odd % 2;
    if (uneven) { /* the first lane has one more, and both have room for it */
        ir_exprs shape = with_extent(a, x, axis, extent(a, odd / 2 + 1, x->shape.items[axis]));
        return shaped(a, value_kind(x), x->dtype, &shape);
    }
    return how == 0 ? shaped(a, value_kind(x), x->dtype, &x->shape)
                    : scaled(a, x, axis, m, n, x->dtype);
}

static struct ir_type *halved(struct arena *a, const struct ir_call *call)
{
    return split(a, call, 1, 2);
}

static struct ir_type *joined(struct arena *a, const struct ir_call *call)
{
    return split(a, call, 2, 1);
}

static struct ir_type *pages(struct arena *a, const struct ir_call *call)
{
    struct ir_type *x = arg_type(call, 0);
    struct ir_expr *rows = ir_kwarg_find(&call->kwargs, "max_indices"),
                   *columns = ir_kwarg_find(&call->kwargs, "size");
    bool turned = ir_call_int(call, "is_trans");
    if (!has_shape(x) || !rows || !columns)
        return NULL;
    ir_exprs shape = {0};
    vec_push(a, &shape, turned ? columns : rows);
    vec_push(a, &shape, turned ? rows : columns);
    return shaped(a, value_kind(x), x->dtype, &shape);
}

/* What is gathered: elements in the shape of the indices, or a row of the memory for each of them. */
static struct ir_type *gathered(struct arena *a, const struct ir_call *call)
{
    struct ir_type *memory = arg_type(call, 0), *indices = arg_type(call, 1);
    if (!has_shape(memory) || memory->shape.len == 0 || !is_matrix(indices))
        return NULL;
    if (ir_call_int(call, "coalesce"))
        return shaped(a, IR_TYPE_TILE, memory->dtype, &indices->shape);
    int64_t rows;
    bool across = ir_const_int(indices->shape.items[0], &rows) && rows == 1;
    ir_exprs shape = {0};
    vec_push(a, &shape, indices->shape.items[across]);
    vec_push(a, &shape, memory->shape.items[memory->shape.len - 1]);
    return shaped(a, IR_TYPE_TILE, memory->dtype, &shape);
}

/* Arrays have the type that their creation says; of other operators the annotation decides. */
static struct ir_type *annotated(struct arena *a, const struct ir_call *call)
{
    int64_t extent;
    const struct ir_type *array = call->args.len ? call->args.items[0]->type : NULL;
    const struct ir_expr *dtype = ir_kwarg_find(&call->kwargs, "dtype");
    if (!strcmp(call->op->name, "array.get_element") && ir_type_is_array(array))
        return ir_scalar_type(ir_array_dtype(array));
    bool typed = dtype && dtype->kind == IR_NAME && !strncmp(dtype->name, "pl.", 3) &&
                 ir_dtype_parse(dtype->name + 3) != IR_DTYPE_NONE;
    if (strcmp(call->op->name, "array.create") || !typed || !call->args.len ||
        !ir_const_int(call->args.items[0], &extent))
        return NULL;
    return ir_array_type(a, extent, ir_dtype_parse(dtype->name + 3));
}

static const rule rules[] = {
    [IR_RESULT_ARG] = as_argument,
    [IR_RESULT_IN_PLACE] = as_argument,
    [IR_RESULT_ELEMENT] = element,
    [IR_RESULT_TILE_LOAD] = loaded,
    [IR_RESULT_TILE_SHAPE] = made_tile,
    [IR_RESULT_TENSOR_SHAPE] = made_tensor,
    [IR_RESULT_TILE_BINARY] = broadcast,
    [IR_RESULT_TILE_ROW] = of_rows,
    [IR_RESULT_TILE_COL] = of_columns,
    [IR_RESULT_TILE_MATMUL] = product_tile,
    [IR_RESULT_TILE_GEMV] = row_product,
    [IR_RESULT_MATMUL] = product,
    [IR_RESULT_VIEW] = view,
    [IR_RESULT_RELAID] = relaid,
    [IR_RESULT_EXPANDED] = expanded,
    [IR_RESULT_WINDOW] = made_window,
    [IR_RESULT_PREDICATE] = predicate,
    [IR_RESULT_LIKE] = like,
    [IR_RESULT_BLOCKS] = blocks,
    [IR_RESULT_CONCAT] = concatenated,
    [IR_RESULT_DOUBLED] = doubled,
    [IR_RESULT_MASKED] = masked,
    [IR_RESULT_FOUND] = found,
    [IR_RESULT_TRANSPOSED] = transposed,
    [IR_RESULT_REINTERPRETED] = reinterpreted,
    [IR_RESULT_SPLIT] = halved,
    [IR_RESULT_JOINED] = joined,
    [IR_RESULT_PAGES] = pages,
    [IR_RESULT_GATHERED] = gathered,
    [IR_RESULT_ANNOTATED] = annotated,
};

struct ir_type *ir_infer_call(struct arena *a, const struct ir_call *call)
{
    switch (call->op->result) {
    case IR_RESULT_UNKNOWN:
        return ir_type_new(a, IR_TYPE_UNKNOWN);
    case IR_RESULT_BOOL:
        return ir_scalar_type(IR_BOOL);
    case IR_RESULT_INT32:
        return ir_scalar_type(IR_INT32);
    case IR_RESULT_INT64:
        return ir_scalar_type(IR_INT64);
    case IR_RESULT_INDEX:
        return ir_scalar_type(IR_INDEX);
    case IR_RESULT_TASK_ID:
        return ir_scalar_type(IR_TASK_ID);
    case IR_RESULT_CTX:
        return ir_type_new(a, IR_TYPE_COMM_CTX);
    case IR_RESULT_PTR:
        return ir_type_new(a, IR_TYPE_PTR);
    default:
        return rules[call->op->result] ? rules[call->op->result](a, call) : NULL;
    }
}
