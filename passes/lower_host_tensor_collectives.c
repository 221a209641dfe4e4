/* SPDX-License-Identifier: MIT */
#include "passes/lower_host_tensor_collectives.h"

#include <string.h>

#include "ir/ops.h"
#include "passes/refusals.h"
#include "passes/rewrite.h"

/* ---- the collectives ---- */

enum { MAX_OPERANDS = 5 };

/* Keywords that the builtin kernel takes over. */
enum keywords { WITH_OP = 1, WITH_DTYPE = 2, WITH_ROOT = 4, WITH_CORE_NUM = 8 };

struct collective {
    const char *op, *mode, *builtin;
    const char *directions; /* of each operand: 'i' input, 'o' inout */
    size_t signal, result;  /* operands; the result is another name of the one */
    unsigned keywords;
};

static const struct collective collectives[] = {
    {"pld.tensor.allreduce", "mesh", "builtin.tensor.allreduce", "oo", 1, 0,
     WITH_OP | WITH_DTYPE | WITH_CORE_NUM},
    {"pld.tensor.allreduce", "ring", "builtin.tensor.allreduce_ring", "oo", 1, 0,
     WITH_OP | WITH_DTYPE},
    {"pld.tensor.barrier", NULL, "builtin.tensor.barrier", "o", 0, 0, 0},
    {"pld.tensor.broadcast", NULL, "builtin.tensor.broadcast", "oo", 1, 0, WITH_ROOT | WITH_DTYPE},
    {"pld.tensor.reduce_scatter", NULL, "builtin.tensor.reduce_scatter", "oo", 1, 0,
     WITH_OP | WITH_DTYPE},
    {"pld.tensor.allgather", NULL, "builtin.tensor.allgather", "ioo", 2, 1, WITH_DTYPE},
    {"pld.tensor.all_to_all", NULL, "builtin.tensor.all_to_all", "ioo", 2, 1, WITH_DTYPE},
    {"pld.tensor.all_to_all_v", NULL, "builtin.tensor.all_to_all_v", "iooio", 2, 1, WITH_DTYPE},
};

static bool is_ring(const struct collective *c)
{
    return c->mode && strcmp(c->mode, "ring") == 0;
}

/* ---- the pass ---- */

/* A result that the pass gave a window, and the variable it was before. */
struct renamed {
    struct ir_var *old, *new;
};

struct host_lowering {
    struct arena *arena;
    const struct ir_program *prog;
    struct diag *diag;
    VEC(const struct ir_stmt *) domains; /* enclosing, outermost first */
    VEC(struct renamed) renamed;
    bool lowered; /* the function holds a collective */
};

/* One collective on the way to its builtin. */
struct host_collective {
    const struct collective *c;
    const struct ir_expr *call;
    struct ir_window_buffer *windows[MAX_OPERANDS];
    const ir_exprs *devices; /* NULL: all devices */
};

static const char *operand_name(struct host_lowering *l, const struct host_collective *s, size_t i)
{
    return ir_op_arg_name(l->arena, s->call->call.op, s->call->call.args.len, i);
}

static struct ir_var *renamed_var(const struct host_lowering *l, struct ir_var *v)
{
    vec_foreach (struct renamed, r, &l->renamed)
        if (r->old == v)
            return r->new;
    return v;
}

static const struct ir_type *type_of(const struct host_lowering *l, const struct ir_expr *e)
{
    return e->kind == IR_VAR ? renamed_var(l, e->var)->type : e->type;
}

static struct ir_window_buffer *window_of(const struct host_lowering *l, const struct ir_expr *e)
{
    const struct ir_type *t = type_of(l, e);
    return t && t->kind == IR_TYPE_DIST_TENSOR ? t->window : NULL;
}

static const struct ir_type *operand_type(const struct host_lowering *l,
                                          const struct host_collective *s, size_t i)
{
    return type_of(l, s->call->call.args.items[i]);
}

static bool const_extent(const struct ir_type *t, size_t i, int64_t *out)
{
    return ir_const_int(t->shape.items[i], out);
}

/* ---- which builtin ---- */

static const struct collective *find_collective(struct host_lowering *l, const struct ir_expr *call)
{
    const struct ir_expr *mode = ir_kwarg_find(&call->call.kwargs, "mode");
    const char *wanted = mode && mode->kind == IR_STRING ? mode->string : "mesh";
    for (size_t i = 0; i < sizeof collectives / sizeof *collectives; i++) {
        const struct collective *c = &collectives[i];
        if (strcmp(c->op, call->call.op->name) == 0 && (!c->mode || strcmp(c->mode, wanted) == 0))
            return c;
    }
    REFUSE(l, MODE, mode ? mode->span : call->span, call->call.op->name);
    return NULL;
}

/* ---- windows and domains ---- */

static bool find_windows(struct host_lowering *l, struct host_collective *s)
{
    const ir_exprs *args = &s->call->call.args;
    if (args->len != strlen(s->c->directions))
        return REFUSE(l, HOST_SIGNAL, s->call->span, s->c->op);
    for (size_t i = 0; i < args->len; i++) {
        struct ir_window_buffer *w = window_of(l, args->items[i]);
        if (!w)
            return REFUSE(l, WINDOW_BOUND, args->items[i]->span, operand_name(l, s, i), s->c->op);
        s->windows[i] = w;
        for (size_t j = 0; j < i; j++)
            if (s->windows[j] == w)
                return REFUSE(l, DISTINCT_WINDOWS, args->items[i]->span, operand_name(l, s, j),
                              operand_name(l, s, i), s->c->op, w->base ? w->base->name : w->name);
    }
    return true;
}

static bool holds(const struct ir_stmt *domain, const struct ir_window_buffer *w)
{
    const struct ir_expr *slots = ir_kwarg_find(&domain->scope.call->call.kwargs, "slots");
    for (size_t i = 0; slots && slots->kind == IR_LIST && i < slots->items.len; i++) {
        const struct ir_type *t = slots->items.items[i]->type;
        if (t && t->window == w)
            return true;
    }
    return false;
}

static const ir_exprs *devices_of(const struct ir_stmt *domain)
{
    const struct ir_expr *e = ir_kwarg_find(&domain->scope.call->call.kwargs, "devices");
    bool listed = e && (e->kind == IR_LIST || e->kind == IR_TUPLE) && e->items.len;
    return listed ? &e->items : NULL;
}

/* The innermost enclosing domain that holds all operands decides the devices. */
static bool find_devices(struct host_lowering *l, struct host_collective *s)
{
    for (size_t d = l->domains.len; d-- > 0;) {
        bool all = true;
        for (size_t i = 0; i < s->call->call.args.len; i++)
            all &= holds(l->domains.items[d], s->windows[i]);
        if (all) {
            s->devices = devices_of(l->domains.items[d]);
            return true;
        }
    }
    return REFUSE(l, ONE_DOMAIN, s->call->span, s->c->op);
}

/* ---- checks ---- */

static bool check_lanes(struct host_lowering *l, const struct host_collective *s,
                        const struct ir_type *signal)
{
    int64_t lanes = 1,
            wanted = s->c->keywords & WITH_CORE_NUM ? ir_call_int(&s->call->call, "core_num") : 1;
    struct span at = s->call->call.args.items[s->c->signal]->span;
    if (signal->shape.len == 2 && !const_extent(signal, 1, &lanes))
        return REFUSE(l, LANES_CONSTANT, at, s->c->op);
    bool wider = s->c->keywords & WITH_CORE_NUM;
    if (wider ? lanes < wanted : lanes != wanted)
        return REFUSE(l, LANES, at, s->c->op, arena_decimal(l->arena, lanes),
                      wider ? "at least " : "", arena_decimal(l->arena, wanted));
    return true;
}

static bool check_signal(struct host_lowering *l, const struct host_collective *s)
{
    const struct ir_type *signal = operand_type(l, s, s->c->signal);
    struct span at = s->call->call.args.items[s->c->signal]->span;
    int64_t ranks;
    if (is_ring(s->c))
        return true;
    if (signal->shape.len != 1 && signal->shape.len != 2)
        return REFUSE(l, SIGNAL_RANK, at, s->c->op, arena_decimal(l->arena, signal->shape.len));
    if (!check_lanes(l, s, signal))
        return false;
    if (s->devices && const_extent(signal, 0, &ranks) && ranks < (int64_t)s->devices->len)
        return REFUSE(l, SIGNAL_CELLS, at, s->c->op, arena_decimal(l->arena, ranks),
                      arena_decimal(l->arena, s->devices->len));
    return true;
}

static bool check_cores(struct host_lowering *l, const struct host_collective *s)
{
    int64_t cores = ir_call_int(&s->call->call, "core_num");
    if (is_ring(s->c) && cores != 1)
        return REFUSE(l, RING_CORES, s->call->span, arena_decimal(l->arena, cores));
    if (s->c->keywords & WITH_CORE_NUM && cores > HOST_MAX_CORES)
        return REFUSE(l, HOST_CORES, s->call->span, arena_decimal(l->arena, cores),
                      arena_decimal(l->arena, HOST_MAX_CORES));
    return true;
}

static bool check_root(struct host_lowering *l, const struct host_collective *s)
{
    int64_t root = ir_call_int(&s->call->call, "root");
    if (s->c->keywords & WITH_ROOT && s->devices && root >= (int64_t)s->devices->len)
        return REFUSE(l, ROOT, s->call->span, arena_decimal(l->arena, root),
                      arena_decimal(l->arena, s->devices->len));
    return true;
}

/* A rank's share of the data is cut at compile time. */
static bool check_ring_size(struct host_lowering *l, const struct host_collective *s, int64_t ranks)
{
    const struct ir_type *data = operand_type(l, s, 0);
    struct span at = s->call->call.args.items[0]->span;
    int64_t size = 1, extent;
    for (size_t i = 0; i < data->shape.len; i++)
        if (!const_extent(data, i, &extent) || __builtin_mul_overflow(size, extent, &size))
            return REFUSE(l, RING_CONSTANT, at);
    if (ranks && size % ranks)
        return REFUSE(l, RING_PARTS, at, arena_decimal(l->arena, size),
                      arena_decimal(l->arena, ranks));
    return true;
}

/* The ranks of a ring are the devices of its domain, or, when these are all, as many as its signal
 * says; unknown extents are left to the runtime. */
static bool check_ring(struct host_lowering *l, const struct host_collective *s)
{
    const struct ir_type *signal = operand_type(l, s, s->c->signal);
    struct span at = s->call->call.args.items[s->c->signal]->span;
    int64_t ranks = 0, rounds, columns;
    if (signal->shape.len != 2)
        return REFUSE(l, RING_RANK, at, arena_decimal(l->arena, signal->shape.len));
    bool known = const_extent(signal, 1, &columns);
    if (s->devices)
        ranks = (int64_t)s->devices->len;
    else if (known)
        ranks = columns;
    if (ranks > HOST_MAX_RING_RANKS)
        return REFUSE(l, RING_RANKS, s->call->span, arena_decimal(l->arena, ranks),
                      arena_decimal(l->arena, HOST_MAX_RING_RANKS));
    if (ranks && ((known && columns != ranks) ||
                  (const_extent(signal, 0, &rounds) && rounds != 2 * (ranks - 1) + 1)))
        return REFUSE(l, RING_SHAPE, at, arena_decimal(l->arena, ranks),
                      arena_decimal(l->arena, 2 * (ranks - 1) + 1), arena_decimal(l->arena, ranks));
    return check_ring_size(l, s, ranks);
}

static bool check_site(struct host_lowering *l, const struct host_collective *s)
{
    return check_cores(l, s) && check_signal(l, s) && check_root(l, s) &&
           (!is_ring(s->c) || check_ring(l, s));
}

/* ---- the builtin call ---- */

static void push_keyword(struct host_lowering *l, ir_kwargs *kw, const char *name,
                         struct ir_expr *value)
{
    struct ir_kwarg k = {name, value, value->span};
    vec_push(l->arena, kw, k);
}

static struct ir_expr *make_name(struct host_lowering *l, const char *name, struct span at)
{
    struct ir_expr *e = ir_expr_new(l->arena, IR_NAME, at);
    e->name = name;
    return e;
}

static ir_kwargs builtin_keywords(struct host_lowering *l, const struct host_collective *s)
{
    static const struct {
        enum keywords bit;
        const char *name;
    } order[] = {
        {WITH_OP, "op"}, {WITH_ROOT, "root"}, {WITH_DTYPE, "dtype"}, {WITH_CORE_NUM, "core_num"}};
    struct span at = s->call->span;
    ir_kwargs kw = {0};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        if (!(s->c->keywords & order[i].bit))
            continue;
        const char *dtype = ir_dtype_name(operand_type(l, s, s->c->result)->dtype);
        push_keyword(
            l, &kw, order[i].name,
            order[i].bit == WITH_DTYPE
                ? make_name(l, arena_printf(l->arena, "pl.%s", dtype), at)
                : ir_int(l->arena, ir_call_int(&s->call->call, order[i].name), IR_INDEX, at));
    }
    return kw;
}

static struct ir_expr *make_directions(struct host_lowering *l, const struct host_collective *s)
{
    struct ir_expr *list = ir_expr_new(l->arena, IR_LIST, s->call->span);
    for (const char *c = s->c->directions; *c; c++)
        vec_push(l->arena, &list->items,
                 make_name(l, *c == 'i' ? "pl.adir.input" : "pl.adir.inout", s->call->span));
    return list;
}

static struct ir_stmt *make_dispatch(struct host_lowering *l, const struct host_collective *s,
                                     struct ir_expr *device)
{
    struct ir_stmt *stmt = ir_stmt_new(l->arena, IR_EVAL, s->call->span);
    stmt->eval = ir_op_call(l->arena, s->c->builtin, s->call->call.args, s->call->span);
    stmt->eval->call.kwargs = builtin_keywords(l, s);
    stmt->eval->call.attrs = builtin_keywords(l, s);
    push_keyword(l, &stmt->eval->call.attrs, "device", device);
    push_keyword(l, &stmt->eval->call.attrs, "arg_directions", make_directions(l, s));
    return stmt;
}

static void push_dispatches(struct host_lowering *l, const struct host_collective *s, ir_block *out)
{
    struct arena *a = l->arena;
    struct span at = s->call->span;
    int64_t device;
    for (size_t i = 0; s->devices && i < s->devices->len; i++)
        if (ir_const_int(s->devices->items[i], &device))
            vec_push(a, out, make_dispatch(l, s, ir_int(a, device, IR_INT64, at)));
    if (s->devices)
        return;
    ir_exprs none = {0};
    struct ir_stmt *loop = ir_stmt_new(a, IR_FOR, at);
    loop->for_.var = ir_var_new(a, "r", ir_scalar_type(IR_INT64), at);
    loop->for_.start = ir_int(a, 0, IR_INT64, at);
    loop->for_.stop = ir_op_call(a, "pld.system.world_size", none, at);
    loop->for_.step = ir_int(a, 1, IR_INT64, at);
    vec_push(a, &loop->for_.body, make_dispatch(l, s, ir_var_ref(a, loop->for_.var, at)));
    vec_push(a, out, loop);
}

/* ---- results ---- */

/* The variable of the result with its window, made when it has none yet. */
static struct ir_var *bind_result(struct host_lowering *l, struct ir_var *v,
                                  struct ir_window_buffer *w, struct span at)
{
    struct ir_var *bound = renamed_var(l, v);
    const struct ir_type *t = bound->type;
    if (t && t->window == w)
        return bound;
    if (t && t->window) {
        REFUSE(l, ONE_WINDOW, at, v->shown);
        return NULL;
    }
    struct ir_type *type = t ? arena_dup(l->arena, t, sizeof *t) : NULL;
    if (type)
        type->window = w;
    struct renamed r = {v, ir_var_new(l->arena, v->name, type, v->span)};
    vec_push(l->arena, &l->renamed, r);
    return r.new;
}

/* result = operand, unless they are one variable. */
static bool push_result(struct host_lowering *l, const struct host_collective *s,
                        struct ir_var *target, ir_block *out)
{
    struct ir_expr *operand = s->call->call.args.items[s->c->result];
    struct ir_var *result = bind_result(l, target, s->windows[s->c->result], s->call->span);
    if (!result)
        return false;
    if (operand->kind != IR_VAR || renamed_var(l, operand->var) != result)
        vec_push(l->arena, out, pass_assign(l->arena, result, operand));
    return true;
}

/* ---- windows that loops carry and branches yield ---- */

/* Variables without a window get that of the value that they take over. */
static void carry(struct host_lowering *l, const ir_vars *vars, const ir_exprs *values)
{
    for (size_t i = 0; i < vars->len && i < values->len; i++) {
        struct ir_window_buffer *w = window_of(l, values->items[i]);
        if (w)
            bind_result(l, vars->items[i], w, values->items[i]->span);
    }
}

/* What a loop starts with is what it carries on with. */
static void close_loop(struct host_lowering *l, const ir_block *body, const ir_vars *iter_args,
                       const ir_exprs *inits, const ir_vars *results)
{
    const struct ir_stmt *yield = ir_block_yield(body);
    if (yield)
        carry(l, iter_args, &yield->yield.values);
    carry(l, results, inits);
}

static void close_branches(struct host_lowering *l, const struct ir_stmt *s)
{
    const struct ir_stmt *a = ir_block_yield(&s->if_.then_body),
                         *b = ir_block_yield(&s->if_.else_body);
    for (size_t i = 0; a && b && i < s->if_.results.len; i++) {
        struct ir_expr *value = a->yield.values.items[i];
        struct ir_window_buffer *w = window_of(l, value);
        if (w && w == window_of(l, b->yield.values.items[i]))
            bind_result(l, s->if_.results.items[i], w, value->span);
    }
}

static void enter_stmt(struct host_lowering *l, const struct ir_stmt *s)
{
    if (ir_is_comm_domain(s))
        vec_push(l->arena, &l->domains, s);
    if (s->kind == IR_FOR)
        carry(l, &s->for_.iter_args, &s->for_.inits);
    if (s->kind == IR_WHILE)
        carry(l, &s->while_.iter_args, &s->while_.inits);
}

static void leave_stmt(struct host_lowering *l, const struct ir_stmt *s)
{
    l->domains.len -= ir_is_comm_domain(s);
    if (s->kind == IR_IF)
        close_branches(l, s);
    if (s->kind == IR_FOR)
        close_loop(l, &s->for_.body, &s->for_.iter_args, &s->for_.inits, &s->for_.results);
    if (s->kind == IR_WHILE)
        close_loop(l, &s->while_.body, &s->while_.iter_args, &s->while_.inits, &s->while_.results);
}

/* ---- statements ---- */

static bool is_no_collective(const struct ir_expr *e, void *ctx)
{
    const struct ir_expr **found = ctx;
    if (pass_is_collective(e) && e != *found) {
        *found = e;
        return false;
    }
    return true;
}

/* The collective that is the whole of the statement, or NULL; an error when another is in it. */
static const struct ir_expr *direct_collective(struct host_lowering *l, const struct ir_stmt *stmt)
{
    const struct ir_expr *e = stmt->kind == IR_ASSIGN ? stmt->assign.value
                              : stmt->kind == IR_EVAL ? stmt->eval
                                                      : NULL;
    const struct ir_expr *direct = e && pass_is_collective(e) ? e : NULL, *other = direct;
    if (!pass_walk_stmt(stmt, is_no_collective, &other))
        REFUSE(l, HOST_DIRECT, other->span, other->call.op->name);
    return direct;
}

static bool lower_site(struct host_lowering *l, const struct ir_stmt *stmt,
                       const struct ir_expr *call, ir_block *out)
{
    struct host_collective s = {.c = find_collective(l, call), .call = call};
    if (!s.c || !find_windows(l, &s) || !find_devices(l, &s) || !check_site(l, &s))
        return false;
    push_dispatches(l, &s, out);
    return stmt->kind != IR_ASSIGN || push_result(l, &s, stmt->assign.targets.items[0], out);
}

static void lower_block(void *ctx, ir_block *block)
{
    struct host_lowering *l = ctx;
    ir_block out = {0};
    bool changed = false;
    for (size_t i = 0; i < block->len && !l->diag->failed; i++) {
        struct ir_stmt *stmt = block->items[i];
        const struct ir_expr *call = direct_collective(l, stmt);
        if (l->diag->failed)
            return;
        if (call) {
            lower_site(l, stmt, call, &out);
            changed = l->lowered = true;
            continue;
        }
        enter_stmt(l, stmt);
        struct ir_stmt *lowered = rewrite_blocks(l->arena, stmt, lower_block, l);
        leave_stmt(l, stmt);
        changed |= lowered != stmt;
        vec_push(l->arena, &out, lowered);
    }
    if (changed)
        *block = out;
}

/* ---- putting the results in place of the variables they were ---- */

static struct ir_expr *rename_expr(void *ctx, struct ir_expr *e)
{
    struct host_lowering *l = ctx;
    struct ir_var *v = e->kind == IR_VAR ? renamed_var(l, e->var) : NULL;
    return v && v != e->var ? ir_var_ref(l->arena, v, e->span) : e;
}

static bool rename_vars(struct host_lowering *l, ir_vars *vars)
{
    ir_vars renamed = {0};
    bool changed = false;
    vec_foreach (struct ir_var *, v, vars) {
        vec_push(l->arena, &renamed, renamed_var(l, *v));
        changed |= renamed_var(l, *v) != *v;
    }
    if (changed)
        *vars = renamed;
    return changed;
}

/* Where a variable is defined besides the collective's own assignment. */
static struct ir_stmt *rename_definitions(struct host_lowering *l, struct ir_stmt *stmt)
{
    struct ir_stmt copy = *stmt;
    bool changed = false;
    if (stmt->kind == IR_ASSIGN)
        changed = rename_vars(l, &copy.assign.targets);
    if (stmt->kind == IR_IF)
        changed = rename_vars(l, &copy.if_.results);
    if (stmt->kind == IR_FOR) {
        changed = rename_vars(l, &copy.for_.iter_args);
        changed |= rename_vars(l, &copy.for_.results);
    }
    if (stmt->kind == IR_WHILE) {
        changed = rename_vars(l, &copy.while_.iter_args);
        changed |= rename_vars(l, &copy.while_.results);
    }
    return changed ? arena_dup(l->arena, &copy, sizeof copy) : stmt;
}

static void rename_block(void *ctx, ir_block *block)
{
    struct host_lowering *l = ctx;
    ir_block out = {0};
    bool changed = false;
    vec_foreach (struct ir_stmt *, it, block) {
        struct ir_stmt *stmt = rewrite_exprs(l->arena, *it, rename_expr, l);
        stmt = rewrite_blocks(l->arena, rename_definitions(l, stmt), rename_block, l);
        changed |= stmt != *it;
        vec_push(l->arena, &out, stmt);
    }
    if (changed)
        *block = out;
}

static struct ir_func *lower_func(void *ctx, struct ir_func *f)
{
    struct host_lowering *l = ctx;
    ir_block body = f->body;
    l->renamed.len = 0;
    l->lowered = false;
    lower_block(l, &body);
    if (l->diag->failed)
        return NULL;
    if (!l->lowered)
        return f;
    if (l->renamed.len)
        rename_block(l, &body);
    return pass_with_body(l->arena, f, body);
}

struct ir_program *lower_host_tensor_collectives(struct arena *a, const struct ir_program *p,
                                                 const struct pass_options *o, struct diag *d)
{
    struct host_lowering l = {.arena = a, .prog = p, .diag = d};
    (void)o;
    return rewrite_funcs(a, p, PASS_HOST, lower_func, &l);
}
