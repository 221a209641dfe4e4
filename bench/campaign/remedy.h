/* SPDX-License-Identifier: MIT */
/*
 * Remedies that were tried. For each finding of a case, the first candidate of sim/diagnosis.h with
 * which the program, run or explored again, no longer has it: by verdict, and by the places of its
 * two accesses. A candidate that brings a run to a halt is none.
 *
 * What no candidate repairs is tried with what repaired the other findings, because it may follow
 * from them, and at last with every marker around every access: what shows even then, no marker
 * repairs.
 */
#ifndef BENCH_REMEDY_H
#define BENCH_REMEDY_H

#include "base/table.h"
#include "bench/campaign/runner.h"
#include "sim/diagnosis.h"

/* What a program showed. */
struct evidence {
    uint64_t runs;   /* sampled; 0: it was explored, or not looked at */
    uint64_t states; /* explored */
    bool complete;   /* explored: all of them */
    bool verdicts[V_COUNT];
    VEC(struct finding) findings; /* distinct by verdict and the two accesses in the text */
};
void evidence_add(struct arena *a, const struct program *p, struct evidence *e,
                  const struct finding *f);

/* How a program is looked at again. */
struct remedy_judge {
    const struct contract *contract;
    int threads;
    const struct golden *golden;
    bool explore;
    /* exploring: at most so many states, in all orders of racing accesses or not
     * (sim/explore/explore.h) */
    uint64_t max_states;
    bool races;
    /* sampling: at most max_runs runs, from that seed */
    struct runner_options options;
    uint64_t seed, max_runs;
};

// clang-format off
#define REMEDIES(X) \
    X(REMEDY_REPAIRS, "repairs") /* the markers of `remedies` do, with those of the other findings if `together` */ \
    X(REMEDY_FOLLOWS, "follows from the others") /* it has none of its own: it is gone with the remedies of the others */ \
    X(REMEDY_NONE, "no marker") /* no marker helps */ \
    X(REMEDY_UNKNOWN, "unknown") /* markers help, but no candidate did; or nothing was tried */
// clang-format on
enum remedy_kind { REMEDIES(ENUM_ROW) REMEDY_KINDS };
const char *remedy_kind_name(enum remedy_kind k); /* "repairs" */

enum { REMEDY_PARTS = 2, REMEDY_CALLS = 16 };

/* A call of the kernel language, as a line of its own beside the statement that starts (before) or
 * ends (after) on a line of the file; it starts in column col. */
struct remedy_call {
    const char *call;
    bool after;
    int line, col;
};

struct remedy_found {
    enum remedy_kind kind;
    struct remedy remedies[REMEDY_PARTS]; /* REMEDY_REPAIRS: it takes all of them */
    int nremedies;
    bool together;
    /* bench/campaign/remedy_words.h; of one line in order */
    struct remedy_call calls[REMEDY_CALLS];
    int ncalls;
    /* with the remedy: findings but this one; REMEDY_NONE: with every marker */
    struct evidence seen;
    const char *text;    /* one line, or NULL: nothing to say */
    const char *checked; /* "gone in 40 runs", or NULL: nothing was tried */
};

struct remedy_query {
    const struct finding *finding;
    uint64_t hits, runs;        /* it showed in so many of so many runs; exploring: 1 and 1 */
    struct remedy_found *found; /* the answer */
};

/*
 * Whether p, looked at as j says, shows neither what `remains` finds in its evidence nor a halt
 * that base has not. For as many runs as would show q's finding several times, were it as frequent
 * as in q; it ends early where it remains. seen: what p has shown, and will have.
 */
bool remedy_gone(struct arena *a, const struct remedy_judge *j, const struct program *p,
                 const struct evidence *base, const struct remedy_query *q,
                 bool (*remains)(const void *ctx, const struct evidence *seen), const void *ctx,
                 struct evidence *seen);

/* Answers the n queries about p. base: everything that p itself showed. Answers live in arena a. */
void remedies_find(struct arena *a, const struct program *p, const struct remedy_judge *j,
                   const struct evidence *base, struct remedy_query *q, size_t n);

#endif
