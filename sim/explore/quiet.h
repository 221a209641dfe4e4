/* SPDX-License-Identifier: MIT */
/*
 * Steps that nobody can tell from any other place in the order, by what the course of a program
 * (sim/course.h) still has in store: for sim/explore/persistent.h.
 *
 *   - A message whose lines no core touches any more, no queued transfer, no other message and no dirty
 *     copy: delivering it changes what nobody looks at before the run's end. Not one that was
 *     sent after it: what memory is until it arrives is final as well.
 *   - A transfer into a tile from lines that nobody writes any more, or an operation on tiles alone, at
 *     the head of its pipe, when flags and barriers put all uses of those tiles into one order
 *     (sim/tile_order.h).
 *
 * While a step is not taken, it stays enabled and has the same effect, and it disables no other.
 */
#ifndef SIM_QUIET_H
#define SIM_QUIET_H

#include "sim/machine.h"

/* Of a machine whose oracle follows a course, and whose lines leave no cache on their own. */
bool quiet_delivery(const struct machine *m, const struct message *msg);
bool quiet_operation(const struct machine *m, int core, int pipe);

#endif
