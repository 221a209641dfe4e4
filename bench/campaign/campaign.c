/* SPDX-License-Identifier: MIT */
#include "bench/campaign/campaign.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/pool.h"
#include "sim/explore/explore.h"

/* ---- progress ---- */

struct progress progress_start(int total)
{
    return (struct progress){
        .total = total, .tty = isatty(STDERR_FILENO), .start = clock_seconds()};
}

void progress_show(struct progress *p, uint64_t newly_found)
{
    p->finished++;
    p->found += newly_found;
    double spent = clock_seconds() - p->start;
    if (!p->tty || spent <= 0)
        return;
    double rate = p->finished / spent;
    fprintf(stderr, "\r%d/%d jobs, %.1f/s, %llu failing runs, %.0f s left \033[K", p->finished,
            p->total, rate, (unsigned long long)p->found, (p->total - p->finished) / rate);
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

/* ---- jobs ---- */

static void run_job(void *ctx, size_t i)
{
    struct job *j = &((struct campaign *)ctx)->jobs[i];
    struct runner *r = runner_new(j->program, j->contract, j->golden, j->options);
    for (uint64_t n = 0; n < j->runs; n++)
        runner_run(r, j->first_seed + n, &j->tally, &j->arena);
    runner_free(r);
}

static void job_done(void *ctx, size_t i)
{
    struct campaign *c = ctx;
    if (c->done)
        c->done(c->ctx, &c->jobs[i]);
}

void campaign_run(struct campaign *c)
{
    pool_each(&(struct pool_items){
        .n = (size_t)c->njobs, .threads = c->threads, .work = run_job, .done = job_done, .ctx = c});
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

struct job job_piece(const struct job *all, int i)
{
    uint64_t from = (uint64_t)i * JOB_SEEDS, left = all->runs - from;
    struct job piece = *all;
    piece.first_seed += from;
    piece.runs = left < JOB_SEEDS ? left : JOB_SEEDS;
    return piece;
}
