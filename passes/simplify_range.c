/* SPDX-License-Identifier: MIT */
/* Simplify: what is known of integers and conditions at a place (pypto-front-facts 3.8). */
#include "passes/simplify_internal.h"

enum { BITS = 64 };

static const int64_t lowest = INT64_MIN, highest = INT64_MAX;
static const struct range anything = {INT64_MIN, INT64_MAX};

/* ---- arithmetic where the ends are no bound ---- */

static bool is_open(int64_t x)
{
    return x == lowest || x == highest;
}

static int64_t open_add(int64_t x, int64_t y)
{
    int64_t sum;
    if (x == highest || y == highest)
        return highest;
    if (x == lowest || y == lowest)
        return lowest;
    return __builtin_add_overflow(x, y, &sum) ? (y > 0 ? highest : lowest) : sum;
}

static int64_t open_negate(int64_t x)
{
    return x == highest ? lowest : x == lowest ? highest : -x;
}

static int64_t open_mul(int64_t x, int64_t y)
{
    int64_t product;
    if (x == 0 || y == 0)
        return 0;
    if (is_open(x) || is_open(y) || __builtin_mul_overflow(x, y, &product))
        return (x > 0) == (y > 0) ? highest : lowest;
    return product;
}

/* Rounds down; y > 0. */
static int64_t open_div(int64_t x, int64_t y)
{
    if (is_open(x))
        return x;
    if (y == highest)
        return x < 0 ? -1 : 0;
    return x / y - (x % y < 0);
}

static int64_t least(int64_t x, int64_t y)
{
    return x < y ? x : y;
}

static int64_t most(int64_t x, int64_t y)
{
    return x > y ? x : y;
}

static struct range negate(struct range x)
{
    return (struct range){open_negate(x.max), open_negate(x.min)};
}

static struct range intersect(struct range x, struct range y)
{
    return (struct range){most(x.min, y.min), least(x.max, y.max)};
}

/* ---- operators ---- */

static struct range times(struct range x, struct range y)
{
    int64_t a = open_mul(x.min, y.min), b = open_mul(x.min, y.max), c = open_mul(x.max, y.min),
            d = open_mul(x.max, y.max);
    return (struct range){least(least(a, b), least(c, d)), most(most(a, b), most(c, d))};
}

static struct range divided(struct range x, struct range y)
{
    if (y.max < 0) {
        x = negate(x);
        y = negate(y);
    }
    if (y.min <= 0)
        return anything;
    return (struct range){open_div(x.min, x.min < 0 ? y.min : y.max),
                          open_div(x.max, x.max < 0 ? y.max : y.min)};
}

static struct range remainder_of(struct range x, struct range y)
{
    if (y.min <= 0)
        return anything;
    int64_t end = open_add(y.max, -1);
    return (struct range){0, x.min >= 0 ? least(x.max, end) : end};
}

static struct range bits_of(enum ir_binary_op op, struct range x, struct range y)
{
    if (x.min < 0 || y.min < 0)
        return anything;
    if (op == IR_BITAND)
        return (struct range){0, least(x.max, y.max)};
    if (op == IR_BITOR)
        return (struct range){most(x.min, y.min), open_add(x.max, y.max)};
    if (op == IR_BITXOR)
        return (struct range){0, open_add(x.max, y.max)};
    if (y.max >= BITS - 1)
        return anything;
    if (op == IR_SHL)
        return times(x, (struct range){(int64_t)1 << y.min, (int64_t)1 << y.max});
    return (struct range){x.min >> y.max, is_open(x.max) ? x.max : x.max >> y.min};
}

static struct range binary_range(enum ir_binary_op op, struct range x, struct range y)
{
    switch (op) {
    case IR_ADD:
        return (struct range){open_add(x.min, y.min), open_add(x.max, y.max)};
    case IR_SUB:
        y = negate(y);
        return (struct range){open_add(x.min, y.min), open_add(x.max, y.max)};
    case IR_MUL:
        return times(x, y);
    case IR_FLOORDIV:
        return divided(x, y);
    case IR_MOD:
        return remainder_of(x, y);
    case IR_MIN:
        return (struct range){least(x.min, y.min), least(x.max, y.max)};
    case IR_MAX:
        return (struct range){most(x.min, y.min), most(x.max, y.max)};
    case IR_BITAND:
    case IR_BITOR:
    case IR_BITXOR:
    case IR_SHL:
    case IR_SHR:
        return bits_of(op, x, y);
    default:
        return ir_binary_is_truth(op) ? (struct range){0, 1} : anything;
    }
}

static struct range type_range(enum ir_dtype t)
{
    int bits = ir_dtype_bits(t);
    if (t == IR_BOOL)
        return (struct range){0, 1};
    if (t == IR_DTYPE_NONE || t == IR_TASK_ID || ir_dtype_is_float(t) || bits >= BITS)
        return anything;
    if (!ir_dtype_is_signed(t))
        return (struct range){0, ((int64_t)1 << bits) - 1};
    return (struct range){-((int64_t)1 << (bits - 1)), ((int64_t)1 << (bits - 1)) - 1};
}

static struct range unary_range(enum ir_unary_op op, struct range x)
{
    switch (op) {
    case IR_NEG:
        return negate(x);
    case IR_ABS:
        if (x.min >= 0)
            return x;
        return (struct range){x.max <= 0 ? open_negate(x.max) : 0, most(open_negate(x.min), x.max)};
    case IR_NOT:
        return (struct range){0, 1};
    default:
        return anything;
    }
}

/* An INDEX of which nothing is known is not negative; of other types nothing is. */
static struct range variable_range(const struct known *k, const struct ir_var *v)
{
    const struct range *r = map_get(&k->ranges, v);
    if (r)
        return *r;
    bool index = v->type && v->type->kind == IR_TYPE_SCALAR && v->type->dtype == IR_INDEX;
    return index ? (struct range){0, highest} : anything;
}

/* Where a node of a narrow type could wrap, nothing is known of it. */
static struct range held(const struct ir_expr *e, struct range r)
{
    const struct range type = type_range(fold_dtype(e));
    return type.min <= r.min && r.max <= type.max ? r : type;
}

struct range range_of(const struct known *k, const struct ir_expr *e)
{
    int64_t v;
    if (fold_literal(e, &v))
        return (struct range){v, v};
    switch (e->kind) {
    case IR_VAR:
        return variable_range(k, e->var);
    case IR_BINARY:
        return held(
            e, binary_range(e->binary.op, range_of(k, e->binary.lhs), range_of(k, e->binary.rhs)));
    case IR_UNARY:
        return held(e, unary_range(e->unary.op, range_of(k, e->unary.operand)));
    case IR_CAST:
        return ir_dtype_is_float(e->cast.dtype) || ir_dtype_is_float(fold_dtype(e->cast.operand))
                   ? anything
                   : held(e, range_of(k, e->cast.operand));
    default:
        return anything;
    }
}

/* ---- learning and forgetting ---- */

struct known_place known_here(const struct known *k)
{
    return (struct known_place){k->log.len, k->holds.len};
}

void known_back(struct known *k, struct known_place place)
{
    while (k->log.len > place.log) {
        const struct noted *n = &k->log.items[--k->log.len];
        map_put(&k->ranges, n->var, (void *)n->before);
    }
    k->holds.len = place.holds;
}

void known_bound(struct known *k, const struct ir_var *v, struct range r)
{
    const struct noted n = {v, map_get(&k->ranges, v)};
    vec_push(k->arena, &k->log, n);
    map_put(&k->ranges, v, arena_dup(k->arena, &r, sizeof r));
}

void known_range(struct known *k, const struct ir_var *v, struct range r)
{
    r = intersect(variable_range(k, v), r);
    if (r.min <= r.max)
        known_bound(k, v, r);
}

static bool is_integer_var(const struct ir_expr *e)
{
    return e->kind == IR_VAR && fold_is_signed(fold_dtype(e));
}

/* What `v op e` says of v: the compiler looks at constants only. */
static void learn(struct known *k, const struct ir_var *v, enum ir_binary_op op,
                  const struct ir_expr *e)
{
    const struct range r = range_of(k, e);
    if (r.min != r.max)
        return;
    switch (op) {
    case IR_EQ:
        known_range(k, v, r);
        break;
    case IR_LT:
        known_range(k, v, (struct range){lowest, open_add(r.max, -1)});
        break;
    case IR_LE:
        known_range(k, v, (struct range){lowest, r.max});
        break;
    case IR_GT:
        known_range(k, v, (struct range){open_add(r.min, 1), highest});
        break;
    case IR_GE:
        known_range(k, v, (struct range){r.min, highest});
        break;
    default:
        break;
    }
}

static enum ir_binary_op turned_round(enum ir_binary_op op)
{
    switch (op) {
    case IR_LT:
        return IR_GT;
    case IR_LE:
        return IR_GE;
    case IR_GT:
        return IR_LT;
    case IR_GE:
        return IR_LE;
    default:
        return op;
    }
}

void known_condition(struct known *k, struct ir_expr *cond)
{
    if (cond->kind == IR_BINARY && cond->binary.op == IR_AND) {
        known_condition(k, cond->binary.lhs);
        known_condition(k, cond->binary.rhs);
        return;
    }
    vec_push(k->arena, &k->holds, cond);
    if (cond->kind != IR_BINARY)
        return;
    if (is_integer_var(cond->binary.lhs))
        learn(k, cond->binary.lhs->var, cond->binary.op, cond->binary.rhs);
    if (is_integer_var(cond->binary.rhs))
        learn(k, cond->binary.rhs->var, turned_round(cond->binary.op), cond->binary.lhs);
}

/* ---- proving ---- */

/* Does `x op y` follow from `x held y`? */
static bool follows(enum ir_binary_op held, enum ir_binary_op op)
{
    return held == op || (held == IR_LT && (op == IR_LE || op == IR_NE)) ||
           (held == IR_EQ && op == IR_LE);
}

static bool is_held(const struct known *k, const struct ir_expr *cond)
{
    vec_foreach (struct ir_expr *, it, &k->holds) {
        const struct ir_expr *h = *it;
        if (fold_same(h, cond))
            return true;
        if (h->kind == IR_BINARY && cond->kind == IR_BINARY &&
            follows(h->binary.op, cond->binary.op) && fold_same(h->binary.lhs, cond->binary.lhs) &&
            fold_same(h->binary.rhs, cond->binary.rhs))
            return true;
    }
    return false;
}

/* `difference op 0` for every value of the difference. */
static bool always(enum ir_binary_op op, struct range difference)
{
    switch (op) {
    case IR_LT:
        return difference.max < 0;
    case IR_LE:
        return difference.max <= 0;
    case IR_EQ:
        return difference.min == 0 && difference.max == 0;
    case IR_NE:
        return difference.min > 0 || difference.max < 0;
    default:
        return false;
    }
}

bool known_proves(struct known *k, struct ir_expr *cond)
{
    int64_t v;
    if (fold_literal(cond, &v))
        return v != 0;
    if (cond->kind == IR_BINARY && cond->binary.op == IR_AND)
        return known_proves(k, cond->binary.lhs) && known_proves(k, cond->binary.rhs);
    if (is_held(k, cond))
        return true;
    if (cond->kind != IR_BINARY || !ir_binary_compares(cond->binary.op) ||
        !fold_is_signed(fold_dtype(cond->binary.lhs)) ||
        !fold_is_signed(fold_dtype(cond->binary.rhs)))
        return false;
    const struct ir_expr *difference =
        fold_binary(k, IR_SUB, cond->binary.lhs, cond->binary.rhs, cond->span);
    return always(cond->binary.op, range_of(k, difference));
}
