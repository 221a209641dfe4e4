/* SPDX-License-Identifier: MIT */
/*
 * Greedy deletion: from a set that is enough to one of which no member can go. Each member is tried
 * in order, without those that have gone before it, and all of them again until nothing changes: of
 * two that only stand in for each other one stays, and whatever stays was last tried against the set
 * that is left.
 */
#ifndef BENCH_GREEDY_H
#define BENCH_GREEDY_H

#include <stdbool.h>
#include <stddef.h>

struct greedy {
    size_t n, size;      /* members that may go, of as many in the set */
    const size_t *order; /* those n, the first to be tried first */
    /* Whether the others are enough, without those marked in deleted[]; `member` went last. */
    bool (*enough)(void *ctx, const bool *deleted, size_t member);
    void *ctx;
};

/* deleted[size]: all false, and afterwards those that can go together. */
void greedy_delete(const struct greedy *g, bool *deleted);

#endif
