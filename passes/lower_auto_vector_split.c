/* SPDX-License-Identifier: MIT */
#include "passes/lower_auto_vector_split.h"

#include <string.h>

#include "ir/ops.h"
#include "ir/space.h"
#include "passes/core_affinity.h"
#include "passes/refusals.h"
#include "passes/rewrite.h"
#include "passes/split_axis.h"

struct lowering {
    struct arena *arena;
    const struct ir_program *prog;
    struct diag *diag;
    struct map spaces, names; /* of the function at hand: where its tiles lie, its variables */
    bool found;
};

static bool is_region(const struct ir_stmt *s)
{
    return s->kind == IR_SCOPE && s->scope.call && s->scope.call->kind == IR_CALL &&
           s->scope.lanes && !strcmp(s->scope.call->call.name, "split_aiv");
}

/* ---- what stays the vector cores' once the region is gone ---- */

static struct ir_expr *place(void *ctx, struct ir_expr *e)
{
    struct lowering *x = ctx;
    bool notify = e->kind == IR_CALL && e->call.callee == IR_CALLEE_OP &&
                  e->call.op->effect == IR_EFFECT_NOTIFY;
    if (!notify || ir_kwarg_find(&e->call.attrs, "core_placement"))
        return e;
    struct ir_expr *copy = arena_dup(x->arena, e, sizeof *e),
                   *aiv = ir_expr_new(x->arena, IR_STRING, e->span);
    aiv->string = "aiv";
    copy->call.attrs = pass_with_keyword(x->arena, &e->call.attrs, "core_placement", aiv);
    return copy;
}

static void place_block(void *ctx, ir_block *block)
{
    struct lowering *x = ctx;
    ir_block out = {0};
    vec_foreach (struct ir_stmt *, it, block)
        vec_push(x->arena, &out,
                 rewrite_blocks(x->arena, rewrite_exprs(x->arena, *it, place, x), place_block, x));
    *block = out;
}

/* ---- regions ---- */

static struct ir_stmt *bind_lane(struct lowering *x, const struct ir_stmt *region)
{
    struct ir_expr *index =
        ir_op_call(x->arena, "tile.get_subblock_idx", (ir_exprs){0}, region->span);
    return pass_assign(x->arena, region->scope.var, index);
}

static enum walk hands_over(const struct ir_stmt *s, void *ctx)
{
    (void)ctx;
    const struct ir_call *call = ir_leaf_call(s);
    bool found =
        call && call->op &&
        (!strcmp(call->op->name, "tile.aiv_shard") || !strcmp(call->op->name, "tile.aic_gather"));
    return found ? WALK_FOUND : WALK_INTO;
}

static enum walk find_scope(const struct ir_stmt *s, void *ctx)
{
    (void)ctx;
    return s->kind == IR_SCOPE ? WALK_FOUND : WALK_INTO;
}

static ir_block halved(struct lowering *x, const struct ir_stmt *region, enum split_mode mode)
{
    struct ir_stmt *index = split_lane_index(x->arena, &x->names, region->span);
    struct split_axis s = {.arena = x->arena,
                           .prog = x->prog,
                           .diag = x->diag,
                           .spaces = &x->spaces,
                           .lane = index->assign.targets.items[0],
                           .mode = mode,
                           .axes.arena = x->arena,
                           .renamed.arena = x->arena};
    ir_block body = split_axis_block(&s, &region->scope.body), out = {0};
    vec_push(x->arena, &out, index);
    vec_push(x->arena, &out, bind_lane(x, region));
    vec_foreach (struct ir_stmt *, it, &body)
        vec_push(x->arena, &out, *it);
    return out;
}

static void lower_region(struct lowering *x, const struct ir_stmt *region, ir_block *out)
{
    const struct ir_expr *e = ir_kwarg_find(&region->scope.call->call.kwargs, "mode");
    const struct ir_stmt *inner = pass_find_stmt(&region->scope.body, find_scope, NULL);
    enum split_mode mode = SPLIT_NONE;
    ir_block body = {0};
    if (!split_mode_of(e, &mode)) {
        REFUSE(x, SPLIT_MODE, region->span);
        return;
    }
    if (inner) {
        REFUSE(x, SPLIT_NESTED, inner->span);
        return;
    }
    if (mode == SPLIT_NONE || pass_find_stmt(&region->scope.body, hands_over, NULL)) {
        vec_push(x->arena, &body, bind_lane(x, region));
        vec_foreach (struct ir_stmt *, it, &region->scope.body)
            vec_push(x->arena, &body, *it);
    } else {
        body = halved(x, region, mode);
    }
    place_block(x, &body);
    vec_foreach (struct ir_stmt *, it, &body)
        vec_push(x->arena, out, *it);
    x->found = true;
}

static void lower_block(void *ctx, ir_block *block)
{
    struct lowering *x = ctx;
    ir_block out = {0};
    bool changed = false;
    for (size_t i = 0; i < block->len && !x->diag->failed; i++) {
        struct ir_stmt *s = block->items[i];
        if (is_region(s)) {
            lower_region(x, s, &out);
            changed = true;
            continue;
        }
        struct ir_stmt *lowered = rewrite_blocks(x->arena, s, lower_block, x);
        vec_push(x->arena, &out, lowered);
        changed |= lowered != s;
    }
    if (changed)
        *block = out;
}

/* ---- functions ---- */

static enum walk find_region(const struct ir_stmt *s, void *ctx)
{
    (void)ctx;
    return is_region(s) ? WALK_FOUND : WALK_INTO;
}

/* A region in a scope that nothing takes out of the function. */
static enum walk find_nested(const struct ir_stmt *s, void *ctx)
{
    (void)ctx;
    bool other = s->kind == IR_SCOPE && !is_region(s);
    return other && pass_find_stmt(&s->scope.body, find_region, NULL) ? WALK_FOUND : WALK_INTO;
}

static void begin(struct lowering *x, const struct ir_func *f)
{
    x->spaces = x->names = (struct map){.arena = x->arena};
    ir_space_collect(&x->spaces, f);
    pass_names_in_use(f, &x->names);
}

static struct ir_func *lower_regions(struct lowering *x, struct ir_func *f)
{
    const struct ir_stmt *nested = pass_find_stmt(&f->body, find_nested, NULL);
    if (nested) {
        REFUSE(x, SPLIT_NESTED, nested->span);
        return NULL;
    }
    begin(x, f);
    ir_block body = f->body;
    lower_block(x, &body);
    struct ir_func *out = arena_dup(x->arena, pass_with_body(x->arena, f, body), sizeof *f);
    out->attrs =
        pass_with_keyword(x->arena, &out->attrs, "split_aiv", ir_bool(x->arena, true, f->span));
    out->attrs = pass_with_keyword(x->arena, &out->attrs, "split_aiv_region_validated",
                                   ir_bool(x->arena, true, f->span));
    return x->diag->failed ? NULL : out;
}

/* The vector part of a mixed function, halved as a whole. */
static struct ir_func *lower_whole(struct lowering *x, struct ir_func *f, enum split_mode mode)
{
    struct arena *a = x->arena;
    begin(x, f);
    struct ir_stmt *index = split_lane_index(a, &x->names, f->span);
    struct split_axis s = {.arena = a,
                           .prog = x->prog,
                           .diag = x->diag,
                           .spaces = &x->spaces,
                           .lane = index->assign.targets.items[0],
                           .mode = mode,
                           .axes.arena = a,
                           .renamed.arena = a};
    ir_block body = {0}, halves = split_axis_block(&s, &f->body);
    vec_push(a, &body, index);
    vec_foreach (struct ir_stmt *, it, &halves)
        vec_push(a, &body, *it);
    struct ir_func *out = arena_dup(a, pass_with_body(a, f, body), sizeof *f);
    struct ir_expr *stated = ir_kwarg_find(&f->attrs, "split");
    out->attrs = pass_with_keyword(a, &out->attrs, "dual_aiv_dispatch", NULL);
    out->attrs = pass_with_keyword(a, &out->attrs, "split", stated);
    out->attrs = pass_with_keyword(a, &out->attrs, "split_aiv", ir_bool(a, true, f->span));
    return x->diag->failed ? NULL : out;
}

static struct ir_func *lower_func(void *ctx, struct ir_func *f)
{
    struct lowering *x = ctx;
    enum split_mode mode = SPLIT_NONE;
    if (f->type != IR_FUNC_INCORE)
        return f;
    if (pass_find_stmt(&f->body, find_region, NULL))
        return lower_regions(x, f);
    bool splits = split_mode_of(ir_kwarg_find(&f->attrs, "split"), &mode) && mode != SPLIT_NONE;
    return splits && !ir_kwarg_find(&f->attrs, "split_aiv") &&
                   core_affinity_of_func(x->prog, f) == CORE_MIXED
               ? lower_whole(x, f, mode)
               : f;
}

struct ir_program *lower_auto_vector_split(struct arena *a, const struct ir_program *p,
                                           const struct pass_options *o, struct diag *d)
{
    (void)o;
    struct lowering x = {.arena = a, .prog = p, .diag = d};
    return rewrite_funcs(a, p, PASS_CORE, lower_func, &x);
}
