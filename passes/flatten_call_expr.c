/* SPDX-License-Identifier: MIT */
#include "passes/flatten_call_expr.h"

#include "passes/refusals.h"
#include "passes/rewrite.h"

struct flattener {
    struct arena *arena;
    const struct ir_program *prog;
    const struct pass_options *options;
    struct diag *diag;
    struct map names; /* in use in the function */
    unsigned next;
    ir_block pending;            /* goes before the statement at hand */
    const struct ir_expr *first; /* the first call that was given a name, or NULL */
};

/* ---- expressions ---- */

static bool is_launch(const struct ir_expr *e)
{
    return e->kind == IR_CALL && e->call.callee == IR_CALLEE_SUBMIT;
}

static bool is_call(const struct ir_expr *e)
{
    return e->kind == IR_CALL && !is_launch(e);
}

static const char *free_name(struct flattener *f)
{
    const char *name;
    do
        name = arena_printf(f->arena, "t__tmp_v%u", f->next++);
    while (map_get_text(&f->names, name));
    return name;
}

/* A name for what the call gives. */
static struct ir_expr *extract(struct flattener *f, struct ir_expr *call)
{
    struct ir_var *v = ir_var_new(f->arena, free_name(f), call->type, call->span);
    vec_push(f->arena, &f->pending, pass_assign(f->arena, v, call));
    f->first = f->first ? f->first : call;
    return ir_var_ref(f->arena, v, call->span);
}

static struct ir_expr *extract_call(struct flattener *f, struct ir_expr *e)
{
    return is_call(e) ? extract(f, e) : e;
}

static struct ir_expr *extract_any(struct flattener *f, struct ir_expr *e)
{
    return e->kind == IR_CALL ? extract(f, e) : e;
}

static struct ir_expr *keep(struct flattener *f, struct ir_expr *e)
{
    (void)f;
    return e;
}

static struct ir_expr *flatten(struct flattener *f, struct ir_expr *e);

/* Flattens a list, and what each item is then goes through `then` before the next item's turn. */
static void flatten_list(struct flattener *f, ir_exprs *list,
                         struct ir_expr *(*then)(struct flattener *, struct ir_expr *))
{
    ir_exprs out = {0};
    bool changed = false;
    vec_foreach (struct ir_expr *, it, list) {
        struct ir_expr *e = then(f, flatten(f, *it));
        changed |= e != *it;
        vec_push(f->arena, &out, e);
    }
    if (changed)
        *list = out;
}

/* e with names for the calls under it; e itself stays what it is. */
static struct ir_expr *flatten(struct flattener *f, struct ir_expr *e)
{
    struct ir_expr copy = *e;
    bool changed = false;
    switch (e->kind) {
    case IR_CALL:
        flatten_list(f, &copy.call.args, is_launch(e) ? extract_any : extract_call);
        changed = copy.call.args.items != e->call.args.items;
        break;
    case IR_TUPLE:
    case IR_LIST:
        flatten_list(f, &copy.items, keep);
        changed = copy.items.items != e->items.items;
        break;
    case IR_GETITEM:
        copy.getitem.base = flatten(f, e->getitem.base);
        changed = copy.getitem.base != e->getitem.base;
        break;
    case IR_BINARY:
        copy.binary.lhs = flatten(f, e->binary.lhs);
        copy.binary.rhs = flatten(f, e->binary.rhs);
        copy.binary.lhs = extract_call(f, copy.binary.lhs);
        copy.binary.rhs = extract_call(f, copy.binary.rhs);
        changed = copy.binary.lhs != e->binary.lhs || copy.binary.rhs != e->binary.rhs;
        break;
    case IR_UNARY:
        copy.unary.operand = extract_call(f, flatten(f, e->unary.operand));
        changed = copy.unary.operand != e->unary.operand;
        break;
    case IR_CAST:
        copy.cast.operand = extract_call(f, flatten(f, e->cast.operand));
        changed = copy.cast.operand != e->cast.operand;
        break;
    default:
        break;
    }
    return changed ? arena_dup(f->arena, &copy, sizeof copy) : e;
}

/* ---- conditions of while loops ---- */

struct use {
    const struct ir_stmt *loop;
    const struct ir_var *found;
};

static bool not_changed(const struct ir_expr *e, void *ctx)
{
    struct use *use = ctx;
    if (e->kind != IR_VAR || (!ir_vars_hold(&use->loop->while_.iter_args, e->var) &&
                              !pass_assigns(&use->loop->while_.body, e->var)))
        return true;
    use->found = e->var;
    return false;
}

static void check_condition(struct flattener *f, const struct ir_stmt *loop)
{
    vec_foreach (struct ir_stmt *, it, &f->pending) {
        struct ir_expr *call = (*it)->assign.value;
        struct use use = {.loop = loop};
        if (!ir_walk_expr(call, not_changed, &use))
            REFUSE(f, WHILE_CONDITION, call->span, use.found->shown);
        else if (f->options->note)
            f->options->note(f->options->note_ctx, f->prog->source, call->span,
                             "FlattenCallExpr: a call in the condition of a while loop is "
                             "evaluated once, before the loop, and not again in each round");
    }
}

/* ---- statements ---- */

static void flatten_bounds(struct flattener *f, struct ir_stmt *loop)
{
    struct ir_expr **const bounds[] = {&loop->for_.start, &loop->for_.stop, &loop->for_.step};
    enum { BOUNDS = sizeof bounds / sizeof *bounds };
    for (int i = 0; i < BOUNDS; i++)
        *bounds[i] = flatten(f, *bounds[i]);
    for (int i = 0; i < BOUNDS; i++)
        *bounds[i] = extract_call(f, *bounds[i]);
}

/* Flattens what s, a copy of a statement, holds itself. */
static void flatten_own(struct flattener *f, struct ir_stmt *s)
{
    switch (s->kind) {
    case IR_ASSIGN:
        s->assign.value = flatten(f, s->assign.value);
        break;
    case IR_EVAL:
        s->eval = flatten(f, s->eval);
        break;
    case IR_IF:
        s->if_.cond = extract_call(f, flatten(f, s->if_.cond));
        break;
    case IR_FOR:
        flatten_bounds(f, s);
        break;
    case IR_WHILE:
        s->while_.cond = extract_call(f, flatten(f, s->while_.cond));
        check_condition(f, s);
        break;
    case IR_YIELD:
        flatten_list(f, &s->yield.values, extract_any);
        break;
    case IR_RETURN:
        flatten_list(f, &s->return_.values, extract_call);
        break;
    case IR_BREAK:
    case IR_CONTINUE:
    case IR_SCOPE:
        break;
    }
}

static void flatten_block(void *ctx, ir_block *block)
{
    struct flattener *f = ctx;
    ir_block out = {0};
    bool changed = false;
    vec_foreach (struct ir_stmt *, it, block) {
        struct ir_stmt copy = **it;
        f->pending = (ir_block){0};
        flatten_own(f, &copy);
        ir_block before = f->pending;
        struct ir_stmt *s = before.len ? arena_dup(f->arena, &copy, sizeof copy) : *it;
        s = rewrite_blocks(f->arena, s, flatten_block, f);
        changed |= s != *it;
        vec_foreach (struct ir_stmt *, made, &before)
            vec_push(f->arena, &out, *made);
        vec_push(f->arena, &out, s);
    }
    if (changed)
        *block = out;
}

static struct ir_func *flatten_func(void *ctx, struct ir_func *func)
{
    struct flattener *f = ctx;
    ir_block body = func->body;
    f->next = 0;
    f->names.head = NULL;
    pass_names_in_use(func, &f->names);
    vec_foreach (struct ir_global, g, &f->prog->globals)
        map_put_text(&f->names, g->var->name, g->var);
    flatten_block(f, &body);
    return f->diag->failed ? NULL : pass_with_body(f->arena, func, body);
}

struct ir_program *flatten_call_expr(struct arena *a, const struct ir_program *p,
                                     const struct pass_options *o, struct diag *d)
{
    struct flattener f = {.arena = a, .prog = p, .options = o, .diag = d, .names.arena = a};
    return rewrite_funcs(a, p, PASS_EVERY, flatten_func, &f);
}

bool has_nested_call(const struct ir_program *p, struct span *at)
{
    static const struct pass_options quiet;
    struct arena a = {0};
    struct diag ignored = {.arena = &a};
    struct flattener f = {
        .arena = &a, .prog = p, .options = &quiet, .diag = &ignored, .names.arena = &a};
    rewrite_funcs(&a, p, PASS_EVERY, flatten_func, &f);
    bool found = f.first;
    if (found)
        *at = f.first->span;
    arena_free(&a);
    return found;
}
