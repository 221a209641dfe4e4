/* SPDX-License-Identifier: MIT */
/*
 * Where lines leave a cache on their own: when a search has to look at it, by the program's course
 * (sim/course.h).
 *
 * A line may leave at any time, but most times are as good as another. In a run each leaving can be
 * moved to a later place, past all steps that commute with it, until it comes to one that does not:
 *
 *   - A clean line that leaves is noticed by the unit's next access to it alone, which misses: it
 *     leaves together with that access. If there is none, or a clean drops the line first, it need not
 *     leave.
 *   - A line that is written back is noticed when its message arrives: it leaves and arrives in one
 *     step, once it is the first of its channel. It leaves without arriving only where the unit is about
 *     to post a message behind it, into the same channel or line.
 *   - Where the unit can clean the line now, that is the same as its leaving.
 *   - A line that nothing touches any more, and whose words no message and no other copy changes, leaves
 *     when nothing else is left to be done. Not one whose arrival may lose a write: a path ends at its
 *     first finding, and in all runs in which that write is lost another finding may come before the
 *     end.
 *   - After the run's end it leaves and arrives, for that alone changes memory.
 *
 * A load does not wait for its own core's message that arrives with it; dsb neither, and it can as
 * well be taken before. What was left before the end and arrives before it is in memory as if it
 * had left after it; and what is found where it has not left is found in another run anyway. So
 * nothing hangs on which step is the run's last.
 *
 * Final memories, and findings by verdict and word, are kept. Which message carried what, and where
 * the fresh value is at a finding, are not.
 */
#ifndef SIM_LEAVING_H
#define SIM_LEAVING_H

#include "sim/machine.h"

/* False where lines stay, and where a core's transfers share channels with its lines. Of a machine for
 * which cores_first_new() is not NULL. */
bool leaving_can_wait(const struct machine *m);

/* What happens in one step with a line that leaves: nothing else, the access at its core's pc, or the
 * arrival of its message. */
enum leave { LEAVES_LATER, LEAVES_ALONE, LEAVES_WITH_ACCESS, LEAVES_AND_ARRIVES };

/* Of T_EVICT in a machine with leaves_late. idle: no other step but such is enabled. */
enum leave leave_of(const struct machine *m, struct transition t, bool idle);

/* The step that follows at once when the line has left. */
struct transition leave_next(const struct machine *m, struct transition t, enum leave leave);

/* Nothing but its own unit can do something to the line before the unit's next step, or tell whether
 * the line was cleaned before. For sim/explore/persistent.h. */
bool leave_clean_alone(const struct machine *m, int core, uint64_t addr);
bool leave_clean_all_alone(const struct machine *m, int core);

#endif
