/* SPDX-License-Identifier: MIT */
#include "passes/group_dispatch.h"

#include <string.h>

#include "passes/comm_domain_internal.h"
#include "passes/rewrite.h"

/* ---- the mark ---- */

static const struct ir_expr *loop_attrs(const struct ir_stmt *loop)
{
    const struct ir_expr *attrs = ir_kwarg_find(&loop->for_.kwargs, "attrs");
    return attrs && attrs->kind == IR_DICT ? attrs : NULL;
}

/* The attribute's value, or NULL where there is none. */
static const struct ir_expr *mark_of(const struct ir_stmt *loop)
{
    const struct ir_expr *attrs = loop->kind == IR_FOR ? loop_attrs(loop) : NULL;
    return attrs ? ir_kwarg_find(&attrs->dict, GROUP_DISPATCH_ATTR) : NULL;
}

bool group_dispatch_is_marked(const struct ir_stmt *loop)
{
    const struct ir_expr *mark = mark_of(loop);
    return mark && mark->kind == IR_BOOLEAN && mark->boolean;
}

static struct ir_stmt *with_mark(struct arena *a, const struct ir_stmt *loop)
{
    static const ir_kwargs none;
    const struct ir_expr *old = loop_attrs(loop);
    struct ir_stmt *copy = arena_dup(a, loop, sizeof *loop);
    struct ir_expr *yes = ir_bool(a, true, loop->span),
                   *attrs = ir_expr_new(a, IR_DICT, loop->span);
    attrs->dict = pass_with_keyword(a, old ? &old->dict : &none, GROUP_DISPATCH_ATTR, yes);
    copy->for_.kwargs = pass_with_keyword(a, &loop->for_.kwargs, "attrs", attrs);
    return copy;
}

/* ---- which loops ---- */

/* Operators that compute a place and touch no memory. */
static const char *const views[] = {"tensor.slice", "pld.tensor.window"};

static bool is_view(const struct ir_expr *e)
{
    const struct ir_call *call = &e->call;
    if (call->callee == IR_CALLEE_UNKNOWN)
        return strcmp(call->name, "[]") == 0 && ir_type_is_tensor_like(e->type);
    for (size_t i = 0; call->callee == IR_CALLEE_OP && i < sizeof views / sizeof *views; i++)
        if (strcmp(call->name, views[i]) == 0)
            return true;
    return false;
}

static bool is_inert(const struct ir_expr *e, void *root)
{
    return e->kind != IR_CALL || e == root || is_view(e);
}

static bool is_dispatch(struct comm_host *h, const struct ir_stmt *loop, const struct ir_expr *e)
{
    if (e->kind != IR_CALL || e->call.callee != IR_CALLEE_USER || !comm_domain_is_dispatch(h, e))
        return false;
    const struct ir_expr *device = comm_domain_device(&e->call);
    return device && device->kind == IR_VAR && device->var == loop->for_.var;
}

/* Exactly one dispatch, and beside it views and nothing else. */
static bool is_group_body(struct comm_host *h, const struct ir_stmt *loop)
{
    size_t dispatches = 0;
    vec_foreach (struct ir_stmt *, it, &loop->for_.body) {
        const struct ir_stmt *s = *it;
        if (s->kind != IR_ASSIGN && s->kind != IR_EVAL)
            return false;
        struct ir_expr *e = s->kind == IR_ASSIGN ? s->assign.value : s->eval;
        bool dispatch = is_dispatch(h, loop, e),
             view = s->kind == IR_ASSIGN && e->kind == IR_CALL && is_view(e);
        if ((!dispatch && !view) || !ir_walk_expr(e, is_inert, e))
            return false;
        dispatches += dispatch;
    }
    return dispatches == 1;
}

/* A loop that carries values ends in a yield, and so has no such body. */
static bool is_group_loop(struct comm_host *h, const struct ir_stmt *s)
{
    int64_t start, step;
    return s->kind == IR_FOR && s->for_.kind == IR_RANGE &&
           comm_domain_is_world_size(h, s->for_.stop) &&
           comm_domain_const(h, s->for_.start, &start) && start == 0 &&
           comm_domain_const(h, s->for_.step, &step) && step == 1 && is_group_body(h, s);
}

static void mark_block(void *ctx, ir_block *block)
{
    struct comm_host *h = ctx;
    ir_block fresh = {0};
    bool changed = false;
    vec_foreach (struct ir_stmt *, it, block) {
        struct ir_stmt *s = rewrite_blocks(h->arena, *it, mark_block, h);
        if (is_group_loop(h, s) && !mark_of(s))
            s = with_mark(h->arena, s);
        changed |= s != *it;
        vec_push(h->arena, &fresh, s);
    }
    if (changed)
        *block = fresh;
}

void group_dispatch_mark(struct comm_host *h, ir_block *block)
{
    mark_block(h, block);
}
