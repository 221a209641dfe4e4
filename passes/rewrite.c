/* SPDX-License-Identifier: MIT */
#include "passes/rewrite.h"

#include <string.h>

#include "ir/equal.h"
#include "ir/infer.h"
#include "ir/ops.h"
#include "passes/pass.h"

/* ---- the expressions of a statement ---- */

enum { MAX_SINGLES = 3 };

/* Where a statement keeps its expressions. */
struct slots {
    struct ir_expr **single[MAX_SINGLES];
    size_t singles;
    ir_exprs *list; /* or NULL */
    ir_kwargs *kwargs;
};

static struct slots slots_of(struct ir_stmt *s)
{
    switch (s->kind) {
    case IR_ASSIGN:
        return (struct slots){.single = {&s->assign.value}, .singles = 1};
    case IR_EVAL:
        return (struct slots){.single = {&s->eval}, .singles = 1};
    case IR_IF:
        return (struct slots){.single = {&s->if_.cond}, .singles = 1};
    case IR_FOR:
        return (struct slots){.single = {&s->for_.start, &s->for_.stop, &s->for_.step},
                              .singles = 3,
                              .list = &s->for_.inits,
                              .kwargs = &s->for_.kwargs};
    case IR_WHILE:
        return (struct slots){.single = {&s->while_.cond}, .singles = 1, .list = &s->while_.inits};
    case IR_YIELD:
        return (struct slots){.list = &s->yield.values};
    case IR_RETURN:
        return (struct slots){.list = &s->return_.values};
    case IR_SCOPE:
        return (struct slots){.single = {&s->scope.call}, .singles = 1};
    case IR_BREAK:
    case IR_CONTINUE:
        break;
    }
    return (struct slots){0};
}

bool pass_walk_stmt(const struct ir_stmt *s, bool (*fn)(const struct ir_expr *e, void *ctx),
                    void *ctx)
{
    struct slots at = slots_of((struct ir_stmt *)s);
    for (size_t i = 0; i < at.singles; i++)
        if (!ir_walk_expr(*at.single[i], fn, ctx))
            return false;
    for (size_t i = 0; at.list && i < at.list->len; i++)
        if (!ir_walk_expr(at.list->items[i], fn, ctx))
            return false;
    for (size_t i = 0; at.kwargs && i < at.kwargs->len; i++)
        if (!ir_walk_expr(at.kwargs->items[i].value, fn, ctx))
            return false;
    return true;
}

const struct ir_stmt *pass_find_stmt(const ir_block *block,
                                     enum walk (*fn)(const struct ir_stmt *s, void *ctx), void *ctx)
{
    vec_foreach (struct ir_stmt *, it, block) {
        enum walk answer = fn(*it, ctx);
        if (answer == WALK_FOUND)
            return *it;
        ir_block *inner[PASS_MAX_BLOCKS];
        size_t n = answer == WALK_INTO ? pass_child_blocks(*it, inner) : 0;
        for (size_t i = 0; i < n; i++) {
            const struct ir_stmt *found = pass_find_stmt(inner[i], fn, ctx);
            if (found)
                return found;
        }
    }
    return NULL;
}

enum walk pass_is_jump(const struct ir_stmt *s, void *unused)
{
    (void)unused;
    return s->kind == IR_BREAK || s->kind == IR_CONTINUE ? WALK_FOUND : WALK_INTO;
}

static enum walk leaves_loop(const struct ir_stmt *s, void *ctx)
{
    return s->kind == IR_FOR || s->kind == IR_WHILE ? WALK_OVER : pass_is_jump(s, ctx);
}

bool pass_leaves_loop(const ir_block *body)
{
    return pass_find_stmt(body, leaves_loop, NULL);
}

static enum walk has_target(const struct ir_stmt *s, void *v)
{
    return s->kind == IR_ASSIGN && ir_vars_hold(&s->assign.targets, v) ? WALK_FOUND : WALK_INTO;
}

bool pass_assigns(const ir_block *block, const struct ir_var *v)
{
    return pass_find_stmt(block, has_target, (void *)v);
}

bool pass_is_collective(const struct ir_expr *e)
{
    return e->kind == IR_CALL && e->call.op && e->call.op->effect == IR_EFFECT_COLLECTIVE;
}

struct nesting {
    bool (*wanted)(const struct ir_expr *e);
    const struct ir_expr *direct, *found;
};

static bool find_nested(const struct ir_expr *e, void *ctx)
{
    struct nesting *n = ctx;
    if (e != n->direct && n->wanted(e))
        n->found = e;
    return !n->found;
}

const struct ir_expr *pass_nested_call(const struct ir_stmt *s,
                                       bool (*wanted)(const struct ir_expr *e))
{
    struct nesting n = {.wanted = wanted};
    if (s->kind == IR_RETURN) {
        for (size_t i = 0; i < s->return_.values.len && !n.found; i++) {
            n.direct = s->return_.values.items[i];
            ir_walk_expr(n.direct, find_nested, &n);
        }
        return n.found;
    }
    if (s->kind == IR_ASSIGN || s->kind == IR_EVAL)
        n.direct = s->kind == IR_ASSIGN ? s->assign.value : s->eval;
    pass_walk_stmt(s, find_nested, &n);
    return n.found;
}

static bool calls_no(const struct ir_expr *e, void *f)
{
    return e->kind != IR_CALL || e->call.callee != IR_CALLEE_USER ||
           strcmp(e->call.name, ((const struct ir_func *)f)->name) != 0;
}

static enum walk find_call(const struct ir_stmt *s, void *f)
{
    bool holds = s->kind == IR_ASSIGN || s->kind == IR_EVAL;
    return holds && !pass_walk_stmt(s, calls_no, f) ? WALK_FOUND : WALK_INTO;
}

bool pass_is_called(const struct ir_program *p, const struct ir_func *f,
                    bool (*by)(const struct ir_func *f))
{
    vec_foreach (struct ir_func *, other, &p->funcs)
        if (*other != f && by(*other) && pass_find_stmt(&(*other)->body, find_call, (void *)f))
            return true;
    return false;
}

/* ---- rewriting ---- */

struct rewriter {
    struct arena *arena;
    rewrite_fn *fn;
    void *ctx;
};

static struct ir_expr *rewrite(const struct rewriter *r, struct ir_expr *e);

/* Rewrites a list in place of *list; the old items stay untouched. True when one changed. */
static bool rewrite_list(const struct rewriter *r, ir_exprs *list)
{
    ir_exprs old = *list;
    bool changed = false;
    for (size_t i = 0; i < old.len; i++) {
        struct ir_expr *e = rewrite(r, old.items[i]);
        if (e != old.items[i] && !changed) {
            list->items = arena_dup(r->arena, old.items, old.len * sizeof *old.items);
            list->cap = old.len;
            changed = true;
        }
        if (changed)
            list->items[i] = e;
    }
    return changed;
}

static bool rewrite_kwargs(const struct rewriter *r, ir_kwargs *kw)
{
    ir_kwargs old = *kw;
    bool changed = false;
    for (size_t i = 0; i < old.len; i++) {
        struct ir_expr *e = rewrite(r, old.items[i].value);
        if (e != old.items[i].value && !changed) {
            kw->items = arena_dup(r->arena, old.items, old.len * sizeof *old.items);
            kw->cap = old.len;
            changed = true;
        }
        if (changed)
            kw->items[i].value = e;
    }
    return changed;
}

static bool rewrite_one(const struct rewriter *r, struct ir_expr **e)
{
    struct ir_expr *old = *e;
    *e = rewrite(r, old);
    return *e != old;
}

/* Rewrites the operands of *e, a copy. */
static bool rewrite_operands(const struct rewriter *r, struct ir_expr *e)
{
    switch (e->kind) {
    case IR_CALL: {
        bool args = rewrite_list(r, &e->call.args), kwargs = rewrite_kwargs(r, &e->call.kwargs),
             attrs = rewrite_kwargs(r, &e->call.attrs);
        return args || kwargs || attrs;
    }
    case IR_TUPLE:
    case IR_LIST:
        return rewrite_list(r, &e->items);
    case IR_DICT:
        return rewrite_kwargs(r, &e->dict);
    case IR_GETITEM:
        return rewrite_one(r, &e->getitem.base);
    case IR_BINARY: {
        bool lhs = rewrite_one(r, &e->binary.lhs), rhs = rewrite_one(r, &e->binary.rhs);
        return lhs || rhs;
    }
    case IR_UNARY:
        return rewrite_one(r, &e->unary.operand);
    case IR_CAST:
        return rewrite_one(r, &e->cast.operand);
    case IR_VAR:
    case IR_INT:
    case IR_FLOAT:
    case IR_BOOLEAN:
    case IR_STRING:
    case IR_NONE:
    case IR_NAME:
        break;
    }
    return false;
}

static struct ir_expr *rewrite(const struct rewriter *r, struct ir_expr *e)
{
    struct ir_expr copy = *e;
    if (rewrite_operands(r, &copy))
        e = arena_dup(r->arena, &copy, sizeof copy);
    return r->fn(r->ctx, e);
}

struct ir_expr *rewrite_expr(struct arena *a, struct ir_expr *e, rewrite_fn *fn, void *ctx)
{
    const struct rewriter r = {a, fn, ctx};
    return rewrite(&r, e);
}

static struct ir_type *rewrite_in_type(const struct rewriter *r, struct ir_type *t)
{
    if (!t)
        return t;
    struct ir_type copy = *t;
    bool changed = rewrite_list(r, &copy.shape);
    changed |= rewrite_list(r, &copy.annots);
    for (size_t i = 0; i < t->elems.len; i++) {
        struct ir_type *elem = rewrite_in_type(r, t->elems.items[i]);
        if (elem == copy.elems.items[i])
            continue;
        if (copy.elems.items == t->elems.items)
            copy.elems.items =
                arena_dup(r->arena, t->elems.items, t->elems.len * sizeof *t->elems.items);
        copy.elems.items[i] = elem;
        changed = true;
    }
    return changed ? arena_dup(r->arena, &copy, sizeof copy) : t;
}

struct ir_type *rewrite_type(struct arena *a, struct ir_type *t, rewrite_fn *fn, void *ctx)
{
    const struct rewriter r = {a, fn, ctx};
    return rewrite_in_type(&r, t);
}

struct ir_stmt *rewrite_exprs(struct arena *a, struct ir_stmt *s, rewrite_fn *fn, void *ctx)
{
    const struct rewriter r = {a, fn, ctx};
    struct ir_stmt copy = *s;
    struct slots at = slots_of(&copy);
    bool changed = false;
    for (size_t i = 0; i < at.singles; i++)
        changed |= rewrite_one(&r, at.single[i]);
    if (at.list)
        changed |= rewrite_list(&r, at.list);
    if (at.kwargs)
        changed |= rewrite_kwargs(&r, at.kwargs);
    return changed ? arena_dup(a, &copy, sizeof copy) : s;
}

struct ir_stmt *rewrite_blocks(struct arena *a, struct ir_stmt *s,
                               void (*fn)(void *ctx, ir_block *block), void *ctx)
{
    struct ir_stmt copy = *s;
    ir_block *blocks[PASS_MAX_BLOCKS];
    size_t n = pass_child_blocks(&copy, blocks);
    bool changed = false;
    for (size_t i = 0; i < n; i++) {
        struct ir_stmt *const *items = blocks[i]->items;
        size_t len = blocks[i]->len;
        fn(ctx, blocks[i]);
        changed |= blocks[i]->items != items || blocks[i]->len != len;
    }
    return changed ? arena_dup(a, &copy, sizeof copy) : s;
}

struct ir_program *rewrite_funcs(struct arena *a, const struct ir_program *p, unsigned kinds,
                                 struct ir_func *(*fn)(void *ctx, struct ir_func *f), void *ctx)
{
    struct ir_program *out = arena_dup(a, p, sizeof *p);
    out->arena = a;
    out->funcs.items = arena_array(a, struct ir_func *, p->funcs.len);
    out->funcs.cap = p->funcs.len;
    for (size_t i = 0; i < p->funcs.len; i++) {
        struct ir_func *f = p->funcs.items[i];
        out->funcs.items[i] = pass_function_kind(f) & kinds ? fn(ctx, f) : f;
        if (!out->funcs.items[i])
            return NULL;
    }
    return out;
}

struct ir_func *pass_with_body(struct arena *a, struct ir_func *f, ir_block body)
{
    if (body.items == f->body.items && body.len == f->body.len)
        return f;
    struct ir_func *copy = arena_dup(a, f, sizeof *f);
    copy->body = body;
    copy->strict_ssa = false; /* that is asked of what its author wrote */
    return copy;
}

struct ir_type *pass_type_now(struct arena *a, const struct ir_expr *before,
                              const struct ir_call *after)
{
    const struct ir_type *plain = ir_infer_call(a, &before->call);
    bool inferred = plain && before->type && ir_type_same(plain, before->type);
    return inferred ? ir_infer_call(a, after) : before->type;
}

struct ir_stmt *pass_assign(struct arena *a, struct ir_var *target, struct ir_expr *value)
{
    struct ir_stmt *s = ir_stmt_new(a, IR_ASSIGN, value->span);
    vec_push(a, &s->assign.targets, target);
    s->assign.value = value;
    s->assign.annotated = target->type != NULL;
    return s;
}

ir_kwargs pass_with_keyword(struct arena *a, const ir_kwargs *kw, const char *name,
                            struct ir_expr *value)
{
    ir_kwargs out = {0};
    vec_foreach (struct ir_kwarg, k, kw)
        if (strcmp(k->name, name) != 0)
            vec_push(a, &out, *k);
    if (value) {
        struct ir_kwarg added = {name, value, value->span};
        vec_push(a, &out, added);
    }
    return out;
}

struct ir_expr *pass_constant(struct arena *a, const char *name, struct span at)
{
    struct ir_expr *e = ir_expr_new(a, IR_NAME, at);
    e->name = name;
    return e;
}

static void use_names(struct map *names, const ir_vars *vars)
{
    vec_foreach (struct ir_var *, v, vars)
        map_put_text(names, (*v)->name, *v);
}

static enum walk use_stmt_names(const struct ir_stmt *s, void *ctx)
{
    struct map *names = ctx;
    switch (s->kind) {
    case IR_ASSIGN:
        use_names(names, &s->assign.targets);
        break;
    case IR_IF:
        use_names(names, &s->if_.results);
        break;
    case IR_FOR:
        map_put_text(names, s->for_.var->name, s->for_.var);
        use_names(names, &s->for_.iter_args);
        use_names(names, &s->for_.results);
        break;
    case IR_WHILE:
        use_names(names, &s->while_.iter_args);
        use_names(names, &s->while_.results);
        break;
    case IR_SCOPE:
        if (s->scope.var)
            map_put_text(names, s->scope.var->name, s->scope.var);
        break;
    default:
        break;
    }
    return WALK_INTO;
}

void pass_names_in_use(const struct ir_func *f, struct map *names)
{
    vec_foreach (struct ir_param, p, &f->params)
        map_put_text(names, p->var->name, p->var);
    pass_find_stmt(&f->body, use_stmt_names, names);
}
