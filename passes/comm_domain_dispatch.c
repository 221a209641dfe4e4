/* SPDX-License-Identifier: MIT */
/* Which devices a window buffer lives on: those that it is dispatched to, and for the signal of a
 * collective those of its data (pypto-facts 4.2, steps 2 and 3). */
#include <string.h>

#include "ir/ops.h"
#include "ir/print.h"
#include "passes/comm_domain_internal.h"
#include "passes/pass.h"
#include "passes/refusals.h"
#include "passes/rewrite.h"

/* ---- sets of devices ---- */

static void device_set_add(struct arena *a, struct device_set *set, int64_t device)
{
    size_t at = set->list.len;
    while (at > 0 && set->list.items[at - 1] > device)
        at--;
    if (at > 0 && set->list.items[at - 1] == device)
        return;
    vec_push(a, &set->list, device);
    memmove(&set->list.items[at + 1], &set->list.items[at],
            (set->list.len - 1 - at) * sizeof *set->list.items);
    set->list.items[at] = device;
}

static void device_set_join(struct arena *a, struct device_set *set, const struct device_set *other)
{
    set->all = set->all || other->all;
    vec_foreach (int64_t, device, &other->list)
        device_set_add(a, set, *device);
}

bool device_set_equal(const struct device_set *a, const struct device_set *b)
{
    if (a->all || b->all)
        return a->all == b->all;
    return a->list.len == b->list.len &&
           (a->list.len == 0 ||
            memcmp(a->list.items, b->list.items, a->list.len * sizeof *a->list.items) == 0);
}

bool device_set_is_empty(const struct device_set *set)
{
    return !set->all && set->list.len == 0;
}

/* ---- the device of a dispatch ---- */

/* A scope lists its devices one by one. */
enum { MAX_LISTED_DEVICES = 1024 };

/* The signal of a collective takes over the devices of its data. */
struct inheritance {
    const struct ir_expr *call;
    struct window_alloc *data; /* NULL: a barrier, whose signal needs devices of its own */
    struct window_alloc *signal;
};

struct dispatch_scan {
    struct comm_host *host;
    VEC(const struct ir_stmt *) loops; /* open ones, for and while, outermost first */
    VEC(struct inheritance) inherited;
};

static const struct ir_stmt *loop_of(const struct dispatch_scan *s, const struct ir_var *v)
{
    for (size_t i = s->loops.len; i-- > 0;)
        if (s->loops.items[i]->kind == IR_FOR && s->loops.items[i]->for_.var == v)
            return s->loops.items[i];
    return NULL;
}

static bool devices_of_loop(const struct dispatch_scan *s, const struct ir_stmt *loop,
                            struct device_set *out)
{
    struct comm_host *h = s->host;
    const struct ir_expr *stop = loop->for_.stop;
    int64_t from, to, step;
    if (comm_domain_is_world_size(h, stop))
        return out->all = true;
    if (!comm_domain_const(h, stop, &to))
        return REFUSE(h, LOOP_BOUND, stop->span);
    if (!comm_domain_const(h, loop->for_.start, &from) ||
        !comm_domain_const(h, loop->for_.step, &step))
        return REFUSE(h, LOOP_CONSTANT, loop->span);
    if (step != 1)
        return REFUSE(h, LOOP_STEP, loop->for_.step->span, arena_decimal(h->arena, step));
    if (from < 0 || to < from)
        return REFUSE(h, LOOP_RANGE, loop->span, arena_decimal(h->arena, from),
                      arena_decimal(h->arena, to));
    if (to - from > MAX_LISTED_DEVICES)
        return REFUSE(h, LOOP_LENGTH, loop->span, arena_decimal(h->arena, to - from),
                      arena_decimal(h->arena, MAX_LISTED_DEVICES));
    for (int64_t device = from; device < to; device++)
        device_set_add(h->arena, out, device);
    return true;
}

static bool devices_of(const struct dispatch_scan *s, const struct ir_expr *e,
                       struct device_set *out)
{
    struct comm_host *h = s->host;
    const struct ir_stmt *loop = e->kind == IR_VAR ? loop_of(s, e->var) : NULL;
    int64_t device;
    if (loop)
        return devices_of_loop(s, loop, out);
    if (!ir_const_int(e, &device))
        return e->kind == IR_VAR
                   ? REFUSE(h, DEVICE_VARIABLE, e->span, e->var->shown)
                   : REFUSE(h, DEVICE_EXPRESSION, e->span, ir_print_expr(h->arena, e));
    if (device < 0)
        return REFUSE(h, DEVICE_NEGATIVE, e->span, arena_decimal(h->arena, device));
    device_set_add(h->arena, out, device);
    return true;
}

static bool is_view(const struct ir_expr *e)
{
    return e->type && e->type->kind == IR_TYPE_DIST_TENSOR;
}

static bool scan_dispatch(struct dispatch_scan *s, const struct ir_call *call)
{
    const struct ir_expr *device = comm_domain_device(call);
    struct device_set devices = {0};
    if (!device)
        return true;
    if (!devices_of(s, device, &devices))
        return false;
    vec_foreach (struct ir_expr *, arg, &call->args) {
        struct window_alloc *alloc = is_view(*arg) ? comm_domain_alloc_of(s->host, *arg) : NULL;
        if (alloc)
            device_set_join(s->host->arena, &alloc->devices, &devices);
    }
    return true;
}

/* ---- collectives ---- */

/* Parameters that live where the data lives; the data is what the collective writes. */
static const char *const followers[] = {"signal", "recv_counts"};

static struct window_alloc *operand(struct dispatch_scan *s, const struct ir_expr *e, int at)
{
    const struct ir_call *call = &e->call;
    struct comm_host *h = s->host;
    const char *param = ir_op_arg_name(h->arena, call->op, strlen(call->op->args), (size_t)at);
    if ((size_t)at >= call->args.len) {
        REFUSE(h, OPERAND_MISSING, e->span, call->op->name, param);
        return NULL;
    }
    const struct ir_expr *arg = call->args.items[at];
    struct window_alloc *alloc = is_view(arg) ? comm_domain_alloc_of(h, arg) : NULL;
    if (!alloc)
        REFUSE(h, OPERAND_VIEW, arg->span, param, call->op->name);
    return alloc;
}

static bool scan_collective(struct dispatch_scan *s, const struct ir_expr *e)
{
    const struct ir_op *op = e->call.op;
    if (strcmp(op->name, "pld.tensor.all_to_all_v") == 0 && s->loops.len > 0)
        return REFUSE(s->host, ALL_TO_ALL_V_LOOP, e->span);
    for (size_t i = 0; i < sizeof followers / sizeof *followers; i++) {
        int at = ir_op_param(op, followers[i]);
        if (at < 0)
            continue;
        struct inheritance one = {.call = e};
        if (at != op->target && !(one.data = operand(s, e, op->target)))
            return false;
        if (!(one.signal = operand(s, e, at)))
            return false;
        vec_push(s->host->arena, &s->inherited, one);
    }
    return true;
}

/* Data first, so that a barrier finds the devices that its signal has from another collective. */
static bool inherit(struct dispatch_scan *s)
{
    vec_foreach (struct inheritance, one, &s->inherited) {
        if (!one->data)
            continue;
        if (device_set_is_empty(&one->data->devices))
            return REFUSE(s->host, DATA_COVERAGE, one->call->span, one->call->call.name,
                          one->data->name);
        device_set_join(s->host->arena, &one->signal->devices, &one->data->devices);
    }
    vec_foreach (struct inheritance, one, &s->inherited)
        if (!one->data && device_set_is_empty(&one->signal->devices))
            return REFUSE(s->host, BARRIER_COVERAGE, one->call->span, one->signal->name);
    return true;
}

/* ---- the walk ---- */

static bool scan_expr(const struct ir_expr *e, void *ctx)
{
    struct dispatch_scan *s = ctx;
    if (comm_domain_is_dispatch(s->host, e))
        return scan_dispatch(s, &e->call);
    bool collective = e->kind == IR_CALL && e->call.callee == IR_CALLEE_OP &&
                      e->call.op->effect == IR_EFFECT_COLLECTIVE;
    return !collective || scan_collective(s, e);
}

static bool scan_block(struct dispatch_scan *s, const ir_block *block)
{
    vec_foreach (struct ir_stmt *, it, block) {
        bool loop = (*it)->kind == IR_FOR || (*it)->kind == IR_WHILE;
        ir_block *inner[PASS_MAX_BLOCKS];
        size_t n = pass_child_blocks(*it, inner);
        if (!pass_walk_stmt(*it, scan_expr, s))
            return false;
        if (loop)
            vec_push(s->host->arena, &s->loops, *it);
        for (size_t i = 0; i < n; i++)
            if (!scan_block(s, inner[i]))
                return false;
        s->loops.len -= loop;
    }
    return true;
}

bool comm_domain_scan(struct comm_host *h, const ir_block *body)
{
    struct dispatch_scan s = {.host = h};
    return scan_block(&s, body) && inherit(&s);
}
