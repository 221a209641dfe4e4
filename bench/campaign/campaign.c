/* SPDX-License-Identifier: MIT */
#include "bench/campaign/campaign.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/pool.h"
#include "base/stop.h"
#include "sim/explore/explore.h"

/* ---- progress ---- */

/* Seconds between two updates. */
#define SHOWN_EVERY 0.1

struct progress progress_start(uint64_t total, const char *unit)
{
    double now = clock_seconds();
    return (struct progress){
        .total = total, .unit = unit, .tty = isatty(STDERR_FILENO), .start = now, .shown = now};
}

void progress_show(struct progress *p, uint64_t newly_finished, uint64_t newly_found)
{
    p->finished += newly_finished;
    p->found += newly_found;
    double now = clock_seconds(), spent = now - p->start;
    if (!p->tty || now - p->shown < SHOWN_EVERY)
        return;
    p->shown = now;
    double rate = (double)p->finished / spent;
    fprintf(stderr,
            "\r%" PRIu64 "/%" PRIu64 " %s, %.1f/s, %" PRIu64 " with findings, %.0f s left \033[K",
            p->finished, p->total, p->unit, rate, p->found,
            (double)(p->total - p->finished) / rate);
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

void job_run(struct job *j)
{
    if (stop_wanted())
        return;
    struct runner *r = runner_new(j->program, j->contract, j->golden, j->options);
    for (uint64_t n = 0; n < j->runs; n++)
        if (!runner_run(r, j->first_seed + n, &j->tally, &j->arena))
            break;
    runner_free(r);
}

static void run_job(void *ctx, size_t i)
{
    job_run(&((struct campaign *)ctx)->jobs[i]);
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

uint64_t job_pieces(uint64_t runs)
{
    return (runs + JOB_SEEDS - 1) / JOB_SEEDS;
}

struct job job_piece(const struct job *all, uint64_t i)
{
    uint64_t from = i * JOB_SEEDS, left = all->runs - from;
    struct job piece = *all;
    piece.first_seed += from;
    piece.runs = left < JOB_SEEDS ? left : JOB_SEEDS;
    return piece;
}
