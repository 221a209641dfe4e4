/* SPDX-License-Identifier: MIT */
#include "passes/stamp_tfree_split.h"

#include <inttypes.h>
#include <string.h>

#include "ir/ops.h"
#include "passes/cross_pipe.h"
#include "passes/refusals.h"
#include "passes/rewrite.h"

struct stamper {
    struct arena *arena;
    const struct ir_program *prog;
    struct diag *diag;
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

static const struct ir_call *pop_of(const struct stamper *x, const struct ir_call *release)
{
    bool named = release->args.len > 0 && release->args.items[0]->kind == IR_VAR;
    return named ? map_get(&x->pops, release->args.items[0]->var) : NULL;
}

/* tfree_to_aic gives back what tpop_from_aic took, in the pipe that it names, if it names one. */
static enum walk find_other_pipe(const struct ir_stmt *s, void *ctx)
{
    struct stamper *x = ctx;
    const struct ir_call *release = ir_leaf_call(s);
    const struct ir_call *pop = pipe_is_free(release) ? pop_of(x, release) : NULL;
    if (!pop)
        return WALK_INTO;
    int64_t ours = ir_call_int(release, "id"), its = ir_call_int(pop, "id");
    if (strcmp(strrchr(release->name, '_'), strrchr(pop->name, '_')) != 0)
        pass_refuse(x->diag, x->prog, REFUSE_TFREE_DIRECTION, s->span, release->name, pop->name,
                    NULL);
    else if (ir_kwarg_find(&release->kwargs, "id") && ours != its)
        pass_refuse(x->diag, x->prog, REFUSE_TFREE_ID, s->span, release->name,
                    arena_printf(x->arena, "%" PRId64, ours),
                    arena_printf(x->arena, "%" PRId64, its), NULL);
    return x->diag->failed ? WALK_FOUND : WALK_INTO;
}

static struct ir_expr *stamp(void *ctx, struct ir_expr *e)
{
    struct stamper *x = ctx;
    if (e->kind != IR_CALL || !pipe_is_free(&e->call))
        return e;
    const struct ir_call *pop = pop_of(x, &e->call);
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
    if (pass_find_stmt(&f->body, find_other_pipe, x))
        return NULL;
    ir_block body = f->body;
    stamp_block(x, &body);
    return pass_with_body(x->arena, f, body);
}

struct ir_program *stamp_tfree_split(struct arena *a, const struct ir_program *p,
                                     const struct pass_options *o, struct diag *d)
{
    (void)o;
    struct stamper x = {.arena = a, .prog = p, .diag = d};
    return rewrite_funcs(a, p, PASS_CORE, stamp_func, &x);
}
