/* SPDX-License-Identifier: MIT */
#include "passes/outline_cluster_scopes.h"

#include <string.h>

#include "passes/clone.h"
#include "passes/outline.h"
#include "passes/refusals.h"
#include "passes/rewrite.h"

static bool launches(const struct ir_func *f)
{
    return f->type == IR_FUNC_OPAQUE || f->type == IR_FUNC_ORCHESTRATION ||
           f->type == IR_FUNC_GRAPH;
}

/* ---- the blocks of a Group ---- */

/* A Group whose body was in a pl.spmd. */
struct blocks {
    struct outliner *o;
    struct ir_func *group;
    struct ir_expr *count, *start; /* over the Group's variables; start or NULL */
};
typedef VEC(struct blocks) block_list;

/* Takes the pl.spmd out of the block. */
static void unwrap_block(void *ctx, ir_block *block)
{
    struct blocks *b = ctx;
    ir_block out = {0};
    bool changed = false;
    vec_foreach (struct ir_stmt *, it, block) {
        struct ir_stmt *s = rewrite_blocks(b->o->arena, *it, unwrap_block, b);
        changed |= s != *it;
        if (!outline_is_scope(s, OUTLINE_SPMD)) {
            vec_push(b->o->arena, &out, s);
            continue;
        }
        if (b->count)
            REFUSE(b->o, OUTLINE_SPMD, s->scope.call->span);
        changed = true;
        b->count = outline_argument(s, "core_num", 0);
        b->start = ir_kwarg_find(&s->scope.call->call.kwargs, "sync_start");
        vec_foreach (struct ir_stmt *, in, &s->scope.body)
            vec_push(b->o->arena, &out, *in);
    }
    if (changed)
        *block = out;
}

/* An Spmd scope that is a Group's only call is the launch of that call. */
static struct ir_func *unwrap(struct outliner *o, struct ir_func *group, block_list *all)
{
    struct blocks b = {.o = o};
    ir_block body = group->body;
    unwrap_block(&b, &body);
    if (!b.count)
        return group;
    struct ir_func *out = pass_with_body(o->arena, group, body);
    out->attrs = pass_with_keyword(o->arena, &out->attrs, "spmd_unwrapped",
                                   ir_bool(o->arena, true, group->span));
    b.group = out;
    vec_push(o->arena, all, b);
    return out;
}

struct stamping {
    struct outliner *o;
    const block_list *all;
};

static bool finds_own(const struct ir_expr *e, void *ctx)
{
    const struct blocks *b = ctx;
    ir_vars defined = outline_definitions(b->o->arena, &b->group->body);
    if (e->kind == IR_VAR && ir_vars_hold(&defined, e->var))
        REFUSE(b->o, OUTLINE_COUNT, b->count->span, e->var->shown);
    return !b->o->diag->failed;
}

/* The number of blocks over the variables of the caller. */
static struct ir_expr *count_for(const struct blocks *b, const struct ir_call *call)
{
    struct cloner c = {.arena = b->o->arena, .vars.arena = b->o->arena};
    ir_walk_expr(b->count, finds_own, (void *)b);
    for (size_t i = 0; i < b->group->params.len && i < call->args.len; i++)
        if (call->args.items[i]->kind == IR_VAR)
            map_put(&c.vars, b->group->params.items[i].var, call->args.items[i]->var);
    return clone_expr(&c, b->count);
}

static struct ir_expr *stamp(void *ctx, struct ir_expr *e)
{
    const struct stamping *st = ctx;
    if (e->kind != IR_CALL ||
        (e->call.callee != IR_CALLEE_USER && e->call.callee != IR_CALLEE_SUBMIT))
        return e;
    vec_foreach (const struct blocks, b, st->all) {
        if (strcmp(b->group->name, e->call.name) != 0)
            continue;
        struct arena *a = st->o->arena;
        struct ir_expr *out = arena_dup(a, e, sizeof *e);
        ir_kwargs *kw = e->call.callee == IR_CALLEE_USER ? &out->call.attrs : &out->call.kwargs;
        *kw = pass_with_keyword(a, kw, "core_num", count_for(b, &e->call));
        if (b->start && b->start->kind == IR_BOOLEAN && b->start->boolean)
            *kw = pass_with_keyword(a, kw, "sync_start", b->start);
        return out;
    }
    return e;
}

static void stamp_block(void *ctx, ir_block *block)
{
    const struct stamping *st = ctx;
    ir_block out = {0};
    bool changed = false;
    vec_foreach (struct ir_stmt *, it, block) {
        struct ir_stmt *s = rewrite_exprs(st->o->arena, *it, stamp, ctx);
        s = rewrite_blocks(st->o->arena, s, stamp_block, ctx);
        changed |= s != *it;
        vec_push(st->o->arena, &out, s);
    }
    if (changed)
        *block = out;
}

/* ---- functions ---- */

static struct ir_func *outline(struct outliner *o, struct ir_func *f)
{
    struct ir_func *out = outline_scopes(o, outline_unfold_spmd(o->arena, f), OUTLINE_CLUSTER);
    block_list all = {0};
    for (size_t i = 0; out && i < o->made.len; i++) {
        o->made.items[i] = unwrap(o, o->made.items[i], &all);
        map_put_text(&o->functions, o->made.items[i]->name, o->made.items[i]);
    }
    struct stamping st = {o, &all};
    if (out && all.len) {
        ir_block body = out->body;
        stamp_block(&st, &body);
        out = pass_with_body(o->arena, out, body);
    }
    if (!out || o->diag->failed)
        return NULL;
    return outline_scopes(o, out, OUTLINE_SPMD);
}

struct ir_program *outline_cluster_scopes(struct arena *a, const struct ir_program *p,
                                          const struct pass_options *o, struct diag *d)
{
    (void)o;
    return outline_program(a, p, d, launches, outline);
}
