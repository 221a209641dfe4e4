/* SPDX-License-Identifier: MIT */
/* StampTfreeSplit (pypto-front-facts 3, row 25): what gives a slot back says, as the pop that took
 * it does, how its tile is split and which pipe it came through. Error: tfree-pop, where it gives back
 * a slot of another direction or pipe than its tile's. */
#ifndef PASSES_STAMP_TFREE_SPLIT_H
#define PASSES_STAMP_TFREE_SPLIT_H

#include "passes/pass.h"

struct ir_program *stamp_tfree_split(struct arena *a, const struct ir_program *p,
                                     const struct pass_options *o, struct diag *d);

#endif
