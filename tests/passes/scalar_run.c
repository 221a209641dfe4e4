/* SPDX-License-Identifier: MIT */
#include "tests/passes/scalar_run.h"

#include "base/map.h"

enum { MAX_STEPS = 1000 * 1000 };

enum flow { FLOW_ON, FLOW_YIELD, FLOW_BREAK, FLOW_CONTINUE, FLOW_RETURN, FLOW_FAILED };

struct run {
    struct arena *arena;
    struct map values; /* of int64_t, of variables */
    struct strbuf trace;
    VEC(int64_t) yielded;
    int steps;
    bool strict, failed;
};

/* ---- expressions ---- */

static int64_t fail(struct run *r)
{
    r->failed = true;
    return 0;
}

static int64_t wrap(int64_t v, const struct ir_type *t)
{
    if (!t || t->kind != IR_TYPE_SCALAR)
        return v;
    if (t->dtype == IR_BOOL)
        return v != 0;
    int unused = 64 - ir_dtype_bits(t->dtype);
    uint64_t high = (uint64_t)v << unused;
    return ir_dtype_is_signed(t->dtype) ? (int64_t)high >> unused : (int64_t)(high >> unused);
}

static int64_t divide(struct run *r, int64_t x, int64_t y, bool remainder)
{
    if (y == 0)
        return fail(r);
    if (y == -1)
        return remainder ? 0 : (int64_t)(0 - (uint64_t)x);
    int64_t q = x / y, m = x % y;
    bool down = m != 0 && (m < 0) != (y < 0);
    return remainder ? m + (down ? y : 0) : q - down;
}

static int64_t power(struct run *r, int64_t x, int64_t y)
{
    uint64_t result = 1, base = (uint64_t)x;
    if (y < 0)
        return fail(r);
    for (; y; y >>= 1, base *= base)
        result *= y & 1 ? base : 1;
    return (int64_t)result;
}

static int64_t shift(struct run *r, int64_t x, int64_t y, bool left)
{
    if (y < 0 || (left && y > 63))
        return fail(r);
    return left ? (int64_t)((uint64_t)x << y) : x >> (y > 63 ? 63 : y);
}

static int64_t binary(struct run *r, enum ir_binary_op op, int64_t x, int64_t y)
{
    switch (op) {
    case IR_ADD:
        return (int64_t)((uint64_t)x + (uint64_t)y);
    case IR_SUB:
        return (int64_t)((uint64_t)x - (uint64_t)y);
    case IR_MUL:
        return (int64_t)((uint64_t)x * (uint64_t)y);
    case IR_FLOORDIV:
    case IR_MOD:
        return divide(r, x, y, op == IR_MOD);
    case IR_POW:
        return power(r, x, y);
    case IR_SHL:
    case IR_SHR:
        return shift(r, x, y, op == IR_SHL);
    case IR_EQ:
        return x == y;
    case IR_NE:
        return x != y;
    case IR_LT:
        return x < y;
    case IR_LE:
        return x <= y;
    case IR_GT:
        return x > y;
    case IR_GE:
        return x >= y;
    case IR_AND:
        return x && y;
    case IR_OR:
        return x || y;
    case IR_XOR:
        return !x != !y;
    case IR_BITAND:
        return x & y;
    case IR_BITOR:
        return x | y;
    case IR_BITXOR:
        return x ^ y;
    case IR_MIN:
        return x < y ? x : y;
    case IR_MAX:
        return x > y ? x : y;
    case IR_TRUEDIV:
    case IR_BINARY_COUNT:
        break;
    }
    return fail(r);
}

static int64_t unary(struct run *r, enum ir_unary_op op, int64_t x)
{
    switch (op) {
    case IR_NEG:
        return (int64_t)(0 - (uint64_t)x);
    case IR_ABS:
        return x < 0 ? (int64_t)(0 - (uint64_t)x) : x;
    case IR_NOT:
        return !x;
    case IR_BITNOT:
        return ~x;
    case IR_UNARY_COUNT:
        break;
    }
    return fail(r);
}

/* The result of signed arithmetic, in the type of its node. */
static int64_t result(struct run *r, int64_t v, bool overflow, const struct ir_type *t)
{
    int64_t wrapped = wrap(v, t);
    bool is_signed =
        t && t->kind == IR_TYPE_SCALAR && t->dtype != IR_BOOL && ir_dtype_is_signed(t->dtype);
    return r->strict && is_signed && (overflow || wrapped != v) ? fail(r) : wrapped;
}

/* Does 64 bit arithmetic overflow? */
static bool overflows(enum ir_binary_op op, int64_t x, int64_t y)
{
    int64_t unused;
    switch (op) {
    case IR_ADD:
        return __builtin_add_overflow(x, y, &unused);
    case IR_SUB:
        return __builtin_sub_overflow(x, y, &unused);
    case IR_MUL:
        return __builtin_mul_overflow(x, y, &unused);
    case IR_FLOORDIV:
        return x == INT64_MIN && y == -1;
    case IR_SHL:
        return y > 0 && y < 64 && (x >> (63 - y)) != 0 && (x >> (63 - y)) != -1;
    default:
        return false;
    }
}

static int64_t eval(struct run *r, const struct ir_expr *e);

static int64_t call(struct run *r, const struct ir_expr *e)
{
    uint64_t sum = 0;
    struct strbuf line = strbuf_make(r->arena);
    strbuf_add(&line, e->call.name);
    vec_foreach (struct ir_expr *, arg, &e->call.args) {
        int64_t v = eval(r, *arg);
        strbuf_addf(&line, " %lld", (long long)v);
        sum += (uint64_t)v;
    }
    if (!r->failed)
        strbuf_addf(&r->trace, "%s\n", line.text);
    return wrap((int64_t)sum, e->type);
}

static int64_t eval(struct run *r, const struct ir_expr *e)
{
    const int64_t *known;
    if (r->failed)
        return 0;
    switch (e->kind) {
    case IR_VAR:
        known = map_get(&r->values, e->var);
        return known ? *known : fail(r);
    case IR_INT:
        return e->integer.value;
    case IR_BOOLEAN:
        return e->boolean;
    case IR_BINARY: {
        int64_t x = eval(r, e->binary.lhs), y = eval(r, e->binary.rhs);
        int64_t v = r->failed ? 0 : binary(r, e->binary.op, x, y);
        return r->failed ? 0 : result(r, v, overflows(e->binary.op, x, y), e->type);
    }
    case IR_UNARY: {
        int64_t x = eval(r, e->unary.operand);
        return result(r, unary(r, e->unary.op, x), x == INT64_MIN, e->type);
    }
    case IR_CAST:
        return wrap(eval(r, e->cast.operand), e->type);
    case IR_CALL:
        return call(r, e);
    default:
        return fail(r);
    }
}

/* ---- statements ---- */

static void set(struct run *r, struct ir_var *v, int64_t value)
{
    int64_t wrapped = wrap(value, v->type);
    bool index = v->type && v->type->kind == IR_TYPE_SCALAR && v->type->dtype == IR_INDEX;
    if (r->strict && index && wrapped < 0)
        fail(r);
    map_put(&r->values, v, arena_dup(r->arena, &wrapped, sizeof wrapped));
}

static enum flow run_block(struct run *r, const ir_block *block);

static void set_yielded(struct run *r, const ir_vars *to)
{
    for (size_t i = 0; i < to->len && !r->failed; i++)
        set(r, to->items[i], r->yielded.items[i]);
}

static enum flow run_if(struct run *r, const struct ir_stmt *s)
{
    int64_t cond = eval(r, s->if_.cond);
    if (r->failed)
        return FLOW_FAILED;
    enum flow flow = run_block(r, cond ? &s->if_.then_body : &s->if_.else_body);
    if (flow != FLOW_YIELD)
        return flow;
    set_yielded(r, &s->if_.results);
    return FLOW_ON;
}

static enum flow run_for(struct run *r, const struct ir_stmt *s)
{
    int64_t i = eval(r, s->for_.start), stop = eval(r, s->for_.stop), step = eval(r, s->for_.step);
    r->yielded.len = 0;
    vec_foreach (struct ir_expr *, e, &s->for_.inits) {
        int64_t v = eval(r, *e);
        vec_push(r->arena, &r->yielded, v);
    }
    if (r->failed || step == 0)
        return fail(r), FLOW_FAILED;
    for (; step > 0 ? i < stop : i > stop; i += step) {
        set(r, s->for_.var, i);
        set_yielded(r, &s->for_.iter_args);
        enum flow flow = run_block(r, &s->for_.body);
        if (flow == FLOW_BREAK)
            break;
        if (flow == FLOW_RETURN || flow == FLOW_FAILED)
            return flow;
    }
    set_yielded(r, &s->for_.results);
    return FLOW_ON;
}

static enum flow run_yield(struct run *r, const ir_exprs *values)
{
    VEC(int64_t) new = {0};
    vec_foreach (struct ir_expr *, e, values) {
        int64_t v = eval(r, *e);
        vec_push(r->arena, &new, v);
    }
    r->yielded.items = new.items;
    r->yielded.len = new.len;
    r->yielded.cap = new.cap;
    return FLOW_YIELD;
}

static enum flow run_stmt(struct run *r, const struct ir_stmt *s)
{
    switch (s->kind) {
    case IR_ASSIGN:
        set(r, s->assign.targets.items[0], eval(r, s->assign.value));
        return FLOW_ON;
    case IR_EVAL:
        eval(r, s->eval);
        return FLOW_ON;
    case IR_IF:
        return run_if(r, s);
    case IR_FOR:
        return run_for(r, s);
    case IR_YIELD:
        return run_yield(r, &s->yield.values);
    case IR_RETURN:
        return FLOW_RETURN;
    case IR_BREAK:
        return FLOW_BREAK;
    case IR_CONTINUE:
        return FLOW_CONTINUE;
    default:
        return fail(r), FLOW_FAILED;
    }
}

static enum flow run_block(struct run *r, const ir_block *block)
{
    enum flow flow = FLOW_ON;
    vec_foreach (struct ir_stmt *, s, block) {
        flow = r->steps++ < MAX_STEPS ? run_stmt(r, *s) : (fail(r), FLOW_FAILED);
        if (r->failed)
            return FLOW_FAILED;
        if (flow != FLOW_ON)
            break;
    }
    return flow;
}

const char *scalar_run(struct arena *a, const struct ir_func *f, const int64_t *values, bool strict)
{
    struct run r = {.arena = a, .values.arena = a, .trace = strbuf_make(a), .strict = strict};
    for (size_t i = 0; i < f->params.len; i++)
        set(&r, f->params.items[i].var, values[i]);
    run_block(&r, &f->body);
    if (r.failed)
        strbuf_add(&r.trace, "failed\n");
    return r.trace.text;
}
