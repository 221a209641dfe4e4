/* SPDX-License-Identifier: MIT */
/*
 * Which enabled steps of a state commute, for sleep sets (Godefroid).
 *
 * Two steps that are enabled in a state are independent there when each leaves the other enabled,
 * with the same effect, and both orders lead to the same state. It is decided from footprints: what
 * each would read and write now, of its core, of the fabric and of memory (docs/machine.md). A
 * search that has taken one of them need not take it again right after the other.
 */
#ifndef SIM_INDEPENDENT_H
#define SIM_INDEPENDENT_H

#include "sim/machine.h"

/* Parts of a core that its scalar unit, its pipes and evictions share, as bits. */
enum core_part {
    PART_UNIT = 1 << 0,  /* pc and registers */
    PART_PIPES = 1 << 1, /* heads of the queues, tiles, flags */
    /* What dsb waits for: a count, so the order of posts is none of it. */
    PART_OUTSTANDING = 1 << 2,
};

/* Global addresses from lo to hi, hi not included; empty when they are equal. */
struct extent {
    uint64_t lo, hi;
};

enum { EVERY_CLUSTER = -1 };

struct footprint {
    int core;
    unsigned reads, writes; /* enum core_part, of that core */
    /* Lines of the core's data cache, with the core's permission to fill them. */
    struct extent cache;
    struct extent posts[PATH_COUNT]; /* what the channels that its messages join lead to */
    bool paths_meet;                 /* messages of both paths join one channel */
    struct extent gm_reads, gm_writes;
    bool adds; /* the writes are 32-bit integer adds */
    /* Flags between cores that it sets or takes, as bits of their ids: of one rank, and of one
     * cluster of it or (EVERY_CLUSTER) of all. */
    uint32_t cross;
    int rank, cluster;
    /* Lines come and go on their own only until the run ends. */
    bool spontaneous, may_end_run;
};

/*
 * Who steps: a scalar unit, a pipe, a channel, a line of a cache that leaves or comes. Agents get a
 * bit each as they are met; when there are more than 64, the others have none. Shared by the
 * workers of a search.
 */
struct agents;
struct agents *agents_new(struct arena *a, const struct machine *m);
uint64_t agent_of(struct agents *agents, const struct machine *m, struct transition t);

/* False for contracts whose steps act on memory in other ways than footprints tell. */
bool footprints_known(const struct machine *m);

/* Of a step that is enabled. */
void footprint_of(const struct machine *m, struct transition t, struct footprint *f);

bool independent(const struct footprint *a, const struct footprint *b);

#endif
