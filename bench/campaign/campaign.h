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

/* Runs a job's seeds in the calling thread, or as many as there are until a stop is wanted. */
void job_run(struct job *j);

void campaign_run(struct campaign *c);
void campaign_free(struct campaign *c);

/* So many runs are split into so many jobs, of at most JOB_SEEDS seeds each. */
enum { JOB_SEEDS = 64 };
uint64_t job_pieces(uint64_t runs);
/* The i-th job of what `all` would do. */
struct job job_piece(const struct job *all, uint64_t i);

/* A progress line on a terminal ("done/total, rate, findings, time left"), at most ten times a second;
 * nothing when standard error is none. */
struct progress {
    uint64_t finished, total; /* total 0: what is done has none */
    const char *unit;         /* "runs" */
    bool tty, lines; /* lines: set by the caller, one line each where there is no terminal */
    double start, shown;
    uint64_t found;
};
struct progress progress_start(uint64_t total, const char *unit);
/* So many more are done, and so many of them have findings. */
void progress_show(struct progress *p, uint64_t newly_finished, uint64_t newly_found);
/* Of one exploration. */
struct explore_progress;
void progress_states(const struct progress *p, const char *name, const struct explore_progress *e);
void progress_end(struct progress *p);

#endif
