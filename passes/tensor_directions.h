/* SPDX-License-Identifier: MIT */
/* What a function reads and writes of its tensor parameters (pypto-front-facts 3.4). */
#ifndef PASSES_TENSOR_DIRECTIONS_H
#define PASSES_TENSOR_DIRECTIONS_H

#include "passes/pass.h"

/*
 * A copy of f, or f itself, whose parameters that are In and are written are Out, or InOut when they
 * are read as well. NULL with d filled when one is written both by tile stores and by tensor.write.
 */
struct ir_func *tensor_directions(struct arena *a, const struct ir_program *p, struct ir_func *f,
                                  struct diag *d);
/* Functions that pass a parameter of their own to one that another function writes, until nothing
 * changes: the same for all functions of p but the InCore ones. */
void tensor_directions_of_callers(struct arena *a, struct ir_program *p);

#endif
