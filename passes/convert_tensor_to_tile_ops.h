/* SPDX-License-Identifier: MIT */
/*
 * ConvertTensorToTileOps (pypto-front-facts 3.4): in InCore functions, operators on tensors as
 * values become operators on tiles. Functions of other kinds change as callers only.
 *
 *   entry      a plain tensor parameter that such an operator takes is loaded into a tile, which
 *              then stands for the parameter; operators that say themselves what they load do not
 *              count, and a window is never loaded
 *   body       one operator after the other, by the tables of passes/tiling*.c; a value in memory
 *              stays there for slices (loads), assembles (stores), reads and writes
 *   transfers  put and get go through a tile in front of them, or through two with pipeline=;
 *              chunk_rows= and chunk_cols= bound it
 *   exit       a computed value that is returned is stored into a new parameter retK__out
 *   callers    make those tensors, and wrappers (Group, Spmd) pass them on
 *   directions a parameter that is written becomes Out, or InOut when it is read as well, in the
 *              function and in those that pass their own parameter to it
 *
 * A constant that a loop writes to whole blocks of 32 bytes of a row, element by element, becomes
 * one store, and single writes behind a store of one value to all of a parameter go to its tile
 * first. Whatever else is written to one tensor both by stores and by tensor.write is refused.
 *
 * Variables with several definitions, in programs that are not in SSA form, keep one variable.
 */
#ifndef PASSES_CONVERT_TENSOR_TO_TILE_OPS_H
#define PASSES_CONVERT_TENSOR_TO_TILE_OPS_H

#include "passes/pass.h"

/* Errors are those that passes/refusals.h has under the name of the pass; docs/passes.md. */
struct ir_program *convert_tensor_to_tile_ops(struct arena *a, const struct ir_program *p,
                                              const struct pass_options *o, struct diag *d);

#endif
