/* SPDX-License-Identifier: MIT */
#include "ir/infer.h"

#include <string.h>

#include "ir/ops.h"

static bool has_shape(const struct ir_type *t)
{
    return t && (ir_type_is_tensor_like(t) || t->kind == IR_TYPE_TILE);
}

static bool is_number(const struct ir_type *t, bool real)
{
    return t && t->kind == IR_TYPE_SCALAR && ir_dtype_is_float(t->dtype) == real;
}

static bool is_numeric(const struct ir_type *t)
{
    return t && t->kind == IR_TYPE_SCALAR && t->dtype != IR_BOOL && t->dtype != IR_TASK_ID;
}

enum ir_dtype ir_promoted(const struct ir_type *x, const struct ir_type *y)
{
    if (!is_numeric(x) || !is_numeric(y) ||
        ir_dtype_is_float(x->dtype) != ir_dtype_is_float(y->dtype))
        return IR_DTYPE_NONE;
    return ir_dtype_bits(y->dtype) > ir_dtype_bits(x->dtype) ? y->dtype : x->dtype;
}

/* Of operands that are no numbers of one kind, as Python leaves them, a float decides, then a
 * variable. */
static struct ir_type *arithmetic_type(const struct ir_expr *e)
{
    struct ir_type *x = e->binary.lhs->type, *y = e->binary.rhs->type;
    enum ir_dtype promoted = ir_promoted(x, y);
    bool literal = e->binary.lhs->kind == IR_INT || e->binary.lhs->kind == IR_FLOAT;
    if (promoted)
        return ir_scalar_type(promoted);
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
        if (ir_binary_is_truth(e->binary.op))
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
    int at = r->call->args.len > r->func->params.len ? -1 : ir_arg_of_param(r->func, r->call, i);
    struct ir_expr *e = at >= 0
                            ? r->call->args.items[at]
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

bool ir_types_clash(const struct ir_type *a, const struct ir_type *b)
{
    if (!a || !b || (!has_shape(a) && !has_shape(b)))
        return false;
    if (a->kind != b->kind || a->dtype != b->dtype || a->shape.len != b->shape.len)
        return true;
    for (size_t i = 0; i < a->shape.len; i++) {
        int64_t x, y;
        if (ir_const_int(a->shape.items[i], &x) && ir_const_int(b->shape.items[i], &y) && x != y)
            return true;
    }
    return false;
}

static struct ir_expr *cast_operand(struct arena *a, struct ir_expr *e, enum ir_dtype to,
                                    struct span at)
{
    enum ir_dtype from = e->type->dtype;
    if (from == to || (ir_is_machine_word(from) && ir_is_machine_word(to)))
        return e;
    struct ir_expr *cast = ir_expr_new(a, IR_CAST, at);
    cast->cast.operand = e;
    cast->cast.dtype = to;
    cast->type = ir_scalar_type(to);
    return cast;
}

struct ir_expr *ir_binary(struct arena *a, enum ir_binary_op op, struct ir_expr *lhs,
                          struct ir_expr *rhs, struct span at)
{
    bool logical = op == IR_AND || op == IR_OR || op == IR_XOR;
    enum ir_dtype promoted = logical ? IR_DTYPE_NONE : ir_promoted(lhs->type, rhs->type);
    struct ir_expr *e = ir_expr_new(a, IR_BINARY, at);
    e->binary.op = op;
    e->binary.lhs = promoted ? cast_operand(a, lhs, promoted, at) : lhs;
    e->binary.rhs = promoted ? cast_operand(a, rhs, promoted, at) : rhs;
    e->type = ir_infer_expr(a, e);
    return e;
}
