/* SPDX-License-Identifier: MIT */
/* A sweep as one of the reports of docs/json.md: each mutant is a result. */
#ifndef BENCH_SWEEP_REPORT_H
#define BENCH_SWEEP_REPORT_H

#include <jansson.h>

#include "bench/campaign/sweep.h"

/*
 * `results` are the mutants and the pairs that die, `unchanged` the cases before any mutation, which
 * are results as check has them. A mutant has a finding where its class is one of fail_on (bit per enum
 * fate), and is unfinished where it has no proof. interrupted: as options_stopped_json has it.
 */
json_t *sweep_report(const struct sweep_plan *plan, const struct sweep_results *r, unsigned fail_on,
                     json_t *interrupted);

/* The cases go before the mutants: for formats that have one kind of result alone. */
void sweep_report_flatten(json_t *report);

/* The class of a mutant in a sentence, for the rules of SARIF. */
const char *sweep_class_doc(enum fate f);

#endif
