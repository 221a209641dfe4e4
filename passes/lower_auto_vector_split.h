/* SPDX-License-Identifier: MIT */
/*
 * LowerAutoVectorSplit (pypto-front-facts 2.11, 3.6): no pl.split_aiv is left in an InCore function,
 * and a mixed one whose attribute `split` names a mode is halved.
 *
 * `for lane in pl.split_aiv(2, mode=M)` is no loop: its body is what each vector core does, with
 * lane = pl.tile.get_subblock_idx(). With UP_DOWN or LEFT_RIGHT it is written for both together and
 * is halved (passes/split_axis.h), unless it hands tiles over by aiv_shard and aic_gather itself;
 * `lane` in it stays what it was, so offsets of the text and those of the halving add up. What else
 * would be done by the cube as well (pld.system.notify) is marked as the vector cores'.
 *
 * The function gets the attributes split_aiv and split_aiv_region_validated.
 */
#ifndef PASSES_LOWER_AUTO_VECTOR_SPLIT_H
#define PASSES_LOWER_AUTO_VECTOR_SPLIT_H

#include "passes/pass.h"

/*
 * Errors, with the name of the rule in brackets:
 *   split-mode         the mode is none of pl.SplitMode
 *   split-nested       the region stands in another scope
 *   split-whole        a tile that is not halved is gathered from the vector cores
 *   split-reduces, split-reshapes, split-transposes, split-generates   it cannot be halved
 */
struct ir_program *lower_auto_vector_split(struct arena *a, const struct ir_program *p,
                                           const struct pass_options *o, struct diag *d);

#endif
