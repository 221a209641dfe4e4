/* SPDX-License-Identifier: MIT */
#include "bench/campaign/pool.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "base/arena.h"

struct pool {
    const struct pool_jobs *jobs;
    atomic_size_t next;
    bool *finished; /* by item; under the lock */
    pthread_mutex_t lock;
    pthread_cond_t changed;
};

static void *work(void *arg)
{
    struct pool *p = arg;
    for (size_t i; (i = atomic_fetch_add(&p->next, 1)) < p->jobs->n;) {
        p->jobs->work(p->jobs->ctx, i);
        pthread_mutex_lock(&p->lock);
        p->finished[i] = true;
        pthread_cond_broadcast(&p->changed);
        pthread_mutex_unlock(&p->lock);
    }
    return NULL;
}

static void await(struct pool *p, size_t item)
{
    pthread_mutex_lock(&p->lock);
    while (!p->finished[item])
        pthread_cond_wait(&p->changed, &p->lock);
    pthread_mutex_unlock(&p->lock);
}

static void run_here(const struct pool_jobs *jobs)
{
    for (size_t i = 0; i < jobs->n; i++) {
        jobs->work(jobs->ctx, i);
        jobs->done(jobs->ctx, i);
    }
}

void pool_run(const struct pool_jobs *jobs)
{
    if (jobs->threads <= 1 || jobs->n <= 1) {
        run_here(jobs);
        return;
    }
    struct arena a = {0};
    struct pool p = {.jobs = jobs,
                     .finished = arena_array(&a, bool, jobs->n + 1),
                     .lock = PTHREAD_MUTEX_INITIALIZER,
                     .changed = PTHREAD_COND_INITIALIZER};
    pthread_t *threads = arena_array(&a, pthread_t, (size_t)jobs->threads);
    int started = 0;
    while (started < jobs->threads && pthread_create(&threads[started], NULL, work, &p) == 0)
        started++;
    if (!started)
        work(&p);
    for (size_t i = 0; i < jobs->n; i++) {
        await(&p, i);
        jobs->done(jobs->ctx, i);
    }
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    arena_free(&a);
}
