/* SPDX-License-Identifier: MIT */
/*
 * ConvertToSSA: each variable gets one definition (pypto-front-facts 3.3).
 *
 * An assignment makes a new version of its variable; what differs behind a branch becomes a result
 * of the if, and what a loop assigns and is there before it, or is needed behind it, becomes an
 * argument that it carries. Names are a base and a role with a number, counted for each variable:
 * x__ssa_v0 a parameter or an assignment, x__idx_v0 a loop variable, x__iter_v1 and x__rv_v2 what a
 * loop carries and what it leaves, x__phi_v3 a result of an if. Carried arguments and results that
 * stand in the text already keep their names.
 *
 * A variable that a loop defines and that something behind it reads begins as a parameter that is
 * written, or as the oldest variable, of the very same type; else as a variable that nothing
 * defines, whose name says so (ir_is_free_var).
 *
 * A function in SSA form whose names are such names, and a host's worker, whose body is no code of
 * this language, are left alone.
 */
#ifndef PASSES_CONVERT_TO_SSA_H
#define PASSES_CONVERT_TO_SSA_H

#include "passes/pass.h"

struct ir_program *convert_to_ssa(struct arena *a, const struct ir_program *p,
                                  const struct pass_options *o, struct diag *d);

#endif
