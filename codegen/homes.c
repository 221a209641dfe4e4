/* SPDX-License-Identifier: MIT */
/*
 * Variables that share a register or a tile: what a loop carries and branches yield, with what is
 * yielded to it, where no value is overwritten that is still read. The compiler keeps them in one
 * buffer as well (pypto-front-facts 3, passes 33 to 35), and a program in SSA form costs what the
 * author's assignments cost.
 */
#include "codegen/internal.h"
#include "ir/infer.h"
#include "passes/rewrite.h"

/* A block of the function, and where it stands. */
struct place {
    const struct place *outer;   /* of the statement that the block belongs to; NULL: the body */
    const struct ir_stmt *owner; /* NULL: the function */
    const ir_block *block;
    size_t behind; /* the statement after the owner, in the outer block */
};

/* A variable with one definition, and those that share its home. */
struct home {
    const struct ir_var *var;
    const struct place *place;
    size_t next; /* the first statement behind the definition */
    int definitions;
    struct home *first, *rest; /* of all that share it; the first one stands for them */
};

struct homes {
    struct gen *g;
    struct map of; /* variable -> struct home */
    VEC(struct home *) all;
};

/* ---- definitions ---- */

static void define(struct homes *h, const struct ir_var *v, const struct place *p, size_t next)
{
    struct home *home = map_get(&h->of, v);
    if (!home) {
        home = arena_new(h->g->arena, struct home);
        map_put(&h->of, v, home);
        vec_push(h->g->arena, &h->all, home);
    }
    *home = (struct home){v, p, next, home->definitions + 1, home, NULL};
}

static void define_all(struct homes *h, const ir_vars *vars, const struct place *p, size_t next)
{
    vec_foreach (struct ir_var *, v, vars)
        define(h, *v, p, next);
}

static const ir_vars *results_of(const struct ir_stmt *s)
{
    return s->kind == IR_ASSIGN  ? &s->assign.targets
           : s->kind == IR_IF    ? &s->if_.results
           : s->kind == IR_FOR   ? &s->for_.results
           : s->kind == IR_WHILE ? &s->while_.results
                                 : NULL;
}

static const ir_vars *carried_by(const struct ir_stmt *s)
{
    return s->kind == IR_FOR     ? &s->for_.iter_args
           : s->kind == IR_WHILE ? &s->while_.iter_args
                                 : NULL;
}

static const struct place *define_block(struct homes *h, const ir_block *block,
                                        const struct place *outer, const struct ir_stmt *owner,
                                        size_t behind)
{
    struct place *p = arena_new(h->g->arena, struct place);
    *p = (struct place){outer, owner, block, behind};
    if (owner && carried_by(owner))
        define_all(h, carried_by(owner), p, 0);
    for (size_t i = 0; i < block->len; i++) {
        struct ir_stmt *s = block->items[i];
        ir_block *inner[PASS_MAX_BLOCKS];
        size_t n = pass_child_blocks(s, inner);
        for (size_t b = 0; b < n; b++)
            define_block(h, inner[b], p, s, i + 1);
        if (results_of(s))
            define_all(h, results_of(s), p, i + 1);
    }
    return p;
}

/* ---- what is read later ---- */

enum answer { PASSED, READ, ENDED };

static bool holds(const ir_vars *vars, const struct ir_var *v)
{
    return vars && ir_vars_hold(vars, v);
}

static bool is_other(const struct ir_expr *e, void *var)
{
    return e->kind != IR_VAR || e->var != var;
}

/* Do the statements from the given one on read the value that v has before them? */
static enum answer scan(const ir_block *block, size_t from, const struct ir_var *v)
{
    for (size_t i = from; i < block->len; i++) {
        struct ir_stmt *s = block->items[i];
        ir_block *inner[PASS_MAX_BLOCKS];
        size_t n = pass_child_blocks(s, inner);
        if (!pass_walk_stmt(s, is_other, (void *)v))
            return READ;
        if (holds(carried_by(s), v))
            return ENDED;
        for (size_t b = 0; b < n; b++) {
            enum answer a = scan(inner[b], 0, v);
            if (a != PASSED)
                return a;
        }
        if (holds(results_of(s), v))
            return ENDED;
    }
    return PASSED;
}

static bool is_inside(const struct place *p, const struct ir_stmt *owner)
{
    for (; p; p = p->outer)
        if (p->owner == owner)
            return true;
    return false;
}

/* Is x read behind the definition of y? */
static bool is_read_behind(const struct home *x, const struct home *y)
{
    size_t next = y->next;
    for (const struct place *p = y->place; p; next = p->behind, p = p->outer) {
        enum answer a = scan(p->block, next, x->var);
        if (a != PASSED)
            return a == READ;
        if (!p->owner || is_inside(x->place, p->owner) || holds(results_of(p->owner), x->var))
            return false;
        bool loop = carried_by(p->owner);
        if (loop && (scan(p->block, 0, x->var) == READ ||
                     (p->owner->kind == IR_WHILE &&
                      !ir_walk_expr(p->owner->while_.cond, is_other, (void *)x->var))))
            return true;
    }
    return false;
}

/* ---- sharing ---- */

static bool is_alike(const struct homes *h, const struct ir_var *x, const struct ir_var *y)
{
    const struct ir_type *a = x->type, *b = y->type;
    return a && b && a->kind == b->kind && a->dtype == b->dtype &&
           (a->kind == IR_TYPE_SCALAR || a->kind == IR_TYPE_TILE) && !ir_types_clash(a, b) &&
           ir_space_of_var(&h->g->space, x) == ir_space_of_var(&h->g->space, y);
}

static bool may_share(const struct home *a, const struct home *b)
{
    for (const struct home *x = a; x; x = x->rest)
        for (const struct home *y = b; y; y = y->rest)
            if (is_read_behind(x, y) || is_read_behind(y, x))
                return false;
    return true;
}

static void share(struct homes *h, const struct ir_var *v, const struct ir_expr *value)
{
    if (value->kind != IR_VAR)
        return;
    struct home *a = map_get(&h->of, v), *b = map_get(&h->of, value->var);
    if (!a || !b || a->first == b->first || a->definitions > 1 || b->definitions > 1 ||
        !is_alike(h, v, value->var) || !may_share(a->first, b->first))
        return;
    struct home *last = a->first;
    while (last->rest)
        last = last->rest;
    last->rest = b->first;
    for (struct home *one = last->rest; one; one = one->rest)
        one->first = a->first;
}

static void share_all(struct homes *h, const ir_vars *vars, const ir_exprs *values)
{
    for (size_t i = 0; i < vars->len && i < values->len; i++)
        share(h, vars->items[i], values->items[i]);
}

static void share_yield(struct homes *h, const ir_vars *vars, const ir_block *block)
{
    const struct ir_stmt *yield = ir_block_yield(block);
    if (yield)
        share_all(h, vars, &yield->yield.values);
}

static void share_results(struct homes *h, const ir_vars *carried, const ir_vars *results)
{
    for (size_t i = 0; i < carried->len && i < results->len; i++) {
        struct ir_expr result = {.kind = IR_VAR, .var = results->items[i]};
        share(h, carried->items[i], &result);
    }
}

/* Inner statements first: what they yield is what an outer one yields on. A jump out of a body
 * leaves what was carried into it. */
static void share_block(struct homes *h, const ir_block *block)
{
    vec_foreach (struct ir_stmt *, it, block) {
        struct ir_stmt *s = *it;
        ir_block *inner[PASS_MAX_BLOCKS];
        size_t n = pass_child_blocks(s, inner);
        for (size_t b = 0; b < n; b++)
            share_block(h, inner[b]);
        if (s->kind == IR_IF) {
            share_yield(h, &s->if_.results, &s->if_.then_body);
            share_yield(h, &s->if_.results, &s->if_.else_body);
        }
        if (!carried_by(s) || pass_find_stmt(inner[0], pass_is_jump, NULL))
            continue;
        share_results(h, carried_by(s), results_of(s));
        share_yield(h, carried_by(s), inner[0]);
        share_all(h, carried_by(s), s->kind == IR_FOR ? &s->for_.inits : &s->while_.inits);
    }
}

/* What a parameter is bound to stays bound. */
static struct var_slot *slot_of_all(struct gen *g, const struct home *first)
{
    struct var_slot *slot = NULL;
    for (const struct home *one = first; one && !slot; one = one->rest)
        slot = map_get(&g->slots, one->var);
    return slot ? slot : gen_slot(g, first->var);
}

void gen_share_homes(struct gen *g, const struct ir_func *f)
{
    struct homes h = {.g = g, .of.arena = g->arena};
    const struct place *body = define_block(&h, &f->body, NULL, NULL, 0);
    vec_foreach (struct ir_param, p, &f->params)
        define(&h, p->var, body, 0);
    share_block(&h, &f->body);
    vec_foreach (struct home *, it, &h.all) {
        struct var_slot *slot = slot_of_all(g, (*it)->first);
        const struct ir_valid *valid = map_get(&g->valid, (*it)->var);
        slot->parts |= valid && valid->kind != IR_VALID_WHOLE;
        map_put(&g->slots, (*it)->var, slot);
    }
}
