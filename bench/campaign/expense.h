/* SPDX-License-Identifier: MIT */
/*
 * What a program costs in usual runs, timed as `flushes` times them: typical latencies, kernels
 * that start together.
 */
#ifndef BENCH_EXPENSE_H
#define BENCH_EXPENSE_H

#include "bench/campaign/cases.h"

struct expense {
    double flushes; /* executed whole-cache dcci of markers, by rule and by hand, per rank */
    double fences;  /* executed dsb of markers, per rank */
    double cycles;  /* mean of the runs */
};

enum { EXPENSE_RUNS = 32 };
struct expense kase_expense(const struct kase *k);

/* By flushes, then by cycles: the dearer one first, as qsort wants it. */
int expense_compare_dearer(const struct expense *x, const struct expense *y);

#endif
