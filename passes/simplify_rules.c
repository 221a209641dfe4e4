/* SPDX-License-Identifier: MIT */
/*
 * Simplify: identities of integers and truths (pypto-front-facts 3.8), as a table.
 *
 * The first row whose left side fits decides; what it makes is folded in its turn. X, Y and Z stand
 * for any expression, C and D for constants. Integers do not overflow: the compiler takes that for
 * granted, and so a row may join constants or divide them. It knows nothing of unsigned integers,
 * whose differences wrap.
 */
#include "passes/simplify_internal.h"

/* ---- patterns ---- */

enum { MAX_VARIABLES = 5, MAX_SWAPS = 4 };

struct pattern {
    enum { PAT_VARIABLE, PAT_CONSTANT, PAT_NUMBER, PAT_TRUTH, PAT_BINARY, PAT_UNARY } kind;
    int index; /* of a variable or constant; the number; the operator */
    const struct pattern *lhs, *rhs;
};

#define LEAF(what, i)    (&(const struct pattern){.kind = (what), .index = (i)})
#define X                LEAF(PAT_VARIABLE, 0)
#define Y                LEAF(PAT_VARIABLE, 1)
#define Z                LEAF(PAT_VARIABLE, 2)
#define C                LEAF(PAT_CONSTANT, 3)
#define D                LEAF(PAT_CONSTANT, 4)
#define N(n)             LEAF(PAT_NUMBER, n)
#define TRUE             LEAF(PAT_TRUTH, 1)
#define FALSE            LEAF(PAT_TRUTH, 0)
#define NODE(what, x, y) (&(const struct pattern){PAT_BINARY, (what), (x), (y)})
#define ADD(x, y)        NODE(IR_ADD, x, y)
#define SUB(x, y)        NODE(IR_SUB, x, y)
#define MUL(x, y)        NODE(IR_MUL, x, y)
#define DIV(x, y)        NODE(IR_FLOORDIV, x, y)
#define MOD(x, y)        NODE(IR_MOD, x, y)
#define POW(x, y)        NODE(IR_POW, x, y)
#define MIN(x, y)        NODE(IR_MIN, x, y)
#define MAX(x, y)        NODE(IR_MAX, x, y)
#define EQ(x, y)         NODE(IR_EQ, x, y)
#define NE(x, y)         NODE(IR_NE, x, y)
#define LT(x, y)         NODE(IR_LT, x, y)
#define LE(x, y)         NODE(IR_LE, x, y)
#define GT(x, y)         NODE(IR_GT, x, y)
#define GE(x, y)         NODE(IR_GE, x, y)
#define AND(x, y)        NODE(IR_AND, x, y)
#define OR(x, y)         NODE(IR_OR, x, y)
#define NOT(x)           (&(const struct pattern){PAT_UNARY, IR_NOT, (x), NULL})
#define NEG(x)           (&(const struct pattern){PAT_UNARY, IR_NEG, (x), NULL})

/* What the constants must be. */
static bool d_divides_c(int64_t c, int64_t d)
{
    return d > 0 && c % d == 0;
}

static bool c_divides_d(int64_t c, int64_t d)
{
    return c > 0 && d > 0 && d % c == 0;
}

static bool both_positive(int64_t c, int64_t d)
{
    return c > 0 && d > 0;
}

static bool c_positive(int64_t c, int64_t d)
{
    (void)d;
    return c > 0;
}

static bool c_negative(int64_t c, int64_t d)
{
    (void)d;
    return c < 0;
}

static bool c_not_negative(int64_t c, int64_t d)
{
    (void)d;
    return c >= 0;
}

static bool c_exceeds_d(int64_t c, int64_t d)
{
    return d > 0 && c % d != 0 && (c < 0 || c >= d);
}

struct identity {
    const struct pattern *from, *to;
    /* The operands of sums, products, min, max and == may stand the other way round. */
    bool either_way;
    bool (*when)(int64_t c, int64_t d);
};

/* clang-format off */
static const struct identity identities[] = {
    /* neutral and absorbing constants */
    {ADD(X, N(0)), X, true, NULL},
    {SUB(X, N(0)), X, false, NULL},
    {MUL(X, N(1)), X, true, NULL},
    {MUL(X, N(0)), N(0), true, NULL},
    {DIV(X, N(1)), X, false, NULL},
    {MOD(X, N(1)), N(0), false, NULL},
    {POW(X, N(1)), X, false, NULL},
    {POW(X, N(0)), N(1), false, NULL},
    {POW(N(1), X), N(1), false, NULL},
    {AND(X, TRUE), X, true, NULL},
    {AND(X, FALSE), FALSE, true, NULL},
    {OR(X, TRUE), TRUE, true, NULL},
    {OR(X, FALSE), X, true, NULL},

    /* sums: constants together and on the right */
    {ADD(ADD(X, C), D), ADD(X, ADD(C, D)), false, NULL},
    {ADD(SUB(X, Y), Y), X, false, NULL},
    {ADD(X, SUB(Y, X)), Y, false, NULL},
    {ADD(SUB(X, Y), SUB(Y, Z)), SUB(X, Z), false, NULL},
    {ADD(X, X), MUL(X, N(2)), false, NULL},
    {ADD(MUL(DIV(X, Y), Y), MOD(X, Y)), X, true, NULL},
    {ADD(MUL(X, Y), X), MUL(ADD(Y, N(1)), X), false, NULL},
    {ADD(X, MUL(X, Y)), MUL(ADD(Y, N(1)), X), false, NULL},
    {ADD(MUL(X, Y), MUL(X, Z)), MUL(ADD(Y, Z), X), true, NULL},
    {ADD(MIN(X, SUB(Y, Z)), Z), MIN(ADD(X, Z), Y), false, NULL},
    {ADD(MAX(X, SUB(Y, Z)), Z), MAX(ADD(X, Z), Y), false, NULL},
    {ADD(C, X), ADD(X, C), false, NULL},
    {ADD(X, SUB(C, Y)), ADD(SUB(X, Y), C), true, NULL},
    {ADD(ADD(X, C), Y), ADD(ADD(X, Y), C), false, NULL},

    /* differences */
    {SUB(X, X), N(0), false, NULL},
    {SUB(ADD(X, Y), Y), X, true, NULL},
    {SUB(X, ADD(X, Y)), NEG(Y), true, NULL},
    {SUB(ADD(X, C), D), ADD(X, SUB(C, D)), false, NULL},
    {SUB(C, SUB(D, X)), ADD(X, SUB(C, D)), false, NULL},
    {SUB(C, ADD(X, D)), SUB(SUB(C, D), X), true, NULL},
    {SUB(SUB(C, X), SUB(D, Y)), ADD(SUB(Y, X), SUB(C, D)), false, NULL},
    {SUB(SUB(X, Y), SUB(X, Z)), SUB(Z, Y), false, NULL},
    {SUB(ADD(X, Y), ADD(X, Z)), SUB(Y, Z), true, NULL},
    {SUB(X, MUL(DIV(X, C), C)), MOD(X, C), true, c_positive},
    {SUB(MUL(X, Y), X), MUL(SUB(Y, N(1)), X), false, NULL},
    {SUB(X, MUL(X, Y)), MUL(SUB(N(1), Y), X), false, NULL},
    {SUB(MUL(X, Y), MUL(X, Z)), MUL(SUB(Y, Z), X), true, NULL},
    {SUB(MIN(X, Y), X), MIN(SUB(Y, X), N(0)), true, NULL},
    {SUB(MAX(X, Y), X), MAX(SUB(Y, X), N(0)), true, NULL},
    {SUB(X, MIN(X, Y)), MAX(SUB(X, Y), N(0)), true, NULL},
    {SUB(X, MAX(X, Y)), MIN(SUB(X, Y), N(0)), true, NULL},
    {SUB(X, ADD(Y, C)), ADD(SUB(X, Y), SUB(N(0), C)), false, NULL},
    {SUB(ADD(X, C), Y), ADD(SUB(X, Y), C), false, NULL},
    {SUB(X, SUB(Y, Z)), SUB(ADD(X, Z), Y), false, NULL},

    /* products */
    {MUL(MUL(X, C), D), MUL(X, MUL(C, D)), false, NULL},
    {MUL(C, X), MUL(X, C), false, NULL},
    {MUL(X, MUL(Y, C)), MUL(MUL(X, Y), C), false, NULL},
    {MUL(ADD(X, C), D), ADD(MUL(X, D), MUL(C, D)), false, NULL},
    {MUL(SUB(X, Y), C), MUL(SUB(Y, X), SUB(N(0), C)), false, c_negative},

    /* quotients, rounded down */
    {DIV(MUL(X, C), D), MUL(X, DIV(C, D)), false, d_divides_c},
    {DIV(MUL(X, C), D), DIV(X, DIV(D, C)), false, c_divides_d},
    {DIV(DIV(X, C), D), DIV(X, MUL(C, D)), false, both_positive},
    {DIV(ADD(X, C), D), ADD(DIV(X, D), DIV(C, D)), false, d_divides_c},
    {DIV(ADD(MUL(X, C), Y), D), ADD(MUL(X, DIV(C, D)), DIV(Y, D)), false, d_divides_c},
    {DIV(ADD(Y, MUL(X, C)), D), ADD(DIV(Y, D), MUL(X, DIV(C, D))), false, d_divides_c},

    /* remainders */
    {MOD(MUL(X, C), D), N(0), false, d_divides_c},
    {MOD(ADD(X, C), D), MOD(X, D), false, d_divides_c},
    {MOD(ADD(MUL(X, C), Y), D), MOD(Y, D), true, d_divides_c},
    {MOD(ADD(X, C), D), MOD(ADD(X, MOD(C, D)), D), false, c_exceeds_d},

    /* least and greatest values */
    {MIN(X, X), X, false, NULL},
    {MAX(X, X), X, false, NULL},
    {MIN(MIN(X, C), D), MIN(X, MIN(C, D)), false, NULL},
    {MAX(MAX(X, C), D), MAX(X, MAX(C, D)), false, NULL},
    {MIN(ADD(X, C), X), ADD(X, C), true, c_negative},
    {MIN(ADD(X, C), X), X, true, c_not_negative},
    {MAX(ADD(X, C), X), X, true, c_negative},
    {MAX(ADD(X, C), X), ADD(X, C), true, c_not_negative},
    {MIN(MIN(X, Y), Y), MIN(X, Y), true, NULL},
    {MAX(MAX(X, Y), Y), MAX(X, Y), true, NULL},
    {MIN(MAX(X, Y), Y), Y, true, NULL},
    {MAX(MIN(X, Y), Y), Y, true, NULL},
    {MIN(C, X), MIN(X, C), false, NULL},
    {MAX(C, X), MAX(X, C), false, NULL},
    {MIN(MIN(X, C), Y), MIN(MIN(X, Y), C), false, NULL},
    {MAX(MAX(X, C), Y), MAX(MAX(X, Y), C), false, NULL},

    /* comparisons: constants apart, and no > or >= is left */
    {GT(X, Y), LT(Y, X), false, NULL},
    {GE(X, Y), LE(Y, X), false, NULL},
    {EQ(X, X), TRUE, false, NULL},
    {NE(X, X), FALSE, false, NULL},
    {LT(X, X), FALSE, false, NULL},
    {LE(X, X), TRUE, false, NULL},
    {EQ(ADD(X, Y), ADD(X, Z)), EQ(Y, Z), true, NULL},
    {NE(ADD(X, Y), ADD(X, Z)), NE(Y, Z), true, NULL},
    {LT(ADD(X, Y), ADD(X, Z)), LT(Y, Z), true, NULL},
    {LE(ADD(X, Y), ADD(X, Z)), LE(Y, Z), true, NULL},
    {EQ(ADD(X, C), D), EQ(X, SUB(D, C)), false, NULL},
    {NE(ADD(X, C), D), NE(X, SUB(D, C)), false, NULL},
    {LT(ADD(X, C), D), LT(X, SUB(D, C)), false, NULL},
    {LE(ADD(X, C), D), LE(X, SUB(D, C)), false, NULL},
    {EQ(SUB(X, C), D), EQ(X, ADD(D, C)), false, NULL},
    {NE(SUB(X, C), D), NE(X, ADD(D, C)), false, NULL},
    {LT(SUB(X, C), D), LT(X, ADD(D, C)), false, NULL},
    {LE(SUB(X, C), D), LE(X, ADD(D, C)), false, NULL},
    {LT(SUB(C, X), D), LT(SUB(C, D), X), false, NULL},
    {LE(SUB(C, X), D), LE(SUB(C, D), X), false, NULL},
    {LT(C, ADD(X, D)), LT(SUB(C, D), X), false, NULL},
    {LE(C, ADD(X, D)), LE(SUB(C, D), X), false, NULL},
    {LT(C, SUB(X, D)), LT(ADD(C, D), X), false, NULL},
    {LE(C, SUB(X, D)), LE(ADD(C, D), X), false, NULL},
    {EQ(C, X), EQ(X, C), false, NULL},
    {NE(C, X), NE(X, C), false, NULL},

    /* truths */
    {AND(X, X), X, false, NULL},
    {OR(X, X), X, false, NULL},
    {AND(X, NOT(X)), FALSE, true, NULL},
    {OR(X, NOT(X)), TRUE, true, NULL},
    {AND(X, AND(Y, Z)), AND(AND(X, Y), Z), false, NULL},
    {OR(X, OR(Y, Z)), OR(OR(X, Y), Z), false, NULL},
    {NOT(NOT(X)), X, false, NULL},
    {NOT(LT(X, Y)), LE(Y, X), false, NULL},
    {NOT(LE(X, Y)), LT(Y, X), false, NULL},
    {NOT(EQ(X, Y)), NE(X, Y), false, NULL},
    {NOT(NE(X, Y)), EQ(X, Y), false, NULL},
    {NOT(OR(X, Y)), AND(NOT(X), NOT(Y)), false, NULL},
    {NOT(AND(X, Y)), OR(NOT(X), NOT(Y)), false, NULL},

    /* signs */
    {NEG(NEG(X)), X, false, NULL},
    {NEG(SUB(X, Y)), SUB(Y, X), false, NULL},
};
/* clang-format on */

/* ---- matching ---- */

struct match {
    struct ir_expr *found[MAX_VARIABLES];
    unsigned swaps; /* bit n: the n-th node that allows it is taken the other way round */
    int nodes;      /* of that sort, so far */
    bool either_way;
};

static bool commutes(enum ir_binary_op op)
{
    return op == IR_ADD || op == IR_MUL || op == IR_MIN || op == IR_MAX || op == IR_AND ||
           op == IR_OR;
}

static bool fits(struct match *m, const struct pattern *p, struct ir_expr *e);

static bool fits_binary(struct match *m, const struct pattern *p, struct ir_expr *e)
{
    bool typed = fold_is_signed(fold_dtype(e)) || fold_dtype(e) == IR_BOOL;
    if (e->kind != IR_BINARY || (int)e->binary.op != p->index || !typed)
        return false;
    bool swap = false;
    if (m->either_way && commutes(e->binary.op))
        swap = m->swaps >> m->nodes++ & 1;
    return fits(m, p->lhs, swap ? e->binary.rhs : e->binary.lhs) &&
           fits(m, p->rhs, swap ? e->binary.lhs : e->binary.rhs);
}

static bool fits(struct match *m, const struct pattern *p, struct ir_expr *e)
{
    int64_t v;
    switch (p->kind) {
    case PAT_CONSTANT:
        if (e->kind != IR_INT)
            return false;
        /* fall through */
    case PAT_VARIABLE:
        if (m->found[p->index])
            return fold_same(m->found[p->index], e);
        m->found[p->index] = e;
        return true;
    case PAT_NUMBER:
        return e->kind == IR_INT && e->integer.value == p->index;
    case PAT_TRUTH:
        return e->kind == IR_BOOLEAN && fold_literal(e, &v) && v == p->index;
    case PAT_BINARY:
        return fits_binary(m, p, e);
    case PAT_UNARY:
        return e->kind == IR_UNARY && (int)e->unary.op == p->index &&
               fits(m, p->lhs, e->unary.operand);
    }
    return false;
}

/* ---- when an identity may be used ---- */

/* The variables of a side, each as often as it stands there, from left to right. */
struct occurrences {
    int index[2 * MAX_VARIABLES], n;
};

static void collect(const struct pattern *p, struct occurrences *out)
{
    if (!p)
        return;
    if (p->kind == PAT_VARIABLE || p->kind == PAT_CONSTANT)
        out->index[out->n++] = p->index;
    collect(p->lhs, out);
    collect(p->rhs, out);
}

static void keep_calls(const struct match *m, struct occurrences *o)
{
    int n = 0;
    for (int i = 0; i < o->n; i++)
        if (!fold_is_pure(m->found[o->index[i]]))
            o->index[n++] = o->index[i];
    o->n = n;
}

/* Calls stay as many as they were, and in their order. */
static bool keeps_calls(const struct match *m, const struct identity *id)
{
    struct occurrences before = {0}, after = {0};
    collect(id->from, &before);
    collect(id->to, &after);
    keep_calls(m, &before);
    keep_calls(m, &after);
    if (m->swaps && before.n)
        return false;
    bool same = before.n == after.n;
    for (int i = 0; same && i < before.n; i++)
        same = before.index[i] == after.index[i];
    return same;
}

/* Integers of one type: INDEX and INT64 are one, and a number is of any signed one. */
static bool are_integers(const struct match *m)
{
    enum ir_dtype common = IR_DTYPE_NONE;
    for (int i = 0; i < MAX_VARIABLES; i++) {
        const struct ir_expr *e = m->found[i];
        if (!e)
            continue;
        enum ir_dtype t = fold_dtype(e) == IR_INT64 ? IR_INDEX : fold_dtype(e);
        if (!fold_is_signed(t))
            return false;
        if (e->kind == IR_INT)
            continue;
        if (common != IR_DTYPE_NONE && common != t)
            return false;
        common = t;
    }
    return true;
}

static bool are_truths(const struct match *m)
{
    for (int i = 0; i < MAX_VARIABLES; i++)
        if (m->found[i] && fold_dtype(m->found[i]) != IR_BOOL)
            return false;
    return true;
}

/* Does the row speak of truths rather than of integers? */
static bool is_logical(const struct pattern *p)
{
    if (p->kind == PAT_UNARY && p->index == IR_NOT)
        return p->lhs->kind == PAT_VARIABLE || is_logical(p->lhs);
    return p->kind == PAT_BINARY && (p->index == IR_AND || p->index == IR_OR);
}

static bool may_use(const struct match *m, const struct identity *id)
{
    const struct ir_expr *c = m->found[C->index], *d = m->found[D->index];
    if (id->when && !id->when(c ? c->integer.value : 0, d ? d->integer.value : 0))
        return false;
    return (is_logical(id->from) ? are_truths(m) : are_integers(m)) && keeps_calls(m, id);
}

/* ---- replacing ---- */

struct replacement {
    struct known *known;
    const struct match *match;
    enum ir_dtype dtype; /* of numbers that the row adds */
    struct span at;
};

/* Constants are joined here or not at all: what does not fit its type would wrap. */
static struct ir_expr *build_binary(const struct replacement *r, enum ir_binary_op op,
                                    struct ir_expr *lhs, struct ir_expr *rhs)
{
    struct ir_expr *e = fold_binary(r->known, op, lhs, rhs, r->at);
    bool constants = lhs->kind == IR_INT && rhs->kind == IR_INT;
    return constants && e->kind == IR_BINARY ? NULL : e;
}

/* NULL when a number does not fit its type. */
static struct ir_expr *build(const struct replacement *r, const struct pattern *p)
{
    struct ir_expr *lhs, *rhs;
    switch (p->kind) {
    case PAT_VARIABLE:
    case PAT_CONSTANT:
        return r->match->found[p->index];
    case PAT_NUMBER:
        return fold_constant(r->known->arena, p->index, r->dtype, r->at);
    case PAT_TRUTH:
        return fold_constant(r->known->arena, p->index, IR_BOOL, r->at);
    case PAT_UNARY:
        lhs = build(r, p->lhs);
        return lhs ? fold_unary(r->known, (enum ir_unary_op)p->index, lhs, r->at) : NULL;
    case PAT_BINARY:
        lhs = build(r, p->lhs);
        rhs = lhs ? build(r, p->rhs) : NULL;
        return rhs ? build_binary(r, (enum ir_binary_op)p->index, lhs, rhs) : NULL;
    }
    return NULL;
}

/* The type that numbers of the row take: that of the integers which it is about. */
static enum ir_dtype number_dtype(const struct match *m)
{
    for (int i = 0; i < MAX_VARIABLES; i++)
        if (m->found[i] && m->found[i]->kind != IR_INT)
            return fold_dtype(m->found[i]);
    return IR_INDEX;
}

static struct ir_expr *replace(struct known *k, const struct ir_expr *e, const struct identity *id,
                               const struct match *m)
{
    const struct replacement r = {k, m, number_dtype(m), e->span};
    struct ir_expr *out = build(&r, id->to);
    return out && fold_is_same_type(fold_dtype(out), fold_dtype(e)) ? out : NULL;
}

static bool may_fit(const struct pattern *p, const struct ir_expr *e)
{
    if (p->kind == PAT_UNARY)
        return e->kind == IR_UNARY && (int)e->unary.op == p->index;
    return e->kind == IR_BINARY && (int)e->binary.op == p->index;
}

struct ir_expr *rules_apply(struct known *k, struct ir_expr *e)
{
    struct ir_expr *out = NULL;
    for (size_t i = 0; !out && i < sizeof identities / sizeof *identities; i++) {
        const struct identity *id = &identities[i];
        unsigned ways = id->either_way ? 1u << MAX_SWAPS : 1;
        for (unsigned swaps = 0; !out && may_fit(id->from, e) && swaps < ways; swaps++) {
            struct match m = {.swaps = swaps, .either_way = id->either_way};
            bool found = fits(&m, id->from, e) && m.swaps >> m.nodes == 0;
            out = found && may_use(&m, id) ? replace(k, e, id, &m) : NULL;
        }
    }
    return out;
}
