/* SPDX-License-Identifier: MIT */
/*
 * A case whose mutants are judged, and the judgement of one.
 *
 * Some runs come first, which kill cheaply; what they leave is explored: of the program at its size
 * when that fits the limit of states, else with smaller constants of its module, chosen so that it has
 * the same sites, each executed again where it was. Only where the whole state spaces of the program
 * and of the mutant were seen is anything called redundant.
 */
#ifndef BENCH_SUBJECT_H
#define BENCH_SUBJECT_H

#include <pthread.h>

#include "bench/campaign/behaviour.h"
#include "bench/campaign/cases.h"
#include "bench/campaign/mutants.h"

// clang-format off
#define FATES(X) \
    X(FATE_KILLED, "killed") /* a run, or a state, has a finding or a final memory that the program has not */ \
    X(FATE_REDUNDANT, "redundant") /* proved: the behaviour is the same */ \
    X(FATE_GIVEN, "redundant given others") /* proved alone, but dies together with another such */ \
    X(FATE_FEWER, "fewer findings") /* proved: nothing new, and not all that the program does */ \
    X(FATE_NOT_REACHED, "not reached") /* proved: no core ever executes it */ \
    X(FATE_NOT_OBSERVED, "not observed") /* in no run, and the states are too many */ \
    X(FATE_UNKNOWN, "unknown") /* the same, and runs hit their limit */
// clang-format on
enum fate { FATES(ENUM_ROW) FATE_COUNT };
const char *fate_name(enum fate f); /* "not observed" */

struct subject {
    const struct kase *kase;
    unsigned origins;
    uint64_t max_states;
    pthread_mutex_t *lock; /* of subject_prepare */
    mutants list;          /* of the kase's program */
    uint64_t *executed;    /* by site: times that its first run reached it */
    /* What is explored: the kase's own program, or a smaller one with the same sites. */
    const struct program *program;
    mutants smaller; /* list, of that program */
    const struct golden *golden;
    struct contract contract;
    const char *extents;   /* "SIZE=16, CHUNK=8", or "" */
    const char *arguments; /* the same as a command has it, " --arg 'SIZE=16' --arg 'CHUNK=8'" */
    struct behaviour base;
};

/* k with its tally; origins as in mutants_list. All lives in the arena of its experiment. */
struct subject subject_make(const struct kase *k, unsigned origins);

/* Explores the unmutated program, and chooses the extents. Subjects may be prepared at the same time,
 * each with an arena of its own; lock, which the caller does not hold, guards that of the experiment. */
void subject_prepare(struct arena *a, struct subject *s, uint64_t max_states,
                     pthread_mutex_t *lock);

struct judgement {
    enum fate fate;
    struct tally tally; /* of the runs */
    uint64_t states;    /* explored; 0: none */
    bool found;         /* killed by exploration: finding is it; else another final memory */
    struct finding finding;
    const struct program *program; /* the mutant that was explored, or that ran */
};

/* Judges mutant i. Up to `runs` runs from `seed` on: fewer of what exploration proves, and of what dies
 * often enough that its rate is known. The answer lives in a. */
void subject_judge(struct arena *a, const struct subject *s, size_t i, uint64_t seed, uint64_t runs,
                   struct judgement *out);

/* Explores alone: whether the program dies without both sites, each of which is redundant alone. */
void subject_judge_pair(struct arena *a, const struct subject *s, int x, int y,
                        struct judgement *out);

#endif
