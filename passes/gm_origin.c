/* SPDX-License-Identifier: MIT */
#include "passes/gm_origin.h"

#include "ir/ops.h"
#include "passes/pass.h"

struct ir_var *gm_origin_of(const struct map *m, const struct ir_expr *e)
{
    while (e && e->kind == IR_CALL && e->call.callee == IR_CALLEE_OP &&
           (e->call.op->result == IR_RESULT_ARG || e->call.op->result == IR_RESULT_IN_PLACE) &&
           (size_t)e->call.op->result_arg < e->call.args.len)
        e = e->call.args.items[e->call.op->result_arg];
    return e && e->kind == IR_VAR ? map_get(m, e->var) : NULL;
}

static void take(struct map *m, const struct ir_var *v, struct ir_var *origin)
{
    if (origin && !map_get(m, v))
        map_put(m, v, origin);
}

static const struct ir_expr *yielded(const ir_block *block, size_t i)
{
    const struct ir_stmt *y = ir_block_yield(block);
    return y && i < y->yield.values.len ? y->yield.values.items[i] : NULL;
}

static void add_block(struct map *m, const ir_block *block);

static void add_loop(struct map *m, const ir_vars *carried, const ir_exprs *inits,
                     const ir_block *body, const ir_vars *results)
{
    for (size_t i = 0; i < carried->len; i++)
        take(m, carried->items[i], gm_origin_of(m, inits->items[i]));
    add_block(m, body);
    for (size_t i = 0; i < results->len; i++)
        take(m, results->items[i], gm_origin_of(m, yielded(body, i)));
}

static void add_stmt(struct map *m, struct ir_stmt *s)
{
    switch (s->kind) {
    case IR_ASSIGN:
        if (s->assign.targets.len == 1)
            take(m, s->assign.targets.items[0], gm_origin_of(m, s->assign.value));
        break;
    case IR_IF:
        add_block(m, &s->if_.then_body);
        add_block(m, &s->if_.else_body);
        for (size_t i = 0; i < s->if_.results.len; i++) {
            struct ir_var *then = gm_origin_of(m, yielded(&s->if_.then_body, i)),
                          *other = gm_origin_of(m, yielded(&s->if_.else_body, i));
            take(m, s->if_.results.items[i], then == other ? then : NULL);
        }
        break;
    case IR_FOR:
        add_loop(m, &s->for_.iter_args, &s->for_.inits, &s->for_.body, &s->for_.results);
        break;
    case IR_WHILE:
        add_loop(m, &s->while_.iter_args, &s->while_.inits, &s->while_.body, &s->while_.results);
        break;
    case IR_SCOPE:
        add_block(m, &s->scope.body);
        break;
    default:
        break;
    }
}

static void add_block(struct map *m, const ir_block *block)
{
    vec_foreach (struct ir_stmt *, s, block)
        add_stmt(m, *s);
}

void gm_origins(struct map *m, const struct ir_func *f)
{
    vec_foreach (struct ir_param, p, &f->params)
        map_put(m, p->var, p->var);
    add_block(m, &f->body);
}
