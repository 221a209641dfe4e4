/* SPDX-License-Identifier: MIT */
#include "bench/campaign/campaign.h"
#include "sim/explore/explore.h"

#include <inttypes.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

double now_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- progress ---- */

struct progress progress_start(void)
{
    return (struct progress){.tty = isatty(STDERR_FILENO), .start = now_seconds()};
}

void progress_show(struct progress *p, int finished, int total, uint64_t newly_found)
{
    p->found += newly_found;
    double spent = now_seconds() - p->start;
    if (!p->tty || spent <= 0)
        return;
    double rate = finished / spent;
    fprintf(stderr, "\r%d/%d jobs, %.1f/s, %llu failing runs, %.0f s left \033[K", finished, total,
            rate, (unsigned long long)p->found, (total - finished) / rate);
}

void progress_states(const struct progress *p, const char *name, const struct explore_progress *e)
{
    if (p->tty || p->lines)
        fprintf(stderr,
                "%s%s: %" PRIu64 " states, %.0f/s, depth %" PRIu64 ", %" PRIu64 " waiting%s",
                p->tty ? "\r" : "", name, e->states,
                e->seconds > 0 ? (double)e->states / e->seconds : 0, e->depth, e->waiting,
                p->tty ? " \033[K" : "\n");
}

void progress_end(struct progress *p)
{
    if (p->tty)
        fprintf(stderr, "\r\033[K");
}

/* ---- workers ---- */

struct shared {
    struct cds_wfcq_head todo_head, done_head;
    struct cds_wfcq_tail todo_tail, done_tail;
    sem_t finished; /* one post per job in the done queue */
};

static void run_job(struct job *j)
{
    double start = now_seconds();
    struct runner *r = runner_new(j->program, j->contract, j->golden, j->options);
    for (uint64_t i = 0; i < j->runs; i++)
        runner_run(r, j->first_seed + i, &j->tally, &j->arena);
    runner_free(r);
    j->seconds = now_seconds() - start;
}

static void *work(void *arg)
{
    struct shared *s = arg;
    struct cds_wfcq_node *n;
    /* The queue is complete before the workers start: empty means that all is taken. */
    while ((n = cds_wfcq_dequeue_blocking(&s->todo_head, &s->todo_tail))) {
        struct job *j = caa_container_of(n, struct job, node);
        run_job(j);
        cds_wfcq_node_init(&j->node);
        cds_wfcq_enqueue(&s->done_head, &s->done_tail, &j->node);
        sem_post(&s->finished);
    }
    return NULL;
}

static void collect(struct campaign *c, struct shared *s)
{
    for (int finished = 1; finished <= c->njobs; finished++) {
        while (sem_wait(&s->finished))
            continue;
        struct cds_wfcq_node *n = cds_wfcq_dequeue_blocking(&s->done_head, &s->done_tail);
        if (c->done)
            c->done(c->ctx, caa_container_of(n, struct job, node), finished, c->njobs);
    }
}

void campaign_run(struct campaign *c)
{
    struct shared s;
    cds_wfcq_init(&s.todo_head, &s.todo_tail);
    cds_wfcq_init(&s.done_head, &s.done_tail);
    sem_init(&s.finished, 0, 0);
    for (int i = 0; i < c->njobs; i++) {
        cds_wfcq_node_init(&c->jobs[i].node);
        cds_wfcq_enqueue(&s.todo_head, &s.todo_tail, &c->jobs[i].node);
    }
    int n = c->threads < c->njobs ? c->threads : c->njobs, started = 0;
    pthread_t *threads = calloc((size_t)n + 1, sizeof *threads);
    if (!threads)
        abort();
    while (started < n && pthread_create(&threads[started], NULL, work, &s) == 0)
        started++;
    if (started == 0) /* no thread to be had: do the work here */
        work(&s);
    collect(c, &s);
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    free(threads);
    sem_destroy(&s.finished);
    cds_wfcq_destroy(&s.todo_head, &s.todo_tail);
    cds_wfcq_destroy(&s.done_head, &s.done_tail);
}

void campaign_free(struct campaign *c)
{
    for (int i = 0; i < c->njobs; i++)
        arena_free(&c->jobs[i].arena);
}

int job_pieces(uint64_t runs)
{
    return (int)((runs + JOB_SEEDS - 1) / JOB_SEEDS);
}
