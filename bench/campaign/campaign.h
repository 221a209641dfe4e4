/* SPDX-License-Identifier: MIT */
/*
 * Campaigns: many jobs on worker threads.
 *
 * Each job owns the memory of its results, so workers share nothing that is written. What a job
 * computes depends on the job alone: the number of threads changes the order in which jobs end and
 * nothing else.
 */
#ifndef BENCH_CAMPAIGN_H
#define BENCH_CAMPAIGN_H

#include "bench/campaign/runner.h"

struct job {
    /* set by the caller; shared and read only */
    const struct program *program;
    const struct contract *contract;
    const struct golden *golden;
    struct runner_options options;
    uint64_t first_seed, runs;
    /* set by the worker */
    struct tally tally;
    struct arena arena; /* of the tally; freed by campaign_free */
};

struct campaign {
    struct job *jobs;
    int njobs, threads;
    /* Called in the caller's thread for each job as it ends, in no fixed order; may be NULL. */
    void (*done)(void *ctx, struct job *job);
    void *ctx;
};

void campaign_run(struct campaign *c);
void campaign_free(struct campaign *c);

/* So many runs are split into so many jobs, of at most JOB_SEEDS seeds each. */
enum { JOB_SEEDS = 64 };
int job_pieces(uint64_t runs);
/* The i-th job of what `all` would do. */
struct job job_piece(const struct job *all, int i);

/* A progress line on a terminal ("done/total, rate, findings, time left"); nothing when err is
 * none. */
struct progress {
    int finished, total; /* jobs; total 0: what is done has none */
    bool tty, lines;     /* lines: set by the caller, one line each where there is no terminal */
    double start;
    uint64_t found;
};
struct progress progress_start(int total);
/* Another job has ended. */
void progress_show(struct progress *p, uint64_t newly_found);
/* Of one exploration. */
struct explore_progress;
void progress_states(const struct progress *p, const char *name, const struct explore_progress *e);
void progress_end(struct progress *p);

#endif
