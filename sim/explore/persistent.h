/* SPDX-License-Identifier: MIT */
/*
 * Partial-order reduction: steps that may be taken alone.
 *
 * persistent_step(m) names an enabled step t such that {t} is a persistent set: whatever the other
 * agents do until t is taken, t stays enabled, has the same effect, and commutes with each of their
 * steps. Exploring t alone then keeps every final state and every deadlock (Godefroid). Every such
 * step moves a program counter forward or takes an operation off a queue, so none can be postponed
 * for ever around a cycle.
 *
 * Which steps qualify rests on who can see what (docs/machine.md):
 *   - appending to a pipe of the own core; flags; order instructions whose guard cannot be undone;
 *   - hits, atomic stores and cleaning of lines in the own cache, where nothing else touches that
 *     cache, and where the message that a clean posts goes into a channel that only the scalar unit
 *     feeds;
 *   - loads from lines that nothing writes (sim/writable.h);
 *   - what the program's course tells of (sim/explore/quiet.h).
 *
 * Findings are kept as well while no accesses race: the oracle tells the order in which two
 * accesses are issued only when nothing orders them. For a program with races machine_options.races
 * takes no access alone.
 */
#ifndef SIM_PERSISTENT_H
#define SIM_PERSISTENT_H

#include "sim/machine.h"

/* False when every enabled step must be explored. */
bool persistent_step(const struct machine *m, struct transition *t);

/* The same after a step of core, in a state that had none: only that core can have one now, but
 * where tasks wait for those of other cores, or a course tells what is done with. */
bool persistent_step_after(const struct machine *m, int core, struct transition *t);

#endif
