/* SPDX-License-Identifier: MIT */
/*
 * What `fencebench litmus` prints: logs in the field's format (docs/litmus.md), verdict lists,
 * JSON.
 *
 * Log tools read a block from its Test line to its Hash line; they skip lines between Test and
 * States, and lines "Word NAME ..." behind the condition. Model, bound and expectation stand there.
 */
#ifndef BENCH_LITMUS_REPORT_H
#define BENCH_LITMUS_REPORT_H

#include <jansson.h>

#include "bench/campaign/litmus_run.h"
#include "bench/campaign/cases.h"

/* One test, or variant of a test, under one contract. */
struct litmus_job {
    const struct litmus_test *test, *base; /* base: without a label removed */
    const char *removed;                   /* the label of a variant, or NULL */
    const struct litmus_expect *expect;    /* or NULL */
    const struct contract *contract;
    struct litmus_outcome outcome;
};

/* Expected and contradicted; without an expectation: ~exists or forall, and the condition is not
 * met. */
bool litmus_job_failed(const struct litmus_job *j);
/* A limit hides the answer. */
bool litmus_job_unknown(const struct litmus_job *j);
enum litmus_agreement litmus_job_agreement(const struct litmus_job *j);

/* Names as the test writes them, or as herd's readers of logs accept them (litmus/herd.h). */
enum litmus_spelling { SPELLING_NATIVE, SPELLING_HERD, SPELLING_COUNT };
const char *litmus_spelling_name(enum litmus_spelling s); /* "native" */

/* The final states that a log lists: all, or those with or without the proposition. */
enum litmus_shown { SHOW_ALL, SHOW_PROP, SHOW_NEG, SHOW_COUNT };
const char *litmus_shown_name(enum litmus_shown s); /* "all", "prop", "neg" */

struct litmus_log {
    enum litmus_spelling spelling;
    enum litmus_shown shown;
};

void litmus_report_log(FILE *out, const struct experiment *x, const struct litmus_settings *s,
                       const struct litmus_log *log, const struct litmus_job *j);
json_t *litmus_report_json(const struct experiment *x, const struct litmus_settings *s,
                           const struct litmus_job *j);

/* Tests and variants, one a row, and the models of the jobs, one a column: verdicts, with '!' where
 * one is contradicted or its condition not met, and '-' where there is no job. The jobs of one test
 * stand together. */
void litmus_report_table(FILE *out, struct arena *a, const struct litmus_job *jobs, size_t n);

#endif
