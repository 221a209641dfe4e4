/* SPDX-License-Identifier: MIT */
/*
 * SSA form (pypto-facts 1.1, 1.5): a variable has one definition and is used where that is in
 * force, which is from the statement on to the end of its block. What leaves a loop or a branch is
 * yielded.
 */
#include <ctype.h>
#include <string.h>

#include "ir/infer.h"
#include "ir/verify_internal.h"

struct ssa {
    struct verifier *v;
    struct map definitions; /* struct ir_var -> &in_force or &ended */
    ir_vars open;           /* definitions in force, in order */
    struct span at;         /* the statement at hand */
};

static const char in_force, ended;

/* ---- claims ---- */

/* x__ssa_v0, as the conversion to SSA form names variables (pypto-facts 1.6). */
static bool has_ssa_name(const struct ir_var *var)
{
    static const char mark[] = "__ssa_v";
    const char *p = var->name;
    while ((p = strstr(p, mark)) != NULL) {
        p += sizeof mark - 1;
        if (isdigit((unsigned char)*p) && !p[strspn(p, "0123456789")])
            return true;
    }
    return false;
}

static bool block_claims(const ir_block *block)
{
    vec_foreach (struct ir_stmt *, it, block) {
        const struct ir_stmt *s = *it;
        if (!s)
            continue;
        if (s->kind == IR_ASSIGN)
            vec_foreach (struct ir_var *, var, &s->assign.targets)
                if (has_ssa_name(*var))
                    return true;
        if ((s->kind == IR_IF &&
             (block_claims(&s->if_.then_body) || block_claims(&s->if_.else_body))) ||
            (s->kind == IR_FOR && block_claims(&s->for_.body)) ||
            (s->kind == IR_WHILE && block_claims(&s->while_.body)) ||
            (s->kind == IR_SCOPE && block_claims(&s->scope.body)))
            return true;
    }
    return false;
}

bool verify_claims_ssa(const struct ir_func *f)
{
    vec_foreach (struct ir_param, p, &f->params)
        if (has_ssa_name(p->var))
            return true;
    return block_claims(&f->body);
}

/* ---- definitions and uses ---- */

static bool define(struct ssa *s, struct ir_var *var, struct span at)
{
    if (map_get(&s->definitions, var))
        return verify_fail(s->v, IR_RULE_SSA_SINGLE, at, var->name, NULL);
    map_put(&s->definitions, var, (void *)&in_force);
    vec_push(&s->v->arena, &s->open, var);
    return true;
}

static bool define_all(struct ssa *s, const ir_vars *vars, struct span at)
{
    vec_foreach (struct ir_var *, var, vars)
        if (!define(s, *var, at))
            return false;
    return true;
}

static bool use(const struct ir_expr *e, void *ctx)
{
    struct ssa *s = ctx;
    if (e->kind != IR_VAR || map_get(&s->definitions, e->var) == &in_force)
        return true;
    return ir_is_module_var(s->v->prog, e->var) || ir_is_free_var(e->var) ||
           verify_fail(s->v, IR_RULE_SSA_USE, e->span, e->var->name, NULL);
}

static bool use_value(struct ssa *s, const struct ir_expr *e)
{
    return ir_walk_expr(e, use, s);
}

static bool use_all(struct ssa *s, const ir_exprs *values)
{
    vec_foreach (struct ir_expr *, e, values)
        if (!use_value(s, *e))
            return false;
    return true;
}

/* ---- statements ---- */

static bool check_block(struct ssa *s, const ir_block *block);

/* Ends what was defined since the given moment. */
static void close_since(struct ssa *s, size_t open)
{
    for (size_t i = open; i < s->open.len; i++)
        map_put(&s->definitions, s->open.items[i], (void *)&ended);
    s->open.len = open;
}

static const ir_exprs *yields(const ir_block *block)
{
    static const ir_exprs none;
    const struct ir_stmt *yield = ir_block_yield(block);
    return yield ? &yield->yield.values : &none;
}

/* One sort of values that must have the types of the iteration variables. */
static bool check_carried(struct ssa *s, const ir_vars *carried, size_t i,
                          const struct ir_type *type, const char *what)
{
    const struct ir_var *var = carried->items[i];
    return !ir_types_clash(var->type, type) ||
           verify_fail(s->v, IR_RULE_SSA_CARRIED, s->at, var->name, verify_type(s->v, var->type),
                       what, verify_type(s->v, type), NULL);
}

/* The parts that loops of both kinds have. */
struct ssa_loop {
    struct ir_var *counter;     /* or NULL */
    const struct ir_expr *cond; /* of a while, evaluated at the head of each iteration; or NULL */
    const ir_vars *iter_args, *results;
    const ir_exprs *inits;
    const ir_block *body;
};

static bool check_loop(struct ssa *s, const struct ssa_loop *l, struct span at)
{
    size_t open = s->open.len;
    if (!use_all(s, l->inits) || (l->counter && !define(s, l->counter, at)) ||
        !define_all(s, l->iter_args, at) || (l->cond && !use_value(s, l->cond)) ||
        !check_block(s, l->body))
        return false;
    close_since(s, open);
    const ir_exprs *yielded = yields(l->body);
    s->at = at;
    for (size_t i = 0; i < l->iter_args->len; i++)
        if ((i < l->inits->len &&
             !check_carried(s, l->iter_args, i, l->inits->items[i]->type, "the initial value")) ||
            (i < yielded->len &&
             !check_carried(s, l->iter_args, i, yielded->items[i]->type, "the yielded value")) ||
            (i < l->results->len &&
             !check_carried(s, l->iter_args, i, l->results->items[i]->type, "the result")))
            return false;
    return define_all(s, l->results, at);
}

static bool check_branch(struct ssa *s, const ir_block *block)
{
    size_t open = s->open.len;
    bool ok = check_block(s, block);
    close_since(s, open);
    return ok;
}

static bool check_if(struct ssa *s, const struct ir_stmt *stmt)
{
    const ir_exprs *first = yields(&stmt->if_.then_body), *second = yields(&stmt->if_.else_body);
    const ir_vars *results = &stmt->if_.results;
    if (!use_value(s, stmt->if_.cond) || !check_branch(s, &stmt->if_.then_body) ||
        !check_branch(s, &stmt->if_.else_body))
        return false;
    for (size_t i = 0; i < results->len && i < first->len && i < second->len; i++) {
        const struct ir_type *x = first->items[i]->type, *y = second->items[i]->type;
        if (ir_types_clash(x, y))
            return verify_fail(s->v, IR_RULE_SSA_BRANCHES, stmt->span, results->items[i]->name,
                               verify_type(s->v, x), verify_type(s->v, y), NULL);
    }
    return define_all(s, results, stmt->span);
}

static bool check_for(struct ssa *s, const struct ir_stmt *stmt)
{
    const struct ssa_loop l = {.counter = stmt->for_.var,
                               .iter_args = &stmt->for_.iter_args,
                               .results = &stmt->for_.results,
                               .inits = &stmt->for_.inits,
                               .body = &stmt->for_.body};
    return use_value(s, stmt->for_.start) && use_value(s, stmt->for_.stop) &&
           use_value(s, stmt->for_.step) && check_loop(s, &l, stmt->span);
}

static bool check_while(struct ssa *s, const struct ir_stmt *stmt)
{
    const struct ssa_loop l = {.cond = stmt->while_.cond,
                               .iter_args = &stmt->while_.iter_args,
                               .results = &stmt->while_.results,
                               .inits = &stmt->while_.inits,
                               .body = &stmt->while_.body};
    return check_loop(s, &l, stmt->span);
}

/* What a scope defines stays in force behind it, but for the lane (pypto-front-facts 3.3). */
static bool check_scope(struct ssa *s, const struct ir_stmt *stmt)
{
    if (!use_value(s, stmt->scope.call) ||
        (stmt->scope.var && !define(s, stmt->scope.var, stmt->span)) ||
        !check_block(s, &stmt->scope.body))
        return false;
    if (stmt->scope.lanes)
        map_put(&s->definitions, stmt->scope.var, (void *)&ended);
    return true;
}

static bool check_stmt(struct ssa *s, const struct ir_stmt *stmt)
{
    switch (stmt->kind) {
    case IR_ASSIGN:
        return use_value(s, stmt->assign.value) && define_all(s, &stmt->assign.targets, stmt->span);
    case IR_EVAL:
        return use_value(s, stmt->eval);
    case IR_IF:
        return check_if(s, stmt);
    case IR_FOR:
        return check_for(s, stmt);
    case IR_WHILE:
        return check_while(s, stmt);
    case IR_YIELD:
        return use_all(s, &stmt->yield.values);
    case IR_RETURN:
        return use_all(s, &stmt->return_.values);
    case IR_BREAK:
    case IR_CONTINUE:
        return true;
    case IR_SCOPE:
        return check_scope(s, stmt);
    }
    return true;
}

static bool check_block(struct ssa *s, const ir_block *block)
{
    vec_foreach (struct ir_stmt *, stmt, block)
        if (*stmt && !check_stmt(s, *stmt))
            return false;
    return true;
}

bool verify_ssa(struct verifier *v)
{
    struct ssa s = {.v = v, .definitions.arena = &v->arena};
    vec_foreach (struct ir_param, p, &v->func->params)
        if (!define(&s, p->var, p->var->span))
            return false;
    return check_block(&s, &v->func->body);
}

/* ---- one assignment in each scope ---- */

/* The compiler's parser, where it is strict: a block is a scope of its own, and what it assigns
 * belongs to the block around it when it has ended, unless its statement yields or carries. */
struct scopes {
    struct verifier *v;
    struct map owners; /* struct ir_var -> the block that has assigned it */
    VEC(struct owner {
        struct ir_var *var;
        void *before;
    })
    changes;
};

static bool check_once(struct scopes *s, const ir_block *block);

static bool assign_once(struct scopes *s, const ir_block *scope, struct ir_var *var, struct span at)
{
    struct owner one = {var, map_get(&s->owners, var)};
    if (one.before == scope)
        return verify_fail(s->v, IR_RULE_SSA_SINGLE, at, var->name, NULL);
    vec_push(&s->v->arena, &s->changes, one);
    map_put(&s->owners, var, (void *)scope);
    return true;
}

/* outer: the block that what this one assigns belongs to behind it, or NULL. */
static bool check_inner(struct scopes *s, const ir_block *inner, const ir_block *outer)
{
    size_t before = s->changes.len;
    if (!check_once(s, inner))
        return false;
    for (size_t i = s->changes.len; i-- > before;) {
        const struct owner *one = &s->changes.items[i];
        map_put(&s->owners, one->var, outer ? (void *)outer : one->before);
    }
    if (!outer)
        s->changes.len = before;
    return true;
}

static bool check_stmt_once(struct scopes *s, const ir_block *block, const struct ir_stmt *stmt)
{
    switch (stmt->kind) {
    case IR_ASSIGN:
        vec_foreach (struct ir_var *, var, &stmt->assign.targets)
            if (!assign_once(s, block, *var, stmt->span))
                return false;
        return true;
    case IR_IF: {
        const ir_block *outer = stmt->if_.results.len ? NULL : block;
        return check_inner(s, &stmt->if_.then_body, outer) &&
               check_inner(s, &stmt->if_.else_body, outer);
    }
    case IR_FOR:
        return check_inner(s, &stmt->for_.body, stmt->for_.iter_args.len ? NULL : block);
    case IR_WHILE:
        return check_inner(s, &stmt->while_.body, stmt->while_.iter_args.len ? NULL : block);
    case IR_SCOPE:
        return check_inner(s, &stmt->scope.body, block);
    default:
        return true;
    }
}

static bool check_once(struct scopes *s, const ir_block *block)
{
    vec_foreach (struct ir_stmt *, stmt, block)
        if (*stmt && !check_stmt_once(s, block, *stmt))
            return false;
    return true;
}

bool verify_strict(struct verifier *v)
{
    const ir_block *body = &v->func->body;
    struct scopes s = {.v = v, .owners.arena = &v->arena};
    vec_foreach (struct ir_param, p, &v->func->params)
        map_put(&s.owners, p->var, (void *)body);
    return check_once(&s, body);
}
