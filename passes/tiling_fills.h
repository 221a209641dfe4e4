/* SPDX-License-Identifier: MIT */
/* ConvertTensorToTileOps: patterns of several statements that become one store. Private to the pass. */
#ifndef PASSES_TILING_FILLS_H
#define PASSES_TILING_FILLS_H

#include "passes/tiling.h"

/* The body of f, where constants that loops write element by element are stored as tiles, and single
 * writes behind a store of one value to all of a parameter go to that tile first. */
ir_block tiling_fills(struct tiling *t, const struct ir_func *f);
/* The function uses v as the target of tensor.write only. */
bool tiling_only_written(const struct tiling *t, const struct ir_var *v);
/* Where t->out ends with a tile that a loop puts together part by part, for nobody but the return:
 * the loop stores each part into out instead. What it results in; NULL when there is no such loop. */
struct ir_expr *tiling_stored_rows(struct tiling *t, const struct ir_expr *tile,
                                   struct ir_expr *out);

#endif
