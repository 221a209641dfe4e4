/* SPDX-License-Identifier: MIT */
#include "passes/materialize_dist_tensor_ctx.h"

#include <ctype.h>
#include <string.h>

#include "base/map.h"
#include "ir/ops.h"
#include "passes/refusals.h"
#include "passes/rewrite.h"

/* Functions that call one another are processed callee first; a longer chain of calls is cut, and
 * what the callee gives back counts as unknown. */
enum { MAX_CALL_DEPTH = 32 };

/* A window parameter by its position, or one of these. */
enum { NOT_KNOWN = -1 };

/* Which window parameter of its function each value of an expression or variable is. */
typedef VEC(int) origins;

/* What a variable stands for, and the block that said so. */
struct lineage {
    origins of;
    const ir_block *block;
};

/* What the pass knows of a function and makes of it. */
struct plan {
    struct ir_func *before, *after;
    struct map names;    /* in use */
    struct map suffixes; /* the last number behind a name */
    bool host, started;
    bool extends;  /* the pass appends the contexts */
    ir_vars ctx;   /* of each window parameter, in their order */
    origins dists; /* positions of the window parameters */
    origins gives; /* what a call gives back; empty: unknown */
    bool gives_known;
};

struct materializer {
    struct arena *arena;
    const struct ir_program *prog;
    struct diag *diag;
    struct map plans; /* of function names */
    int depth;
};

/* One function on its way. */
struct walk_state {
    struct materializer *m;
    struct plan *plan;
    struct map lineage; /* of variables */
    const ir_block *block;
    ir_block *out; /* where a context is bound; NULL: nowhere */
};

static bool is_window(const struct ir_type *t)
{
    return t && t->kind == IR_TYPE_DIST_TENSOR;
}

static bool is_host_level(const struct ir_func *f)
{
    const struct ir_expr *level = ir_kwarg_find(&f->decorator, "level");
    return level && level->kind == IR_NAME && strcmp(level->name, "pl.Level.HOST") == 0;
}

/* ---- names ---- */

/* "win" of "win__ssa_v0": what the compiler put behind a name does not count. */
static const char *base_name(struct arena *a, const char *name)
{
    size_t start = strspn(name, "_");
    const char *suffix = strstr(name + start, "__");
    bool made = suffix && islower((unsigned char)suffix[2]);
    return made ? arena_strndup(a, name, (size_t)(suffix - name)) : name;
}

/* A name that is free: the base, or the base with a number behind the last one given. */
static const char *ctx_name(struct walk_state *w, const char *window)
{
    struct arena *a = w->m->arena;
    const char *base = arena_printf(a, "%s_ctx", base_name(a, window)), *name = base;
    uintptr_t n = (uintptr_t)map_get_text(&w->plan->suffixes, base);
    while (map_get_text(&w->plan->names, name))
        name = arena_printf(a, "%s_%lu", base, (unsigned long)++n);
    map_put_text(&w->plan->suffixes, base, (void *)n);
    map_put_text(&w->plan->names, name, (void *)name);
    return name;
}

/* ---- plans ---- */

static struct ir_var *new_ctx(struct walk_state *w, const char *window, struct span at)
{
    struct arena *a = w->m->arena;
    return ir_var_new(a, ctx_name(w, window), ir_type_new(a, IR_TYPE_COMM_CTX), at);
}

static void find_params(struct walk_state *w)
{
    struct plan *p = w->plan;
    for (size_t i = 0; i < p->before->params.len; i++) {
        struct ir_var *v = p->before->params.items[i].var;
        if (is_window(v->type))
            vec_push(w->m->arena, &p->dists, (int)i);
        else if (v->type && v->type->kind == IR_TYPE_COMM_CTX)
            vec_push(w->m->arena, &p->ctx, v);
    }
}

/* The contexts of f: those that it has, or new ones. */
static bool make_plan(struct walk_state *w)
{
    struct plan *p = w->plan;
    struct ir_func *f = p->before;
    find_params(w);
    pass_names_in_use(f, &p->names);
    if (p->host)
        return true;
    if (p->ctx.len && p->ctx.len != p->dists.len)
        return REFUSE(w->m, CTX_COUNT, f->span, f->name,
                      arena_decimal(w->m->arena, (long long)p->dists.len),
                      arena_decimal(w->m->arena, (long long)p->ctx.len));
    p->extends = p->dists.len && !p->ctx.len;
    for (size_t i = 0; p->extends && i < p->dists.len; i++) {
        const struct ir_var *v = f->params.items[p->dists.items[i]].var;
        vec_push(w->m->arena, &p->ctx, new_ctx(w, v->name, v->span));
    }
    return true;
}

/* ---- where windows come from ---- */

static int origin_of_param(const struct plan *p, const struct ir_var *v)
{
    for (size_t i = 0; i < p->dists.len; i++)
        if (p->before->params.items[p->dists.items[i]].var == v)
            return (int)i;
    return NOT_KNOWN;
}

static origins origins_of(struct walk_state *w, const struct ir_expr *e);

static int origin_of(struct walk_state *w, const struct ir_expr *e)
{
    origins of = origins_of(w, e);
    return of.len == 1 ? of.items[0] : NOT_KNOWN;
}

static origins one(struct walk_state *w, int origin)
{
    origins of = {0};
    vec_push(w->m->arena, &of, origin);
    return of;
}

static struct plan *process(struct materializer *m, struct ir_func *f);

static struct plan *plan_of(struct walk_state *w, const struct ir_call *call)
{
    bool user = call->callee == IR_CALLEE_USER || call->callee == IR_CALLEE_SUBMIT;
    struct ir_func *f = user ? ir_find_func(w->m->prog, call->name) : NULL;
    return f ? process(w->m, f) : NULL;
}

/* A call gives back its own window parameters: the arguments there. */
static origins origins_of_call(struct walk_state *w, const struct ir_call *call)
{
    const struct plan *callee = plan_of(w, call);
    origins of = {0};
    for (size_t i = 0; callee && callee->gives_known && i < callee->gives.len; i++) {
        int given = callee->gives.items[i], origin = NOT_KNOWN;
        int at = given == NOT_KNOWN
                     ? -1
                     : ir_arg_of_param(callee->before, call, (size_t)callee->dists.items[given]);
        if (at >= 0)
            origin = origin_of(w, call->args.items[at]);
        vec_push(w->m->arena, &of, origin);
    }
    return of;
}

/* The argument that the result of an operator is another name or a view of, or NULL. */
static const struct ir_expr *viewed(const struct ir_call *call)
{
    int at = -1;
    if (strcmp(call->name, "[]") == 0)
        at = 0;
    else if (call->op && call->op->result == IR_RESULT_ARG)
        at = call->op->result_arg;
    else if (call->op && call->op->result == IR_RESULT_VIEW)
        at = 0;
    bool window = at >= 0 && (size_t)at < call->args.len && is_window(call->args.items[at]->type);
    return window ? call->args.items[at] : NULL;
}

static origins origins_of(struct walk_state *w, const struct ir_expr *e)
{
    const struct lineage *known;
    origins of = {0};
    switch (e->kind) {
    case IR_VAR:
        known = map_get(&w->lineage, e->var);
        return known ? known->of : one(w, origin_of_param(w->plan, e->var));
    case IR_TUPLE:
        vec_foreach (struct ir_expr *, item, &e->items)
            vec_push(w->m->arena, &of, origin_of(w, *item));
        return of;
    case IR_GETITEM: {
        origins all = origins_of(w, e->getitem.base);
        bool inside = e->getitem.index >= 0 && (size_t)e->getitem.index < all.len;
        return one(w, inside ? all.items[e->getitem.index] : NOT_KNOWN);
    }
    case IR_CALL: {
        const struct ir_expr *view = viewed(&e->call);
        return view ? one(w, origin_of(w, view)) : origins_of_call(w, &e->call);
    }
    default:
        return of;
    }
}

/* v stands for what of says. Elsewhere than in the block that said otherwise before, both could be
 * true later. */
static void set_lineage(struct walk_state *w, struct ir_var *v, origins of, struct span at)
{
    if (w->plan->host)
        return;
    struct lineage *old = map_get(&w->lineage, v), *new = arena_new(w->m->arena, struct lineage);
    int before = old && old->of.len == 1 ? old->of.items[0] : NOT_KNOWN;
    int after = of.len == 1 ? of.items[0] : NOT_KNOWN;
    if (!old)
        before = origin_of_param(w->plan, v);
    if (before != NOT_KNOWN && after != NOT_KNOWN && before != after &&
        !(old && old->block == w->block))
        REFUSE(w->m, CTX_CHANGES, at, v->shown,
               w->plan->before->params.items[w->plan->dists.items[before]].var->shown,
               w->plan->before->params.items[w->plan->dists.items[after]].var->shown);
    new->of = of;
    new->block = w->block;
    map_put(&w->lineage, v, new);
}

static void set_targets(struct walk_state *w, const ir_vars *targets, origins of, struct span at)
{
    if (targets->len == 1) {
        set_lineage(w, targets->items[0], of, at);
        return;
    }
    for (size_t i = 0; i < targets->len; i++)
        set_lineage(w, targets->items[i], one(w, i < of.len ? of.items[i] : NOT_KNOWN), at);
}

/* ---- expressions ---- */

/* host: w_ctx = pld.system.get_comm_ctx(w) before the statement. */
static struct ir_expr *bind_ctx(struct walk_state *w, struct ir_expr *window)
{
    struct arena *a = w->m->arena;
    ir_exprs args = {0};
    if (!w->out) {
        REFUSE(w->m, CTX_PLACE, window->span);
        return window;
    }
    vec_push(a, &args, window);
    struct ir_var *v =
        new_ctx(w, window->kind == IR_VAR ? window->var->name : "dist", window->span);
    struct ir_expr *query = ir_op_call(a, "pld.system.get_comm_ctx", args, window->span);
    query->type = v->type;
    vec_push(a, w->out, pass_assign(a, v, query));
    return ir_var_ref(a, v, window->span);
}

static struct ir_expr *ctx_of(struct walk_state *w, struct ir_expr *window)
{
    int origin = origin_of(w, window);
    if (origin != NOT_KNOWN && (size_t)origin < w->plan->ctx.len)
        return ir_var_ref(w->m->arena, w->plan->ctx.items[origin], window->span);
    if (w->plan->host)
        return bind_ctx(w, window);
    REFUSE(w->m, CTX_LINEAGE, window->span, w->plan->before->name);
    return window;
}

/* arg_directions with one pl.adir.scalar more for each context. */
static void extend_directions(struct arena *a, struct ir_call *call, size_t n, struct span at)
{
    ir_kwargs attrs = {0};
    vec_foreach (struct ir_kwarg, k, &call->attrs) {
        struct ir_kwarg attr = *k;
        if (strcmp(k->name, "arg_directions") == 0 && k->value->kind == IR_LIST) {
            struct ir_expr *list = ir_expr_new(a, IR_LIST, k->value->span);
            vec_foreach (struct ir_expr *, e, &k->value->items)
                vec_push(a, &list->items, *e);
            for (size_t i = 0; i < n; i++) {
                struct ir_expr *scalar = ir_expr_new(a, IR_NAME, at);
                scalar->name = "pl.adir.scalar";
                vec_push(a, &list->items, scalar);
            }
            attr.value = list;
        }
        vec_push(a, &attrs, attr);
    }
    call->attrs = attrs;
}

static struct ir_expr *extend_call(struct walk_state *w, struct ir_expr *e, const struct plan *to)
{
    struct arena *a = w->m->arena;
    struct ir_expr *copy = arena_dup(a, e, sizeof *e);
    ir_exprs args = {0};
    vec_foreach (struct ir_expr *, arg, &e->call.args)
        vec_push(a, &args, *arg);
    for (size_t i = 0; i < to->dists.len; i++) {
        int at = ir_arg_of_param(to->before, &e->call, (size_t)to->dists.items[i]);
        vec_push(a, &args, ctx_of(w, e->call.args.items[at]));
    }
    copy->call.args = args;
    extend_directions(a, &copy->call, to->dists.len, e->span);
    return copy;
}

static struct ir_expr *materialize_expr(void *ctx, struct ir_expr *e)
{
    struct walk_state *w = ctx;
    if (e->kind != IR_CALL || w->m->diag->failed)
        return e;
    bool query = e->call.op && strcmp(e->call.op->name, "pld.system.get_comm_ctx") == 0;
    if (query)
        return w->plan->host ? e : ctx_of(w, e->call.args.items[0]);
    const struct plan *to = plan_of(w, &e->call);
    return to && to->extends ? extend_call(w, e, to) : e;
}

/* ---- statements ---- */

static void materialize_block(void *ctx, ir_block *block);

static int yielded(struct walk_state *w, const ir_block *block, size_t i)
{
    const struct ir_stmt *yield = ir_block_yield(block);
    return yield && i < yield->yield.values.len ? origin_of(w, yield->yield.values.items[i])
                                                : NOT_KNOWN;
}

static void merge_branches(struct walk_state *w, const struct ir_stmt *s)
{
    for (size_t i = 0; i < s->if_.results.len; i++) {
        struct ir_var *v = s->if_.results.items[i];
        int a = yielded(w, &s->if_.then_body, i), b = yielded(w, &s->if_.else_body, i);
        if (is_window(v->type) && a != NOT_KNOWN && b != NOT_KNOWN && a != b)
            REFUSE(w->m, CTX_BRANCHES, s->span, v->shown);
        set_lineage(w, v, one(w, a == b ? a : NOT_KNOWN), s->span);
    }
}

static void seed_loop(struct walk_state *w, const ir_vars *vars, const ir_exprs *inits,
                      struct span at)
{
    for (size_t i = 0; i < vars->len && i < inits->len; i++)
        set_lineage(w, vars->items[i], origins_of(w, inits->items[i]), at);
}

static void close_loop(struct walk_state *w, const struct ir_stmt *s, const ir_block *body,
                       const ir_vars *iter_args, const ir_vars *results)
{
    const struct ir_stmt *yield = ir_block_yield(body);
    for (size_t i = 0; i < results->len && i < iter_args->len; i++) {
        const struct lineage *seed = map_get(&w->lineage, iter_args->items[i]);
        int from = seed && seed->of.len == 1 ? seed->of.items[0] : NOT_KNOWN,
            to = yielded(w, body, i);
        if (from != NOT_KNOWN && to != NOT_KNOWN && from != to)
            REFUSE(w->m, CTX_LOOP, yield->yield.values.items[i]->span, iter_args->items[i]->name);
        set_lineage(w, results->items[i], one(w, from), s->span);
    }
}

/* All returns agree, or what is given back is unknown. */
static void note_return(struct walk_state *w, const struct ir_stmt *s)
{
    struct plan *p = w->plan;
    origins of = {0};
    vec_foreach (struct ir_expr *, e, &s->return_.values)
        vec_push(w->m->arena, &of, origin_of(w, *e));
    if (!p->gives_known) {
        p->gives = of;
        p->gives_known = true;
        return;
    }
    bool same = of.len == p->gives.len;
    for (size_t i = 0; same && i < of.len; i++)
        same = of.items[i] == p->gives.items[i];
    if (!same)
        p->gives.len = 0;
}

/* What a statement says about windows, before and after the statements under it are seen. */
static void enter_stmt(struct walk_state *w, const struct ir_stmt *s)
{
    if (s->kind == IR_ASSIGN)
        set_targets(w, &s->assign.targets, origins_of(w, s->assign.value), s->span);
    if (s->kind == IR_FOR)
        seed_loop(w, &s->for_.iter_args, &s->for_.inits, s->span);
    if (s->kind == IR_RETURN)
        note_return(w, s);
}

static void leave_stmt(struct walk_state *w, const struct ir_stmt *s)
{
    if (s->kind == IR_IF)
        merge_branches(w, s);
    if (s->kind == IR_FOR)
        close_loop(w, s, &s->for_.body, &s->for_.iter_args, &s->for_.results);
    if (s->kind == IR_WHILE)
        close_loop(w, s, &s->while_.body, &s->while_.iter_args, &s->while_.results);
}

static struct ir_stmt *materialize_stmt(struct walk_state *w, struct ir_stmt *s, ir_block *out)
{
    if (s->kind == IR_WHILE)
        seed_loop(w, &s->while_.iter_args, &s->while_.inits, s->span);
    w->out = s->kind == IR_WHILE ? NULL : out;
    struct ir_stmt *changed = rewrite_exprs(w->m->arena, s, materialize_expr, w);
    enter_stmt(w, s);
    changed = rewrite_blocks(w->m->arena, changed, materialize_block, w);
    leave_stmt(w, s);
    return changed;
}

static void materialize_block(void *ctx, ir_block *block)
{
    struct walk_state *w = ctx;
    const ir_block *outer = w->block;
    ir_block out = {0}, *here = arena_dup(w->m->arena, block, sizeof *block);
    bool changed = false;
    for (size_t i = 0; i < block->len && !w->m->diag->failed; i++) {
        w->block = here;
        struct ir_stmt *s = materialize_stmt(w, block->items[i], &out);
        changed |= s != block->items[i];
        vec_push(w->m->arena, &out, s);
    }
    w->block = outer;
    if (changed)
        *block = out;
}

/* ---- functions ---- */

static void extend_params(struct materializer *m, struct plan *p)
{
    if (!p->extends)
        return;
    if (p->after == p->before)
        p->after = arena_dup(m->arena, p->before, sizeof *p->before);
    p->after->params.items = arena_dup(m->arena, p->before->params.items,
                                       p->before->params.len * sizeof *p->before->params.items);
    p->after->params.cap = p->before->params.len;
    vec_foreach (struct ir_var *, v, &p->ctx) {
        struct ir_param param = {*v, IR_IN};
        vec_push(m->arena, &p->after->params, param);
    }
}

static void materialize_body(struct walk_state *w)
{
    struct plan *p = w->plan;
    ir_block body = p->before->body;
    p->started = true;
    w->m->depth++;
    materialize_block(w, &body);
    w->m->depth--;
    p->after = pass_with_body(w->m->arena, p->before, body);
    extend_params(w->m, p);
}

/* The plan of f, with its body done unless f is being worked on already. */
static struct plan *process(struct materializer *m, struct ir_func *f)
{
    struct plan *p = map_get_text(&m->plans, f->name);
    bool fresh = !p;
    if (fresh) {
        p = arena_new(m->arena, struct plan);
        *p = (struct plan){.before = f,
                           .after = f,
                           .names.arena = m->arena,
                           .suffixes.arena = m->arena,
                           .host = is_host_level(f)};
        map_put_text(&m->plans, f->name, p);
    }
    struct walk_state w = {.m = m, .plan = p, .lineage.arena = m->arena};
    if ((!fresh || make_plan(&w)) && !p->started && m->depth < MAX_CALL_DEPTH)
        materialize_body(&w);
    return p;
}

static struct ir_func *materialize_func(void *ctx, struct ir_func *f)
{
    struct materializer *m = ctx;
    const struct plan *p = process(m, f);
    return m->diag->failed ? NULL : p->after;
}

struct ir_program *materialize_dist_tensor_ctx(struct arena *a, const struct ir_program *p,
                                               const struct pass_options *o, struct diag *d)
{
    struct materializer m = {.arena = a, .prog = p, .diag = d, .plans.arena = a};
    (void)o;
    return rewrite_funcs(a, p, PASS_EVERY, materialize_func, &m);
}
