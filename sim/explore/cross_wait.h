/* SPDX-License-Identifier: MIT */
/*
 * A core that waits for a flag between cores for ever: who has set it, who would, who never does.
 */
#ifndef SIM_CROSS_WAIT_H
#define SIM_CROSS_WAIT_H

#include "sim/oracle.h"

struct cross_wait {
    const struct machine *m;
    int core, id;      /* who waits, and for which flag */
    struct place *set; /* by mode and core: where that core would still set it, or nowhere */
    /* The cores that have to set it, chosen by cross_wait_judge: those of the mode in which the
     * fewest are missing. */
    enum cross_mode mode;
    int from; /* one of them */
    int missing;
};

struct cross_wait cross_wait_new(struct arena *a, const struct machine *m, int core, int id);
/* Core has that set ahead of it, in its text or in a queue. */
void cross_wait_see(struct cross_wait *w, struct place set);
/* Sees what is queued, and chooses. True when all that have to set it have, or would; *by is then
 * the first that would. */
bool cross_wait_judge(struct cross_wait *w, struct place *by);
/* "core 0.aiv0 has set it, core 0.aiv1 never does". complete: nothing else is still to come. */
const char *cross_wait_text(const struct cross_wait *w, bool complete, struct arena *a);

#endif
