/* SPDX-License-Identifier: MIT */
/*
 * Behind sampled runs that found nothing: is the program small enough to be explored? Then clean is
 * proved, for its ranks, inputs and sizes, and whatever times its steps take.
 *
 * The first states are visited, as many as the caller says: of GLANCE_FEW a fraction of a second. The
 * answer is a function of the program and the contract: a number of states, no time. Not tried where
 * no agent is ever slow: that contract is about times; nor where lines do not fit the cache: such a
 * program is too large for a look.
 */
#ifndef BENCH_GLANCE_H
#define BENCH_GLANCE_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/campaign/runner.h"

struct glance_limit {
    uint64_t states, transitions; /* 0: no limit */
};
#define GLANCE_FEW  ((struct glance_limit){1000, 20000})
#define GLANCE_MANY ((struct glance_limit){500000, 0}) /* as minimize and repair look at */

struct glance {
    bool complete;        /* these states are all that there are */
    uint64_t states;      /* 0: not tried, or not a single one */
    bool found;           /* in some of them there is a finding, the first of which is: */
    struct finding first; /* without its note */
};

struct glance glance_at(const struct program *p, const struct contract *k, const struct golden *g,
                        struct glance_limit most);

#endif
