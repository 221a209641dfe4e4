/* SPDX-License-Identifier: MIT */
/*
 * What the suites of remedies share: the findings of a program, asked for their remedies, and every
 * answer held against runs or states of the test's own.
 */
#ifndef TESTS_BENCH_REMEDY_RIG_H
#define TESTS_BENCH_REMEDY_RIG_H

#include "bench/remedy.h"
#include "models/toolchain.h"

/* How many findings had which answer. */
struct answers {
    int of_kind[REMEDY_KINDS];
    int findings;
};

/* Explores p under k, asks what repairs what is found, and explores again with each answer: a
 * remedy repairs, what follows is gone with those of the others, and what no marker helps stays
 * with every marker. what: names the program in failures. */
void check_explored(const struct program *p, const struct contract *k, const char *what,
                    struct answers *count);

/* The same by runs: as many for the findings as for the answers, which have other seeds. */
void check_sampled(const struct program *p, const struct contract *k, const struct contract *sc,
                   uint64_t runs, const char *what, struct answers *count);

#endif
