/* SPDX-License-Identifier: MIT */
#include "passes/expand_mixed_kernel.h"

#include <string.h>

#include "ir/ops.h"
#include "ir/space.h"
#include "ir/valid.h"
#include "passes/clone.h"
#include "passes/core_affinity.h"
#include "passes/cross_pipe.h"
#include "passes/deferred_wait.h"
#include "passes/expand_lane.h"
#include "passes/gm_origin.h"
#include "passes/refusals.h"
#include "passes/rewrite.h"

struct expander {
    struct arena *arena;
    const struct ir_program *prog;
    struct diag *diag;
    struct ir_program *out;
};

/* ---- what the decorator says ---- */

static void set_kind(struct arena *a, struct ir_func *f, enum ir_func_type type, const char *level)
{
    f->type = type;
    f->decorator = pass_with_keyword(
        a, &f->decorator, "type",
        pass_constant(a, arena_printf(a, "pl.FunctionType.%s", ir_func_type_name(type)), f->span));
    f->decorator = pass_with_keyword(a, &f->decorator, "level", pass_constant(a, level, f->span));
    f->decorator =
        pass_with_keyword(a, &f->decorator, "role", pass_constant(a, "pl.Role.SubWorker", f->span));
}

static bool splits(const struct ir_func *f)
{
    const struct ir_expr *mode = ir_kwarg_find(&f->attrs, "split");
    if (!mode)
        return false;
    return mode->kind == IR_NAME ? !strstr(mode->name, "NONE")
                                 : mode->kind == IR_INT && mode->integer.value != 0;
}

static bool is_true(const struct ir_expr *e)
{
    return e && e->kind == IR_BOOLEAN && e->boolean;
}

/* Both vector cores run it (pypto-ops-facts 3.2). */
static void dispatch_both(struct arena *a, struct ir_func *f)
{
    f->attrs = pass_with_keyword(a, &f->attrs, "dual_aiv_dispatch", ir_bool(a, true, f->span));
}

/* ---- the Group in place of a mixed function ---- */

static struct ir_expr *call_lane(struct expander *x, const struct ir_func *group,
                                 const struct ir_func *lane)
{
    struct ir_expr *call = ir_expr_new(x->arena, IR_CALL, group->span);
    call->call.callee = IR_CALLEE_USER;
    call->call.name = call->call.written = lane->name;
    vec_foreach (const struct ir_param, p, &group->params)
        vec_push(x->arena, &call->call.args, ir_var_ref(x->arena, p->var, group->span));
    call->type = lane->return_type;
    return call;
}

static void add_call(struct expander *x, ir_block *out, struct ir_expr *call)
{
    struct ir_stmt *s = ir_stmt_new(x->arena, IR_EVAL, call->span);
    s->eval = call;
    vec_push(x->arena, out, s);
}

static const struct ir_stmt *last_return(const struct ir_func *f)
{
    const struct ir_stmt *s = f->body.len ? f->body.items[f->body.len - 1] : NULL;
    return s && s->kind == IR_RETURN ? s : NULL;
}

/* What the function returns, as parameters of the Group; false when something else is among it. */
static bool returned_params(struct expander *x, const struct ir_func *f, const struct map *origins,
                            const struct cloner *c, ir_exprs *out)
{
    const struct ir_stmt *r = last_return(f);
    for (size_t i = 0; r && i < r->return_.values.len; i++) {
        struct ir_var *param = gm_origin_of(origins, r->return_.values.items[i]);
        if (!param)
            return false;
        vec_push(x->arena, out, ir_var_ref(x->arena, clone_use(c, param), f->span));
    }
    return true;
}

static struct ir_func *make_group(struct expander *x, const struct ir_func *f,
                                  const struct map *origins, const struct ir_func *aic,
                                  const struct ir_func *aiv)
{
    struct arena *a = x->arena;
    struct cloner c = {.arena = a, .vars.arena = a};
    struct ir_func *group = arena_dup(a, f, sizeof *f);
    group->body = (ir_block){0};
    group = clone_func(&c, group);
    set_kind(a, group, IR_FUNC_GROUP, "pl.Level.CORE_GROUP");
    ir_exprs values = {0};
    bool params = returned_params(x, f, origins, &c, &values);
    add_call(x, &group->body, call_lane(x, group, aic));
    struct ir_expr *second = call_lane(x, group, aiv);
    if (params) {
        add_call(x, &group->body, second);
    } else {
        struct ir_var *result = ir_var_new(a, "result", aiv->return_type, f->span);
        vec_push(a, &group->body, pass_assign(a, result, second));
        vec_push(a, &values, ir_var_ref(a, result, f->span));
    }
    if (values.len) {
        struct ir_stmt *r = ir_stmt_new(a, IR_RETURN, f->span);
        r->return_.values = values;
        vec_push(a, &group->body, r);
    }
    return group;
}

/* ---- functions ---- */

static bool is_group(const struct ir_func *f)
{
    return f->type == IR_FUNC_GROUP;
}

static bool is_other(const struct ir_func *f)
{
    return !is_group(f) && !ir_func_is_incore(f);
}

static int64_t slot_number(const struct ir_func *f)
{
    const struct ir_expr *n = ir_kwarg_find(&f->attrs, "slot_num");
    return n && n->kind == IR_INT && n->integer.value > 0 ? n->integer.value : PIPE_SLOTS;
}

struct names {
    struct expander *x;
    const struct map *spaces;
    struct map cores; /* tile variable -> enum core_affinity of what it was assigned first */
};

/* A name that stands for tiles of both kinds of cores says in no place which lane has it. */
static enum walk find_ambiguous(const struct ir_stmt *s, void *ctx)
{
    struct names *n = ctx;
    const struct ir_call *call = s->kind == IR_ASSIGN ? ir_leaf_call(s) : NULL;
    if (!call || call->callee != IR_CALLEE_OP || s->assign.targets.len != 1 ||
        core_crossing_of(n->spaces, s->assign.value) != CROSSES_NOT)
        return WALK_INTO;
    struct ir_var *v = s->assign.targets.items[0];
    enum core_affinity core = core_affinity_of(n->spaces, s->assign.value),
                       first = (enum core_affinity)(uintptr_t)map_get(&n->cores, v);
    bool tile = v->type && v->type->kind == IR_TYPE_TILE;
    if (tile && first != CORE_SHARED && core != CORE_SHARED && core != first)
        return WALK_FOUND;
    map_put(&n->cores, v, (void *)(uintptr_t)(core ? core : first));
    return WALK_INTO;
}

static bool can_expand(struct expander *x, const struct ir_func *f, const struct map *spaces)
{
    struct names n = {x, spaces, {.arena = x->arena}};
    if (pass_is_called(x->prog, f, ir_func_is_incore))
        return REFUSE(x, MIXED_CALLEE, f->span, f->name);
    const struct ir_stmt *s = pass_find_stmt(&f->body, find_ambiguous, &n);
    return !s || REFUSE(x, MIXED_NAME, s->span, s->assign.targets.items[0]->name);
}

static bool expand(struct expander *x, const struct ir_func *f)
{
    struct arena *a = x->arena;
    struct expansion e = {.arena = a,
                          .prog = x->prog,
                          .func = f,
                          .spaces.arena = a,
                          .valid.arena = a,
                          .origins.arena = a,
                          .pushes.arena = a,
                          .pops.arena = a};
    ir_space_collect(&e.spaces, f);
    if (!can_expand(x, f, &e.spaces))
        return false;
    ir_valid_collect(&e.valid, x->prog, f);
    gm_origins(&e.origins, f);
    expand_find_fences(&e);
    struct ir_func *aic = expand_lane(&e, true, arena_printf(a, "%s_aic", f->name)),
                   *aiv = expand_lane(&e, false, arena_printf(a, "%s_aiv", f->name));
    pipe_set_up(a, f->name, slot_number(f), &aic->body, &aiv->body, f->span);
    set_kind(a, aic, IR_FUNC_AIC, "pl.Level.AIC");
    set_kind(a, aiv, IR_FUNC_AIV, "pl.Level.AIV");
    if (!splits(f))
        dispatch_both(a, aiv);
    ir_add_func(x->out, aic);
    ir_add_func(x->out, aiv);
    bool grouped = pass_is_called(x->prog, f, is_group);
    if (!grouped || pass_is_called(x->prog, f, is_other))
        ir_add_func(x->out, make_group(x, f, &e.origins, aic, aiv));
    return true;
}

/* An InCore function of one kind of core. */
static struct ir_func *classify(struct expander *x, const struct ir_func *f,
                                enum core_affinity core)
{
    struct ir_func *out = arena_dup(x->arena, f, sizeof *f);
    bool cube = core == CORE_CUBE;
    set_kind(x->arena, out, cube ? IR_FUNC_AIC : IR_FUNC_AIV,
             cube ? "pl.Level.AIC" : "pl.Level.AIV");
    out->attrs = pass_with_keyword(x->arena, &f->attrs, "split", NULL);
    return out;
}

/* ---- Groups of the text ---- */

static const struct ir_func *lane_of(const struct expander *x, const char *name, const char *suffix)
{
    return ir_find_func(x->out, arena_printf(x->arena, "%s%s", name, suffix));
}

/* The function that the call names was split for this Group. */
static bool was_split(const struct expander *x, const struct ir_stmt *s)
{
    const struct ir_call *call = ir_leaf_call(s);
    const struct ir_func *f =
        call && call->callee == IR_CALLEE_USER ? ir_find_func(x->prog, call->name) : NULL;
    return f && f->type == IR_FUNC_INCORE && core_affinity_of_func(x->prog, f) == CORE_MIXED;
}

static struct ir_expr *call_instead(struct expander *x, const struct ir_expr *call,
                                    const struct ir_func *lane)
{
    struct ir_expr *copy = arena_dup(x->arena, call, sizeof *call);
    copy->call.name = copy->call.written = lane->name;
    copy->type = lane->return_type ? call->type : NULL;
    return copy;
}

static void call_both(struct expander *x, const struct ir_stmt *s, ir_block *out)
{
    const struct ir_expr *call = s->kind == IR_ASSIGN ? s->assign.value : s->eval;
    add_call(x, out, call_instead(x, call, lane_of(x, call->call.name, "_aic")));
    struct ir_stmt *copy = arena_dup(x->arena, s, sizeof *s);
    struct ir_expr *second = call_instead(x, call, lane_of(x, call->call.name, "_aiv"));
    *(s->kind == IR_ASSIGN ? &copy->assign.value : &copy->eval) = second;
    vec_push(x->arena, out, copy);
}

static void group_block(void *ctx, ir_block *block)
{
    struct expander *x = ctx;
    ir_block out = {0};
    bool changed = false;
    vec_foreach (struct ir_stmt *, it, block) {
        if (was_split(x, *it)) {
            call_both(x, *it, &out);
            changed = true;
            continue;
        }
        struct ir_stmt *s = rewrite_blocks(x->arena, *it, group_block, x);
        vec_push(x->arena, &out, s);
        changed |= s != *it;
    }
    if (changed)
        *block = out;
}

/* ---- pipes that an author set up ---- */

struct transport {
    bool any, split;
};

static enum walk note_transport(const struct ir_stmt *s, void *ctx)
{
    struct transport *t = ctx;
    const struct ir_call *call = ir_leaf_call(s);
    if (pipe_is_transport(call)) {
        const struct ir_expr *split = ir_kwarg_find(&call->kwargs, "split");
        t->any = true;
        t->split |= split && split->kind == IR_INT && split->integer.value != 0;
    }
    return WALK_INTO;
}

struct members {
    const struct ir_program *prog;
    const struct ir_func *vector;
    bool cube, found;
};

static enum walk note_member(const struct ir_stmt *s, void *ctx)
{
    struct members *m = ctx;
    const struct ir_call *call = ir_leaf_call(s);
    const struct ir_func *f =
        call && call->callee == IR_CALLEE_USER ? ir_find_func(m->prog, call->name) : NULL;
    m->cube |= f && f->type == IR_FUNC_AIC;
    m->found |= f == m->vector;
    return WALK_INTO;
}

/* In some Group it runs beside a cube core. */
static bool beside_cube(const struct ir_program *p, const struct ir_func *f)
{
    vec_foreach (struct ir_func *, g, &p->funcs) {
        struct members m = {.prog = p, .vector = f};
        if (is_group(*g))
            pass_find_stmt(&(*g)->body, note_member, &m);
        if (m.cube && m.found)
            return true;
    }
    return false;
}

/* What the two vector cores give the cube counts when both have given it: the second one takes part
 * in exchanges that do not split their tiles (pypto-ops-facts 3.2). */
static bool needs_both(const struct ir_program *p, const struct ir_func *f)
{
    struct transport t = {0};
    if (f->type != IR_FUNC_AIV || splits(f) ||
        is_true(ir_kwarg_find(&f->attrs, "dual_aiv_dispatch")))
        return false;
    pass_find_stmt(&f->body, note_transport, &t);
    return t.any && !t.split && beside_cube(p, f);
}

struct ir_program *expand_mixed_kernel(struct arena *a, const struct ir_program *p,
                                       const struct pass_options *o, struct diag *d)
{
    (void)o;
    if (!deferred_wait_check(p, d))
        return NULL;
    struct ir_program *out = arena_dup(a, p, sizeof *p);
    out->arena = a;
    memset(&out->funcs, 0, sizeof out->funcs);
    out->positions = (struct map){.arena = a};
    struct expander x = {a, p, d, out};
    vec_foreach (struct ir_func *, it, &p->funcs) {
        struct ir_func *f = *it;
        enum core_affinity core =
            f->type == IR_FUNC_INCORE ? core_affinity_of_func(p, f) : CORE_SHARED;
        if (core == CORE_MIXED) {
            if (!expand(&x, f))
                return NULL;
            continue;
        }
        ir_add_func(out, f->type == IR_FUNC_INCORE ? classify(&x, f, core) : f);
    }
    for (size_t i = 0; i < out->funcs.len; i++) {
        struct ir_func *f = out->funcs.items[i];
        ir_block body = f->body;
        if (is_group(f))
            group_block(&x, &body);
        f = pass_with_body(a, f, body);
        if (needs_both(p, f)) {
            f = arena_dup(a, f, sizeof *f);
            dispatch_both(a, f);
        }
        out->funcs.items[i] = f;
    }
    return out;
}
