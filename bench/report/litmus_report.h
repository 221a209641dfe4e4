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

void litmus_report_log(FILE *out, const struct experiment *x, const struct litmus_settings *s,
                       const struct litmus_job *j);
json_t *litmus_report_json(const struct experiment *x, const struct litmus_settings *s,
                           const struct litmus_job *j);

#endif
