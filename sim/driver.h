/* SPDX-License-Identifier: MIT */
/*
 * Drivers that take a machine from its initial state to an end (docs/machine.md). Each is a
 * function of (program, contract, seed): the same three give the same run, whatever thread it runs
 * in.
 */
#ifndef SIM_DRIVER_H
#define SIM_DRIVER_H

#include "sim/machine.h"

/* Where a core's cycles went. Waiting counts for what it waits in. */
// clang-format off
#define SPENT_KINDS(X) \
    X(SPENT_SCALAR, "scalar") \
    X(SPENT_MISS, "miss") \
    X(SPENT_DCCI, "dcci") \
    X(SPENT_DSB, "dsb") \
    X(SPENT_BARRIER, "barrier") \
    X(SPENT_POLL, "poll") \
    X(SPENT_FLAG, "flag") \
    X(SPENT_TASK, "task") /* until the host released the task and those before it had ended; its start */
// clang-format on
enum spent { SPENT_KINDS(ENUM_ROW) SPENT_COUNT };
const char *spent_name(enum spent s);

struct core_time {
    uint64_t cycles[SPENT_COUNT];
    uint64_t pipe_busy[PIPE_COUNT];
    uint64_t start, end; /* cycles in which the core's program began and ended */
};

/* One fired transition, for traces. Times in cycles. */
struct step {
    struct transition t;
    uint64_t start, end;
    int insn;           /* of the core at t.core, what the step executes; -1: none */
    uint64_t addr, len; /* T_DELIVER: what was written */
};

/* The record of a transition that is about to be fired. */
struct step step_make(const struct machine *m, struct transition t, uint64_t start, uint64_t end);

enum { SKEW_OF_CONTRACT = -1 };

struct drive_options {
    uint64_t seed;
    uint64_t max_transitions; /* 0: no limit */
    bool adversary;           /* timed driver: make some agents slow, as the contract says */
    /* timed driver: cycles between two submissions of the host, or SKEW_OF_CONTRACT */
    int64_t dispatch_skew;
    int pct_depth;      /* pct driver: bug depth d >= 1 */
    uint64_t pct_steps; /* pct driver: expected transitions of a run */
    void (*on_step)(void *ctx, const struct machine *m,
                    const struct step *s); /* before the effect */
    void *ctx;
};

struct drive_result {
    uint64_t transitions;
    uint64_t cycles;        /* timed driver: end of the slowest core */
    bool timed_out;         /* max_transitions was reached */
    bool stopped;           /* a stop was wanted (base/stop.h): the run is none */
    struct core_time *time; /* timed driver: one per core, in the caller's arena; may be NULL */
};

/* Event queue with latencies from the contract. result->time, when set by the caller, is filled. */
void drive_timed(struct machine *m, const struct drive_options *o, struct drive_result *result);

/* Uniform choice among the enabled transitions. */
void drive_random(struct machine *m, const struct drive_options *o, struct drive_result *result);

/* Probabilistic concurrency testing: random priorities, d-1 priority changes at random steps. */
void drive_pct(struct machine *m, const struct drive_options *o, struct drive_result *result);

/* Agents whose priorities drive_pct orders: n in its bound. A bug of depth d shows in at least one
 * of n k^(d-1) runs of k steps. */
int pct_agents(const struct machine *m);

#endif
