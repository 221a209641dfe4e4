/* SPDX-License-Identifier: MIT */
#include "passes/stamp_tfree_split.h"

#include "passes/cross_pipe.h"
#include "passes/rewrite.h"

struct stamper {
    struct arena *arena;
    struct map pops; /* variable -> struct ir_call of its pop */
};

static enum walk note_pop(const struct ir_stmt *s, void *ctx)
{
    struct stamper *x = ctx;
    const struct ir_call *call = s->kind == IR_ASSIGN ? ir_leaf_call(s) : NULL;
    if (pipe_is_pop(call))
        map_put(&x->pops, s->assign.targets.items[0], (void *)call);
    return WALK_INTO;
}

static struct ir_expr *stamp(void *ctx, struct ir_expr *e)
{
    struct stamper *x = ctx;
    if (e->kind != IR_CALL || !pipe_is_free(&e->call) || e->call.args.len == 0 ||
        e->call.args.items[0]->kind != IR_VAR)
        return e;
    const struct ir_call *pop = map_get(&x->pops, e->call.args.items[0]->var);
    struct ir_expr *copy = arena_dup(x->arena, e, sizeof *e);
    static const char *const names[] = {"split", "id"};
    for (size_t i = 0; pop && i < 2; i++) {
        struct ir_expr *value = ir_kwarg_find(&pop->kwargs, names[i]);
        if (value && !ir_kwarg_find(&copy->call.kwargs, names[i]))
            copy->call.kwargs = pass_with_keyword(x->arena, &copy->call.kwargs, names[i], value);
    }
    return copy->call.kwargs.len != e->call.kwargs.len ? copy : e;
}

static void stamp_block(void *ctx, ir_block *block)
{
    struct stamper *x = ctx;
    ir_block out = {0};
    bool changed = false;
    vec_foreach (struct ir_stmt *, it, block) {
        struct ir_stmt *s = rewrite_exprs(x->arena, *it, stamp, x);
        s = rewrite_blocks(x->arena, s, stamp_block, x);
        vec_push(x->arena, &out, s);
        changed |= s != *it;
    }
    if (changed)
        *block = out;
}

static struct ir_func *stamp_func(void *ctx, struct ir_func *f)
{
    struct stamper *x = ctx;
    x->pops = (struct map){.arena = x->arena};
    pass_find_stmt(&f->body, note_pop, x);
    ir_block body = f->body;
    stamp_block(x, &body);
    return pass_with_body(x->arena, f, body);
}

struct ir_program *stamp_tfree_split(struct arena *a, const struct ir_program *p,
                                     const struct pass_options *o, struct diag *d)
{
    (void)o, (void)d;
    struct stamper x = {.arena = a};
    return rewrite_funcs(a, p, PASS_CORE, stamp_func, &x);
}
