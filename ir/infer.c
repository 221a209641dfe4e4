/* SPDX-License-Identifier: MIT */
#include "ir/infer.h"

#include <string.h>

#include "ir/ops.h"

static struct ir_type *arg_type(const struct ir_call *call, int i)
{
    return i >= 0 && (size_t)i < call->args.len ? call->args.items[i]->type : NULL;
}

static const ir_exprs *tuple_items(const struct ir_call *call, int i)
{
    if (i < 0 || (size_t)i >= call->args.len)
        return NULL;
    const struct ir_expr *e = call->args.items[i];
    return e->kind == IR_TUPLE || e->kind == IR_LIST ? &e->items : NULL;
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

static bool has_shape(const struct ir_type *t)
{
    return t && (ir_type_is_tensor_like(t) || t->kind == IR_TYPE_TILE);
}

/* The element type that a dtype keyword gives; both spellings of the keyword exist
 * (pypto-facts 1.3). */
static enum ir_dtype dtype_kwarg(const struct ir_call *call)
{
    const struct ir_expr *e = ir_kwarg_find(&call->kwargs, "target_type");
    if (!e)
        e = ir_kwarg_find(&call->kwargs, "dtype");
    return e && e->kind == IR_NAME && strncmp(e->name, "pl.", 3) == 0 ? ir_dtype_parse(e->name + 3)
                                                                      : IR_DTYPE_NONE;
}

static int shape_param(const struct ir_op *op)
{
    return ir_op_param(op, "shape");
}

static bool is_one(const struct ir_expr *e)
{
    int64_t value;
    return ir_const_int(NULL, e, &value) && value == 1;
}

/* A distributed tensor is a place; what is computed from it is a plain tensor. */
static enum ir_type_kind value_kind(const struct ir_type *t)
{
    return t->kind == IR_TYPE_DIST_TENSOR ? IR_TYPE_TENSOR : t->kind;
}

static struct ir_type *binary_type(struct arena *a, const struct ir_call *call)
{
    struct ir_type *x = arg_type(call, 0), *y = arg_type(call, 1);
    if (!has_shape(x))
        return NULL;
    ir_exprs shape = {0};
    for (size_t i = 0; i < x->shape.len; i++) {
        bool wider = has_shape(y) && y->shape.len == x->shape.len && is_one(x->shape.items[i]);
        vec_push(a, &shape, wider ? y->shape.items[i] : x->shape.items[i]);
    }
    return shaped(a, value_kind(x), x->dtype, &shape);
}

static struct ir_type *reduced_type(struct arena *a, const struct ir_call *call, bool last)
{
    struct ir_type *x = arg_type(call, 0);
    if (!has_shape(x) || x->shape.len == 0)
        return NULL;
    ir_exprs shape = {0};
    size_t axis = last ? x->shape.len - 1 : 0;
    for (size_t i = 0; i < x->shape.len; i++)
        vec_push(a, &shape,
                 i == axis ? ir_int(a, 1, IR_INDEX, x->shape.items[i]->span) : x->shape.items[i]);
    return shaped(a, value_kind(x), x->dtype, &shape);
}

static struct ir_type *matmul_type(struct arena *a, const struct ir_call *call)
{
    struct ir_type *x = arg_type(call, 0), *y = arg_type(call, 1);
    if (!has_shape(x) || !has_shape(y) || x->shape.len != 2 || y->shape.len != 2)
        return NULL;
    ir_exprs shape = {0};
    vec_push(a, &shape, x->shape.items[0]);
    vec_push(a, &shape, y->shape.items[1]);
    return shaped(a, IR_TYPE_TILE, ir_dtype_is_float(x->dtype) ? IR_FP32 : IR_INT32, &shape);
}

static bool dropped(const ir_exprs *drop, size_t axis)
{
    int64_t value;
    if (drop)
        vec_foreach (struct ir_expr *, d, drop)
            if (ir_const_int(NULL, *d, &value) && value == (int64_t)axis)
                return true;
    return false;
}

/* A computed tile has its operand's shape, but lies in no memory yet; a stored-to tensor stays
 * where it is. */
static struct ir_type *computed_type(struct arena *a, struct ir_type *x)
{
    if (!x || x->kind != IR_TYPE_TILE || x->annots.len == 0)
        return x;
    return shaped(a, IR_TYPE_TILE, x->dtype, &x->shape);
}

/* A view of a window is a window: it keeps the kind and the buffer of what it views. */
static struct ir_type *view_type(struct arena *a, const struct ir_call *call)
{
    struct ir_type *x = arg_type(call, 0);
    const ir_exprs *wanted = tuple_items(call, shape_param(call->op));
    if (!has_shape(x) || !wanted)
        return NULL;
    int at = ir_op_param(call->op, "drop_dims");
    const ir_exprs *drop = at >= 0 && (size_t)at < call->args.len ? tuple_items(call, at) : NULL;
    ir_exprs shape = {0};
    for (size_t i = 0; i < wanted->len; i++)
        if (!dropped(drop, i))
            vec_push(a, &shape, wanted->items[i]);
    struct ir_type *t = shaped(a, x->kind, x->dtype, &shape);
    if (t)
        t->window = x->window;
    return t;
}

struct ir_type *ir_infer_call(struct arena *a, const struct ir_call *call)
{
    const struct ir_op *op = call->op;
    struct ir_type *x = arg_type(call, op->result_arg);
    switch (op->result) {
    case IR_RESULT_UNKNOWN:
        return ir_type_new(a, IR_TYPE_UNKNOWN);
    case IR_RESULT_ARG:
        return op->effect == IR_EFFECT_PURE ? computed_type(a, x) : x;
    case IR_RESULT_ELEMENT:
        return has_shape(x) ? ir_scalar_type(x->dtype) : NULL;
    case IR_RESULT_TILE_LOAD:
        return has_shape(x) ? shaped(a, IR_TYPE_TILE, x->dtype, tuple_items(call, shape_param(op)))
                            : NULL;
    case IR_RESULT_TILE_SHAPE:
        return shaped(a, IR_TYPE_TILE, dtype_kwarg(call), tuple_items(call, shape_param(op)));
    case IR_RESULT_TENSOR_SHAPE:
        return shaped(a, IR_TYPE_TENSOR, dtype_kwarg(call), tuple_items(call, shape_param(op)));
    case IR_RESULT_WINDOW:
        return shaped(a, IR_TYPE_DIST_TENSOR, dtype_kwarg(call),
                      tuple_items(call, shape_param(op)));
    case IR_RESULT_TILE_BINARY:
        return binary_type(a, call);
    case IR_RESULT_TILE_CAST:
        return has_shape(x) ? shaped(a, value_kind(x), dtype_kwarg(call), &x->shape) : NULL;
    case IR_RESULT_TILE_ROW:
        return reduced_type(a, call, true);
    case IR_RESULT_TILE_COL:
        return reduced_type(a, call, false);
    case IR_RESULT_TILE_MATMUL:
        return matmul_type(a, call);
    case IR_RESULT_VIEW:
        return view_type(a, call);
    case IR_RESULT_INT32:
        return ir_scalar_type(IR_INT32);
    case IR_RESULT_INT64:
        return ir_scalar_type(IR_INT64);
    case IR_RESULT_INDEX:
        return ir_scalar_type(IR_INDEX);
    case IR_RESULT_CTX:
        return ir_type_new(a, IR_TYPE_COMM_CTX);
    case IR_RESULT_PTR:
        return ir_type_new(a, IR_TYPE_PTR);
    case IR_RESULT_NONE_KNOWN:
        return NULL;
    }
    return NULL;
}

static bool is_number(const struct ir_type *t, bool real)
{
    return t && t->kind == IR_TYPE_SCALAR && ir_dtype_is_float(t->dtype) == real;
}

/* A float decides over an integer. Literals are INDEX or FP32 and take the other operand's type;
 * otherwise the left one decides. */
static struct ir_type *arithmetic_type(const struct ir_expr *e)
{
    struct ir_type *x = e->binary.lhs->type, *y = e->binary.rhs->type;
    bool literal = e->binary.lhs->kind == IR_INT || e->binary.lhs->kind == IR_FLOAT;
    if (is_number(x, false) && is_number(y, false) && e->binary.op == IR_TRUEDIV)
        return ir_scalar_type(IR_FP32);
    if (is_number(x, true) && is_number(y, false))
        return x;
    if (is_number(x, false) && is_number(y, true))
        return y;
    return !x || (literal && y) ? y : x;
}

/* Tuples of tuples double with every statement: a type larger than this is not inferred. */
enum { MAX_TUPLE_PARTS = 1000 };

/* Parts of a type, counted up to *left. */
static void count_parts(const struct ir_type *t, size_t *left)
{
    size_t own = 1 + t->shape.len + t->annots.len;
    *left -= own < *left ? own : *left;
    for (size_t i = 0; i < t->elems.len && *left; i++)
        count_parts(t->elems.items[i], left);
}

static struct ir_type *tuple_type(struct arena *a, const ir_exprs *items)
{
    struct ir_type *t = ir_type_new(a, IR_TYPE_TUPLE);
    size_t left = MAX_TUPLE_PARTS;
    vec_foreach (struct ir_expr *, e, items) {
        if (!(*e)->type)
            return NULL;
        count_parts((*e)->type, &left);
        if (left == 0)
            return NULL;
        vec_push(a, &t->elems, (*e)->type);
    }
    return t;
}

struct ir_type *ir_infer_expr(struct arena *a, const struct ir_expr *e)
{
    switch (e->kind) {
    case IR_BINARY:
        if (e->binary.op >= IR_EQ && e->binary.op <= IR_XOR)
            return ir_scalar_type(IR_BOOL);
        return arithmetic_type(e);
    case IR_UNARY:
        return e->unary.op == IR_NOT ? ir_scalar_type(IR_BOOL) : e->unary.operand->type;
    case IR_CAST:
        return ir_scalar_type(e->cast.dtype);
    case IR_TUPLE:
        return tuple_type(a, &e->items);
    case IR_GETITEM: {
        const struct ir_type *t = e->getitem.base->type;
        bool known = t && t->kind == IR_TYPE_TUPLE && e->getitem.index >= 0 &&
                     (size_t)e->getitem.index < t->elems.len;
        return known ? t->elems.items[e->getitem.index] : NULL;
    }
    default:
        return e->type;
    }
}

/* ---- what a function gives back ---- */

/* One call: parameters of the function stand for the arguments. */
struct returned {
    struct arena *arena;
    const struct ir_func *func;
    const struct ir_call *call;
};

/* The parameter's place, or the number of parameters. */
static size_t param_index(const struct ir_func *f, const struct ir_expr *e)
{
    size_t i = 0;
    while (i < f->params.len && (e->kind != IR_VAR || f->params.items[i].var != e->var))
        i++;
    return i;
}

static bool names_no_param(const struct ir_expr *e, void *func)
{
    return param_index(func, e) == ((const struct ir_func *)func)->params.len;
}

static struct ir_expr *param_value(const struct returned *r, size_t i)
{
    struct ir_expr *e = i < r->call->args.len
                            ? r->call->args.items[i]
                            : ir_kwarg_find(&r->call->kwargs, r->func->params.items[i].var->name);
    return e && (e->kind == IR_VAR || e->kind == IR_INT) ? e : NULL;
}

/* An extent as the caller sees it; NULL when the arguments do not say it. */
static struct ir_expr *returned_extent(const struct returned *r, struct ir_expr *e)
{
    if (ir_walk_expr(e, names_no_param, (void *)r->func))
        return e;
    if (e->kind == IR_VAR)
        return param_value(r, param_index(r->func, e));
    if (e->kind != IR_BINARY)
        return NULL;
    struct ir_expr *x = returned_extent(r, e->binary.lhs), *y = returned_extent(r, e->binary.rhs);
    if (!x || !y)
        return NULL;
    struct ir_expr *copy = arena_dup(r->arena, e, sizeof *e);
    copy->binary.lhs = x;
    copy->binary.rhs = y;
    copy->type = ir_infer_expr(r->arena, copy);
    return copy;
}

static struct ir_type *returned_type(const struct returned *r, struct ir_type *t)
{
    struct ir_type *copy = arena_dup(r->arena, t, sizeof *t);
    copy->shape = (ir_exprs){0};
    copy->elems.len = copy->elems.cap = 0;
    copy->elems.items = NULL;
    vec_foreach (struct ir_expr *, e, &t->shape) {
        struct ir_expr *extent = returned_extent(r, *e);
        if (!extent)
            return NULL;
        vec_push(r->arena, &copy->shape, extent);
    }
    vec_foreach (struct ir_type *, e, &t->elems) {
        struct ir_type *elem = returned_type(r, *e);
        if (!elem)
            return NULL;
        vec_push(r->arena, &copy->elems, elem);
    }
    vec_foreach (struct ir_expr *, e, &t->annots)
        if (!ir_walk_expr(*e, names_no_param, (void *)r->func))
            return NULL;
    return copy;
}

static bool type_names_no_param(const struct ir_func *f, const struct ir_type *t)
{
    vec_foreach (struct ir_expr *, e, &t->shape)
        if (!ir_walk_expr(*e, names_no_param, (void *)f))
            return false;
    vec_foreach (struct ir_expr *, e, &t->annots)
        if (!ir_walk_expr(*e, names_no_param, (void *)f))
            return false;
    vec_foreach (struct ir_type *, e, &t->elems)
        if (!type_names_no_param(f, *e))
            return false;
    return true;
}

struct ir_type *ir_infer_returned(struct arena *a, const struct ir_func *f,
                                  const struct ir_call *call)
{
    const struct returned r = {a, f, call};
    if (!f || !f->return_type || type_names_no_param(f, f->return_type))
        return f ? f->return_type : NULL;
    return returned_type(&r, f->return_type);
}

bool ir_types_clash(const struct ir_program *p, const struct ir_type *a, const struct ir_type *b)
{
    if (!a || !b || (!has_shape(a) && !has_shape(b)))
        return false;
    if (a->kind != b->kind || a->dtype != b->dtype || a->shape.len != b->shape.len)
        return true;
    for (size_t i = 0; i < a->shape.len; i++) {
        int64_t x, y;
        if (ir_const_int(p, a->shape.items[i], &x) && ir_const_int(p, b->shape.items[i], &y) &&
            x != y)
            return true;
    }
    return false;
}
