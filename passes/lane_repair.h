/* SPDX-License-Identifier: MIT */
/*
 * The text of one lane after the statements of the other were left out: what nothing reads any
 * more goes too, and loops and branches carry only what the lane has.
 */
#ifndef PASSES_LANE_REPAIR_H
#define PASSES_LANE_REPAIR_H

#include "ir/ir.h"

/*
 * The block without dead statements. f: the function that both lanes come from; a definition that
 * the start of a loop still needs is taken from it. known: variables that something else stands
 * for, or NULL.
 */
ir_block lane_repair(struct arena *a, const struct ir_func *f, ir_block block,
                     const struct map *known);

/* Counts each variable that the block reads: variable -> number of places. */
void lane_uses(struct map *uses, const ir_block *block);
/* Enters the variables that the block defines, each with itself. */
void lane_definitions(struct map *defined, const ir_block *block);

#endif
