/* SPDX-License-Identifier: MIT */
/* Simplify: arithmetic. */
#include "ir/infer.h"
#include "passes/rewrite.h"
#include "passes/simplify_internal.h"

/* ---- constants ---- */

static enum ir_dtype dtype_of(const struct ir_expr *e)
{
    return e->type && e->type->kind == IR_TYPE_SCALAR ? e->type->dtype : IR_DTYPE_NONE;
}

static bool is_integer(enum ir_dtype t)
{
    return t != IR_DTYPE_NONE && t != IR_BOOL && t != IR_TASK_ID && !ir_dtype_is_float(t);
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
    case IR_CAST:
        return fold_literal(e->cast.operand, value) && fits(*value, e->cast.dtype);
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
    struct ir_expr *e = ir_expr_new(a, IR_BOOLEAN, at);
    e->boolean = v;
    e->type = ir_scalar_type(IR_BOOL);
    return e;
}

static bool is_literal(const struct ir_expr *e, int64_t value)
{
    int64_t v;
    return fold_literal(e, &v) && v == value;
}

/* ---- what may be dropped ---- */

/* A divisor or a shift that cannot fail. */
static bool is_safe_right(enum ir_binary_op op, const struct ir_expr *rhs)
{
    int64_t v;
    switch (op) {
    case IR_FLOORDIV:
    case IR_MOD:
    case IR_TRUEDIV:
        return fold_literal(rhs, &v) && v != 0;
    case IR_SHL:
    case IR_SHR:
    case IR_POW:
        return fold_literal(rhs, &v) && v >= 0 && v < 64;
    default:
        return true;
    }
}

static bool is_total_node(const struct ir_expr *e, void *ctx)
{
    (void)ctx;
    switch (e->kind) {
    case IR_BINARY:
        return is_safe_right(e->binary.op, e->binary.rhs);
    case IR_CALL:
    case IR_GETITEM:
        return false;
    default:
        return true;
    }
}

bool fold_is_total(const struct ir_expr *e)
{
    return ir_walk_expr(e, is_total_node, NULL);
}

/* ---- constant operands ---- */

static bool is_unsigned(const struct ir_expr *e)
{
    enum ir_dtype t = dtype_of(e);
    return is_integer(t) && !ir_dtype_is_signed(t);
}

/* The operands as plain literals, so that ir_const_int sees through casts. */
static struct ir_expr *constant_node(struct arena *a, const struct ir_expr *e)
{
    struct ir_expr copy = *e, lhs, rhs;
    int64_t x, y, v;
    if (e->kind == IR_UNARY && fold_literal(e->unary.operand, &x)) {
        lhs = *ir_int(a, x, IR_INT64, e->span);
        copy.unary.operand = &lhs;
    } else if (e->kind == IR_BINARY && fold_literal(e->binary.lhs, &x) &&
               fold_literal(e->binary.rhs, &y)) {
        /* Which sign wins between a signed and an unsigned operand is not for this pass to say. */
        bool mixed = is_unsigned(e->binary.lhs) || is_unsigned(e->binary.rhs);
        if (mixed && (x < 0 || y < 0))
            return NULL;
        lhs = *ir_int(a, x, IR_INT64, e->span);
        rhs = *ir_int(a, y, IR_INT64, e->span);
        copy.binary.lhs = &lhs;
        copy.binary.rhs = &rhs;
    } else {
        return NULL;
    }
    return ir_const_int(NULL, &copy, &v) ? fold_constant(a, v, dtype_of(e), e->span) : NULL;
}

/* ---- neutral and absorbing operands ---- */

/* x op right = x, or left op x = x, or = absorbed when right stands there. */
static const struct identity {
    enum ir_binary_op op;
    bool left; /* the constant stands on the left */
    int64_t constant;
    bool absorbs; /* the result is `result` instead of the other operand */
    int64_t result;
    bool boolean;
} identities[] = {
    {IR_ADD, false, 0, false, 0, false},    {IR_ADD, true, 0, false, 0, false},
    {IR_SUB, false, 0, false, 0, false},    {IR_MUL, false, 1, false, 0, false},
    {IR_MUL, true, 1, false, 0, false},     {IR_MUL, false, 0, true, 0, false},
    {IR_MUL, true, 0, true, 0, false},      {IR_FLOORDIV, false, 1, false, 0, false},
    {IR_MOD, false, 1, true, 0, false},     {IR_POW, false, 1, false, 0, false},
    {IR_SHL, false, 0, false, 0, false},    {IR_SHR, false, 0, false, 0, false},
    {IR_BITOR, false, 0, false, 0, false},  {IR_BITOR, true, 0, false, 0, false},
    {IR_BITXOR, false, 0, false, 0, false}, {IR_BITXOR, true, 0, false, 0, false},
    {IR_BITAND, false, 0, true, 0, false},  {IR_BITAND, true, 0, true, 0, false},
    {IR_AND, false, 1, false, 0, true},     {IR_AND, true, 1, false, 0, true},
    {IR_AND, false, 0, true, 0, true},      {IR_AND, true, 0, true, 0, true},
    {IR_OR, false, 0, false, 0, true},      {IR_OR, true, 0, false, 0, true},
    {IR_OR, false, 1, true, 1, true},       {IR_OR, true, 1, true, 1, true},
    {IR_XOR, false, 0, false, 0, true},     {IR_XOR, true, 0, false, 0, true},
};

static struct ir_expr *apply_identity(struct arena *a, struct ir_expr *e)
{
    enum ir_dtype dtype = dtype_of(e);
    for (size_t i = 0; i < sizeof identities / sizeof *identities; i++) {
        const struct identity *rule = &identities[i];
        struct ir_expr *constant = rule->left ? e->binary.lhs : e->binary.rhs;
        struct ir_expr *other = rule->left ? e->binary.rhs : e->binary.lhs;
        bool applies = rule->op == e->binary.op && is_literal(constant, rule->constant) &&
                       dtype_of(other) == dtype &&
                       (rule->boolean ? dtype == IR_BOOL : is_integer(dtype));
        if (applies && !rule->absorbs)
            return other;
        if (applies && fold_is_total(other))
            return fold_constant(a, rule->result, dtype, e->span);
    }
    return NULL;
}

/* (x + 1) + 2 = x + 3 and (x * 2) * 3 = x * 6, whatever wraps on the way. */
static struct ir_expr *join_constants(struct arena *a, struct ir_expr *e)
{
    const struct ir_expr *inner = e->binary.lhs, *second = e->binary.rhs;
    bool add = e->binary.op == IR_ADD;
    int64_t v;
    if ((!add && e->binary.op != IR_MUL) || inner->kind != IR_BINARY ||
        inner->binary.op != e->binary.op || inner->binary.rhs->kind != IR_INT ||
        second->kind != IR_INT)
        return NULL;
    const struct ir_expr *first = inner->binary.rhs;
    enum ir_dtype dtype = dtype_of(e);
    bool same = is_integer(dtype) && dtype_of(inner) == dtype &&
                dtype_of(inner->binary.lhs) == dtype &&
                first->integer.dtype == second->integer.dtype;
    int64_t x = first->integer.value, y = second->integer.value;
    if (!same || (add ? __builtin_add_overflow(x, y, &v) : __builtin_mul_overflow(x, y, &v)))
        return NULL;
    struct ir_expr *joined = fold_constant(a, v, first->integer.dtype, second->span);
    if (!joined || !fits(v, dtype))
        return NULL;
    struct ir_expr *copy = arena_dup(a, e, sizeof *e);
    copy->binary.lhs = inner->binary.lhs;
    copy->binary.rhs = joined;
    return fold_node(a, copy);
}

/* x == x and its like, for a variable that holds an integer. */
static struct ir_expr *compare_same(struct arena *a, const struct ir_expr *e)
{
    const struct ir_expr *x = e->binary.lhs, *y = e->binary.rhs;
    bool same = x->kind == IR_VAR && y->kind == IR_VAR && x->var == y->var &&
                is_integer(dtype_of(x)) && e->binary.op >= IR_EQ && e->binary.op <= IR_GE;
    bool holds = e->binary.op == IR_EQ || e->binary.op == IR_LE || e->binary.op == IR_GE;
    return same ? fold_constant(a, holds, IR_BOOL, e->span) : NULL;
}

/* ---- one node ---- */

static bool is_twice(const struct ir_expr *e)
{
    const struct ir_expr *x = e->unary.operand;
    bool inverse = e->unary.op == IR_NEG || e->unary.op == IR_BITNOT || e->unary.op == IR_NOT;
    return inverse && x->kind == IR_UNARY && x->unary.op == e->unary.op &&
           dtype_of(e) != IR_DTYPE_NONE && dtype_of(x->unary.operand) == dtype_of(e) &&
           !ir_dtype_is_float(dtype_of(e));
}

/* A literal takes the other operand's type, a cast of it does not (ir/infer.h). */
static struct ir_expr *guard(struct arena *a, struct ir_expr *e)
{
    if (e->kind != IR_INT)
        return e;
    struct ir_expr *cast = ir_expr_new(a, IR_CAST, e->span);
    cast->cast.operand = e;
    cast->cast.dtype = e->integer.dtype;
    cast->type = e->type;
    return cast;
}

/* Keeps the type that e had before an operand became a literal. */
static struct ir_expr *keep_type(struct arena *a, struct ir_expr *e)
{
    if (e->kind != IR_BINARY || dtype_of(e) == IR_DTYPE_NONE)
        return e;
    const struct ir_type *t = ir_infer_expr(a, e);
    if (t && t->kind == IR_TYPE_SCALAR && t->dtype == dtype_of(e))
        return e;
    struct ir_expr *lhs = guard(a, e->binary.lhs);
    if (lhs == e->binary.lhs)
        return e;
    struct ir_expr *copy = arena_dup(a, e, sizeof *e);
    copy->binary.lhs = lhs;
    return copy;
}

struct ir_expr *fold_node(struct arena *a, struct ir_expr *e)
{
    struct ir_expr *better = NULL;
    switch (e->kind) {
    case IR_BINARY:
        if (!(better = constant_node(a, e)) && !(better = apply_identity(a, e)) &&
            !(better = compare_same(a, e)))
            better = join_constants(a, e);
        break;
    case IR_UNARY:
        better = is_twice(e) ? e->unary.operand->unary.operand : constant_node(a, e);
        break;
    case IR_CAST: {
        const struct ir_expr *x = e->cast.operand;
        bool same = dtype_of(x) == e->cast.dtype && x->kind != IR_INT && x->kind != IR_FLOAT;
        better = same ? e->cast.operand : NULL;
        break;
    }
    default:
        break;
    }
    return better ? better : keep_type(a, e);
}

static struct ir_expr *fold_any(void *ctx, struct ir_expr *e)
{
    return fold_node(ctx, e);
}

struct ir_expr *simplify_expr(struct arena *a, struct ir_expr *e)
{
    return rewrite_expr(a, e, fold_any, a);
}
