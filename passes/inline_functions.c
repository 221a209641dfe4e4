/* SPDX-License-Identifier: MIT */
#include "passes/inline_functions.h"

#include <string.h>

#include "passes/refusals.h"
#include "passes/rewrite.h"

/* A call that is being replaced, or a function that stays. */
struct splice {
    struct splice *outer; /* whose body holds the call; NULL: a function that stays */
    const struct ir_func *func;
    struct map values; /* variable of the function -> expression of the caller; in a function that
                          stays, of tuples alone */
    int number;
    struct span at; /* of the call */
};

struct inliner {
    struct arena *arena;
    const struct ir_program *prog;
    struct diag *diag;
    struct splice *splice;
    int calls;
};

/* ---- what a call may be ---- */

static const struct ir_func *inline_callee(const struct inliner *in, const struct ir_expr *e)
{
    if (!e || e->kind != IR_CALL ||
        (e->call.callee != IR_CALLEE_USER && e->call.callee != IR_CALLEE_SUBMIT))
        return NULL;
    const struct ir_func *f = ir_find_func(in->prog, e->call.name);
    return f && f->type == IR_FUNC_INLINE ? f : NULL;
}

/* The call that is the whole statement, or NULL. */
static struct ir_expr *whole_call(const struct inliner *in, const struct ir_stmt *s)
{
    struct ir_expr *e = NULL;
    if (s->kind == IR_ASSIGN)
        e = s->assign.value;
    else if (s->kind == IR_EVAL)
        e = s->eval;
    else if (s->kind == IR_RETURN && s->return_.values.len == 1)
        e = s->return_.values.items[0];
    return inline_callee(in, e) && e->call.callee == IR_CALLEE_USER ? e : NULL;
}

struct nested {
    const struct inliner *in;
    const struct ir_expr *whole, *found;
};

static bool find_nested(const struct ir_expr *e, void *ctx)
{
    struct nested *n = ctx;
    if (e != n->whole && inline_callee(n->in, e))
        n->found = e;
    return !n->found;
}

static void refuse_nested(struct inliner *in, const struct ir_stmt *s)
{
    struct nested n = {in, whole_call(in, s), NULL};
    pass_walk_stmt(s, find_nested, &n);
    if (n.found)
        pass_refuse(in->diag, in->prog,
                    n.found->call.callee == IR_CALLEE_SUBMIT ? REFUSE_INLINE_TASK
                                                             : REFUSE_INLINE_NESTED,
                    n.found->span, n.found->call.name, NULL);
}

/* ---- variables and types ---- */

static struct ir_expr *substitute(void *ctx, struct ir_expr *e);

/* t with the caller's values in its dimensions. */
static struct ir_type *substitute_type(struct inliner *in, struct ir_type *t)
{
    return in->splice->outer ? rewrite_type(in->arena, t, substitute, in) : t;
}

static struct ir_var *copy_var(struct inliner *in, struct ir_var *v, const char *name)
{
    struct ir_var *fresh = ir_var_new(in->arena, name, substitute_type(in, v->type), v->span);
    map_put(&in->splice->values, v, ir_var_ref(in->arena, fresh, v->span));
    return fresh;
}

/* The caller's variable for one that the body assigns to. */
static struct ir_var *target_of(struct inliner *in, struct ir_var *v, bool keeps_name)
{
    const struct splice *s = in->splice;
    if (!s->outer)
        return v;
    struct ir_expr *value = map_get(&s->values, v);
    if (!value)
        return copy_var(in, v,
                        keeps_name ? v->name
                                   : arena_printf(in->arena, "%s_inline%d", v->name, s->number));
    if (value->kind == IR_VAR)
        return value->var;
    REFUSE(in, INLINE_REBINDS, s->at, s->func->name, v->shown);
    return v;
}

static ir_vars targets_of(struct inliner *in, const ir_vars *vars, bool keep_names)
{
    ir_vars out = {0};
    vec_foreach (struct ir_var *, v, vars)
        vec_push(in->arena, &out, target_of(in, *v, keep_names));
    return out;
}

static struct ir_expr *substitute(void *ctx, struct ir_expr *e)
{
    struct inliner *in = ctx;
    struct ir_expr *value = e->kind == IR_VAR ? map_get(&in->splice->values, e->var) : NULL;
    if (value)
        return value;
    if (e->kind == IR_GETITEM && e->getitem.base->kind == IR_TUPLE &&
        (size_t)e->getitem.index < e->getitem.base->items.len)
        return e->getitem.base->items.items[e->getitem.index];
    struct ir_type *type = substitute_type(in, e->type);
    if (type == e->type)
        return e;
    struct ir_expr *copy = arena_dup(in->arena, e, sizeof *e);
    copy->type = type;
    return copy;
}

/* ---- statements ---- */

static void inline_block(void *ctx, ir_block *block);

/* Names are bound before they are read: the condition of a loop stands in front of its body. */
static struct ir_stmt *copy_bound(struct inliner *in, struct ir_stmt *s)
{
    if (!in->splice->outer)
        return s;
    struct ir_stmt *copy = arena_dup(in->arena, s, sizeof *s);
    if (s->kind == IR_ASSIGN)
        copy->assign.targets = targets_of(in, &s->assign.targets, false);
    else if (s->kind == IR_IF)
        copy->if_.results = targets_of(in, &s->if_.results, false);
    else if (s->kind == IR_FOR) {
        copy->for_.var = target_of(in, s->for_.var, false);
        copy->for_.iter_args = targets_of(in, &s->for_.iter_args, true);
        copy->for_.results = targets_of(in, &s->for_.results, false);
    } else if (s->kind == IR_WHILE) {
        copy->while_.iter_args = targets_of(in, &s->while_.iter_args, true);
        copy->while_.results = targets_of(in, &s->while_.results, false);
    } else if (s->kind == IR_SCOPE && s->scope.var) {
        copy->scope.var = target_of(in, s->scope.var, false);
    }
    return copy;
}

static struct ir_stmt *inline_stmt(struct inliner *in, struct ir_stmt *s)
{
    struct ir_stmt *out = rewrite_exprs(in->arena, copy_bound(in, s), substitute, in);
    return rewrite_blocks(in->arena, out, inline_block, in);
}

/* Gives the statement's targets the values; a return returns them. */
static void push_values(struct inliner *in, ir_block *out, const struct ir_stmt *s,
                        const ir_exprs *values)
{
    if (s->kind == IR_RETURN) {
        struct ir_stmt *r = ir_stmt_new(in->arena, IR_RETURN, s->span);
        r->return_.values = *values;
        vec_push(in->arena, out, r);
    }
    if (s->kind != IR_ASSIGN)
        return;
    if (s->assign.targets.len == 1 && values->len > 1) { /* no tuple is built: t[i] is the value */
        map_put(&in->splice->values, s->assign.targets.items[0],
                ir_tuple(in->arena, *values, s->assign.value->span));
        return;
    }
    ir_vars targets = targets_of(in, &s->assign.targets, false);
    for (size_t i = 0; i < targets.len && i < values->len; i++)
        if (values->items[i]->kind != IR_VAR || values->items[i]->var != targets.items[i])
            vec_push(in->arena, out, pass_assign(in->arena, targets.items[i], values->items[i]));
}

static bool is_recursive(const struct inliner *in, const struct ir_func *f)
{
    for (const struct splice *s = in->splice; s; s = s->outer)
        if (s->func == f)
            return true;
    return false;
}

static enum walk is_return(const struct ir_stmt *s, void *last)
{
    return s->kind == IR_RETURN && s != last ? WALK_FOUND : WALK_INTO;
}

/* The return that ends the body, or NULL; any other is an error. */
static const struct ir_stmt *last_return(struct inliner *in, const struct ir_func *f)
{
    struct ir_stmt *last = f->body.len ? f->body.items[f->body.len - 1] : NULL;
    const struct ir_stmt *early = pass_find_stmt(&f->body, is_return, last);
    if (early)
        REFUSE(in, INLINE_RETURN, early->span, f->name);
    return last && last->kind == IR_RETURN ? last : NULL;
}

/* What the body in front of the return gives: that is *len statements. A tuple that is held in a
 * variable only to be returned is not built. */
static const ir_exprs *returned(const struct ir_func *f, const struct ir_stmt *ret, size_t *len)
{
    static const ir_exprs nothing;
    *len = f->body.len - (ret != NULL);
    if (!ret)
        return &nothing;
    const ir_exprs *values = &ret->return_.values;
    const struct ir_stmt *last = *len ? f->body.items[*len - 1] : NULL;
    bool held = values->len == 1 && values->items[0]->kind == IR_VAR && last &&
                last->kind == IR_ASSIGN && last->assign.targets.len == 1 &&
                last->assign.targets.items[0] == values->items[0]->var &&
                last->assign.value->kind == IR_TUPLE;
    *len -= held;
    return held ? &last->assign.value->items : values;
}

/* The body of the function that statement s calls, in place of s. */
static void splice_call(struct inliner *in, ir_block *out, struct ir_stmt *s)
{
    const struct ir_expr *call = whole_call(in, s);
    const struct ir_func *f = inline_callee(in, call);
    if (is_recursive(in, f)) {
        REFUSE(in, INLINE_RECURSIVE, call->span, f->name);
        return;
    }
    struct splice inner = {in->splice, f, {.arena = in->arena}, in->calls++, call->span};
    for (size_t i = 0; i < f->params.len && i < call->call.args.len; i++)
        map_put(&inner.values, f->params.items[i].var,
                rewrite_expr(in->arena, call->call.args.items[i], substitute, in));
    const struct ir_stmt *ret = last_return(in, f);
    struct splice *outer = in->splice;
    in->splice = &inner;
    size_t len;
    const ir_exprs *results = returned(f, ret, &len);
    ir_block body = {f->body.items, len, len};
    inline_block(in, &body);
    ir_exprs values = {0};
    vec_foreach (struct ir_expr *, e, results)
        vec_push(in->arena, &values, rewrite_expr(in->arena, *e, substitute, in));
    in->splice = outer;
    vec_foreach (struct ir_stmt *, it, &body)
        vec_push(in->arena, out, *it);
    push_values(in, out, s, &values);
}

static void inline_block(void *ctx, ir_block *block)
{
    struct inliner *in = ctx;
    ir_block out = {0};
    bool changed = false;
    for (size_t i = 0; i < block->len && !in->diag->failed; i++) {
        struct ir_stmt *s = block->items[i];
        refuse_nested(in, s);
        if (whole_call(in, s)) {
            splice_call(in, &out, s);
            changed = true;
            continue;
        }
        struct ir_stmt *seen = inline_stmt(in, s);
        vec_push(in->arena, &out, seen);
        changed |= seen != s;
    }
    if (changed)
        *block = out;
}

struct ir_program *inline_functions(struct arena *a, const struct ir_program *p,
                                    const struct pass_options *o, struct diag *d)
{
    (void)o;
    struct inliner in = {.arena = a, .prog = p, .diag = d};
    struct ir_program *out = arena_dup(a, p, sizeof *p);
    out->arena = a;
    memset(&out->funcs, 0, sizeof out->funcs);
    out->positions = (struct map){.arena = a};
    for (size_t i = 0; i < p->funcs.len && !d->failed; i++) {
        struct ir_func *f = p->funcs.items[i];
        if (f->type == IR_FUNC_INLINE)
            continue;
        struct splice stays = {.func = f, .values = {.arena = a}};
        ir_block body = f->body;
        in.splice = &stays;
        inline_block(&in, &body);
        ir_add_func(out, pass_with_body(a, f, body));
    }
    return d->failed ? NULL : out;
}
