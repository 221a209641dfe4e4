/* SPDX-License-Identifier: MIT */
/*
 * One run of a machine program, judged: the machine, its oracle, the golden final memory, and the
 * tally that many runs add up to.
 */
#ifndef BENCH_RUNNER_H
#define BENCH_RUNNER_H

#include "sim/driver.h"
#include "sim/oracle.h"

enum driver { DRIVER_TIMED, DRIVER_RANDOM, DRIVER_PCT, DRIVER_COUNT };
extern const struct driver_row {
    const char *name; /* "timed" */
    void (*drive)(struct machine *m, const struct drive_options *o, struct drive_result *result);
} drivers[];

/* Transitions of one uniformly random run of m: what the pct driver spreads its priority changes
 * over. The same for every seed, so that one run can be replayed alone. The sc run has fewer:
 * nothing is delivered there. */
uint64_t usual_transitions(struct machine *m, uint64_t max_transitions);

/* What the sc contract leaves in memory. */
struct golden {
    uint8_t **memory; /* per rank */
    bool ended;       /* false: the sc run itself did not end, there is nothing to compare with */
    /* Bytes that its accesses named: none, where an oracle would have had nothing to check. */
    uint64_t checked;
};

/* Runs p under the contract sc once, without an oracle: only the outputs are asked for. The result
 * lives in arena a. */
struct golden *golden_run(struct arena *a, const struct program *p, const struct contract *sc,
                          uint64_t max_transitions);

/* At a final state of an exploration, whose machine has an oracle: a clean end counts as one only
 * with the outputs of the sc run. True when it found something. */
bool golden_judge(const struct golden *g, const struct machine *m, bool deadlock);

struct remedy_found;

/* Orders findings by what tells them apart in a report: places in the text, not the rank. */
int finding_compare(const struct finding *x, const struct finding *y);

/* A finding as it recurs over the cores and runs of a tally: cores that execute the same code are
 * one. */
struct tally_finding {
    struct finding first; /* as in the first run that had it */
    const char *note;     /* copy of first.note */
    uint64_t first_seed, runs, units;
    const struct remedy_found *remedy; /* bench/campaign/remedy.h; NULL: not looked for */
};

struct tally {
    uint64_t runs, failed, timed_out, checked;
    uint64_t verdict_runs[V_COUNT],
        verdict_seed[V_COUNT];          /* runs with that verdict, and the first one's seed */
    VEC(struct tally_finding) findings; /* in order of first occurrence */
    uint64_t cycles_sum, cycles_min, cycles_max, transitions;
    double cycles_squares;    /* sum of the squares of each run's cycles */
    struct core_stats stats;  /* summed over cores and runs */
    uint64_t rank_flushes;    /* whole-cache, of rule R1, on the core of each rank that has most of
                                them, as lanes run at once; summed over ranks and runs */
    struct core_time time;    /* the same */
    struct core_time slowest; /* of the core of each run that ended last; summed over runs */
    uint64_t first_failed_seed;
    int pct_agents;     /* n and k of the pct driver's bound; 0: another driver */
    uint64_t pct_steps; /* of a usual run */
};

enum { DEFAULT_MAX_TRANSITIONS = 50 * 1000 * 1000, RUNNER_KEPT = 4096 };

struct runner_options {
    enum driver driver;
    uint64_t max_transitions;
    int pct_depth;
    bool adversary;
    const struct load_lines *named; /* of the program, see struct machine_options; or NULL */
    int64_t dispatch_skew; /* cycles between two submissions of the host, or SKEW_OF_CONTRACT */
    /* where the cycles of the first RUNNER_KEPT seeds from kept_from on go, by seed; or NULL */
    uint64_t *kept, kept_from;
    bool unended; /* a run that a stop ends counts where it has a finding by then */
    /* findings that do not count: those of the unchanged program; or NULL */
    const struct tally *known;
};

struct runner;

struct runner *runner_new(const struct program *p, const struct contract *k, const struct golden *g,
                          struct runner_options o);
void runner_free(struct runner *r);

/* Runs one seed and adds it to the tally, whose findings live in arena a. False when a stop was wanted
 * first: the run is not counted, but for `unended`. */
bool runner_run(struct runner *r, uint64_t seed, struct tally *t, struct arena *a);

/* The machine of the last run, for traces and details. */
struct machine *runner_machine(struct runner *r);
const struct drive_result *runner_result(const struct runner *r);
/* Called for every step of the following runs, before its effect. */
void runner_on_step(struct runner *r,
                    void (*fn)(void *ctx, const struct machine *m, const struct step *s),
                    void *ctx);

/* Adds y, whose seeds are all later, to x. */
void tally_merge(struct tally *x, const struct tally *y, struct arena *a);

/* A verdict was found that is none for want of time. */
bool tally_found(const struct tally *t);
/* The verdict that stands for a failed tally: the most telling one that occurred, or V_COUNT. */
enum verdict tally_verdict(const struct tally *t);
/* The first finding with that verdict, or NULL. */
const struct tally_finding *tally_find(const struct tally *t, enum verdict v);

#endif
