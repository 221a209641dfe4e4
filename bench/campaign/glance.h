/* SPDX-License-Identifier: MIT */
/*
 * Behind sampled runs that found nothing: is the program small enough to be explored?
 *
 * The first GLANCE_STATES states are visited, which takes a fraction of a second. The answer is a
 * function of the program and the contract: a number of states, no time. Not tried where no agent
 * is ever slow: that contract is about times; nor where lines do not fit the cache: such a program is
 * too large for a look.
 */
#ifndef BENCH_GLANCE_H
#define BENCH_GLANCE_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/campaign/runner.h"

enum { GLANCE_STATES = 1000, GLANCE_TRANSITIONS = 20000 };

struct glance {
    bool complete;   /* these states are all that there are */
    uint64_t states; /* 0: not tried */
    bool found;      /* in some of them there is a finding */
};

struct glance glance_at(const struct program *p, const struct contract *k, const struct golden *g);

#endif
