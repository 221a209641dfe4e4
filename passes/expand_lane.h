/* SPDX-License-Identifier: MIT */
/* One lane of a mixed kernel: private to ExpandMixedKernel. */
#ifndef PASSES_EXPAND_LANE_H
#define PASSES_EXPAND_LANE_H

#include "ir/ir.h"

struct expansion {
    struct arena *arena;
    const struct ir_program *prog;
    const struct ir_func *func;
    struct map spaces;  /* where its tiles lie (ir/space.h) */
    struct map valid;   /* what of its tiles is valid (ir/valid.h) */
    struct map origins; /* the parameter behind each tensor (passes/gm_origin.h) */
    struct map pushes;  /* store of the cube -> the tile it stores, pushed behind it */
    struct map pops; /* statement -> struct fence_list, popped in front of it by the vector core */
};

/* Finds the stores of the cube that the vector core loads behind, and fills pushes and pops. */
void expand_find_fences(struct expansion *x);

/* The function of the lane, called name, with variables of its own and without the set-up of its
 * pipes. */
struct ir_func *expand_lane(struct expansion *x, bool cube, const char *name);

#endif
