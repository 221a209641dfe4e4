/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "base/pool.h"

enum { ITEMS = 500, THREADS = 4, DEPTH = 10 };

/* ---- items ---- */

struct items {
    atomic_int worked[ITEMS];
    size_t reported[ITEMS], count;
};

static void work(void *ctx, size_t i)
{
    struct items *x = ctx;
    atomic_fetch_add(&x->worked[i], 1);
}

static void done(void *ctx, size_t i)
{
    struct items *x = ctx;
    cr_expect(x->worked[i] == 1, "item %zu was reported after %d turns", i, x->worked[i]);
    x->reported[x->count++] = i;
}

static void each(struct items *x, size_t n, int threads, bool in_order)
{
    *x = (struct items){0};
    pool_each(&(struct pool_items){
        .n = n, .threads = threads, .in_order = in_order, .work = work, .done = done, .ctx = x});
    cr_expect(x->count == n, "%zu of %zu items were reported", x->count, n);
}

Test(pool, every_item_is_worked_on_once_and_reported_in_order)
{
    struct items x;
    for (int threads = 1; threads <= THREADS; threads++)
        for (size_t n = 0; n <= ITEMS; n = n ? n * 5 : 1) {
            each(&x, n, threads, true);
            for (size_t i = 0; i < n; i++)
                cr_expect(x.reported[i] == i, "%d threads: item %zu came as number %zu", threads,
                          x.reported[i], i);
        }
}

Test(pool, without_an_order_each_item_is_reported_once)
{
    struct items x;
    bool seen[ITEMS] = {0};
    each(&x, ITEMS, THREADS, false);
    for (size_t i = 0; i < ITEMS; i++) {
        cr_expect(!seen[x.reported[i]], "item %zu was reported twice", x.reported[i]);
        seen[x.reported[i]] = true;
    }
}

/* ---- jobs that add jobs ---- */

struct tree {
    struct pool pool;
    atomic_size_t leaves;
};

struct branch {
    struct pool_job job;
    int depth;
};

static void add_branch(struct tree *t, int depth)
{
    struct branch *b = calloc(1, sizeof *b);
    cr_assert(b);
    b->depth = depth;
    pool_add(&t->pool, &b->job);
}

static void grow(void *ctx, int thread, struct pool_job *job)
{
    struct tree *t = ctx;
    struct branch *b = caa_container_of(job, struct branch, job);
    cr_expect(thread >= 0 && thread < t->pool.threads);
    if (b->depth == DEPTH)
        atomic_fetch_add(&t->leaves, 1);
    for (int i = 0; b->depth < DEPTH && i < 2; i++)
        add_branch(t, b->depth + 1);
    free(b);
}

Test(pool, ends_when_the_jobs_that_jobs_added_are_done)
{
    for (int threads = 1; threads <= THREADS; threads++) {
        struct tree t = {.pool = {.work = grow, .ctx = &t, .threads = threads}};
        pool_init(&t.pool);
        add_branch(&t, 0);
        pool_run(&t.pool);
        cr_expect(t.leaves == 1 << DEPTH, "%d threads: %zu leaves", threads, (size_t)t.leaves);
    }
}

Test(pool, without_a_job_ends_at_once, .timeout = 20)
{
    for (int threads = 1; threads <= THREADS; threads++) {
        struct tree t = {.pool = {.work = grow, .ctx = &t, .threads = threads}};
        pool_init(&t.pool);
        pool_run(&t.pool);
        cr_expect(t.leaves == 0);
    }
}
