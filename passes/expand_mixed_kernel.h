/* SPDX-License-Identifier: MIT */
/*
 * ExpandMixedKernel (pypto-front-facts 3.6, pypto-ops-facts 3.1): which cores of a cluster a kernel
 * runs on.
 *
 *   vectors only   or nothing of a tile: the InCore function becomes an AIV function
 *   the cube only  it becomes an AIC function
 *   both           NAME_aic and NAME_aiv take its place, and a Group NAME that calls them, in which
 *                  they run at once. A Group that called the function calls both instead.
 *
 * What each statement runs on is said in passes/core_affinity.h; scalars and the flow of control run
 * on both. A tile that crosses is pushed by the one lane and popped by the other. Tensors that one
 * lane writes and the other reads are not crossed over: only where the cube stores a tensor at one
 * place and the vector core loads it behind that, a pushed and popped tile that nobody reads keeps
 * the order. All other order between the lanes is the author's.
 */
#ifndef PASSES_EXPAND_MIXED_KERNEL_H
#define PASSES_EXPAND_MIXED_KERNEL_H

#include "passes/pass.h"

/*
 * Errors, with the name of the rule in brackets:
 *   mixed-callee   a function of both kinds of cores is called by a kernel
 *   mixed-name     one name stands for a tile of the cube and for one of the vector cores
 * and those of passes/deferred_wait.h
 */
struct ir_program *expand_mixed_kernel(struct arena *a, const struct ir_program *p,
                                       const struct pass_options *o, struct diag *d);

#endif
