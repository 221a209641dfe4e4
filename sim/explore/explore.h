/* SPDX-License-Identifier: MIT */
/*
 * Exhaustive exploration: every reachable state once (docs/machine.md).
 *
 * With an oracle a path ends at its first finding, and every finding that some run makes first is
 * reported: the same verdict of the same word. For a program with races this takes
 * explore_options.races.
 *
 * Depth-first over packed states; visited states are remembered by their xxh3-128 hashes in a set
 * that the worker threads share (sim/explore/state_set.h). Two reductions keep every final state
 * and every deadlock. A step that nothing can tell the place of is taken at once, alone
 * (sim/explore/persistent.h): only states without such a step are kept, and counted. And a step that
 * commutes with those taken since it was taken elsewhere is not taken again
 * (sim/explore/independent.h); it saves transitions, no states, and is not used with an oracle,
 * which tells such orders apart. With an oracle that follows a course, and where only verdict and word
 * of findings are wanted, cores go first that nobody disturbs (sim/explore/cores_first.h), and lines
 * leave caches only when somebody can tell (sim/explore/leaving.h); both save states. The states and
 * their number do not depend on the workers.
 *
 * An answer is a proof up to the program's own bounds, but for the chance that two states share a
 * 128-bit hash; when a limit is hit it is no answer, and says so.
 */
#ifndef SIM_EXPLORE_H
#define SIM_EXPLORE_H

#include "sim/machine.h"

/* Where a search stands. depth: steps that may not be taken alone, from the initial state to the
 * one being explored. */
struct explore_progress {
    uint64_t states, waiting, depth; /* waiting: on the reporting worker's stack */
    double seconds;
};

struct explore_options {
    int threads;
    bool reduction;
    /* Without sim/explore/cores_first.h and leaving.h: steps of all cores in each state, and of all
     * lines that may leave. */
    bool every_core;
    uint64_t max_states;      /* 0: no limit */
    uint64_t max_memory;      /* bytes; 0: no limit */
    uint64_t max_transitions; /* of all states together; 0: no limit */
    /* For each core the registers 0 to 63 that on_final looks at, as a mask; NULL: all. */
    const uint64_t *observed;
    /* Each final state (machine_final), once; deadlock: the run has not ended. Called by the
     * workers, one call at a time. */
    void (*on_final)(void *ctx, const struct machine *m, bool deadlock);
    /* Keep an oracle and report findings: each state in which a step made one, which is explored no
     * further, and each final state with what the oracle finds there. One call at a time; m->oracle
     * holds them. */
    bool oracle;
    bool clocks; /* with clocks in each state, even where the program has a course (sim/course.h) */
    /* Verdict and word of each finding are all that is wanted: not every place where the fresh value
     * can be by then is met. Fewer steps and states, where there is a course. */
    bool brief;
    bool races; /* what racing accesses find in every order: for when a race was found without it */
    void (*on_finding)(void *ctx, const struct machine *m);
    /* Set by a callback, or NULL: no more is wanted. The exploration stops, incomplete. */
    const bool *enough;
    /* Per site of the program, or NULL: set where a core executes an instruction of it. For one
     * thread. */
    bool *reached;
    /* What was reported is void: a run has left its course, and all is explored again with clocks. */
    void (*on_restart)(void *ctx);
    /* Now and then, by one worker. */
    void (*on_progress)(void *ctx, const struct explore_progress *p);
    void *ctx;
};

struct explore_result {
    uint64_t states, transitions, finals, deadlocks;
    uint64_t max_stack; /* packed states waiting at the same time */
    uint64_t memory;    /* bytes of the visited set and the stacks, at their largest */
    /* Why each state had the oracle's clocks; NULL: a course told what each read must return, or there
     * was no oracle. */
    const char *clocks;
    bool complete; /* false: a limit was hit, the answer is unknown */
    double seconds;
};

/* The most memory of all ranks together. */
enum { EXPLORE_BYTES = 1 << 28 };

static inline bool explore_fits(const struct program *p)
{
    return p->gm_bytes * (uint64_t)p->nranks <= EXPLORE_BYTES;
}

/* Replacement by age is no part of a state: k with a cache that holds all lines of p, of every rank.
 * *room: k's own holds them. explore_fits(p). */
struct contract explore_contract(const struct program *p, const struct contract *k, bool *room);

/* k replaces no line by age: an explore_contract(), or as good as one. */
void explore(const struct program *p, const struct contract *k, const struct explore_options *o,
             struct explore_result *result);

#endif
