/* SPDX-License-Identifier: MIT */
/*
 * Grouped dispatch (pypto-facts 4.5): a loop that sends one task to every rank, and does nothing
 * else that could tell one rank's turn from another's, carries a mark. The runtime then releases
 * the tasks of all ranks together; without the mark it releases them one after the other.
 *
 * Marked is `for r in pl.range(world_size)` (start 0, step 1, no carried values; the bound may be a
 * variable that holds the world size) whose body is exactly one call of a chip orchestrator with
 * device=r, under no condition, and for the rest only assignments of views: tensor.slice, a
 * subscript of a tensor, or pld.tensor.window. A view may also stand as an argument, where
 * flattening would make such an assignment of it. Any other call, a launch (pl.submit), a loop of
 * another kind, or a bound that is a number leaves the loop as it is; so does a mark that the
 * program has written itself, True or False.
 */
#ifndef PASSES_GROUP_DISPATCH_H
#define PASSES_GROUP_DISPATCH_H

#include "ir/ir.h"

/* The loop's attribute, True when set; the compiler's own key is not known. */
#define GROUP_DISPATCH_ATTR "group_dispatch"

/* Is the loop marked? */
bool group_dispatch_is_marked(const struct ir_stmt *loop);

struct comm_host; /* passes/comm_domain_internal.h */

/* Marks the loops of a host orchestrator's block; *block is replaced when one is found. */
void group_dispatch_mark(struct comm_host *h, ir_block *block);

#endif
