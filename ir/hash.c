/* SPDX-License-Identifier: MIT */
/*
 * The structural hash. It feeds what equality compares, in the same order, to XXH3; a variable or a
 * window counts as the number of its first meeting. Types of local variables stay out: equality
 * forgives unknown ones.
 */
#include <string.h>
#include <xxhash.h>

#include "ir/canon.h"
#include "ir/equal.h"
#include "base/map.h"

struct hashing {
    XXH3_state_t *state;
    struct arena *arena;
    struct map numbers; /* variable or window -> 1, 2, ... */
    uintptr_t count;
};

static void feed_expr(struct hashing *h, const struct ir_expr *e);
static void feed_type(struct hashing *h, const struct ir_type *t);
static void feed_block(struct hashing *h, const ir_block *block);

static void feed(struct hashing *h, uint64_t value)
{
    XXH3_64bits_update(h->state, &value, sizeof value);
}

static void feed_text(struct hashing *h, const char *s)
{
    size_t len = s ? strlen(s) : 0;
    feed(h, len);
    XXH3_64bits_update(h->state, s, len);
}

/* True at the first meeting. */
static bool feed_identity(struct hashing *h, const void *p)
{
    void *number = map_get(&h->numbers, p);
    bool fresh = !number;
    if (fresh) {
        number = (void *)++h->count;
        map_put(&h->numbers, p, number);
    }
    feed(h, (uintptr_t)number);
    return fresh;
}

static void feed_vars(struct hashing *h, const ir_vars *vars)
{
    feed(h, vars->len);
    vec_foreach (struct ir_var *, v, vars)
        feed_identity(h, *v);
}

static void feed_exprs(struct hashing *h, const ir_exprs *items)
{
    feed(h, items->len);
    vec_foreach (struct ir_expr *, e, items)
        feed_expr(h, *e);
}

static void feed_kwargs(struct hashing *h, const ir_kwargs *keywords)
{
    const ir_kwargs kw = canon_kwargs(h->arena, keywords);
    feed(h, kw.len);
    vec_foreach (struct ir_kwarg, k, &kw) {
        feed_text(h, k->name);
        feed_expr(h, k->value);
    }
}

static void feed_window(struct hashing *h, const struct ir_window_buffer *w)
{
    feed(h, w != NULL);
    if (!w || !feed_identity(h, w))
        return;
    feed(h, (uint64_t)w->load_from_host << 1 | w->store_to_host);
    if (w->base)
        feed_identity(h, w->base);
    if (w->size)
        feed_expr(h, w->size);
}

static void feed_call(struct hashing *h, const struct ir_expr *e)
{
    const struct ir_call call = canon_call(h->arena, &e->call);
    feed(h, call.callee);
    feed_text(h, call.name);
    feed_text(h, call.written);
    if (e->type && strcmp(e->call.name, IR_WINDOW_SLOT) == 0)
        feed_window(h, e->type->window);
    feed_exprs(h, &call.args);
    feed_kwargs(h, &call.kwargs);
    feed_kwargs(h, &e->call.attrs);
}

static void feed_expr(struct hashing *h, const struct ir_expr *e)
{
    feed(h, e->kind);
    switch (e->kind) {
    case IR_VAR:
        feed_identity(h, e->var);
        break;
    case IR_INT:
        feed(h, (uint64_t)e->integer.value);
        feed(h, e->integer.dtype == IR_INT64 ? IR_INDEX : e->integer.dtype);
        break;
    case IR_FLOAT:
        XXH3_64bits_update(h->state, &e->real.value, sizeof e->real.value);
        feed(h, e->real.dtype);
        break;
    case IR_BOOLEAN:
        feed(h, e->boolean);
        break;
    case IR_STRING:
        feed_text(h, e->string);
        break;
    case IR_NONE:
        break;
    case IR_NAME:
        feed_text(h, e->name);
        feed_type(h, e->type);
        break;
    case IR_CALL:
        feed_call(h, e);
        break;
    case IR_TUPLE:
    case IR_LIST:
        feed_exprs(h, &e->items);
        break;
    case IR_DICT:
        feed_kwargs(h, &e->dict);
        break;
    case IR_GETITEM:
        feed(h, (uint64_t)e->getitem.index);
        feed_expr(h, e->getitem.base);
        break;
    case IR_BINARY:
        feed(h, e->binary.op);
        feed_expr(h, e->binary.lhs);
        feed_expr(h, e->binary.rhs);
        break;
    case IR_UNARY:
        feed(h, e->unary.op);
        feed_expr(h, e->unary.operand);
        break;
    case IR_CAST:
        feed(h, e->cast.dtype);
        feed_expr(h, e->cast.operand);
        break;
    }
}

static void feed_type(struct hashing *h, const struct ir_type *t)
{
    feed(h, t != NULL);
    if (!t)
        return;
    feed(h, t->kind);
    feed(h, t->dtype);
    feed_text(h, t->text);
    feed(h, t->elems.len);
    for (size_t i = 0; i < t->elems.len; i++)
        feed_type(h, t->elems.items[i]);
    feed_exprs(h, &t->shape);
    const ir_exprs annots = canon_annots(h->arena, t);
    feed_exprs(h, &annots);
    feed_window(h, t->window);
}

static void feed_stmt(struct hashing *h, const struct ir_stmt *s)
{
    feed(h, s->kind);
    switch (s->kind) {
    case IR_ASSIGN:
        feed_expr(h, s->assign.value);
        feed_vars(h, &s->assign.targets);
        break;
    case IR_EVAL:
        feed_expr(h, s->eval);
        break;
    case IR_IF:
        feed_expr(h, s->if_.cond);
        feed(h, s->if_.has_else);
        feed_block(h, &s->if_.then_body);
        feed_block(h, &s->if_.else_body);
        feed_vars(h, &s->if_.results);
        break;
    case IR_FOR:
        feed(h, s->for_.kind);
        feed_expr(h, s->for_.start);
        feed_expr(h, s->for_.stop);
        feed_expr(h, s->for_.step);
        feed_exprs(h, &s->for_.inits);
        feed_kwargs(h, &s->for_.kwargs);
        feed_identity(h, s->for_.var);
        feed_vars(h, &s->for_.iter_args);
        feed_block(h, &s->for_.body);
        feed_vars(h, &s->for_.results);
        break;
    case IR_WHILE:
        feed_exprs(h, &s->while_.inits);
        feed_vars(h, &s->while_.iter_args);
        feed_expr(h, s->while_.cond);
        feed_block(h, &s->while_.body);
        feed_vars(h, &s->while_.results);
        break;
    case IR_YIELD:
        feed_exprs(h, &s->yield.values);
        break;
    case IR_RETURN:
        feed_exprs(h, &s->return_.values);
        break;
    case IR_BREAK:
    case IR_CONTINUE:
        break;
    case IR_SCOPE:
        feed_expr(h, s->scope.call);
        feed(h, s->scope.lanes);
        if (s->scope.var)
            feed_identity(h, s->scope.var);
        feed_block(h, &s->scope.body);
        break;
    }
}

static void feed_block(struct hashing *h, const ir_block *block)
{
    const ir_block list = canon_block(h->arena, block);
    feed(h, list.len);
    vec_foreach (struct ir_stmt *, s, &list)
        feed_stmt(h, *s);
}

static void feed_func(struct hashing *h, const struct ir_func *f)
{
    feed_text(h, f->name);
    feed(h, f->type);
    feed(h, f->is_abstract);
    feed_text(h, f->python ? f->python : "");
    const ir_kwargs decorator = canon_decorator(h->arena, f);
    feed_kwargs(h, &decorator);
    feed(h, f->params.len);
    vec_foreach (struct ir_param, p, &f->params) {
        feed(h, p->direction);
        feed_identity(h, p->var);
    }
    vec_foreach (struct ir_param, p, &f->params)
        feed_type(h, p->var->type);
    feed_type(h, f->return_type);
    feed_block(h, &f->body);
}

uint64_t ir_hash(const struct ir_program *p)
{
    struct arena arena = {0};
    struct hashing h = {.state = XXH3_createState(), .arena = &arena, .numbers.arena = &arena};
    XXH3_64bits_reset(h.state);
    const canon_funcs funcs = canon_program(&arena, p);
    vec_foreach (const struct ir_func *, f, &funcs)
        feed_func(&h, *f);
    uint64_t digest = XXH3_64bits_digest(h.state);
    XXH3_freeState(h.state);
    arena_free(&arena);
    return digest;
}
