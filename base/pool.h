/* SPDX-License-Identifier: MIT */
/*
 * Threads that take jobs from a wait-free queue (liburcu wfcqueue) until none is left. A job may
 * add others.
 */
#ifndef BASE_POOL_H
#define BASE_POOL_H

#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <urcu/wfcqueue.h>

/* To be embedded in what is to be done. */
struct pool_job {
    struct cds_wfcq_node node;
    atomic_bool filled;
};

/* Jobs, and a semaphore that counts them. */
struct pool_queue {
    struct cds_wfcq_head head;
    struct cds_wfcq_tail tail;
    sem_t entries;
};

struct pool {
    /* Does a job, which is the callee's from then on. thread: 0 to threads - 1. */
    void (*work)(void *ctx, int thread, struct pool_job *job);
    void *ctx;
    int threads; /* 1 or more */
    /* private */
    struct pool_queue todo;
    atomic_size_t open; /* jobs in the queue or being done */
    atomic_int idle;    /* waiting threads, less the jobs in the queue */
};

/* p->work, p->ctx and p->threads are set. */
void pool_init(struct pool *p);

/* Before pool_run, or in a job. */
void pool_add(struct pool *p, struct pool_job *job);

/* There is a thread that waits for a job, and none in the queue for it. */
static inline bool pool_hungry(struct pool *p)
{
    return atomic_load_explicit(&p->idle, memory_order_relaxed) > 0;
}

/* Does every job, if there is any, and those that they add. The caller is thread 0; where no other can
 * be had, it does all of them. Frees what p holds. */
void pool_run(struct pool *p);

/*
 * Work on items 0 to n - 1. work is called once for each, on any thread; done, unless NULL, in the
 * caller's thread, for one item after the other as they are finished, or with in_order from the
 * first to the last, so that what it prints does not depend on the threads.
 *
 * No more than POOL_WINDOW items are begun and not reported, however many there are: with in_order,
 * item i may keep what it needs in place i % POOL_WINDOW until it is reported. stoppable: when a stop
 * is wanted (base/stop.h) no more are begun, and those are not reported either.
 */
enum { POOL_WINDOW = 1024 };

struct pool_items {
    size_t n;
    int threads;
    bool in_order, stoppable;
    void (*work)(void *ctx, size_t item);
    void (*done)(void *ctx, size_t item);
    void *ctx;
};
void pool_each(const struct pool_items *items);

#endif
