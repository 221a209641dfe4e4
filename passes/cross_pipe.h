/* SPDX-License-Identifier: MIT */
/*
 * Pipes between the cores of a cluster, as the compiler puts them into the lanes of a kernel
 * (pypto-ops-facts 3.3): a slot is given back behind the last use of what came out of it, and both
 * ends say at their start how many slots there are and how large.
 */
#ifndef PASSES_CROSS_PIPE_H
#define PASSES_CROSS_PIPE_H

#include "ir/ir.h"

enum { PIPE_SLOTS = 2 }; /* unless the function's attribute slot_num says otherwise */

/* tile.tpush_to_aiv, tile.tpop_from_aic and so on; of the cube core's lane, or of a vector lane's. */
struct ir_stmt *pipe_push(struct arena *a, bool cube, struct ir_expr *tile, int64_t split,
                          struct span at);
struct ir_stmt *pipe_pop(struct arena *a, bool cube, struct ir_var *into, int64_t split,
                         struct span at);
bool pipe_is_pop(const struct ir_call *call);
bool pipe_is_free(const struct ir_call *call);
bool pipe_is_transport(const struct ir_call *call);

/* The block with a tfree behind the last use of each popped tile. */
ir_block pipe_free_slots(struct arena *a, bool cube, const ir_block *block);

/* Puts the set-up of the pipes that the lanes use in front of both; a lane that sets up pipes of
 * its own stays as it is. name: of the function that both come from. */
void pipe_set_up(struct arena *a, const char *name, int64_t slots, ir_block *cube, ir_block *vector,
                 struct span at);

#endif
