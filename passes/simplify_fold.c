/* SPDX-License-Identifier: MIT */
/* Simplify: constants, and one node of an expression. */
#include "ir/infer.h"
#include "passes/rewrite.h"
#include "passes/simplify_internal.h"

/* ---- element types and constants ---- */

enum ir_dtype fold_dtype(const struct ir_expr *e)
{
    return e->type && e->type->kind == IR_TYPE_SCALAR ? e->type->dtype : IR_DTYPE_NONE;
}

static bool is_integer(enum ir_dtype t)
{
    return t != IR_DTYPE_NONE && t != IR_BOOL && t != IR_TASK_ID && !ir_dtype_is_float(t);
}

bool fold_is_same_type(enum ir_dtype x, enum ir_dtype y)
{
    return x == y || (ir_is_machine_word(x) && ir_is_machine_word(y));
}

bool fold_is_signed(enum ir_dtype t)
{
    return is_integer(t) && ir_dtype_is_signed(t);
}

static bool fits(int64_t v, enum ir_dtype t)
{
    int bits = ir_dtype_bits(t);
    if (t == IR_BOOL)
        return v == 0 || v == 1;
    if (!is_integer(t))
        return false;
    if (!ir_dtype_is_signed(t))
        return v >= 0 && (bits == 64 || v < (int64_t)1 << bits);
    return bits == 64 || (v >= -((int64_t)1 << (bits - 1)) && v < (int64_t)1 << (bits - 1));
}

bool fold_literal(const struct ir_expr *e, int64_t *value)
{
    switch (e->kind) {
    case IR_INT:
        return *value = e->integer.value, true;
    case IR_BOOLEAN:
        return *value = e->boolean, true;
    default:
        return false;
    }
}

struct ir_expr *fold_constant(struct arena *a, int64_t v, enum ir_dtype dtype, struct span at)
{
    if (!fits(v, dtype))
        return NULL;
    if (dtype != IR_BOOL)
        return ir_int(a, v, dtype, at);
    return ir_bool(a, v, at);
}

/* ---- comparing and dropping ---- */

static bool is_no_call(const struct ir_expr *e, void *ctx)
{
    (void)ctx;
    return e->kind != IR_CALL;
}

bool fold_is_pure(const struct ir_expr *e)
{
    return ir_walk_expr(e, is_no_call, NULL);
}

bool fold_same(const struct ir_expr *x, const struct ir_expr *y)
{
    if (x->kind != y->kind)
        return false;
    switch (x->kind) {
    case IR_VAR:
        return x->var == y->var;
    case IR_INT:
        return x->integer.value == y->integer.value;
    case IR_BOOLEAN:
        return x->boolean == y->boolean;
    case IR_BINARY:
        return x->binary.op == y->binary.op && fold_same(x->binary.lhs, y->binary.lhs) &&
               fold_same(x->binary.rhs, y->binary.rhs);
    case IR_UNARY:
        return x->unary.op == y->unary.op && fold_same(x->unary.operand, y->unary.operand);
    case IR_CAST:
        return x->cast.dtype == y->cast.dtype && fold_same(x->cast.operand, y->cast.operand);
    case IR_GETITEM:
        return x->getitem.index == y->getitem.index && fold_same(x->getitem.base, y->getitem.base);
    default:
        return false;
    }
}

/* ---- constant operands ---- */

static bool is_unsigned(const struct ir_expr *e)
{
    enum ir_dtype t = fold_dtype(e);
    return is_integer(t) && !ir_dtype_is_signed(t);
}

static struct ir_expr *constant_node(struct arena *a, const struct ir_expr *e)
{
    int64_t x, y, v;
    bool literal = e->kind == IR_UNARY
                       ? fold_literal(e->unary.operand, &x)
                       : fold_literal(e->binary.lhs, &x) && fold_literal(e->binary.rhs, &y);
    if (!literal)
        return NULL;
    /* Which sign wins between a signed and an unsigned operand is not for this pass to say. */
    bool mixed = e->kind == IR_BINARY && (is_unsigned(e->binary.lhs) || is_unsigned(e->binary.rhs));
    if (mixed && (x < 0 || y < 0))
        return NULL;
    return ir_const_int(e, &v) ? fold_constant(a, v, fold_dtype(e), e->span) : NULL;
}

/* ---- ranges ---- */

/* What the values of the operands say of a quotient, a remainder, a least or a greatest value. */
static struct ir_expr *by_range(struct known *k, const struct ir_expr *e)
{
    struct ir_expr *x = e->binary.lhs, *y = e->binary.rhs;
    int64_t c;
    if (!fold_is_signed(fold_dtype(e)) || !fold_is_pure(x) || !fold_is_pure(y))
        return NULL;
    if (e->binary.op == IR_FLOORDIV || e->binary.op == IR_MOD) {
        const struct range r = range_of(k, x);
        if (!fold_literal(y, &c) || c <= 0 || r.min < 0 || r.max >= c)
            return NULL;
        return e->binary.op == IR_MOD ? x : fold_constant(k->arena, 0, fold_dtype(e), e->span);
    }
    if (e->binary.op != IR_MIN && e->binary.op != IR_MAX)
        return NULL;
    const struct range d = range_of(k, fold_binary(k, IR_SUB, x, y, e->span));
    bool least = e->binary.op == IR_MIN;
    return d.max <= 0 ? (least ? x : y) : d.min >= 0 ? (least ? y : x) : NULL;
}

/* ---- one node ---- */

/* An operand that is an INDEX now instead of an INT64, or the other way round, makes e one. */
static struct ir_expr *retyped(struct arena *a, struct ir_expr *e)
{
    struct ir_type *t = ir_infer_expr(a, e);
    bool other = t && t != e->type && t->kind == IR_TYPE_SCALAR && t->dtype != fold_dtype(e) &&
                 fold_is_same_type(t->dtype, fold_dtype(e));
    if (!other)
        return e;
    struct ir_expr *copy = arena_dup(a, e, sizeof *e);
    copy->type = t;
    return copy;
}

/* What is made of a node is folded in its turn: this bounds how often. */
enum { MAX_FOLDS = 24 };

struct ir_expr *fold_node(struct known *k, struct ir_expr *e)
{
    bool operation = e->kind == IR_BINARY || e->kind == IR_UNARY;
    if (!operation || ir_dtype_is_float(fold_dtype(e)) || k->folds >= MAX_FOLDS)
        return e;
    k->folds++;
    struct ir_expr *better = constant_node(k->arena, e);
    if (!better)
        better = rules_apply(k, e);
    if (!better && e->kind == IR_BINARY)
        better = by_range(k, e);
    k->folds--;
    return better && fold_is_same_type(fold_dtype(better), fold_dtype(e)) ? better
                                                                          : retyped(k->arena, e);
}

static struct ir_expr *fold_typed(struct known *k, struct ir_expr *e)
{
    e->type = ir_infer_expr(k->arena, e);
    return fold_node(k, e);
}

struct ir_expr *fold_binary(struct known *k, enum ir_binary_op op, struct ir_expr *lhs,
                            struct ir_expr *rhs, struct span at)
{
    struct ir_expr *e = ir_expr_new(k->arena, IR_BINARY, at);
    e->binary.op = op;
    e->binary.lhs = lhs;
    e->binary.rhs = rhs;
    return fold_typed(k, e);
}

struct ir_expr *fold_unary(struct known *k, enum ir_unary_op op, struct ir_expr *operand,
                           struct span at)
{
    struct ir_expr *e = ir_expr_new(k->arena, IR_UNARY, at);
    e->unary.op = op;
    e->unary.operand = operand;
    return fold_typed(k, e);
}
