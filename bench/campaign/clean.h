/* SPDX-License-Identifier: MIT */
/*
 * Whether a program is clean: some runs first, which refute cheaply, then every state where they fit
 * a limit, which proves. Where they do not, all runs of the command decide, and their bound is all
 * that is known.
 */
#ifndef BENCH_CLEAN_H
#define BENCH_CLEAN_H

#include "bench/campaign/cases.h"

struct clean_plan {
    uint64_t quick;      /* runs before an exploration; the command's own number is the most */
    uint64_t max_states; /* of one exploration */
    uint64_t max_memory; /* of it, in bytes; 0: no limit */
};

// clang-format off
#define CLEAN_KINDS(X) \
    X(CLEAN_PROVED, "proved") /* in no state of any schedule */ \
    X(CLEAN_NOT_OBSERVED, "not observed") /* in no run, and the states are too many */ \
    X(CLEAN_NOT, "finding")
// clang-format on
enum clean_kind { CLEAN_KINDS(ENUM_ROW) CLEAN_KIND_COUNT };
const char *clean_kind_name(enum clean_kind k); /* "not observed" */

struct clean_answer {
    enum clean_kind kind;
    uint64_t runs;          /* that were made */
    uint64_t states;        /* explored, of CLEAN_NOT too; 0: none */
    uint64_t seed;          /* CLEAN_NOT, in no state: of the run that shows it */
    struct finding finding; /* CLEAN_NOT: one, without its note */
};

/* The cases: the runs of all of them, then the states, up to the first that is not clean. Their
 * number when all are, else the index of that one. answers: one for each case. */
size_t kases_clean(const kases *k, const struct clean_plan *plan, struct clean_answer *answers);

/* The command that shows the finding again: k is the case that had it. */
const char *clean_replay(const struct kase *k, const struct clean_answer *x);

#endif
