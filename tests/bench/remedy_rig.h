/* SPDX-License-Identifier: MIT */
/*
 * What the suites of remedies share: the findings of a program, asked for their remedies, and every
 * answer held against runs or states of the test's own.
 */
#ifndef TESTS_BENCH_REMEDY_RIG_H
#define TESTS_BENCH_REMEDY_RIG_H

#include "bench/campaign/remedy_written.h"
#include "models/toolchain.h"

/* How many findings had which answer. */
struct answers {
    int of_kind[REMEDY_KINDS];
    int findings, in_words;
};

/* Explores p under k, asks what repairs what is found, and explores again with each answer: a
 * remedy repairs, what follows is gone with those of the others, and what no marker helps stays
 * with every marker. what: names the program in failures. */
void check_explored(const struct program *p, const struct contract *k, const char *what,
                    struct answers *count);

/* A kernel or host program of a file, compiled. */
struct compiled {
    const char *what; /* names it in failures */
    struct compilation from;
    const struct program *program;
    const struct contract *contract;
};

/* The same of what was compiled, with the calls of each remedy written into the file as well. */
void check_explored_file(const struct compiled *c, struct answers *count);

/*
 * The same by runs: as many for the findings as for the answers, which have other seeds. And the
 * same in words: with the calls of a remedy written into the file, the finding is gone as well.
 */
void check_sampled(struct arena *a, const struct compiled *c, uint64_t runs, struct answers *count);

#endif
