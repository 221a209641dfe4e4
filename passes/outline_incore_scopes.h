/* SPDX-License-Identifier: MIT */
/*
 * OutlineIncoreScopes (pypto-front-facts 3.6): with pl.at(level=CORE_GROUP), in an Opaque,
 * Orchestration or Graph function, becomes an InCore function, FUNCTION_incore_N, or named as
 * name_hint says. So does the body of a loop over pl.spmd, and of with pl.spmd around what asks for
 * its block, under the launch. An Opaque function of which a kernel was made becomes an orchestrator
 * of the chip.
 */
#ifndef PASSES_OUTLINE_INCORE_SCOPES_H
#define PASSES_OUTLINE_INCORE_SCOPES_H

#include "passes/pass.h"

struct ir_program *outline_incore_scopes(struct arena *a, const struct ir_program *p,
                                         const struct pass_options *o, struct diag *d);

#endif
