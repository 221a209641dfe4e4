/* SPDX-License-Identifier: MIT */
/*
 * fencebench equiv --batching: pairs of tests, one with an invalidate behind each wait and one with
 * a single one behind the run of waits (litmus/generate/batching.h), compared under every contract.
 */
#ifndef BENCH_BATCHING_H
#define BENCH_BATCHING_H

#include "bench/campaign/cases.h"
#include "bench/campaign/equivalence.h"
#include "litmus/generate/batching.h"

struct batching_case {
    const char *name;
    const struct litmus_test *forms[BATCHING_FORMS];
    const int *at;               /* values of the generated pair, or NULL */
    bool same;                   /* both forms are one program: equal, nothing is explored */
    struct equivalence *results; /* by contract */
};

/* Pairs that compare alike under every contract: the same forms have final states of their own, and
 * the same ones hangs. */
struct batching_class {
    VEC(const struct batching_case *) cases;
    /* the first of those that differ in the commonest states */
    const struct batching_case *typical;
};

struct batching {
    const struct experiment *x;
    struct litmus_settings settings;
    bool json, summary; /* summary: no line for each pair */
    /* of batching_compare */
    size_t tests; /* files read; 0: the generated family */
    VEC(struct batching_case) cases;
    VEC(struct batching_class) classes; /* of differences, in the order of their first pairs */
};

/* Compares the tests of b->x->files, or the generated family when there are none, under b->x->models and
 * prints the answer. b: experiment, settings, json and summary are set. False with b->x->diag filled. */
bool batching_compare(struct batching *b, enum equivalence_answer *answer);

/* ---- what is printed (bench/report/batching_report.c) ---- */

void batching_report_case(const struct batching *b, const struct batching_case *c);
void batching_report_summary(const struct batching *b);
void batching_report_json(const struct batching *b);

#endif
