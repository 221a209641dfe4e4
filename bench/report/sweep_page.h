/* SPDX-License-Identifier: MIT */
/*
 * What a sweep says of one kernel, as a page of Markdown that is read on a terminal as well: the score,
 * then each site under its line of the source, with what became of it under which contract, and how that
 * is shown again.
 */
#ifndef BENCH_SWEEP_PAGE_H
#define BENCH_SWEEP_PAGE_H

#include "bench/campaign/sweep.h"

/* A score: killed of those that are not proved to be redundant or not reached. */
struct sweep_score {
    size_t all, needed, by_fate[FATE_COUNT];
};
void sweep_score_add(struct sweep_score *s, const struct sweep_row *r);

/* The page of a kernel, in arena a. picture: beside it, or NULL. */
const char *sweep_page(struct arena *a, const struct sweep_results *r, const struct kernel *k,
                       const char *picture);

/* Prints the pages of all kernels of r; where dir is not NULL, also writes dir/KERNEL.md each, and
 * dir/KERNEL.png, which needs gnuplot. False with d filled. */
bool sweep_pages(struct arena *a, const struct sweep_results *r, const char *dir, struct diag *d);

#endif
