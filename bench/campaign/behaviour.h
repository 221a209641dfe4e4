/* SPDX-License-Identifier: MIT */
/*
 * All that a program can do, by exploration: its findings, each by verdict and word, and the memories
 * that its runs end with. Two programs with the same behaviour are told apart by nobody who sees only
 * these.
 */
#ifndef BENCH_BEHAVIOUR_H
#define BENCH_BEHAVIOUR_H

#include "bench/campaign/runner.h"

struct behaviour_finding {
    enum verdict verdict;
    uint64_t addr;
};

struct behaviour {
    VEC(struct behaviour_finding) findings; /* each once */
    VEC(uint64_t) finals; /* hashes of memory and of whether all cores have ended, each once */
    uint64_t states;
    bool complete; /* false: there may be more, for a limit was hit or a difference was enough */
    bool *reached; /* by site: some core executes it in some run, up to its first finding */
    bool differs;  /* from the one that it was compared with: it has more */
    bool found;    /* ... that is a finding; else it is another final memory */
    struct finding first; /* found: the finding, without texts */
};

struct behaviour_query {
    const struct program *program;
    const struct contract *contract; /* of an explore_contract() */
    const struct golden *golden;     /* NULL: the outputs are compared with nothing */
    uint64_t max_states;
    /* The exploration ends at the first finding or final memory that this one lacks; NULL: it does not. */
    const struct behaviour *known;
};

/* Explores on the caller's thread. The answer lives in arena a. */
void behaviour_explore(struct arena *a, const struct behaviour_query *q, struct behaviour *out);

/* Every finding and final memory of x is one of y. */
bool behaviour_within(const struct behaviour *x, const struct behaviour *y);

#endif
