/* SPDX-License-Identifier: MIT */
#include "passes/outline_incore_scopes.h"

#include "passes/outline.h"
#include "passes/rewrite.h"

static bool holds_kernels(const struct ir_func *f)
{
    return f->type == IR_FUNC_OPAQUE || f->type == IR_FUNC_ORCHESTRATION ||
           f->type == IR_FUNC_GRAPH;
}

static void set_keyword(struct arena *a, struct ir_func *f, const char *name, const char *value)
{
    f->decorator = pass_with_keyword(a, &f->decorator, name, pass_constant(a, value, f->span));
}

/* It launches kernels now. */
static struct ir_func *promoted(struct arena *a, const struct ir_func *f)
{
    struct ir_func *out = arena_dup(a, f, sizeof *f);
    out->type = IR_FUNC_ORCHESTRATION;
    set_keyword(a, out, "type", "pl.FunctionType.Orchestration");
    set_keyword(a, out, "level", "pl.Level.CHIP");
    set_keyword(a, out, "role", "pl.Role.Orchestrator");
    return out;
}

static struct ir_func *outline(struct outliner *o, struct ir_func *f)
{
    struct ir_func *unfolded = outline_unfold_spmd(o->arena, f),
                   *out = outline_scopes(o, unfolded, OUTLINE_INCORE);
    if (!out || out == unfolded)
        return out;
    return out->type == IR_FUNC_OPAQUE ? promoted(o->arena, out) : out;
}

struct ir_program *outline_incore_scopes(struct arena *a, const struct ir_program *p,
                                         const struct pass_options *o, struct diag *d)
{
    (void)o;
    return outline_program(a, p, d, holds_kernels, outline);
}
