/* SPDX-License-Identifier: MIT */
#include "passes/materialize_comm_domain_scopes.h"

#include "passes/comm_domain_internal.h"
#include "passes/group_dispatch.h"
#include "passes/refusals.h"
#include "passes/rewrite.h"

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
            REFUSE(&h, SCOPE_PLACE, outside->span, f->name);
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
