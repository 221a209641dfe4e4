/* SPDX-License-Identifier: MIT */
/*
 * The space-time diagram of a finding as inline SVG: one lane a rank, time from left to right (in the
 * order of the steps, not to scale). Shown is what happens to the words that the finding is about, and to
 * the signal that orders it: stores, what posts them, deliveries, reads. Marks are numbered; a list
 * below says what each is.
 */
#ifndef BENCH_SPACETIME_H
#define BENCH_SPACETIME_H

#include <stdio.h>

#include "bench/report/graph.h"

/* False, and nothing is printed, when the finding is about no memory or the run says nothing of it. */
bool spacetime_print(FILE *out, const struct run_graph *g, const struct run_finding *f);

#endif
