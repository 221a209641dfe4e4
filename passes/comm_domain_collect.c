/* SPDX-License-Identifier: MIT */
/* Window buffers, views and definitions of a host orchestrator (pypto-facts 4.2, step 1). */
#include <string.h>

#include "ir/infer.h"
#include "ir/ops.h"
#include "passes/comm_domain_internal.h"
#include "passes/pass.h"
#include "passes/refusals.h"
#include "passes/rewrite.h"

static const char op_alloc[] = "pld.tensor.alloc_window_buffer", op_window[] = "pld.tensor.window",
                  op_world_size[] = "pld.system.world_size", builtin_prefix[] = "builtin.tensor.";

static bool is_call_of(const struct ir_expr *e, const char *op)
{
    return e->kind == IR_CALL && e->call.callee == IR_CALLEE_OP && strcmp(e->call.name, op) == 0;
}

bool comm_domain_is_alloc(const struct ir_expr *e)
{
    return is_call_of(e, op_alloc);
}

/* ---- what an expression stands for ---- */

/* The operand that the value of e is storage of, or NULL. */
static const struct ir_expr *aliased(const struct ir_expr *e)
{
    if (e->kind != IR_CALL || e->call.args.len == 0)
        return NULL;
    const struct ir_op *op = e->call.op;
    int at = -1;
    if (e->call.callee != IR_CALLEE_OP)
        at = ir_type_is_tensor_like(e->type) && strcmp(e->call.name, "[]") == 0 ? 0 : -1;
    else if (op->result == IR_RESULT_WINDOW)
        at = 0;
    else if (op->result == IR_RESULT_VIEW ||
             (op->result == IR_RESULT_ARG && op->effect != IR_EFFECT_PURE))
        at = op->result_arg;
    return at >= 0 && (size_t)at < e->call.args.len ? e->call.args.items[at] : NULL;
}

struct window_alloc *comm_domain_alloc_of(const struct comm_host *h, const struct ir_expr *e)
{
    for (; e; e = aliased(e)) {
        if (e->kind != IR_VAR)
            continue;
        const struct window_binding *b = map_get(&h->bindings, e->var);
        return b ? b->alloc : NULL;
    }
    return NULL;
}

/* Definitions of a program that is not in SSA form may form a ring: the steps are bounded. */
static const struct ir_expr *comm_domain_unwrap(const struct comm_host *h, const struct ir_expr *e)
{
    enum { MAX_STEPS = 1000 };
    for (int i = 0; i < MAX_STEPS && e->kind == IR_VAR; i++) {
        const struct window_binding *b = map_get(&h->bindings, e->var);
        if (!b || !b->value)
            break;
        e = b->value;
    }
    return e;
}

bool comm_domain_const(const struct comm_host *h, const struct ir_expr *e, int64_t *out)
{
    return ir_const_int(comm_domain_unwrap(h, e), out);
}

bool comm_domain_is_world_size(const struct comm_host *h, const struct ir_expr *e)
{
    return is_call_of(comm_domain_unwrap(h, e), op_world_size);
}

bool comm_domain_is_dispatch(const struct comm_host *h, const struct ir_expr *e)
{
    if (e->kind != IR_CALL)
        return false;
    if (e->call.callee == IR_CALLEE_OP)
        return strncmp(e->call.name, builtin_prefix, strlen(builtin_prefix)) == 0;
    if (e->call.callee != IR_CALLEE_USER && e->call.callee != IR_CALLEE_SUBMIT)
        return false;
    const struct ir_func *f = ir_find_func(h->prog, e->call.name);
    return f && ir_func_is_chip_orchestrator(f);
}

const struct ir_expr *comm_domain_device(const struct ir_call *call)
{
    const struct ir_expr *e = ir_kwarg_find(&call->kwargs, "device");
    return e ? e : ir_kwarg_find(&call->attrs, "device");
}

/* ---- allocations ---- */

static struct ir_expr *binary(struct arena *a, enum ir_binary_op op, struct ir_expr *lhs,
                              struct ir_expr *rhs)
{
    return ir_binary(a, op, lhs, rhs, lhs->span);
}

/* Bytes of the authoring form (shape, dtype=): the elements, and what one of them takes. */
static struct ir_expr *bytes_of_shape(const struct comm_host *h, const struct ir_expr *shape,
                                      enum ir_dtype dtype)
{
    int64_t total;
    int bits = ir_dtype_bits(dtype);
    struct ir_expr *e = NULL;
    vec_foreach (struct ir_expr *, extent, &shape->items)
        e = e ? binary(h->arena, IR_MUL, e, *extent) : *extent;
    if (bits < 8)
        e = binary(h->arena, IR_FLOORDIV,
                   binary(h->arena, IR_ADD, e, ir_int(h->arena, 8 / bits - 1, IR_INDEX, e->span)),
                   ir_int(h->arena, 8 / bits, IR_INDEX, e->span));
    else if (bits > 8)
        e = binary(h->arena, IR_MUL, e, ir_int(h->arena, bits / 8, IR_INDEX, e->span));
    return ir_const_int(e, &total) ? ir_int(h->arena, total, IR_INT64, e->span) : e;
}

static struct ir_expr *size_of(const struct comm_host *h, const struct ir_call *call)
{
    struct ir_expr *size = call->args.items[0];
    const struct ir_expr *dtype = ir_kwarg_find(&call->kwargs, "dtype");
    bool shaped = size->kind == IR_TUPLE || size->kind == IR_LIST;
    if (!shaped || size->items.len == 0 || !dtype || dtype->kind != IR_NAME ||
        strncmp(dtype->name, "pl.", 3) != 0)
        return size;
    enum ir_dtype element = ir_dtype_parse(dtype->name + 3);
    return element == IR_DTYPE_NONE ? size : bytes_of_shape(h, size, element);
}

static struct window_alloc *record_alloc(struct comm_host *h, const struct ir_stmt *s)
{
    const struct ir_call *call = &s->assign.value->call;
    const struct ir_expr *name = ir_kwarg_find(&call->kwargs, "name");
    struct window_alloc *alloc = arena_new(h->arena, struct window_alloc);
    alloc->var = s->assign.targets.items[0];
    alloc->name = name && name->kind == IR_STRING ? name->string : alloc->var->name;
    alloc->size = size_of(h, call);
    alloc->span = s->span;
    vec_push(h->arena, &h->allocs, alloc);
    return alloc;
}

/* ---- bindings ---- */

/* A variable may be assigned again, but what views one window buffer must not stand for anything
 * else: its type is about to name that window buffer. */
static bool bind(struct comm_host *h, struct ir_var *v, struct ir_expr *value,
                 struct window_alloc *alloc, struct span at)
{
    struct window_binding *b = map_get(&h->bindings, v);
    if (!b) {
        b = arena_new(h->arena, struct window_binding);
        b->value = value;
        b->alloc = alloc;
        map_put(&h->bindings, v, b);
        return true;
    }
    b->value = NULL;
    return b->alloc == alloc || REFUSE(h, VIEW_VARIABLE, at, v->shown);
}

static bool bind_each(struct comm_host *h, const ir_vars *vars, struct span at)
{
    vec_foreach (struct ir_var *, v, vars)
        if (!bind(h, *v, NULL, NULL, at))
            return false;
    return true;
}

static bool bind_assigned(struct comm_host *h, const struct ir_stmt *s)
{
    struct ir_expr *value = s->assign.value;
    if (s->assign.targets.len != 1)
        return bind_each(h, &s->assign.targets, s->span);
    bool allocates = comm_domain_is_alloc(value) && value->call.args.len > 0;
    struct window_alloc *alloc = allocates ? record_alloc(h, s) : comm_domain_alloc_of(h, value);
    return bind(h, s->assign.targets.items[0], value, alloc, s->span);
}

/* ---- values that loops carry and branches yield ---- */

static struct window_alloc *yielded_alloc(const struct comm_host *h, const ir_block *block,
                                          size_t i)
{
    const struct ir_stmt *last = block->len ? block->items[block->len - 1] : NULL;
    bool yields = last && last->kind == IR_YIELD && i < last->yield.values.len;
    return yields ? comm_domain_alloc_of(h, last->yield.values.items[i]) : NULL;
}

/* A carried value is taken for the window buffer that it starts with, until the body yields another
 * one. */
static bool bind_carried(struct comm_host *h, const ir_vars *vars, const ir_exprs *inits,
                         struct span at)
{
    for (size_t i = 0; i < vars->len; i++) {
        struct ir_var *v = vars->items[i];
        bool same = i < inits->len && !map_get(&h->mixed, v);
        if (!bind(h, v, NULL, same ? comm_domain_alloc_of(h, inits->items[i]) : NULL, at))
            return false;
    }
    return true;
}

static bool bind_loop_results(struct comm_host *h, const ir_vars *carried, const ir_block *body,
                              const ir_vars *results, struct span at)
{
    for (size_t i = 0; i < results->len; i++) {
        const struct window_binding *start =
            i < carried->len ? map_get(&h->bindings, carried->items[i]) : NULL;
        struct window_alloc *first = start ? start->alloc : NULL;
        bool same = yielded_alloc(h, body, i) == first;
        if (!same && first) {
            map_put(&h->mixed, carried->items[i], carried->items[i]);
            h->again = true;
        }
        if (!bind(h, results->items[i], NULL, same ? first : NULL, at))
            return false;
    }
    return true;
}

static bool bind_branch_results(struct comm_host *h, const struct ir_stmt *s)
{
    for (size_t i = 0; i < s->if_.results.len; i++) {
        struct window_alloc *alloc = yielded_alloc(h, &s->if_.then_body, i);
        bool same = alloc == yielded_alloc(h, &s->if_.else_body, i);
        if (!bind(h, s->if_.results.items[i], NULL, same ? alloc : NULL, s->span))
            return false;
    }
    return true;
}

/* ---- the walk ---- */

/* What a statement binds before and after the statements under it. */
static bool bind_before(struct comm_host *h, const struct ir_stmt *s)
{
    switch (s->kind) {
    case IR_ASSIGN:
        return bind_assigned(h, s);
    case IR_FOR:
        return bind(h, s->for_.var, NULL, NULL, s->span) &&
               bind_carried(h, &s->for_.iter_args, &s->for_.inits, s->span);
    case IR_WHILE:
        return bind_carried(h, &s->while_.iter_args, &s->while_.inits, s->span);
    default:
        return true;
    }
}

static bool bind_after(struct comm_host *h, const struct ir_stmt *s)
{
    switch (s->kind) {
    case IR_IF:
        return bind_branch_results(h, s);
    case IR_FOR:
        return bind_loop_results(h, &s->for_.iter_args, &s->for_.body, &s->for_.results, s->span);
    case IR_WHILE:
        return bind_loop_results(h, &s->while_.iter_args, &s->while_.body, &s->while_.results,
                                 s->span);
    default:
        return true;
    }
}

static bool count_view(const struct ir_expr *e, void *ctx)
{
    struct window_alloc *alloc = is_call_of(e, op_window) ? comm_domain_alloc_of(ctx, e) : NULL;
    if (alloc)
        alloc->views++;
    return true;
}

static bool collect_block(struct comm_host *h, const ir_block *block)
{
    vec_foreach (struct ir_stmt *, it, block) {
        pass_walk_stmt(*it, count_view, h);
        if (!bind_before(h, *it))
            return false;
        ir_block *inner[PASS_MAX_BLOCKS];
        size_t n = pass_child_blocks(*it, inner);
        for (size_t i = 0; i < n; i++)
            if (!collect_block(h, inner[i]))
                return false;
        if (!bind_after(h, *it))
            return false;
    }
    return true;
}

static bool collect_once(struct comm_host *h)
{
    h->allocs.len = 0;
    h->bindings.head = NULL;
    h->again = false;
    vec_foreach (struct ir_param, p, &h->func->params)
        if (!bind(h, p->var, NULL, NULL, p->var->span))
            return false;
    return collect_block(h, &h->func->body);
}

/* Again, each time with a carried value more that is no single window buffer. */
bool comm_domain_collect(struct comm_host *h)
{
    bool ok;
    do
        ok = collect_once(h);
    while (ok && h->again);
    return ok;
}
