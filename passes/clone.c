/* SPDX-License-Identifier: MIT */
#include "passes/clone.h"

#include "passes/pass.h"
#include "passes/rewrite.h"

struct ir_var *clone_use(const struct cloner *c, struct ir_var *v)
{
    struct ir_var *known = map_get(&c->vars, v);
    return known ? known : v;
}

struct ir_var *clone_def(struct cloner *c, struct ir_var *v)
{
    struct ir_var *known = map_get(&c->vars, v);
    if (known)
        return known;
    const char *name = c->suffix ? arena_printf(c->arena, "%s%s", v->name, c->suffix) : v->name;
    struct ir_var *fresh = ir_var_new(c->arena, name, clone_type(c, v->type), v->span);
    fresh->shown = v->shown;
    map_put(&c->vars, v, fresh);
    return fresh;
}

static ir_vars clone_defs(struct cloner *c, const ir_vars *vars)
{
    ir_vars out = {0};
    vec_foreach (struct ir_var *, v, vars)
        vec_push(c->arena, &out, clone_def(c, *v));
    return out;
}

static struct ir_expr *renamed(void *ctx, struct ir_expr *e)
{
    struct cloner *c = ctx;
    struct ir_expr copy = *e;
    if (e->kind == IR_VAR)
        copy.var = clone_use(c, e->var);
    copy.type = e->kind == IR_VAR ? copy.var->type : clone_type(c, e->type);
    bool changed = copy.type != e->type || (e->kind == IR_VAR && copy.var != e->var);
    return changed ? arena_dup(c->arena, &copy, sizeof copy) : e;
}

struct ir_expr *clone_expr(struct cloner *c, struct ir_expr *e)
{
    return e ? rewrite_expr(c->arena, e, renamed, c) : NULL;
}

static bool clone_list(struct cloner *c, ir_exprs *list)
{
    ir_exprs old = *list;
    bool changed = false;
    *list = (ir_exprs){0};
    vec_foreach (struct ir_expr *, e, &old) {
        vec_push(c->arena, list, clone_expr(c, *e));
        changed |= list->items[list->len - 1] != *e;
    }
    return changed;
}

struct ir_type *clone_type(struct cloner *c, struct ir_type *t)
{
    if (!t)
        return t;
    struct ir_type copy = *t;
    bool shape = clone_list(c, &copy.shape), changed = clone_list(c, &copy.annots) || shape;
    copy.elems.items = arena_array(c->arena, struct ir_type *, t->elems.len);
    copy.elems.cap = t->elems.len;
    for (size_t i = 0; i < t->elems.len; i++) {
        copy.elems.items[i] = clone_type(c, t->elems.items[i]);
        changed |= copy.elems.items[i] != t->elems.items[i];
    }
    return changed ? arena_dup(c->arena, &copy, sizeof copy) : t;
}

struct ir_stmt *clone_header(struct cloner *c, struct ir_stmt *s)
{
    return arena_dup(c->arena, rewrite_exprs(c->arena, s, renamed, c), sizeof *s);
}

/* Names are bound where the text binds them: initial values and bounds of a loop come before. */
static struct ir_stmt *clone_stmt(struct cloner *c, struct ir_stmt *s)
{
    struct ir_stmt *copy = arena_dup(c->arena, s, sizeof *s);
    if (s->kind == IR_WHILE)
        copy->while_.iter_args = clone_defs(c, &s->while_.iter_args);
    copy = clone_header(c, copy);
    switch (s->kind) {
    case IR_ASSIGN:
        copy->assign.targets = clone_defs(c, &s->assign.targets);
        break;
    case IR_FOR:
        copy->for_.var = clone_def(c, s->for_.var);
        copy->for_.iter_args = clone_defs(c, &s->for_.iter_args);
        break;
    case IR_SCOPE:
        copy->scope.var = s->scope.var ? clone_def(c, s->scope.var) : NULL;
        break;
    default:
        break;
    }
    ir_block *from[PASS_MAX_BLOCKS], *to[PASS_MAX_BLOCKS];
    size_t n = pass_child_blocks(s, from);
    pass_child_blocks(copy, to);
    for (size_t i = 0; i < n; i++)
        *to[i] = clone_block(c, from[i]);
    if (s->kind == IR_IF)
        copy->if_.results = clone_defs(c, &s->if_.results);
    else if (s->kind == IR_FOR)
        copy->for_.results = clone_defs(c, &s->for_.results);
    else if (s->kind == IR_WHILE)
        copy->while_.results = clone_defs(c, &s->while_.results);
    return copy;
}

ir_block clone_block(struct cloner *c, const ir_block *block)
{
    ir_block out = {0};
    vec_foreach (struct ir_stmt *, s, block)
        vec_push(c->arena, &out, clone_stmt(c, *s));
    return out;
}

struct ir_func *clone_func(struct cloner *c, const struct ir_func *f)
{
    struct ir_func *copy = arena_dup(c->arena, f, sizeof *f);
    copy->params.items =
        arena_dup(c->arena, f->params.items, f->params.len * sizeof *f->params.items);
    copy->params.cap = f->params.len;
    vec_foreach (struct ir_param, p, &copy->params)
        p->var = clone_def(c, p->var);
    copy->return_type = clone_type(c, f->return_type);
    copy->body = clone_block(c, &f->body);
    return copy;
}
