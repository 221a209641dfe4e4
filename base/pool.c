/* SPDX-License-Identifier: MIT */
#include "base/pool.h"

#include <pthread.h>

#include "base/arena.h"

static void queue_init(struct pool_queue *q)
{
    cds_wfcq_init(&q->head, &q->tail);
    sem_init(&q->entries, 0, 0);
}

static void queue_end(struct pool_queue *q)
{
    sem_destroy(&q->entries);
    cds_wfcq_destroy(&q->head, &q->tail);
}

static void push(struct pool_queue *q, struct pool_job *job)
{
    cds_wfcq_node_init(&job->node);
    /* The queue's own barriers are assembly, which ThreadSanitizer does not see. */
    atomic_store_explicit(&job->filled, true, memory_order_release);
    cds_wfcq_enqueue(&q->head, &q->tail, &job->node);
    sem_post(&q->entries);
}

/* Waits for a job, or for a post without one: NULL. */
static struct pool_job *pop(struct pool_queue *q)
{
    while (sem_wait(&q->entries))
        continue;
    struct cds_wfcq_node *n = cds_wfcq_dequeue_blocking(&q->head, &q->tail);
    struct pool_job *job = n ? caa_container_of(n, struct pool_job, node) : NULL;
    return job && atomic_load_explicit(&job->filled, memory_order_acquire) ? job : NULL;
}

/* ---- threads ---- */

void pool_init(struct pool *p)
{
    queue_init(&p->todo);
    p->open = 0;
    p->idle = 0;
}

void pool_add(struct pool *p, struct pool_job *job)
{
    atomic_fetch_add(&p->open, 1);
    atomic_fetch_sub(&p->idle, 1);
    push(&p->todo, job);
}

static void serve(struct pool *p, int thread)
{
    for (struct pool_job *job;;) {
        atomic_fetch_add(&p->idle, 1);
        if (!(job = pop(&p->todo)))
            return;
        p->work(p->ctx, thread, job);
        bool last = atomic_fetch_sub(&p->open, 1) == 1;
        for (int i = 0; last && i < p->threads; i++)
            sem_post(&p->todo.entries);
    }
}

struct server {
    struct pool *pool;
    int index;
    pthread_t thread;
};

static void *run_server(void *server)
{
    struct server *s = server;
    serve(s->pool, s->index);
    return NULL;
}

/* Starts threads first to p->threads - 1; returns the index behind the last that could be had. */
static int start(struct pool *p, struct server *servers, int first)
{
    int i = first;
    for (; i < p->threads; i++) {
        servers[i] = (struct server){.pool = p, .index = i};
        if (pthread_create(&servers[i].thread, NULL, run_server, &servers[i]))
            break;
    }
    return i;
}

static void join(struct pool *p, struct server *servers, int first, int end)
{
    for (int i = first; i < end; i++)
        pthread_join(servers[i].thread, NULL);
    queue_end(&p->todo);
}

void pool_run(struct pool *p)
{
    struct server servers[p->threads];
    int end = start(p, servers, 1);
    serve(p, 0);
    join(p, servers, 1, end);
}

/* ---- items ---- */

struct pool_entry {
    struct pool_job job;
    size_t index;
    bool finished;
};

struct each {
    const struct pool_items *of;
    struct pool_entry *items;
    struct pool_queue finished;
};

static void work_on_item(void *ctx, int thread, struct pool_job *job)
{
    struct each *e = ctx;
    (void)thread;
    e->of->work(e->of->ctx, caa_container_of(job, struct pool_entry, job)->index);
    push(&e->finished, job);
}

/* Calls done for each item. next: the first that it was not called for, with in_order. */
static void report_items(struct each *e)
{
    const struct pool_items *of = e->of;
    for (size_t n = 0, next = 0; n < of->n; n++) {
        struct pool_entry *i = caa_container_of(pop(&e->finished), struct pool_entry, job);
        i->finished = true;
        if (!of->in_order && of->done)
            of->done(of->ctx, i->index);
        for (; of->in_order && next < of->n && e->items[next].finished; next++)
            of->done(of->ctx, next);
    }
}

static void each_here(const struct pool_items *of)
{
    for (size_t i = 0; i < of->n; i++) {
        of->work(of->ctx, i);
        if (of->done)
            of->done(of->ctx, i);
    }
}

void pool_each(const struct pool_items *of)
{
    int threads = of->n < (size_t)of->threads ? (int)of->n : of->threads;
    if (threads <= 1) {
        each_here(of);
        return;
    }
    struct arena a = {0};
    struct each e = {.of = of, .items = arena_array(&a, struct pool_entry, of->n)};
    struct pool p = {.work = work_on_item, .ctx = &e, .threads = threads};
    struct server servers[threads];
    pool_init(&p);
    queue_init(&e.finished);
    for (size_t i = 0; i < of->n; i++) {
        e.items[i].index = i;
        pool_add(&p, &e.items[i].job);
    }
    int end = start(&p, servers, 0);
    if (!end)
        serve(&p, 0);
    report_items(&e);
    join(&p, servers, 0, end);
    queue_end(&e.finished);
    arena_free(&a);
}
