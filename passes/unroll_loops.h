/* SPDX-License-Identifier: MIT */
/*
 * UnrollLoops: the rounds of a pl.unroll loop with constant bounds, one behind the other
 * (pypto-front-facts 3, pass 2). The loop variable becomes its value in each; arithmetic with it is
 * not folded here. What the body assigns are the same variables in every round; what its loops and
 * branches bind are others in each.
 *
 * Other loops of that kind, those that carry something and those that are left in the middle stay.
 */
#ifndef PASSES_UNROLL_LOOPS_H
#define PASSES_UNROLL_LOOPS_H

#include "passes/pass.h"

struct ir_program *unroll_loops(struct arena *a, const struct ir_program *p,
                                const struct pass_options *o, struct diag *d);

#endif
