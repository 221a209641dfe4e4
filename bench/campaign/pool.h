/* SPDX-License-Identifier: MIT */
/*
 * Work on items 0 to n - 1 by several threads, reported in order.
 *
 * work is called once for each item, on any thread; done in the caller's thread, item after item,
 * each when its work is finished, so that what done prints does not depend on the threads.
 */
#ifndef BENCH_POOL_H
#define BENCH_POOL_H

#include <stddef.h>

struct pool_jobs {
    size_t n;
    int threads;
    void (*work)(void *ctx, size_t item);
    void (*done)(void *ctx, size_t item);
    void *ctx;
};

void pool_run(const struct pool_jobs *jobs);

#endif
