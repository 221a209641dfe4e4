/* SPDX-License-Identifier: MIT */
/*
 * Campaigns: many jobs on worker threads.
 *
 * Jobs flow to the workers and back through wait-free concurrent queues (liburcu wfcqueue); each
 * job owns the memory of its results, so workers share nothing that is written. What a job computes
 * depends on the job alone: the number of threads changes the order in which jobs end and nothing
 * else.
 */
#ifndef BENCH_CAMPAIGN_H
#define BENCH_CAMPAIGN_H

#include <urcu/wfcqueue.h>

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
    double seconds;
    struct cds_wfcq_node node;
};

struct campaign {
    struct job *jobs;
    int njobs, threads;
    /* Called in the caller's thread for each job as it ends, in no fixed order; may be NULL. */
    void (*done)(void *ctx, struct job *job, int finished, int total);
    void *ctx;
};

void campaign_run(struct campaign *c);
void campaign_free(struct campaign *c);

/* Jobs for one (program, contract): runs split into pieces of at most this many seeds. */
enum { JOB_SEEDS = 64 };
int job_pieces(uint64_t runs);

/* A progress line on a terminal ("done/total, rate, findings, time left"); nothing when err is
 * none. */
struct progress {
    bool tty, lines; /* lines: set by the caller, one line each where there is no terminal */
    double start;
    uint64_t found;
};
struct progress progress_start(void);
void progress_show(struct progress *p, int finished, int total, uint64_t newly_found);
/* Of one exploration. */
struct explore_progress;
void progress_states(const struct progress *p, const char *name, const struct explore_progress *e);
void progress_end(struct progress *p);

double now_seconds(void);

#endif
