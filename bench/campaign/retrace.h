/* SPDX-License-Identifier: MIT */
/*
 * Runs to what exploration found. A state does not tell how it was reached: which wait put the
 * write before the read is known only when a whole run is watched.
 */
#ifndef BENCH_RETRACE_H
#define BENCH_RETRACE_H

#include "bench/campaign/runner.h"

/* A finding like f (finding_compare; but an old line may turn out to have been filled too early,
 * with the write in flight), of a run of p: first of some sampled runs, then of a short
 * one that is searched for. False when neither is met within limits. Its texts and loops live in
 * arena a. */
bool retrace(struct arena *a, const struct program *p, const struct contract *k,
             struct runner_options o, const struct finding *f, struct finding *out);

/* The order that f did not keep and the wait on its way, from a run like that; when there is none to
 * be had, the two accesses alone. */
void retrace_edge(struct arena *a, const struct program *p, const struct contract *k,
                  struct runner_options o, struct finding *f);

#endif
