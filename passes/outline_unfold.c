/* SPDX-License-Identifier: MIT */
/*
 * Launches whose bodies are kernels (pypto-front-facts 2.11): a loop over pl.spmd, and with pl.spmd
 * around what asks for its block. The compiler's parser makes of both a scope of the launch around one
 * of the kernel; text shows them as they were written.
 */
#include <string.h>

#include "ir/ops.h"
#include "passes/outline.h"
#include "passes/pass.h"
#include "passes/rewrite.h"

static bool is_spmd(const struct ir_stmt *s)
{
    return s->kind == IR_SCOPE && s->scope.call->kind == IR_CALL &&
           strcmp(s->scope.call->call.name, "spmd") == 0;
}

static bool asks_no_block(const struct ir_expr *e, void *ctx)
{
    (void)ctx;
    return !(e->kind == IR_CALL && e->call.op &&
             strcmp(e->call.op->name, "tile.get_block_idx") == 0);
}

static enum walk find_question(const struct ir_stmt *s, void *ctx)
{
    return pass_walk_stmt(s, asks_no_block, ctx) ? WALK_INTO : WALK_FOUND;
}

static bool is_kernel(const struct ir_stmt *s)
{
    const struct ir_expr *list = ir_kwarg_find(&s->scope.call->call.kwargs, "optimizations");
    bool alone = s->scope.body.len == 1 && outline_is_scope(s->scope.body.items[0], OUTLINE_INCORE);
    return s->scope.lanes || (!alone && ((list && list->kind == IR_LIST && list->items.len) ||
                                         pass_find_stmt(&s->scope.body, find_question, NULL)));
}

/* A hint X names the kernel X and the launch X_spmd; so does X_spmd. */
static void split_hint(struct arena *a, const struct ir_expr *hint, struct ir_expr **kernel,
                       struct ir_expr **launch)
{
    static const char end[] = "_spmd";
    *kernel = *launch = NULL;
    if (!hint || hint->kind != IR_STRING || !*hint->string)
        return;
    size_t len = strlen(hint->string), tail = sizeof end - 1;
    bool whole = len >= tail && strcmp(hint->string + len - tail, end) == 0;
    *kernel = arena_dup(a, hint, sizeof *hint);
    *launch = arena_dup(a, hint, sizeof *hint);
    if (whole)
        (*kernel)->string = arena_strndup(a, hint->string, len - tail);
    else
        (*launch)->string = arena_printf(a, "%s%s", hint->string, end);
}

static struct ir_stmt *kernel_of(struct arena *a, const struct ir_stmt *s, struct ir_expr *hint)
{
    struct span at = s->scope.call->span;
    struct ir_stmt *kernel = ir_stmt_new(a, IR_SCOPE, s->span);
    struct ir_expr *call = ir_expr_new(a, IR_CALL, at),
                   *list = ir_kwarg_find(&s->scope.call->call.kwargs, "optimizations");
    call->call.callee = s->scope.call->call.callee;
    call->call.name = call->call.written = "at";
    const struct ir_kwarg level = {"level", pass_constant(a, "pl.Level.CORE_GROUP", at), at};
    vec_push(a, &call->call.kwargs, level);
    if (list)
        call->call.kwargs = pass_with_keyword(a, &call->call.kwargs, "optimizations", list);
    if (hint)
        call->call.kwargs = pass_with_keyword(a, &call->call.kwargs, "name_hint", hint);
    kernel->scope.call = call;
    if (s->scope.lanes) {
        struct ir_expr *index = ir_op_call(a, "tile.get_block_idx", (ir_exprs){0}, at);
        vec_push(a, &kernel->scope.body, pass_assign(a, s->scope.var, index));
    }
    vec_foreach (struct ir_stmt *, in, &s->scope.body)
        vec_push(a, &kernel->scope.body, *in);
    return kernel;
}

static struct ir_stmt *unfold(struct arena *a, const struct ir_stmt *s)
{
    struct ir_expr *kernel_hint, *launch_hint, *call = s->scope.call;
    struct ir_stmt *launch = arena_dup(a, s, sizeof *s);
    split_hint(a, ir_kwarg_find(&call->call.kwargs, "name_hint"), &kernel_hint, &launch_hint);
    launch->scope.call = arena_dup(a, call, sizeof *call);
    ir_kwargs *kw = &launch->scope.call->call.kwargs;
    *kw = pass_with_keyword(a, kw, "optimizations", NULL);
    *kw = pass_with_keyword(a, kw, "name_hint", launch_hint);
    launch->scope.body = (ir_block){0};
    vec_push(a, &launch->scope.body, kernel_of(a, s, kernel_hint));
    if (s->scope.lanes)
        launch->scope.var = NULL;
    launch->scope.lanes = false;
    return launch;
}

static void unfold_block(void *ctx, ir_block *block)
{
    struct arena *a = ctx;
    ir_block out = {0};
    bool changed = false;
    vec_foreach (struct ir_stmt *, it, block) {
        struct ir_stmt *s = rewrite_blocks(a, *it, unfold_block, a);
        if (is_spmd(s) && is_kernel(s))
            s = unfold(a, s);
        changed |= s != *it;
        vec_push(a, &out, s);
    }
    if (changed)
        *block = out;
}

struct ir_func *outline_unfold_spmd(struct arena *a, struct ir_func *f)
{
    ir_block body = f->body;
    unfold_block(a, &body);
    return pass_with_body(a, f, body);
}
