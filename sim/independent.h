/* SPDX-License-Identifier: MIT */
/*
 * Which enabled steps of a state commute, for sleep sets (Godefroid).
 *
 * Two steps that are enabled in a state are independent there when each leaves the other enabled,
 * with the same effect, and both orders lead to the same state. It is decided from footprints: what
 * each would read and write now, of its core and of memory (design 5.2). A search that has taken
 * one of them need not take it again right after the other.
 */
#ifndef SIM_INDEPENDENT_H
#define SIM_INDEPENDENT_H

#include "sim/machine.h"

/* Parts of a core that its scalar unit, its pipes and evictions share, as bits. */
enum core_part {
    PART_UNIT = 1 << 0,         /* pc, registers, data cache */
    PART_PIPES = 1 << 1,        /* heads of the queues, tiles, flags */
    PART_SCALAR_ORDER = 1 << 2, /* ends of the channels that scalar-path messages join */
    PART_DMA_ORDER = 1 << 3,    /* ends of those that DMA messages join */
    PART_OUTSTANDING =
        1 << 4, /* what dsb waits for: a count, so the order of posts is none of it */
};

/* Global addresses from lo to hi, hi not included; empty when they are equal. */
struct extent {
    uint64_t lo, hi;
};

struct footprint {
    int core;
    unsigned reads, writes; /* enum core_part, of that core */
    struct extent gm_reads, gm_writes;
    bool adds; /* the writes are 32-bit integer adds */
    /* Lines come and go on their own only until the run ends. */
    bool spontaneous, may_end_run;
    uint64_t agent; /* agent_of */
};

/* False for contracts whose steps act on memory in other ways than footprints tell. */
bool footprints_known(const struct machine *m);

/* Who steps: a scalar unit, a pipe or a channel, as one bit; 0: it has none. */
uint64_t agent_of(const struct machine *m, struct transition t);

/* Of a step that is enabled. */
void footprint_of(const struct machine *m, struct transition t, struct footprint *f);

bool independent(const struct footprint *a, const struct footprint *b);

#endif
