/* SPDX-License-Identifier: MIT */
#include "passes/unroll_loops.h"

#include "passes/refusals.h"
#include "passes/rewrite.h"

/* Rounds of a loop: the compiler's limit (pypto-front-facts 3). Statements of a function: ours. */
enum { MAX_ROUNDS = 1024, MAX_STATEMENTS = 100000 };

struct unroller {
    struct arena *arena;
    const struct ir_program *prog;
    struct diag *diag;
    int statements; /* made so far in the function */
};

/* ---- one round ---- */

struct round {
    struct arena *arena;
    const struct ir_var *counter;
    int64_t value;
    bool last;
    struct map fresh; /* what loops and branches of the body bind -> the variable of this round */
};

static struct ir_expr *value_in_type(void *ctx, struct ir_expr *e)
{
    const struct round *r = ctx;
    if (e->kind != IR_VAR)
        return e;
    if (e->var == r->counter)
        return ir_int(r->arena, r->value, r->counter->type->dtype, e->span);
    struct ir_var *fresh = map_get(&r->fresh, e->var);
    return fresh ? ir_var_ref(r->arena, fresh, e->span) : e;
}

static struct ir_expr *value_of(void *ctx, struct ir_expr *e)
{
    const struct round *r = ctx;
    if (e->kind == IR_VAR)
        return value_in_type(ctx, e);
    struct ir_type *type = rewrite_type(r->arena, e->type, value_in_type, ctx);
    if (type == e->type)
        return e;
    struct ir_expr *copy = arena_dup(r->arena, e, sizeof *e);
    copy->type = type;
    return copy;
}

static struct ir_var *fresh_var(struct round *r, struct ir_var *v)
{
    struct ir_var *fresh = ir_var_new(r->arena, v->name, v->type, v->span);
    map_put(&r->fresh, v, fresh);
    return fresh;
}

static void fresh_vars(struct round *r, ir_vars *vars)
{
    ir_vars out = {0};
    vec_foreach (struct ir_var *, v, vars)
        vec_push(r->arena, &out, fresh_var(r, *v));
    *vars = out;
}

static void set_counter(void *ctx, ir_block *block);

/* A loop's variables are its own in each round, and so is what it or a branch leaves, but for the
 * last round: that is what stands behind. The results are bound after all that is inside. */
static struct ir_stmt *with_own_vars(struct round *r, struct ir_stmt *given)
{
    struct ir_stmt *s = arena_dup(r->arena, given, sizeof *given);
    if (s->kind == IR_FOR)
        s->for_.var = fresh_var(r, s->for_.var);
    if (s->kind == IR_FOR)
        fresh_vars(r, &s->for_.iter_args);
    if (s->kind == IR_WHILE)
        fresh_vars(r, &s->while_.iter_args);
    if (s->kind == IR_WHILE)
        s->while_.cond = rewrite_expr(r->arena, s->while_.cond, value_of, r);
    if (s->kind == IR_SCOPE && s->scope.lanes)
        s->scope.var = fresh_var(r, s->scope.var);
    s = rewrite_blocks(r->arena, s, set_counter, r);
    ir_vars *results = s->kind == IR_IF      ? &s->if_.results
                       : s->kind == IR_FOR   ? &s->for_.results
                       : s->kind == IR_WHILE ? &s->while_.results
                                             : NULL;
    if (results)
        fresh_vars(r, results);
    return s;
}

static void set_counter(void *ctx, ir_block *block)
{
    struct round *r = ctx;
    ir_block out = {0};
    bool changed = false;
    vec_foreach (struct ir_stmt *, it, block) {
        struct ir_stmt *s = rewrite_exprs(r->arena, *it, value_of, r);
        ir_block *inner[PASS_MAX_BLOCKS];
        bool binds = pass_child_blocks(s, inner) > 0 && !r->last;
        s = binds ? with_own_vars(r, s) : rewrite_blocks(r->arena, s, set_counter, r);
        changed |= s != *it;
        vec_push(r->arena, &out, s);
    }
    if (changed)
        *block = out;
}

/* ---- loops ---- */

static bool can_unroll(const struct ir_stmt *s, int64_t bounds[3])
{
    return s->kind == IR_FOR && s->for_.kind == IR_UNROLL && s->for_.iter_args.len == 0 &&
           ir_const_int(s->for_.start, &bounds[0]) && ir_const_int(s->for_.stop, &bounds[1]) &&
           ir_const_int(s->for_.step, &bounds[2]) && bounds[2] != 0 &&
           !pass_leaves_loop(&s->for_.body);
}

static bool is_within(int64_t value, const int64_t bounds[3])
{
    return bounds[2] > 0 ? value < bounds[1] : value > bounds[1];
}

static void push_rounds(struct unroller *u, ir_block *out, const struct ir_stmt *loop,
                        const int64_t bounds[3])
{
    struct round r = {.arena = u->arena, .counter = loop->for_.var, .value = bounds[0]};
    r.last = !is_within(r.value, bounds);
    int rounds = 0;
    while (!r.last && !u->diag->failed) {
        int64_t next;
        if (++rounds > MAX_ROUNDS)
            REFUSE(u, UNROLL_ROUNDS, loop->span,
                   arena_printf(u->diag->arena, "%d", (int)MAX_ROUNDS));
        ir_block body = loop->for_.body;
        r.last = __builtin_add_overflow(r.value, bounds[2], &next) || !is_within(next, bounds);
        r.fresh = (struct map){.arena = u->arena};
        set_counter(&r, &body);
        u->statements += (int)body.len + 1;
        if (u->statements > MAX_STATEMENTS)
            REFUSE(u, UNROLL_SIZE, loop->span,
                   arena_printf(u->diag->arena, "%d", (int)MAX_STATEMENTS));
        vec_foreach (struct ir_stmt *, s, &body)
            vec_push(u->arena, out, *s);
        r.value = next;
    }
}

static void unroll_block(void *ctx, ir_block *block)
{
    struct unroller *u = ctx;
    ir_block out = {0};
    bool changed = false;
    for (size_t i = 0; i < block->len && !u->diag->failed; i++) {
        struct ir_stmt *s = rewrite_blocks(u->arena, block->items[i], unroll_block, u);
        int64_t bounds[3];
        bool unrolled = can_unroll(s, bounds);
        changed |= unrolled || s != block->items[i];
        if (unrolled)
            push_rounds(u, &out, s, bounds);
        else
            vec_push(u->arena, &out, s);
    }
    if (changed)
        *block = out;
}

static struct ir_func *unroll_func(void *ctx, struct ir_func *f)
{
    struct unroller *u = ctx;
    ir_block body = f->body;
    u->statements = 0;
    unroll_block(u, &body);
    return u->diag->failed ? NULL : pass_with_body(u->arena, f, body);
}

struct ir_program *unroll_loops(struct arena *a, const struct ir_program *p,
                                const struct pass_options *o, struct diag *d)
{
    (void)o;
    struct unroller u = {.arena = a, .prog = p, .diag = d};
    return rewrite_funcs(a, p, PASS_EVERY, unroll_func, &u);
}
