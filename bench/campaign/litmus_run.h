/* SPDX-License-Identifier: MIT */
/*
 * Final states of litmus tests: sampled by a driver, or explored.
 *
 * An engine fills an outcome from (test, contract, settings); nothing else differs between them. An
 * outcome is a function of these three, whatever thread it is computed in.
 */
#ifndef BENCH_LITMUS_RUN_H
#define BENCH_LITMUS_RUN_H

#include "base/table.h"
#include "bench/campaign/runner.h"
#include "litmus/test.h"
#include "sim/explore/explore.h"

struct litmus_settings {
    uint64_t runs, seed; /* sampling */
    struct runner_options runner;
    bool explore;
    uint64_t max_states, max_memory, max_transitions; /* exploring; 0: no limit */
    int threads;                                      /* of one exploration */
    /* Now and then while exploring, from any thread; may be NULL. */
    void (*on_progress)(void *ctx, const struct litmus_test *t, const struct explore_progress *p);
    void *ctx;
};

/* A final state as it is printed. */
struct litmus_final {
    const char *text;
    bool holds;                 /* the condition's proposition */
    uint64_t count, first_seed; /* sampling: runs that ended in it, and the first one's seed */
};

struct litmus_outcome {
    struct arena arena;
    VEC(struct litmus_final) states; /* in byte order of their texts */
    uint64_t with,
        without;   /* runs, or when exploring distinct states, with and without the proposition */
    bool complete; /* exploring: no limit was hit, so absence is a proof; sampling: never */
    uint64_t left_out; /* final states, or runs, that the test's filter does not let count */
    /* sampling: runs that reached the limit of transitions, counted nowhere else */
    uint64_t timed_out;
    bool stopped;            /* sampling: a stop was wanted before all runs were made */
    uint64_t machine_states; /* exploring */
    int pct_agents;          /* pct: n and k of its bound */
    uint64_t pct_steps;
    /* Of with and without; Never when the filter left out everything. LITMUS_UNKNOWN when a limit
     * was hit and not both kinds were seen. */
    enum litmus_verdict verdict;
    double seconds;
};

/* out is zero at the start; its arena is freed by the caller. */
void litmus_collect(const struct litmus_test *t, const struct contract *k,
                    const struct litmus_settings *s, struct litmus_outcome *out);

/* Is the quantified condition met? Where one state decides, a limit does not matter. */
enum litmus_answer { ANSWER_NO, ANSWER_OK, ANSWER_UNKNOWN, ANSWER_COUNT };
enum litmus_answer litmus_answer(enum litmus_quantifier q, const struct litmus_outcome *o);

/* What an outcome says about an expected verdict. */
// clang-format off
#define AGREEMENTS(X) \
    X(AGREE_NONE, "none") /* nothing was expected */ \
    X(AGREE_YES, "agrees") \
    X(AGREE_NOT_SEEN, "not seen") /* sampling did not show what is expected at times: no contradiction */ \
    X(AGREE_UNKNOWN, "unknown") /* a limit was hit */ \
    X(AGREE_NO, "contradicted")
// clang-format on
enum litmus_agreement { AGREEMENTS(ENUM_ROW) AGREE_COUNT };
enum litmus_agreement litmus_agree(const struct litmus_outcome *o, enum litmus_verdict expected);

#endif
