/* SPDX-License-Identifier: MIT */
/*
 * Do two litmus tests, which observe the same names, have the same final states?
 *
 * A state that one side was seen to have counts as its own only when the other side was explored
 * completely: otherwise it may have it too.
 */
#ifndef BENCH_EQUIVALENCE_H
#define BENCH_EQUIVALENCE_H

#include <jansson.h>

#include "bench/campaign/litmus_run.h"

enum { SIDES = 2 };

enum equivalence_answer { EQUIV_EQUAL, EQUIV_DIFFER, EQUIV_UNKNOWN, EQUIV_ANSWERS };
const char *equivalence_name(enum equivalence_answer a); /* "equal" */
/* Of a command that got these answers: a difference outweighs a limit. */
enum equivalence_answer equivalence_of_all(const bool seen[EQUIV_ANSWERS]);

/* Two tests under one contract. */
struct equivalence {
    const struct contract *contract;
    struct litmus_outcome outcomes[SIDES];
    VEC(const char *) only[SIDES]; /* final states that the other side is proven not to have */
    size_t both;
    bool complete; /* no limit was hit on either side */
    enum equivalence_answer answer;
};

/* out is freed with equivalence_free. */
void equivalence_compare(const struct litmus_test *const tests[SIDES], const struct contract *k,
                         const struct litmus_settings *s, struct equivalence *out);
void equivalence_free(struct equivalence *e);

/* Do both comparisons show the same states of one side alone? */
bool equivalence_same(const struct equivalence *x, const struct equivalence *y);

/* A final state as it is printed. */
const char *equivalence_state(const char *state);
json_t *equivalence_json(const struct equivalence *e);

#endif
