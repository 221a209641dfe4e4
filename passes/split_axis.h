/* SPDX-License-Identifier: MIT */
/*
 * Halving of what one vector core works on, where both cores of a cluster share a text
 * (pypto-front-facts 2.11, 3.6): a tile of vectors becomes its half along one axis, rounded up; a
 * load, a store and a slice of what is not halved move by `lane * HALF` there.
 *
 *   halved        loads, and every tile that a vector operator makes, along the axis on which its
 *                 operands are halved; a valid extent to what of it the lane has
 *   left as it is an extent of 1: both lanes have all of it; what the cube works on
 *   followed      variables that loops carry and branches yield
 */
#ifndef PASSES_SPLIT_AXIS_H
#define PASSES_SPLIT_AXIS_H

#include "ir/ir.h"

enum split_mode { SPLIT_NONE, SPLIT_UP_DOWN, SPLIT_LEFT_RIGHT };
/* Of pl.SplitMode.X or its number; false when it is neither. */
bool split_mode_of(const struct ir_expr *e, enum split_mode *mode);

struct split_axis {
    struct arena *arena;
    const struct ir_program *prog;
    struct diag *diag;
    const struct map *spaces; /* where the function's tiles lie */
    struct ir_var *lane;      /* holds the index of the vector core */
    enum split_mode mode;
    struct map axes;    /* variable that is halved, or that stands for one -> axis + 1 */
    struct map renamed; /* variable -> the one of the halved type */
};

/* What the vector core whose index lane holds has of the first `valid` of `extent` rows or columns of
 * a tile that both share. */
struct ir_expr *split_valid_of_lane(struct arena *a, struct ir_var *lane, struct ir_expr *valid,
                                    struct ir_expr *extent);

/* The statements of a block for one lane. On an error the diag is filled. */
ir_block split_axis_block(struct split_axis *x, const ir_block *block);

/* lane = pl.tile.get_subblock_idx() under a name that is not among those in use, which it joins. */
struct ir_stmt *split_lane_index(struct arena *a, struct map *names, struct span at);

#endif
