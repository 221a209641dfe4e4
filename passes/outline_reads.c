/* SPDX-License-Identifier: MIT */
/* What the body of a scope takes from outside, and what it does to it. */
#include <string.h>

#include "ir/ops.h"
#include "passes/outline.h"
#include "passes/pass.h"
#include "passes/rewrite.h"

static bool calls(const struct ir_expr *e, const char *op)
{
    return e && e->kind == IR_CALL && e->call.op && strcmp(e->call.op->name, op) == 0;
}

/* ---- reads ahead of definitions ---- */

struct reading {
    struct arena *arena;
    const struct ir_program *prog;
    struct map defined, found;
    ir_vars journal; /* what was defined, so that a branch can be taken back */
    ir_vars order;
};

static bool read_var(const struct ir_expr *e, void *ctx)
{
    struct reading *r = ctx;
    if (e->kind != IR_VAR || map_get(&r->defined, e->var) || map_get(&r->found, e->var) ||
        ir_is_module_var(r->prog, e->var))
        return true;
    map_put(&r->found, e->var, e->var);
    vec_push(r->arena, &r->order, e->var);
    return true;
}

static void read_all(struct reading *r, const ir_exprs *list)
{
    vec_foreach (struct ir_expr *, e, list)
        ir_walk_expr(*e, read_var, r);
}

static void define(struct reading *r, struct ir_var *v)
{
    if (map_get(&r->defined, v))
        return;
    map_put(&r->defined, v, v);
    vec_push(r->arena, &r->journal, v);
}

static void define_all(struct reading *r, const ir_vars *vars)
{
    vec_foreach (struct ir_var *, v, vars)
        define(r, *v);
}

static void read_block(struct reading *r, const ir_block *block);

/* Both branches start from what is defined in front of the if; what both define is defined behind. */
static void read_branches(struct reading *r, const struct ir_stmt *s)
{
    ir_walk_expr(s->if_.cond, read_var, r);
    define_all(r, &s->if_.results);
    const ir_block *branches[] = {&s->if_.then_body, &s->if_.else_body};
    ir_vars both = {0};
    struct map then = {.arena = r->arena};
    size_t start = r->journal.len;
    for (size_t b = 0; b < 2; b++) {
        read_block(r, branches[b]);
        for (size_t i = start; i < r->journal.len; i++) {
            struct ir_var *v = r->journal.items[i];
            map_put(&r->defined, v, NULL);
            if (b == 0)
                map_put(&then, v, v);
            else if (map_get(&then, v))
                vec_push(r->arena, &both, v);
        }
        r->journal.len = start;
    }
    define_all(r, &both);
}

static void read_loop(struct reading *r, const struct ir_stmt *s)
{
    bool counted = s->kind == IR_FOR;
    read_all(r, counted ? &s->for_.inits : &s->while_.inits);
    if (counted)
        define(r, s->for_.var);
    define_all(r, counted ? &s->for_.results : &s->while_.results);
    define_all(r, counted ? &s->for_.iter_args : &s->while_.iter_args);
    if (counted) {
        const struct ir_expr *bounds[] = {s->for_.start, s->for_.stop, s->for_.step};
        for (size_t i = 0; i < 3; i++)
            ir_walk_expr(bounds[i], read_var, r);
    } else {
        ir_walk_expr(s->while_.cond, read_var, r);
    }
    read_block(r, counted ? &s->for_.body : &s->while_.body);
}

static void read_stmt(struct reading *r, const struct ir_stmt *s)
{
    switch (s->kind) {
    case IR_IF:
        read_branches(r, s);
        break;
    case IR_FOR:
    case IR_WHILE:
        read_loop(r, s);
        break;
    case IR_SCOPE:
        pass_walk_stmt(s, read_var, r);
        if (s->scope.var)
            define(r, s->scope.var);
        read_block(r, &s->scope.body);
        break;
    default:
        pass_walk_stmt(s, read_var, r);
        if (s->kind == IR_ASSIGN)
            define_all(r, &s->assign.targets);
        break;
    }
}

static void read_block(struct reading *r, const ir_block *block)
{
    vec_foreach (struct ir_stmt *, s, block)
        read_stmt(r, *s);
}

ir_vars outline_reads(struct arena *a, const struct ir_program *p, const ir_block *block)
{
    struct reading r = {.arena = a, .prog = p, .defined.arena = a, .found.arena = a};
    read_block(&r, block);
    return r.order;
}

/* ---- definitions ---- */

struct defining {
    struct arena *arena;
    ir_vars list;
};

static void add_all(struct defining *d, const ir_vars *vars)
{
    vec_foreach (struct ir_var *, v, vars)
        vec_push(d->arena, &d->list, *v);
}

static enum walk add_definitions(const struct ir_stmt *s, void *ctx)
{
    struct defining *d = ctx;
    switch (s->kind) {
    case IR_ASSIGN:
        add_all(d, &s->assign.targets);
        break;
    case IR_IF:
        add_all(d, &s->if_.results);
        break;
    case IR_FOR:
        vec_push(d->arena, &d->list, s->for_.var);
        add_all(d, &s->for_.results);
        add_all(d, &s->for_.iter_args);
        break;
    case IR_WHILE:
        add_all(d, &s->while_.results);
        add_all(d, &s->while_.iter_args);
        break;
    case IR_SCOPE:
        if (s->scope.var)
            vec_push(d->arena, &d->list, s->scope.var);
        break;
    default:
        break;
    }
    return WALK_INTO;
}

ir_vars outline_definitions(struct arena *a, const ir_block *block)
{
    struct defining d = {.arena = a};
    pass_find_stmt(block, add_definitions, &d);
    return d.list;
}

/* ---- stores ---- */

struct ir_var *outline_store_target(const struct outliner *o, const struct ir_expr *e)
{
    if (!calls(e, "tile.store") || e->call.args.len < 3)
        return NULL;
    const struct ir_expr *target = e->call.args.items[2];
    return target->kind == IR_VAR && !map_get(&o->carried, target->var) ? target->var : NULL;
}

struct storing {
    const struct outliner *o;
    struct map seen;
    ir_vars list;
};

static bool add_target(const struct ir_expr *e, void *ctx)
{
    struct storing *st = ctx;
    struct ir_var *v = outline_store_target(st->o, e);
    if (v && !map_get(&st->seen, v)) {
        map_put(&st->seen, v, v);
        vec_push(st->o->arena, &st->list, v);
    }
    return true;
}

static enum walk add_targets(const struct ir_stmt *s, void *ctx)
{
    pass_walk_stmt(s, add_target, ctx);
    return WALK_INTO;
}

ir_vars outline_store_targets(const struct outliner *o, const ir_block *block)
{
    struct storing st = {.o = o, .seen.arena = o->arena};
    pass_find_stmt(block, add_targets, &st);
    return st.list;
}

/* ---- directions ---- */

/* What is known of an input, under each of its names. */
struct input {
    bool read, written;
    enum ir_direction callee; /* what calls in the body say of it */
};

struct tracking {
    const struct outliner *o;
    struct map inputs;  /* variable -> struct input */
    struct map targets; /* expression that is only written to -> itself */
};

static bool adds(const struct ir_call *call)
{
    const struct ir_expr *atomic = ir_kwarg_find(&call->kwargs, "atomic");
    return atomic && !(atomic->kind == IR_NAME && strstr(atomic->name, "None")) &&
           !(atomic->kind == IR_INT && atomic->integer.value == 0);
}

/* The argument that the call overwrites in part without reading it, or NULL. */
static struct ir_expr *overwritten(const struct ir_expr *e)
{
    bool store = calls(e, "tile.store") && e->call.args.len >= 3;
    bool assemble = calls(e, "tensor.assemble") && e->call.args.len;
    return (store || assemble) && !adds(&e->call) ? e->call.args.items[store ? 2 : 0] : NULL;
}

static enum ir_direction joined(enum ir_direction one, enum ir_direction other)
{
    return one == IR_IN || one == other ? other : other == IR_IN ? one : IR_INOUT;
}

static void track_call(struct tracking *t, const struct ir_expr *e)
{
    struct ir_expr *target = overwritten(e);
    if (target)
        map_put(&t->targets, target, target);
    if (calls(e, "tensor.assemble") && e->call.args.len && e->call.args.items[0]->kind == IR_VAR &&
        !map_get(&t->o->carried, e->call.args.items[0]->var)) {
        struct input *in = map_get(&t->inputs, e->call.args.items[0]->var);
        if (in)
            in->written = true;
    }
    const struct ir_func *f =
        e->call.callee == IR_CALLEE_USER ? map_get_text(&t->o->functions, e->call.name) : NULL;
    for (size_t i = 0; f && i < f->params.len && i < e->call.args.len; i++) {
        const struct ir_expr *arg = e->call.args.items[i];
        struct input *in = arg->kind == IR_VAR && !map_get(&t->o->carried, arg->var)
                               ? map_get(&t->inputs, arg->var)
                               : NULL;
        if (in)
            in->callee = joined(in->callee, f->params.items[i].direction);
    }
}

static bool track_expr(const struct ir_expr *e, void *ctx)
{
    struct tracking *t = ctx;
    if (e->kind == IR_CALL)
        track_call(t, e);
    struct input *in =
        e->kind == IR_VAR && !map_get(&t->targets, e) ? map_get(&t->inputs, e->var) : NULL;
    if (in)
        in->read = true;
    return true;
}

/* A tensor that a scope's keywords only name is not read by them. */
static bool track_scope(struct tracking *t, const struct ir_expr *call)
{
    bool ok = true;
    vec_foreach (struct ir_expr *, e, &call->call.args)
        ok = ir_walk_expr(*e, track_expr, t);
    vec_foreach (struct ir_kwarg, k, &call->call.kwargs)
        if (strcmp(k->name, "dumps") != 0 && strcmp(k->name, "no_dep_args") != 0)
            ok = ir_walk_expr(k->value, track_expr, t);
    return ok;
}

static enum walk track_stmt(const struct ir_stmt *s, void *ctx)
{
    struct tracking *t = ctx;
    if (s->kind == IR_SCOPE && s->scope.call->kind == IR_CALL) {
        track_scope(t, s->scope.call);
        return WALK_INTO;
    }
    if (s->kind == IR_ASSIGN && s->assign.targets.len == 1) {
        const struct ir_expr *target = overwritten(s->assign.value);
        void *in = target && target->kind == IR_VAR ? map_get(&t->inputs, target->var) : NULL;
        if (in && !map_get(&t->inputs, s->assign.targets.items[0]))
            map_put(&t->inputs, s->assign.targets.items[0], in);
    }
    pass_walk_stmt(s, track_expr, t);
    return WALK_INTO;
}

enum ir_direction *outline_directions(const struct outliner *o, const ir_vars *inputs,
                                      const ir_vars *stored, const ir_block *block)
{
    struct tracking t = {.o = o, .inputs.arena = o->arena, .targets.arena = o->arena};
    struct input *all = arena_array(o->arena, struct input, inputs->len + 1);
    for (size_t i = 0; i < inputs->len; i++) {
        all[i].written = ir_vars_hold(stored, inputs->items[i]);
        map_put(&t.inputs, inputs->items[i], &all[i]);
    }
    pass_find_stmt(block, track_stmt, &t);
    enum ir_direction *out = arena_array(o->arena, enum ir_direction, inputs->len + 1);
    for (size_t i = 0; i < inputs->len; i++) {
        out[i] = !all[i].written ? IR_IN : all[i].read ? IR_INOUT : IR_OUT;
        if (o->kind == OUTLINE_CLUSTER || o->kind == OUTLINE_SPMD)
            out[i] = joined(out[i], all[i].callee);
    }
    return out;
}

/* ---- whose memory ---- */

struct tracing {
    const struct outliner *o;
    struct map values; /* variable -> the expression whose value it has */
};

static void carry(struct tracing *t, const ir_vars *args, const ir_exprs *inits,
                  const ir_vars *results)
{
    for (size_t i = 0; i < args->len && i < inits->len; i++) {
        map_put(&t->values, args->items[i], inits->items[i]);
        if (i < results->len && results->items[i]->type &&
            ir_type_is_tensor_like(results->items[i]->type))
            map_put(&t->values, results->items[i], inits->items[i]);
    }
}

static enum walk take_values(const struct ir_stmt *s, void *ctx)
{
    struct tracing *t = ctx;
    if (s->kind == IR_ASSIGN && s->assign.targets.len == 1)
        map_put(&t->values, s->assign.targets.items[0], s->assign.value);
    if (s->kind == IR_FOR)
        carry(t, &s->for_.iter_args, &s->for_.inits, &s->for_.results);
    if (s->kind == IR_WHILE)
        carry(t, &s->while_.iter_args, &s->while_.inits, &s->while_.results);
    return WALK_INTO;
}

enum { MAX_STEPS = 10000 };

static struct ir_var *trace(const struct tracing *t, const ir_vars *roots, struct ir_var *v,
                            int *steps);

/* The argument of the call that the i-th value of the function is, or NULL. */
static struct ir_expr *returned_argument(const struct tracing *t, const struct ir_call *call,
                                         size_t i, int *steps)
{
    const struct ir_func *f = call->callee == IR_CALLEE_USER || call->callee == IR_CALLEE_SUBMIT
                                  ? map_get_text(&t->o->functions, call->name)
                                  : NULL;
    const struct ir_stmt *last = f && f->body.len ? f->body.items[f->body.len - 1] : NULL;
    if (!last || last->kind != IR_RETURN || i >= last->return_.values.len ||
        last->return_.values.items[i]->kind != IR_VAR)
        return NULL;
    ir_vars params = {0};
    vec_foreach (const struct ir_param, p, &f->params)
        vec_push(t->o->arena, &params, p->var);
    struct tracing inner = {.o = t->o, .values.arena = t->o->arena};
    pass_find_stmt(&f->body, take_values, &inner);
    const struct ir_var *root = trace(&inner, &params, last->return_.values.items[i]->var, steps);
    for (size_t p = 0; root && p < params.len && p < call->args.len; p++)
        if (params.items[p] == root)
            return call->args.items[p];
    return NULL;
}

/* The expression that e passes on: an operand of a store, an argument of a call; or NULL. */
static struct ir_expr *passed_on(const struct tracing *t, struct ir_expr *e, int *steps)
{
    if (e->kind == IR_GETITEM && e->getitem.base->kind == IR_VAR) {
        struct ir_expr *made = map_get(&t->values, e->getitem.base->var);
        return made && made->kind == IR_CALL && e->getitem.index >= 0
                   ? returned_argument(t, &made->call, (size_t)e->getitem.index, steps)
                   : NULL;
    }
    if (e->kind != IR_CALL)
        return e;
    if (e->call.callee != IR_CALLEE_OP)
        return returned_argument(t, &e->call, 0, steps);
    bool passes = e->call.op->result == IR_RESULT_ARG || e->call.op->result == IR_RESULT_IN_PLACE;
    return passes && (size_t)e->call.op->result_arg < e->call.args.len
               ? e->call.args.items[e->call.op->result_arg]
               : NULL;
}

static struct ir_var *trace(const struct tracing *t, const ir_vars *roots, struct ir_var *v,
                            int *steps)
{
    while (v && (*steps)++ < MAX_STEPS && !ir_vars_hold(roots, v)) {
        struct ir_expr *e = map_get(&t->values, v);
        e = e ? passed_on(t, e, steps) : NULL;
        v = e && e->kind == IR_VAR ? e->var : NULL;
    }
    return v && ir_vars_hold(roots, v) ? v : NULL;
}

struct ir_var *outline_origin(const struct outliner *o, const ir_block *block,
                              const ir_vars *inputs, struct ir_var *v)
{
    struct tracing t = {.o = o, .values.arena = o->arena};
    int steps = 0;
    pass_find_stmt(block, take_values, &t);
    return trace(&t, inputs, v, &steps);
}
