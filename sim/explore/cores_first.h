/* SPDX-License-Identifier: MIT */
/*
 * Cores that may go first: persistent sets (Godefroid) of the steps of some cores, by what the course
 * of a program (sim/course.h) says that the others still do.
 *
 * Each core's steps are those of its scalar unit, its pipes, its cache and its messages. The enabled
 * steps of a set of cores are persistent when nothing that the other cores can do before one of
 * them is taken touches a line that they touch: what is on its way from them, in their caches and
 * queues, and the accesses of their courses up to the first wait that cannot come true without these
 * cores. Then a search may take these steps alone: all that the others do commutes with them.
 *
 * The same holds of a single step, a message that arrives or a transfer of a pipe, when nothing disturbs
 * it that others can do before it, nor what its own core has begun or can come to before a dsb or
 * barrier that waits for the step.
 *
 * A wait for a word to be large enough, whose copy of the line nothing uses after it, commutes with adds
 * once it can be over, where all that make the word smaller come behind it. And flags between cores
 * only count: a set commutes with all but the wait that it lets go on.
 *
 * How far the others come rests on what their waits need of what they are sure of: an add that a core
 * knows of may still be on its way when its wait is over, for another stands for it or tells of it. That
 * holds until some read or wait has seen something else, which is a finding, or ends the search by the
 * course. A wait that could come true wrongly, since its cell is written as well as added to, counts as a
 * read of its line even where it cannot come true rightly; so the step that would show it commutes, too.
 *
 * A line that leaves its cache on its own need never do so: cores of which nothing else is enabled do
 * not go first. Nor does one leave that its unit cleans later, where nobody can tell and the unit posts
 * nothing beside it until then. But a line that adds, and that its unit will clean, brings what it adds in
 * any case, so that it may go first where nobody can tell when but by a wait that comes true.
 *
 * Not used where lines are prefetched, where they leave otherwise than sim/explore/leaving.h says, and
 * once the run has ended; cores of a rank stay together where a flag between them may overflow.
 */
#ifndef SIM_CORES_FIRST_H
#define SIM_CORES_FIRST_H

#include "sim/machine.h"

struct cores_first;

/* For one machine at a time, whose oracle follows a course. NULL when no cores ever go first. */
struct cores_first *cores_first_new(struct arena *a, const struct machine *m);

/* t: all enabled steps of m. Sets first[i] for those that may be taken without the others. */
void cores_first_choose(struct cores_first *f, const struct machine *m, const struct transition *t,
                        int n, bool *first);

/* Of a step that is enabled while others than such are: a line with words for memory need not leave, for
 * nobody can tell whether it has before its unit cleans it. */
bool cores_first_line_stays(struct cores_first *f, const struct machine *m, struct transition t);

#endif
