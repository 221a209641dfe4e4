/* SPDX-License-Identifier: MIT */
#include "ir/equal.h"

#include <string.h>

#include "ir/map.h"

/*
 * Variables and windows of the two programs, paired one to one at their first meeting. Types of
 * parameters and of single targets count; those that text has no place for (iteration variables,
 * tuple targets) follow from their values. A local variable without a type agrees with any:
 * inference would fill it in.
 */
struct pairing {
    struct map forward, backward;
};

static bool equal_expr(struct pairing *c, const struct ir_expr *x, const struct ir_expr *y);
static bool equal_type(struct pairing *c, const struct ir_type *x, const struct ir_type *y);
static bool equal_block(struct pairing *c, const ir_block *x, const ir_block *y);

/* True when x and y are partners; *fresh tells that they have just become so. */
static bool pair(struct pairing *c, const void *x, const void *y, bool *fresh)
{
    const void *partner = map_get(&c->forward, x);
    *fresh = !partner && !map_get(&c->backward, y);
    if (*fresh) {
        map_put(&c->forward, x, (void *)y);
        map_put(&c->backward, y, (void *)x);
        return true;
    }
    return partner == y;
}

static bool equal_text(const char *x, const char *y)
{
    return x == y || (x && y && strcmp(x, y) == 0);
}

static bool equal_var(struct pairing *c, const struct ir_var *x, const struct ir_var *y)
{
    bool fresh;
    return pair(c, x, y, &fresh);
}

static bool equal_vars(struct pairing *c, const ir_vars *x, const ir_vars *y)
{
    if (x->len != y->len)
        return false;
    for (size_t i = 0; i < x->len; i++)
        if (!equal_var(c, x->items[i], y->items[i]))
            return false;
    return true;
}

/* Variables that a statement binds, with the types that text can annotate. */
static bool equal_targets(struct pairing *c, const ir_vars *x, const ir_vars *y)
{
    if (!equal_vars(c, x, y))
        return false;
    if (x->len != 1 || !x->items[0]->type || !y->items[0]->type)
        return true;
    return equal_type(c, x->items[0]->type, y->items[0]->type);
}

static bool equal_optional(struct pairing *c, const struct ir_expr *x, const struct ir_expr *y)
{
    return x && y ? equal_expr(c, x, y) : x == y;
}

static bool equal_window(struct pairing *c, const struct ir_window_buffer *x,
                         const struct ir_window_buffer *y)
{
    bool fresh;
    if (!x || !y)
        return x == y;
    if (!pair(c, x, y, &fresh))
        return false;
    if (!fresh)
        return true;
    if (x->load_from_host != y->load_from_host || x->store_to_host != y->store_to_host ||
        !x->base != !y->base)
        return false;
    return (!x->base || equal_var(c, x->base, y->base)) && equal_optional(c, x->size, y->size);
}

/* ---- expressions ---- */

static bool equal_exprs(struct pairing *c, const ir_exprs *x, const ir_exprs *y)
{
    if (x->len != y->len)
        return false;
    for (size_t i = 0; i < x->len; i++)
        if (!equal_expr(c, x->items[i], y->items[i]))
            return false;
    return true;
}

static bool equal_kwargs(struct pairing *c, const ir_kwargs *x, const ir_kwargs *y)
{
    if (x->len != y->len)
        return false;
    for (size_t i = 0; i < x->len; i++)
        if (strcmp(x->items[i].name, y->items[i].name) != 0 ||
            !equal_expr(c, x->items[i].value, y->items[i].value))
            return false;
    return true;
}

static bool is_slot(const struct ir_expr *e)
{
    return e->type && strcmp(e->call.name, IR_WINDOW_SLOT) == 0;
}

static bool equal_call(struct pairing *c, const struct ir_expr *x, const struct ir_expr *y)
{
    if (x->call.callee != y->call.callee || strcmp(x->call.name, y->call.name) != 0 ||
        strcmp(x->call.written, y->call.written) != 0)
        return false;
    if (is_slot(x) != is_slot(y) ||
        (is_slot(x) && !equal_window(c, x->type->window, y->type->window)))
        return false;
    return equal_exprs(c, &x->call.args, &y->call.args) &&
           equal_kwargs(c, &x->call.kwargs, &y->call.kwargs) &&
           equal_kwargs(c, &x->call.attrs, &y->call.attrs);
}

static bool equal_expr(struct pairing *c, const struct ir_expr *x, const struct ir_expr *y)
{
    if (x->kind != y->kind)
        return false;
    switch (x->kind) {
    case IR_VAR:
        return equal_var(c, x->var, y->var);
    case IR_INT:
        return x->integer.value == y->integer.value && x->integer.dtype == y->integer.dtype;
    case IR_FLOAT:
        return memcmp(&x->real.value, &y->real.value, sizeof x->real.value) == 0 &&
               x->real.dtype == y->real.dtype;
    case IR_BOOLEAN:
        return x->boolean == y->boolean;
    case IR_STRING:
        return strcmp(x->string, y->string) == 0;
    case IR_NONE:
        return true;
    case IR_NAME:
        return strcmp(x->name, y->name) == 0 && equal_type(c, x->type, y->type);
    case IR_CALL:
        return equal_call(c, x, y);
    case IR_TUPLE:
    case IR_LIST:
        return equal_exprs(c, &x->items, &y->items);
    case IR_DICT:
        return equal_kwargs(c, &x->dict, &y->dict);
    case IR_GETITEM:
        return x->getitem.index == y->getitem.index &&
               equal_expr(c, x->getitem.base, y->getitem.base);
    case IR_BINARY:
        return x->binary.op == y->binary.op && equal_expr(c, x->binary.lhs, y->binary.lhs) &&
               equal_expr(c, x->binary.rhs, y->binary.rhs);
    case IR_UNARY:
        return x->unary.op == y->unary.op && equal_expr(c, x->unary.operand, y->unary.operand);
    case IR_CAST:
        return x->cast.dtype == y->cast.dtype && equal_expr(c, x->cast.operand, y->cast.operand);
    }
    return false;
}

static bool equal_type(struct pairing *c, const struct ir_type *x, const struct ir_type *y)
{
    if (!x || !y)
        return x == y;
    if (x->kind != y->kind || x->dtype != y->dtype || !equal_text(x->text, y->text) ||
        x->elems.len != y->elems.len)
        return false;
    for (size_t i = 0; i < x->elems.len; i++)
        if (!equal_type(c, x->elems.items[i], y->elems.items[i]))
            return false;
    return equal_exprs(c, &x->shape, &y->shape) && equal_exprs(c, &x->annots, &y->annots) &&
           equal_window(c, x->window, y->window);
}

/* ---- statements ---- */

static bool equal_for(struct pairing *c, const struct ir_stmt *x, const struct ir_stmt *y)
{
    return x->for_.kind == y->for_.kind && equal_expr(c, x->for_.start, y->for_.start) &&
           equal_expr(c, x->for_.stop, y->for_.stop) && equal_expr(c, x->for_.step, y->for_.step) &&
           equal_exprs(c, &x->for_.inits, &y->for_.inits) &&
           equal_kwargs(c, &x->for_.kwargs, &y->for_.kwargs) &&
           equal_var(c, x->for_.var, y->for_.var) &&
           equal_vars(c, &x->for_.iter_args, &y->for_.iter_args) &&
           equal_block(c, &x->for_.body, &y->for_.body) &&
           equal_targets(c, &x->for_.results, &y->for_.results);
}

static bool equal_while(struct pairing *c, const struct ir_stmt *x, const struct ir_stmt *y)
{
    return equal_exprs(c, &x->while_.inits, &y->while_.inits) &&
           equal_vars(c, &x->while_.iter_args, &y->while_.iter_args) &&
           equal_expr(c, x->while_.cond, y->while_.cond) &&
           equal_block(c, &x->while_.body, &y->while_.body) &&
           equal_targets(c, &x->while_.results, &y->while_.results);
}

static bool equal_stmt(struct pairing *c, const struct ir_stmt *x, const struct ir_stmt *y)
{
    if (x->kind != y->kind)
        return false;
    switch (x->kind) {
    case IR_ASSIGN:
        return equal_expr(c, x->assign.value, y->assign.value) &&
               equal_targets(c, &x->assign.targets, &y->assign.targets);
    case IR_EVAL:
        return equal_expr(c, x->eval, y->eval);
    case IR_IF:
        return equal_expr(c, x->if_.cond, y->if_.cond) && x->if_.has_else == y->if_.has_else &&
               equal_block(c, &x->if_.then_body, &y->if_.then_body) &&
               equal_block(c, &x->if_.else_body, &y->if_.else_body) &&
               equal_targets(c, &x->if_.results, &y->if_.results);
    case IR_FOR:
        return equal_for(c, x, y);
    case IR_WHILE:
        return equal_while(c, x, y);
    case IR_YIELD:
        return equal_exprs(c, &x->yield.values, &y->yield.values);
    case IR_RETURN:
        return equal_exprs(c, &x->return_.values, &y->return_.values);
    case IR_BREAK:
    case IR_CONTINUE:
        return true;
    case IR_SCOPE:
        return equal_expr(c, x->scope.call, y->scope.call) &&
               equal_block(c, &x->scope.body, &y->scope.body);
    }
    return false;
}

static bool equal_block(struct pairing *c, const ir_block *x, const ir_block *y)
{
    if (x->len != y->len)
        return false;
    for (size_t i = 0; i < x->len; i++)
        if (!equal_stmt(c, x->items[i], y->items[i]))
            return false;
    return true;
}

/* ---- functions and programs ---- */

static bool equal_func(struct pairing *c, const struct ir_func *x, const struct ir_func *y)
{
    if (strcmp(x->name, y->name) != 0 || x->type != y->type || x->params.len != y->params.len ||
        !equal_kwargs(c, &x->decorator, &y->decorator))
        return false;
    for (size_t i = 0; i < x->params.len; i++)
        if (x->params.items[i].direction != y->params.items[i].direction ||
            !equal_var(c, x->params.items[i].var, y->params.items[i].var))
            return false;
    for (size_t i = 0; i < x->params.len; i++)
        if (!equal_type(c, x->params.items[i].var->type, y->params.items[i].var->type))
            return false;
    return equal_type(c, x->return_type, y->return_type) && equal_block(c, &x->body, &y->body);
}

static bool equal_program(struct pairing *c, const struct ir_program *a, const struct ir_program *b)
{
    if (a->globals.len != b->globals.len || a->funcs.len != b->funcs.len)
        return false;
    for (size_t i = 0; i < a->globals.len; i++)
        if (!equal_var(c, a->globals.items[i].var, b->globals.items[i].var) ||
            !equal_optional(c, a->globals.items[i].value, b->globals.items[i].value))
            return false;
    for (size_t i = 0; i < a->funcs.len; i++)
        if (!equal_func(c, a->funcs.items[i], b->funcs.items[i]))
            return false;
    return true;
}

bool ir_equal(const struct ir_program *a, const struct ir_program *b)
{
    struct arena arena = {0};
    struct pairing c = {.forward.arena = &arena, .backward.arena = &arena};
    bool equal = equal_program(&c, a, b);
    arena_free(&arena);
    return equal;
}
