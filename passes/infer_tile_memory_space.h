/* SPDX-License-Identifier: MIT */
/*
 * InferTileMemorySpace (pypto-ops-facts 2): every tile variable of an InCore function gets the
 * memory space that it lies in (ir/space.h), in its type.
 *
 *   move        where an operator does not allow the space of an operand, a tile.move of it into
 *               the space that is wanted stands before the statement, under the operand's name with
 *               _<Space> behind it: once in a block for each tile and space
 *   keyword     target_memory of a load or creation says what was found, where that is not Vec
 *   layout      what a type says of its layout goes with the space that it was for; what leaves the
 *               accumulator for Vec lies there row by row
 *
 * The pass is for single assignments; of several definitions of one variable one that is not in Vec
 * decides. It is idempotent. Loads of what no loop changes stay in their loop (the compiler takes
 * those of its own making out of it).
 */
#ifndef PASSES_INFER_TILE_MEMORY_SPACE_H
#define PASSES_INFER_TILE_MEMORY_SPACE_H

#include "passes/pass.h"

/* It cannot fail. */
struct ir_program *infer_tile_memory_space(struct arena *a, const struct ir_program *p,
                                           const struct pass_options *o, struct diag *d);

#endif
