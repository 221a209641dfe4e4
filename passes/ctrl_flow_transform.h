/* SPDX-License-Identifier: MIT */
/*
 * CtrlFlowTransform (pypto-front-facts 3.2): core functions without break and continue.
 *
 *   continue   what stands behind it in the body goes into the other branch
 *   break      sets a flag, break__tmp_vN, and what stands behind it goes into the other branch; a
 *              for loop becomes a while loop over its variable, which the flag ends too
 *
 * In a loop with init_values the ifs yield what the round carries on, by the compiler's rule, also
 * where that loses what a round has computed; a note then says so (docs/passes.md). Loops that hold
 * a jump in a scope stay as they are; ConvertToSSA leaves such a function alone.
 *
 * Where the compiler's own pass loses statements, this one does not: in front of a jump in its
 * branch, and behind a branch of which only a part ends in one. The compiler then refuses kernels
 * with a break in a range loop, in Simplify; here they run.
 */
#ifndef PASSES_CTRL_FLOW_TRANSFORM_H
#define PASSES_CTRL_FLOW_TRANSFORM_H

#include "passes/pass.h"

/*
 * Errors, with the name of the rule in brackets:
 *   jump-size   what stands behind branches that may go on or not would be written too often
 */
struct ir_program *ctrl_flow_transform(struct arena *a, const struct ir_program *p,
                                       const struct pass_options *o, struct diag *d);

#endif
