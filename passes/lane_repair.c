/* SPDX-License-Identifier: MIT */
#include "passes/lane_repair.h"

#include "ir/ops.h"
#include "passes/pass.h"
#include "passes/rewrite.h"

/* Leaving out one statement makes another one dead; each round sees all of them. */
enum { MAX_ROUNDS = 16 };

struct repair {
    struct arena *arena;
    const struct map *known;
    struct map uses, defined; /* of the whole lane, as it stands */
    struct map all;           /* defined in the function that both lanes come from */
    struct map definitions;   /* there, by an assignment: variable -> statement */
    bool changed;
};

/* ---- uses and definitions ---- */

static bool count_use(const struct ir_expr *e, void *uses);

static void count_type(struct map *uses, const struct ir_type *t)
{
    for (size_t i = 0; t && i < t->shape.len; i++)
        ir_walk_expr(t->shape.items[i], count_use, uses);
    for (size_t i = 0; t && i < t->annots.len; i++)
        ir_walk_expr(t->annots.items[i], count_use, uses);
}

static bool count_use(const struct ir_expr *e, void *uses)
{
    if (e->kind == IR_VAR)
        map_put(uses, e->var, (void *)((uintptr_t)map_get(uses, e->var) + 1));
    return true;
}

static void count_types(struct map *uses, const ir_vars *vars)
{
    vec_foreach (struct ir_var *, v, vars)
        count_type(uses, (*v)->type);
}

static enum walk count_stmt(const struct ir_stmt *s, void *uses)
{
    pass_walk_stmt(s, count_use, uses);
    if (s->kind == IR_ASSIGN) {
        count_types(uses, &s->assign.targets);
    } else if (s->kind == IR_IF) {
        count_types(uses, &s->if_.results);
    } else if (s->kind == IR_FOR) {
        count_types(uses, &s->for_.iter_args);
        count_types(uses, &s->for_.results);
    } else if (s->kind == IR_WHILE) {
        count_types(uses, &s->while_.iter_args);
        count_types(uses, &s->while_.results);
    }
    return WALK_INTO;
}

void lane_uses(struct map *uses, const ir_block *block)
{
    pass_find_stmt(block, count_stmt, uses);
}

static void define_all(struct map *defined, const ir_vars *vars)
{
    vec_foreach (struct ir_var *, v, vars)
        map_put(defined, *v, *v);
}

static enum walk define_stmt(const struct ir_stmt *s, void *defined)
{
    if (s->kind == IR_ASSIGN) {
        define_all(defined, &s->assign.targets);
    } else if (s->kind == IR_IF) {
        define_all(defined, &s->if_.results);
    } else if (s->kind == IR_FOR) {
        map_put(defined, s->for_.var, s->for_.var);
        define_all(defined, &s->for_.iter_args);
        define_all(defined, &s->for_.results);
    } else if (s->kind == IR_WHILE) {
        define_all(defined, &s->while_.iter_args);
        define_all(defined, &s->while_.results);
    } else if (s->kind == IR_SCOPE && s->scope.var) {
        map_put(defined, s->scope.var, s->scope.var);
    }
    return WALK_INTO;
}

void lane_definitions(struct map *defined, const ir_block *block)
{
    pass_find_stmt(block, define_stmt, defined);
}

static enum walk note_definition(const struct ir_stmt *s, void *ctx)
{
    if (s->kind == IR_ASSIGN && s->assign.targets.len == 1 &&
        !map_get(ctx, s->assign.targets.items[0]))
        map_put(ctx, s->assign.targets.items[0], (void *)s);
    return WALK_INTO;
}

static size_t used(const struct repair *r, const struct ir_var *v)
{
    return (uintptr_t)map_get(&r->uses, v);
}

/* Variables that the lane's function does not define come from outside of it. */
static bool missing_use(const struct ir_expr *e, void *ctx)
{
    const struct repair *r = ctx;
    return e->kind != IR_VAR || map_get(&r->defined, e->var) ||
           (r->known && map_get(r->known, e->var)) || !map_get(&r->all, e->var);
}

static bool is_missing(const struct repair *r, const struct ir_expr *e)
{
    return !ir_walk_expr(e, missing_use, (void *)r);
}

/* ---- what nothing reads ---- */

/* A value that an assignment only names: no memory is written and no other core is met. */
static bool is_pure(const struct ir_expr *e)
{
    if (e->kind != IR_CALL)
        return true;
    return e->call.callee == IR_CALLEE_OP &&
           (e->call.op->effect == IR_EFFECT_PURE || e->call.op->effect == IR_EFFECT_READ) &&
           e->call.op->result != IR_RESULT_IN_PLACE;
}

static bool is_dead(const struct repair *r, const struct ir_stmt *s)
{
    return s->kind == IR_ASSIGN && s->assign.targets.len == 1 && is_pure(s->assign.value) &&
           !used(r, s->assign.targets.items[0]);
}

/* ---- what loops and branches carry ---- */

static struct ir_stmt *yield_with(struct repair *r, const struct ir_stmt *yield, ir_exprs values)
{
    struct ir_stmt *copy = arena_dup(r->arena, yield, sizeof *yield);
    copy->yield.values = values;
    return copy;
}

/* The block with a last yield of the values that are kept; without any it is left out. */
static void filter_yield(struct repair *r, ir_block *block, const bool *keep)
{
    const struct ir_stmt *last = block->len ? block->items[block->len - 1] : NULL;
    if (!last || last->kind != IR_YIELD)
        return;
    ir_exprs values = {0};
    for (size_t i = 0; i < last->yield.values.len; i++)
        if (keep[i])
            vec_push(r->arena, &values, last->yield.values.items[i]);
    ir_block out = {0};
    for (size_t i = 0; i + 1 < block->len; i++)
        vec_push(r->arena, &out, block->items[i]);
    if (values.len)
        vec_push(r->arena, &out, yield_with(r, last, values));
    *block = out;
}

static void filter_vars(struct repair *r, ir_vars *vars, const bool *keep)
{
    ir_vars out = {0};
    for (size_t i = 0; i < vars->len; i++)
        if (keep[i])
            vec_push(r->arena, &out, vars->items[i]);
    *vars = out;
}

static void filter_exprs(struct repair *r, ir_exprs *list, const bool *keep)
{
    ir_exprs out = {0};
    for (size_t i = 0; i < list->len; i++)
        if (keep[i])
            vec_push(r->arena, &out, list->items[i]);
    *list = out;
}

static size_t uses_in_yield(struct arena *a, const ir_block *body, const struct ir_var *v)
{
    struct map uses = {.arena = a};
    const struct ir_stmt *last = body->len ? body->items[body->len - 1] : NULL;
    if (!last || last->kind != IR_YIELD)
        return 0;
    pass_walk_stmt(last, count_use, &uses);
    return (uintptr_t)map_get(&uses, v);
}

/* What is missing in the yield of a loop stays what the loop carried. */
static void mend_yield(struct repair *r, ir_block *body, const ir_vars *carried)
{
    const struct ir_stmt *last = body->len ? body->items[body->len - 1] : NULL;
    if (!last || last->kind != IR_YIELD)
        return;
    ir_exprs values = {0};
    bool changed = false;
    for (size_t i = 0; i < last->yield.values.len; i++) {
        struct ir_expr *e = last->yield.values.items[i];
        bool gone = i < carried->len && is_missing(r, e);
        vec_push(r->arena, &values, gone ? ir_var_ref(r->arena, carried->items[i], e->span) : e);
        changed |= gone;
    }
    if (!changed)
        return;
    ir_block out = {0};
    for (size_t i = 0; i + 1 < body->len; i++)
        vec_push(r->arena, &out, body->items[i]);
    vec_push(r->arena, &out, yield_with(r, last, values));
    *body = out;
    r->changed = true;
}

static void trim_loop(struct repair *r, ir_vars *carried, ir_exprs *inits, ir_block *body,
                      ir_vars *results)
{
    size_t n = carried->len;
    bool keep[n + 1], all = true;
    mend_yield(r, body, carried);
    for (size_t i = 0; i < n; i++) {
        const struct ir_var *v = carried->items[i];
        keep[i] = used(r, v) > uses_in_yield(r->arena, body, v) ||
                  (i < results->len && used(r, results->items[i]));
        all &= keep[i];
    }
    if (all)
        return;
    filter_vars(r, carried, keep);
    filter_exprs(r, inits, keep);
    if (results->len == n)
        filter_vars(r, results, keep);
    filter_yield(r, body, keep);
    r->changed = true;
}

static const struct ir_expr *yielded(const ir_block *block, size_t i)
{
    const struct ir_stmt *last = block->len ? block->items[block->len - 1] : NULL;
    return last && last->kind == IR_YIELD && i < last->yield.values.len
               ? last->yield.values.items[i]
               : NULL;
}

/* A result that one branch has no value for any more is none. */
static void trim_if(struct repair *r, struct ir_stmt *s)
{
    size_t n = s->if_.results.len;
    bool keep[n + 1], all = true;
    for (size_t i = 0; i < n; i++) {
        const struct ir_expr *then = yielded(&s->if_.then_body, i),
                             *other = yielded(&s->if_.else_body, i);
        keep[i] = !(then && is_missing(r, then)) && !(other && is_missing(r, other));
        all &= keep[i];
    }
    if (all)
        return;
    filter_vars(r, &s->if_.results, keep);
    filter_yield(r, &s->if_.then_body, keep);
    filter_yield(r, &s->if_.else_body, keep);
    r->changed = true;
}

/* ---- rounds ---- */

struct pull {
    struct repair *r;
    ir_block *out;
};

/* A value that the lane lost and e needs is computed in front of what starts with e. */
static bool pull_use(const struct ir_expr *e, void *ctx)
{
    struct pull *p = ctx;
    struct repair *r = p->r;
    struct ir_stmt *def =
        e->kind == IR_VAR && is_missing(r, e) ? map_get(&r->definitions, e->var) : NULL;
    if (def && is_pure(def->assign.value)) {
        map_put(&r->defined, e->var, e->var);
        ir_walk_expr(def->assign.value, pull_use, p);
        vec_push(r->arena, p->out, def);
        r->changed = true;
    }
    return true;
}

static ir_block repair_block(struct repair *r, const ir_block *block);

static struct ir_stmt *repair_stmt(struct repair *r, struct ir_stmt *s, ir_block *out)
{
    ir_block *inner[PASS_MAX_BLOCKS];
    if (pass_child_blocks(s, inner) == 0)
        return s;
    struct ir_stmt *copy = arena_dup(r->arena, s, sizeof *s);
    size_t n = pass_child_blocks(copy, inner);
    for (size_t i = 0; i < n; i++)
        *inner[i] = repair_block(r, inner[i]);
    if (s->kind == IR_FOR)
        trim_loop(r, &copy->for_.iter_args, &copy->for_.inits, &copy->for_.body,
                  &copy->for_.results);
    else if (s->kind == IR_WHILE)
        trim_loop(r, &copy->while_.iter_args, &copy->while_.inits, &copy->while_.body,
                  &copy->while_.results);
    else if (s->kind == IR_IF)
        trim_if(r, copy);
    const ir_exprs *inits = s->kind == IR_FOR     ? &copy->for_.inits
                            : s->kind == IR_WHILE ? &copy->while_.inits
                                                  : NULL;
    struct pull pull = {r, out};
    for (size_t i = 0; inits && i < inits->len; i++)
        ir_walk_expr(inits->items[i], pull_use, &pull);
    return copy;
}

static ir_block repair_block(struct repair *r, const ir_block *block)
{
    ir_block out = {0};
    vec_foreach (struct ir_stmt *, it, block) {
        if (is_dead(r, *it)) {
            r->changed = true;
            continue;
        }
        struct ir_stmt *s = repair_stmt(r, *it, &out);
        vec_push(r->arena, &out, s);
    }
    return out;
}

ir_block lane_repair(struct arena *a, const struct ir_func *f, ir_block block,
                     const struct map *known)
{
    struct repair r = {
        .arena = a, .known = known, .definitions = {.arena = a}, .all = {.arena = a}};
    pass_find_stmt(&f->body, note_definition, &r.definitions);
    lane_definitions(&r.all, &f->body);
    r.changed = true;
    for (int round = 0; r.changed && round < MAX_ROUNDS; round++) {
        r.changed = false;
        r.uses = r.defined = (struct map){.arena = a};
        vec_foreach (struct ir_param, p, &f->params)
            map_put(&r.defined, p->var, p->var);
        lane_uses(&r.uses, &block);
        lane_definitions(&r.defined, &block);
        block = repair_block(&r, &block);
    }
    return block;
}
