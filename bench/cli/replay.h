/* SPDX-License-Identifier: MIT */
/* The run that a replay line of a report names, made again for those who show it. */
#ifndef BENCH_REPLAY_H
#define BENCH_REPLAY_H

#include "bench/report/graph.h"

/* A run with more transitions than these is not collected. */
enum { REPLAY_TRANSITIONS = 200 * 1000 };

/* Runs "fencebench run FILE ..." with that seed instead of its own, and shows the run, whose edges are
 * not made, to look; what it gets is gone afterwards. False when it cannot be run; *why says why, in
 * arena a. */
bool replay_run(struct arena *a, const char *command, uint64_t seed,
                void (*look)(void *ctx, const struct run_graph *g), void *ctx, const char **why);

#endif
