/* SPDX-License-Identifier: MIT */
#include "passes/materialize_comm_domain_scopes.h"

#include <stdarg.h>

#include "passes/comm_domain_internal.h"
#include "passes/group_dispatch.h"
#include "passes/rewrite.h"

/* ---- rules (pypto-facts 4.3) ---- */

static const struct {
    const char *name, *message;
} rules[COMM_DOMAIN_RULE_COUNT] = {
    [COMM_DOMAIN_SCOPE_PLACE] = {"window-outside-scope",
                                 "this window buffer is outside of the comm_domain scopes of '%s'"},
    [COMM_DOMAIN_VIEW_VARIABLE] = {"window-variable",
                                   "'%s' stands for a window buffer and for something else; give "
                                   "the two different names"},
    [COMM_DOMAIN_NO_WINDOW] = {"window-missing",
                               "window buffer '%s' has no pld.tensor.window materialisation"},
    [COMM_DOMAIN_NO_DISPATCH] = {"window-not-dispatched",
                                 "window buffer '%s' is not consumed by any chip_orch dispatch"},
    [COMM_DOMAIN_SAME_NAME] = {"window-same-name",
                               "two window buffers of one communication domain are named '%s'"},
    [COMM_DOMAIN_DEVICE_EXPRESSION] = {"device-expression",
                                       "device= must be a ConstInt or the variable of an enclosing "
                                       "for loop, found %s"},
    [COMM_DOMAIN_DEVICE_VARIABLE] = {"device-variable",
                                     "device= must be a ConstInt or the variable of an enclosing "
                                     "for loop, and '%s' is neither"},
    [COMM_DOMAIN_DEVICE_NEGATIVE] = {"device-negative", "device= must be at least 0, found %s"},
    [COMM_DOMAIN_LOOP_BOUND] = {"device-loop-bound",
                                "loop bound must be ConstInt or pld.system.world_size()"},
    [COMM_DOMAIN_LOOP_CONSTANT] = {"device-loop-constant",
                                   "start and step of a loop over devices must be ConstInt"},
    [COMM_DOMAIN_LOOP_STEP] = {"device-loop-step",
                               "non-unit-step loop is not supported over devices, found step %s"},
    [COMM_DOMAIN_LOOP_RANGE] = {"device-loop-range",
                                "a loop over devices must count upwards from 0 or more, found %s "
                                "to %s"},
    [COMM_DOMAIN_LOOP_LENGTH] = {"device-loop-length",
                                 "a loop over %s devices; a communication domain lists at most %s"},
    [COMM_DOMAIN_OPERAND_MISSING] = {"collective-operand",
                                     "%s lacks its argument '%s'; SynthesizeAllReduceSignals must "
                                     "run before this pass"},
    [COMM_DOMAIN_OPERAND_VIEW] = {"collective-view",
                                  "argument '%s' of %s is no view of a window buffer of this "
                                  "function"},
    [COMM_DOMAIN_DATA_COVERAGE] = {"collective-coverage",
                                   "%s works on window buffer '%s', which is not consumed by any "
                                   "chip_orch dispatch"},
    [COMM_DOMAIN_BARRIER_COVERAGE] =
        {"barrier-coverage", "pld.tensor.barrier needs a signal that a chip_orch dispatch "
                             "or another collective uses, and window buffer '%s' has none"},
    [COMM_DOMAIN_ALL_TO_ALL_V_LOOP] =
        {"all-to-all-v-loop", "pld.tensor.all_to_all_v is not supported inside a for/while "
                              "loop in a HOST orchestrator"},
};

bool comm_domain_fail(struct comm_host *h, enum comm_domain_rule rule, struct span at, ...)
{
    va_list strings;
    va_start(strings, at);
    const char *message = arena_vprintf(h->arena, rules[rule].message, strings);
    va_end(strings);
    return diag_error(h->diag, h->prog->source, at, "%s [%s]", message, rules[rule].name);
}

/* ---- the pass ---- */

struct pass_run {
    struct arena *arena;
    const struct ir_program *prog;
    struct diag *diag;
};

static enum walk is_scope(const struct ir_stmt *s, void *ctx)
{
    (void)ctx;
    return ir_is_comm_domain(s) ? WALK_FOUND : WALK_INTO;
}

static enum walk is_alloc_outside(const struct ir_stmt *s, void *ctx)
{
    (void)ctx;
    if (ir_is_comm_domain(s))
        return WALK_OVER;
    return s->kind == IR_ASSIGN && comm_domain_is_alloc(s->assign.value) ? WALK_FOUND : WALK_INTO;
}

static struct ir_func *materialize(void *ctx, struct ir_func *f)
{
    const struct pass_run *run = ctx;
    struct comm_host h = {.arena = run->arena,
                          .prog = run->prog,
                          .func = f,
                          .diag = run->diag,
                          .bindings.arena = run->arena,
                          .mixed.arena = run->arena};
    ir_block body = f->body;
    if (pass_find_stmt(&body, is_scope, NULL)) {
        const struct ir_stmt *outside = pass_find_stmt(&body, is_alloc_outside, NULL);
        if (outside)
            comm_domain_fail(&h, COMM_DOMAIN_SCOPE_PLACE, outside->span, f->name);
        return outside ? NULL : f;
    }
    if (!comm_domain_collect(&h))
        return NULL;
    group_dispatch_mark(&h, &body);
    if (h.allocs.len > 0 && (!comm_domain_scan(&h, &body) || !comm_domain_wrap(&h, &body)))
        return NULL;
    return pass_with_body(run->arena, f, body);
}

struct ir_program *materialize_comm_domain_scopes(struct arena *a, const struct ir_program *p,
                                                  const struct pass_options *o, struct diag *d)
{
    (void)o;
    struct pass_run run = {a, p, d};
    return rewrite_funcs(a, p, PASS_HOST, materialize, &run);
}
