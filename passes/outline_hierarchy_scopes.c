/* SPDX-License-Identifier: MIT */
#include "passes/outline_hierarchy_scopes.h"

#include "passes/outline.h"

static bool is_opaque(const struct ir_func *f)
{
    return f->type == IR_FUNC_OPAQUE;
}

static struct ir_func *outline(struct outliner *o, struct ir_func *f)
{
    return outline_scopes(o, f, OUTLINE_HIERARCHY);
}

struct ir_program *outline_hierarchy_scopes(struct arena *a, const struct ir_program *p,
                                            const struct pass_options *o, struct diag *d)
{
    (void)o;
    return outline_program(a, p, d, is_opaque, outline);
}
