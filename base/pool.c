/* SPDX-License-Identifier: MIT */
#include "base/pool.h"

#include <pthread.h>

#include "base/arena.h"
#include "base/stop.h"

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

/* No job is left: each server gets a post without one. */
static void wake_all(struct pool *p)
{
    for (int i = 0; i < p->threads; i++)
        sem_post(&p->todo.entries);
}

/* As if there were a job all the time: the servers wait for what is still to be given. */
static void hold(struct pool *p)
{
    atomic_fetch_add(&p->open, 1);
}

static void release(struct pool *p)
{
    if (atomic_fetch_sub(&p->open, 1) == 1)
        wake_all(p);
}

static void serve(struct pool *p, int thread)
{
    for (struct pool_job *job;;) {
        atomic_fetch_add(&p->idle, 1);
        if (!(job = pop(&p->todo)))
            return;
        p->work(p->ctx, thread, job);
        release(p);
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
    hold(p); /* there may be no job at all, and nobody then who finds that it was the last */
    int end = start(p, servers, 1);
    release(p);
    serve(p, 0);
    join(p, servers, 1, end);
}

/* ---- items ---- */

struct pool_entry {
    struct pool_job job;
    size_t index;
    bool finished, skipped; /* skipped: not begun, because a stop was wanted */
};

struct each {
    const struct pool_items *of;
    struct pool pool;
    struct pool_entry
        *items; /* POOL_WINDOW at the most; with in_order item i is in i % POOL_WINDOW */
    struct pool_queue finished;
    size_t given, reported; /* items in the order of their numbers */
    bool missing;           /* one was skipped */
};

static bool goes_on(const struct pool_items *of)
{
    return !of->stoppable || !stop_wanted();
}

static void work_on_item(void *ctx, int thread, struct pool_job *job)
{
    struct each *e = ctx;
    (void)thread;
    struct pool_entry *i = caa_container_of(job, struct pool_entry, job);
    i->skipped = !goes_on(e->of);
    if (!i->skipped)
        e->of->work(e->of->ctx, i->index);
    push(&e->finished, job);
}

static void give(struct each *e, struct pool_entry *to)
{
    if (e->given == e->of->n || !goes_on(e->of))
        return;
    *to = (struct pool_entry){.index = e->given++};
    pool_add(&e->pool, &to->job);
}

static void report(struct each *e, struct pool_entry *i)
{
    /* In order there is nothing behind the first that is missing. */
    e->missing |= i->skipped;
    if (e->of->done && !i->skipped && !(e->of->in_order && e->missing))
        e->of->done(e->of->ctx, i->index);
    e->reported++;
    give(e, i);
}

/* Reports each item, and gives its place to the next that was not begun. */
static void report_items(struct each *e)
{
    while (e->reported < e->given) {
        struct pool_entry *i = caa_container_of(pop(&e->finished), struct pool_entry, job);
        i->finished = true;
        if (!e->of->in_order) {
            report(e, i);
            continue;
        }
        while (e->reported < e->given && (i = &e->items[e->reported % POOL_WINDOW])->finished)
            report(e, i);
    }
}

static void each_here(const struct pool_items *of)
{
    for (size_t i = 0; i < of->n && goes_on(of); i++) {
        of->work(of->ctx, i);
        if (of->done)
            of->done(of->ctx, i);
    }
}

static void each_by(struct each *e, int end, struct server *servers)
{
    size_t room = e->of->n < POOL_WINDOW ? e->of->n : POOL_WINDOW;
    struct arena a = {0};
    e->items = arena_array(&a, struct pool_entry, room);
    for (size_t i = 0; i < room; i++)
        give(e, &e->items[i]);
    report_items(e);
    release(&e->pool);
    join(&e->pool, servers, 0, end);
    arena_free(&a);
}

void pool_each(const struct pool_items *of)
{
    int threads = of->n < (size_t)of->threads ? (int)of->n : of->threads;
    if (threads <= 1) {
        each_here(of);
        return;
    }
    struct each e = {.of = of, .pool = {.work = work_on_item, .ctx = &e, .threads = threads}};
    struct server servers[threads];
    pool_init(&e.pool);
    queue_init(&e.finished);
    hold(&e.pool);
    int end = start(&e.pool, servers, 0);
    if (end) {
        each_by(&e, end, servers);
    } else {
        queue_end(&e.pool.todo);
        each_here(of);
    }
    queue_end(&e.finished);
}
