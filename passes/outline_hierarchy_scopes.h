/* SPDX-License-Identifier: MIT */
/*
 * OutlineHierarchyScopes (pypto-front-facts 3, row 8): with pl.at(level=...) of another level than
 * CORE_GROUP, in an Opaque function, becomes an Opaque function of that level and role,
 * FUNCTION_LEVEL[_ROLE]_N, or named as name_hint says.
 */
#ifndef PASSES_OUTLINE_HIERARCHY_SCOPES_H
#define PASSES_OUTLINE_HIERARCHY_SCOPES_H

#include "passes/pass.h"

struct ir_program *outline_hierarchy_scopes(struct arena *a, const struct ir_program *p,
                                            const struct pass_options *o, struct diag *d);

#endif
