/* SPDX-License-Identifier: MIT */
/* TNOTIFY and TWAIT (hw-facts 1.1, 1.2), and completion that is deferred (pypto-ops-facts 5.1). */
#include "codegen/internal.h"

struct value gen_notify(struct gen *g, const struct ir_expr *e, const struct ir_var *target)
{
    (void)target;
    const struct tensor *t = gen_tensor_arg(g, ir_call_arg(&e->call, "target"));
    const ir_exprs *at = t ? gen_tuple_arg(g, ir_call_arg(&e->call, "offsets"), t->ndims) : NULL;
    if (!at)
        return none;
    struct operand addr = gen_element_address(g, t, at), value;
    if (t->elem != ELEM_I32)
        gen_error(g, e->span, "a signal is INT32");
    if (g->d->failed || !gen_int(g, ir_call_arg(&e->call, "value"), &value))
        return none;
    addr = gen_peer_address(g, addr, t, ir_call_arg(&e->call, "peer"));
    if (g->d->failed)
        return none;
    gen_extra_barrier(g, g->opt->toolchain->notify_pre_barrier, "barrier before TNOTIFY");
    g->what = "TNOTIFY";
    enum insn_op op = ir_call_int(&e->call, "op") == 1 ? I_ST : I_ST_ATOMIC;
    struct insn store = insn_with(gen_scalar_access(g, op, t, addr), value);
    struct macro_step steps[MACRO_STEPS];
    g->origin = ORIGIN_MACRO;
    gen_steps(g, steps, macro_notify(gen_like(g), store, steps), false);
    g->origin = ORIGIN_USER;
    return none;
}

/* The cell that a wait names, and the value that it compares with. */
struct awaited {
    const struct tensor *signal;
    struct operand addr, expected;
};

static bool find_awaited(struct gen *g, const struct ir_expr *e, struct awaited *out)
{
    const struct tensor *t = gen_tensor_arg(g, ir_call_arg(&e->call, "signal"));
    const ir_exprs *at = t ? gen_tuple_arg(g, ir_call_arg(&e->call, "offsets"), t->ndims) : NULL;
    if (!at || !gen_int(g, ir_call_arg(&e->call, "expected"), &out->expected))
        return false;
    out->signal = t;
    out->addr = gen_element_address(g, t, at);
    if (!g->d->failed && t->elem != ELEM_I32)
        gen_error(g, e->span, "a signal is INT32");
    return !g->d->failed;
}

struct value gen_wait(struct gen *g, const struct ir_expr *e, const struct ir_var *target)
{
    (void)target;
    struct awaited w;
    if (!find_awaited(g, e, &w))
        return none;
    g->what = "TWAIT";
    gen_emit(g, macro_wait(gen_like(g), w.addr, w.signal->region,
                           ir_call_int(&e->call, "cmp") == 1 ? CMP_GE : CMP_EQ, w.expected));
    return none;
}

/* The runtime polls for the task, which has a core of its own in the plan (codegen/host/host.h).
 * Nothing that others could notice follows a registration (passes/deferred_wait.h), so that the task
 * may as well stand still here. */
struct value gen_defer_wait(struct gen *g, const struct ir_expr *e, const struct ir_var *target)
{
    (void)target;
    struct awaited w;
    if (!find_awaited(g, e, &w))
        return none;
    gen_emit(g, macro_deferred_wait(gen_like(g), w.addr, w.signal->region, w.expected));
    return none;
}
