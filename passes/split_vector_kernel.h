/* SPDX-License-Identifier: MIT */
/*
 * SplitVectorKernel (pypto-ops-facts 3.2): how the two vector cores of a cluster share an AIV
 * function.
 *
 *   split already   a function of pl.split_aiv, or that LowerAutoVectorSplit halved: both run it
 *   to be split     its attribute `split`, or that of what it pushes and pops, names a mode: it is
 *                   halved (passes/split_axis.h), and both run it
 *   not split       the cube waits for both vector cores, so the second one takes part in every
 *                   exchange of a function with the attribute dual_aiv_dispatch: it runs the same
 *                   text on tiles of which nothing is valid, without loads and without stores
 *
 * What the pass made of a function is left alone when it is read again.
 */
#ifndef PASSES_SPLIT_VECTOR_KERNEL_H
#define PASSES_SPLIT_VECTOR_KERNEL_H

#include "passes/pass.h"

/*
 * Errors, with the name of the rule in brackets:
 *   split-conflict     what a function pushes and pops is split in different ways
 *   split-reduces, split-reshapes, split-generates   it cannot be halved
 */
struct ir_program *split_vector_kernel(struct arena *a, const struct ir_program *p,
                                       const struct pass_options *o, struct diag *d);

#endif
