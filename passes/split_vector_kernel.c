/* SPDX-License-Identifier: MIT */
#include "passes/split_vector_kernel.h"

#include <string.h>

#include "ir/infer.h"
#include "ir/ops.h"
#include "ir/space.h"
#include "passes/clone.h"
#include "passes/cross_pipe.h"
#include "passes/refusals.h"
#include "passes/rewrite.h"
#include "passes/split_axis.h"

struct splitter {
    struct arena *arena;
    const struct ir_program *prog;
    struct diag *diag;
};

static bool is_true(const ir_kwargs *attrs, const char *name)
{
    const struct ir_expr *e = ir_kwarg_find(attrs, name);
    return e && e->kind == IR_BOOLEAN && e->boolean;
}

/* ---- the second vector core, where nothing is split ---- */

struct replay {
    struct splitter *x;
    struct cloner c;
};

static ir_block replay_block(struct replay *r, const ir_block *block);

static bool is_view(const struct ir_expr *e)
{
    return e->kind == IR_CALL && e->call.name && !strcmp(e->call.name, "TileView");
}

/* t with nothing of it valid. */
static struct ir_type *empty_type(struct arena *a, const struct ir_type *t, struct span at)
{
    if (!t || t->kind != IR_TYPE_TILE)
        return (struct ir_type *)t;
    struct ir_type *out = arena_dup(a, t, sizeof *t);
    struct ir_expr *view = ir_expr_new(a, IR_CALL, at), *zeros = ir_expr_new(a, IR_LIST, at);
    view->call.callee = IR_CALLEE_UNKNOWN;
    view->call.name = view->call.written = "TileView";
    out->annots = (ir_exprs){0};
    for (size_t i = 0; i < t->shape.len; i++)
        vec_push(a, &zeros->items, ir_int(a, 0, IR_INDEX, at));
    vec_foreach (struct ir_expr *, e, &t->annots) {
        if (is_view(*e))
            view = arena_dup(a, *e, sizeof **e);
        else
            vec_push(a, &out->annots, *e);
    }
    ir_kwargs rest = pass_with_keyword(a, &view->call.kwargs, "valid_shape", NULL);
    struct ir_kwarg valid = {"valid_shape", zeros, at};
    view->call.kwargs = (ir_kwargs){0};
    vec_push(a, &view->call.kwargs, valid);
    vec_foreach (struct ir_kwarg, k, &rest)
        vec_push(a, &view->call.kwargs, *k);
    vec_push(a, &out->annots, view);
    return out;
}

/* A tile of that shape without contents: in place of a load, of a part, of a transposition. */
static struct ir_expr *create(struct replay *r, const struct ir_expr *e, const struct ir_type *t,
                              struct ir_expr *shape)
{
    struct arena *a = r->x->arena;
    ir_exprs args = {0};
    vec_push(a, &args, shape);
    struct ir_expr *call = ir_op_call(a, "tile.create", args, e->span);
    enum ir_space space = ir_space_of_type(t);
    struct ir_expr *dtype =
        pass_constant(a, arena_printf(a, "pl.%s", ir_dtype_name(t->dtype)), e->span);
    call->call.kwargs = pass_with_keyword(a, &call->call.kwargs, "dtype", dtype);
    call->call.kwargs = pass_with_keyword(
        a, &call->call.kwargs, "target_memory",
        pass_constant(a, ir_space_name(space == IR_SPACE_NONE ? IR_SPACE_VEC : space), e->span));
    call->type = ir_infer_call(a, &call->call);
    return call;
}

static bool is_named(const struct ir_call *call, const char *name)
{
    return call->op && strcmp(call->op->name, name) == 0;
}

/* The call on tiles of which nothing is valid. */
static struct ir_expr *replay_call(struct replay *r, struct ir_expr *e, const struct ir_type *t)
{
    struct arena *a = r->x->arena;
    const struct ir_call *call = &e->call;
    if (is_named(call, "tile.load") && call->args.len >= 3)
        return create(r, e, t, clone_expr(&r->c, call->args.items[2]));
    if (is_named(call, "tile.slice") && call->args.len >= 3)
        return create(r, e, t, clone_expr(&r->c, call->args.items[1]));
    if (is_named(call, "tile.transpose") && t)
        return create(r, e, t, ir_tuple(a, t->shape, e->span));
    struct ir_expr *copy = arena_dup(a, clone_expr(&r->c, e), sizeof *e);
    if (is_named(call, "tile.set_validshape") && call->args.len == 3) {
        ir_exprs args = {0};
        vec_push(a, &args, copy->call.args.items[0]);
        vec_push(a, &args, ir_int(a, 0, IR_INDEX, e->span));
        vec_push(a, &args, ir_int(a, 0, IR_INDEX, e->span));
        copy->call.args = args;
    }
    if (call->callee == IR_CALLEE_OP)
        copy->type = pass_type_now(a, e, &copy->call);
    return copy;
}

static struct ir_var *empty_var(struct replay *r, struct ir_var *v)
{
    struct ir_var *fresh = clone_def(&r->c, v);
    fresh->type = empty_type(r->x->arena, fresh->type, v->span);
    return fresh;
}

static struct ir_stmt *replay_assign(struct replay *r, struct ir_stmt *s)
{
    struct arena *a = r->x->arena;
    struct ir_stmt *copy = arena_dup(a, s, sizeof *s);
    struct ir_expr *e = s->assign.value;
    copy->assign.targets = (ir_vars){0};
    if (e->kind == IR_CALL && is_named(&e->call, "tile.store") && e->call.args.len >= 3) {
        /* The tensor stays as it was under its new name. */
        struct ir_expr *same = clone_expr(&r->c, e->call.args.items[2]);
        struct ir_var *v = clone_def(&r->c, s->assign.targets.items[0]);
        vec_push(a, &copy->assign.targets, v);
        copy->assign.value = same;
        if (same->kind == IR_VAR && s->assign.targets.items[0] != e->call.args.items[2]->var)
            map_put(&r->c.vars, s->assign.targets.items[0], same->var);
        return copy;
    }
    const struct ir_type *t = s->assign.targets.items[0]->type;
    copy->assign.value = e->kind == IR_CALL ? replay_call(r, e, t) : clone_expr(&r->c, e);
    vec_foreach (struct ir_var *, v, &s->assign.targets)
        vec_push(a, &copy->assign.targets,
                 e->kind == IR_CALL ? empty_var(r, *v) : clone_def(&r->c, *v));
    return copy;
}

static ir_vars carried(struct replay *r, const ir_vars *vars, const ir_exprs *inits)
{
    ir_vars out = {0};
    for (size_t i = 0; i < vars->len; i++) {
        struct ir_var *v = clone_def(&r->c, vars->items[i]);
        const struct ir_expr *init = inits && i < inits->len ? inits->items[i] : NULL;
        if (init && init->kind == IR_VAR && v->type && v->type->kind == IR_TYPE_TILE)
            v->type = clone_use(&r->c, init->var)->type;
        vec_push(r->x->arena, &out, v);
    }
    return out;
}

static struct ir_stmt *replay_compound(struct replay *r, struct ir_stmt *s)
{
    struct arena *a = r->x->arena;
    struct ir_stmt *copy = arena_dup(a, s, sizeof *s);
    ir_block *inner[PASS_MAX_BLOCKS];
    ir_vars start = {0};
    const ir_exprs *inits = s->kind == IR_FOR     ? &s->for_.inits
                            : s->kind == IR_WHILE ? &s->while_.inits
                                                  : NULL;
    if (s->kind == IR_WHILE)
        copy->while_.iter_args = start = carried(r, &s->while_.iter_args, inits);
    copy = clone_header(&r->c, copy);
    if (s->kind == IR_FOR) {
        copy->for_.var = clone_def(&r->c, s->for_.var);
        copy->for_.iter_args = start = carried(r, &s->for_.iter_args, inits);
    }
    if (s->kind == IR_SCOPE && s->scope.var)
        copy->scope.var = clone_def(&r->c, s->scope.var);
    size_t n = pass_child_blocks(copy, inner);
    for (size_t i = 0; i < n; i++)
        *inner[i] = replay_block(r, inner[i]);
    ir_vars *results = s->kind == IR_FOR     ? &copy->for_.results
                       : s->kind == IR_WHILE ? &copy->while_.results
                       : s->kind == IR_IF    ? &copy->if_.results
                                             : NULL;
    if (results)
        *results = carried(r, results, NULL);
    for (size_t i = 0; results && i < results->len && i < start.len; i++)
        results->items[i]->type = start.items[i]->type;
    return copy;
}

static ir_block replay_block(struct replay *r, const ir_block *block)
{
    struct arena *a = r->x->arena;
    ir_block out = {0};
    vec_foreach (struct ir_stmt *, it, block) {
        struct ir_stmt *s = *it;
        ir_block *inner[PASS_MAX_BLOCKS];
        if (s->kind == IR_EVAL && s->eval->kind == IR_CALL) {
            struct ir_stmt *copy = arena_dup(a, s, sizeof *s);
            copy->eval = replay_call(r, s->eval, NULL);
            if (!is_named(&s->eval->call, "tile.store"))
                vec_push(a, &out, copy);
        } else if (s->kind == IR_ASSIGN) {
            vec_push(a, &out, replay_assign(r, s));
        } else if (pass_child_blocks(s, inner)) {
            vec_push(a, &out, replay_compound(r, s));
        } else {
            vec_push(a, &out, clone_header(&r->c, s));
        }
    }
    return out;
}

/* The set-up of pipes is the same on both. */
static bool is_set_up(const struct ir_stmt *s)
{
    static const char *const names[] = {"system.reserve_buffer", "system.import_peer_buffer",
                                        "system.aiv_initialize_pipe", "system.aic_initialize_pipe"};
    const struct ir_call *call = ir_leaf_call(s);
    for (size_t i = 0; call && i < sizeof names / sizeof *names; i++)
        if (is_named(call, names[i]))
            return true;
    return false;
}

static struct ir_expr *is_first_lane(struct arena *a, struct ir_var *lane, struct span at)
{
    struct ir_expr *e = ir_expr_new(a, IR_BINARY, at);
    e->binary.op = IR_EQ;
    e->binary.lhs = ir_var_ref(a, lane, at);
    e->binary.rhs = ir_int(a, 0, IR_INDEX, at);
    e->type = ir_scalar_type(IR_BOOL);
    return e;
}

static struct ir_func *replay_on_second(struct splitter *x, struct ir_func *f)
{
    struct arena *a = x->arena;
    struct map names = {.arena = a};
    pass_names_in_use(f, &names);
    struct ir_stmt *index = split_lane_index(a, &names, f->span),
                   *branch = ir_stmt_new(a, IR_IF, f->span);
    ir_block body = {0}, first = {0};
    size_t set_up = 0;
    vec_push(a, &body, index);
    while (set_up < f->body.len && is_set_up(f->body.items[set_up]))
        vec_push(a, &body, f->body.items[set_up++]);
    for (size_t i = set_up; i < f->body.len; i++)
        vec_push(a, &first, f->body.items[i]);
    struct replay r = {x, {.arena = a, .vars.arena = a, .suffix = "_1"}};
    branch->if_.cond = is_first_lane(a, index->assign.targets.items[0], f->span);
    branch->if_.then_body = first;
    branch->if_.else_body = replay_block(&r, &first);
    branch->if_.has_else = true;
    vec_push(a, &body, branch);
    return pass_with_body(a, f, body);
}

/* ---- functions that are split ---- */

static bool mode_of_func(const struct ir_func *f, enum split_mode *mode)
{
    return split_mode_of(ir_kwarg_find(&f->attrs, "split"), mode) && *mode != SPLIT_NONE;
}

static struct ir_func *run_on_both(struct splitter *x, struct ir_func *f, enum split_mode mode)
{
    static const char *const names[] = {"", "pl.SplitMode.UP_DOWN", "pl.SplitMode.LEFT_RIGHT"};
    struct arena *a = x->arena;
    struct ir_func *out = arena_dup(a, f, sizeof *f);
    if (mode != SPLIT_NONE)
        out->attrs =
            pass_with_keyword(a, &out->attrs, "split", pass_constant(a, names[mode], f->span));
    out->attrs = pass_with_keyword(a, &out->attrs, "dual_aiv_dispatch",
                                   f->type == IR_FUNC_AIV ? ir_bool(a, true, f->span) : NULL);
    return out;
}

struct pipes {
    struct splitter *x;
    const struct ir_func *func;
    enum split_mode mode;
};

/* Odd codes say that the lanes' parts differ by one. */
static enum split_mode mode_of_code(int64_t code)
{
    return code == 0 ? SPLIT_NONE : code % 2 ? SPLIT_UP_DOWN : SPLIT_LEFT_RIGHT;
}

static enum walk note_mode(const struct ir_stmt *s, void *ctx)
{
    struct pipes *p = ctx;
    const struct ir_call *call = ir_leaf_call(s);
    const struct ir_expr *split =
        pipe_is_transport(call) ? ir_kwarg_find(&call->kwargs, "split") : NULL;
    enum split_mode mode =
        split && split->kind == IR_INT ? mode_of_code(split->integer.value) : SPLIT_NONE;
    if (mode != SPLIT_NONE && p->mode != SPLIT_NONE && mode != p->mode)
        REFUSE(p->x, SPLIT_CONFLICT, s->span, p->func->name);
    p->mode = mode != SPLIT_NONE ? mode : p->mode;
    return WALK_INTO;
}

/* The pops of a lane are halved with the tiles; the cube's pushes and pops stay whole. */
static struct ir_func *halve(struct splitter *x, struct ir_func *f, enum split_mode mode)
{
    struct arena *a = x->arena;
    struct map names = {.arena = a}, spaces = {.arena = a};
    ir_block body = f->body;
    if (f->type == IR_FUNC_AIV) {
        pass_names_in_use(f, &names);
        ir_space_collect(&spaces, f);
        struct ir_stmt *index = split_lane_index(a, &names, f->span);
        struct split_axis s = {.arena = a,
                               .prog = x->prog,
                               .diag = x->diag,
                               .spaces = &spaces,
                               .lane = index->assign.targets.items[0],
                               .mode = mode,
                               .axes.arena = a,
                               .renamed.arena = a};
        ir_block halved = split_axis_block(&s, &f->body);
        body = (ir_block){0};
        vec_push(a, &body, index);
        vec_foreach (struct ir_stmt *, it, &halved)
            vec_push(a, &body, *it);
    }
    return run_on_both(x, pass_with_body(a, f, body), mode);
}

/* The branches of an earlier run: the printed text of a function is read again. */
static enum walk find_replay(const struct ir_stmt *s, void *lane)
{
    const struct ir_expr *e = s->kind == IR_IF ? s->if_.cond : NULL;
    bool found = e && s->if_.has_else && e->kind == IR_BINARY && e->binary.op == IR_EQ &&
                 e->binary.lhs->kind == IR_VAR && e->binary.lhs->var == lane;
    return found ? WALK_FOUND : WALK_OVER;
}

static bool is_replayed(const struct ir_func *f)
{
    const struct ir_stmt *first = f->body.len ? f->body.items[0] : NULL;
    const struct ir_call *call = first && first->kind == IR_ASSIGN ? ir_leaf_call(first) : NULL;
    return call && is_named(call, "tile.get_subblock_idx") &&
           pass_find_stmt(&f->body, find_replay, first->assign.targets.items[0]);
}

static struct ir_func *split_func(void *ctx, struct ir_func *f)
{
    struct splitter *x = ctx;
    enum split_mode mode = SPLIT_NONE;
    bool stated = mode_of_func(f, &mode);
    bool dual = is_true(&f->attrs, "dual_aiv_dispatch");
    if ((f->type != IR_FUNC_AIV && f->type != IR_FUNC_AIC) || (stated && dual) ||
        (dual && is_replayed(f)))
        return f;
    if (is_true(&f->attrs, "split_aiv"))
        return run_on_both(x, f, stated ? mode : SPLIT_NONE);
    struct pipes p = {x, f, stated ? mode : SPLIT_NONE};
    pass_find_stmt(&f->body, note_mode, &p);
    if (!x->diag->failed && p.mode != SPLIT_NONE && !(stated && f->type == IR_FUNC_AIC))
        f = halve(x, f, p.mode);
    else if (f->type == IR_FUNC_AIV && dual)
        f = replay_on_second(x, f);
    return x->diag->failed ? NULL : f;
}

struct ir_program *split_vector_kernel(struct arena *a, const struct ir_program *p,
                                       const struct pass_options *o, struct diag *d)
{
    (void)o;
    struct splitter x = {a, p, d};
    return rewrite_funcs(a, p, PASS_CORE, split_func, &x);
}
