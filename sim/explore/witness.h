/* SPDX-License-Identifier: MIT */
/* A run to a state that the caller looks for: breadth first over packed states, which gives a shortest
 * one, or depth first. */
#ifndef SIM_WITNESS_H
#define SIM_WITNESS_H

#include "sim/machine.h"

struct witness_options {
    bool reduction;      /* look at fewer runs: the result is then the shortest of those */
    bool depth_first;    /* the first run that comes, which is not the shortest */
    bool oracle;         /* keep an oracle */
    uint64_t max_states; /* give up beyond it, or beyond WITNESS_BYTES of states */
    /* After each step, and at each final state (final set; deadlock: not all cores ended). */
    bool (*wanted)(void *ctx, struct machine *m, bool final, bool deadlock);
    void *ctx;
};

enum { WITNESS_NONE = -1, WITNESS_UNKNOWN = -2, WITNESS_BYTES = 1 << 30 };

/* The run's transitions in order, in arena a; returns their number, WITNESS_NONE when no run leads
 * there, or WITNESS_UNKNOWN when a limit was hit first. */
int witness_search(const struct program *p, const struct contract *k,
                   const struct witness_options *o, struct arena *a, struct transition **run);

#endif
