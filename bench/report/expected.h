/* SPDX-License-Identifier: MIT */
/* What became of the expectations of a kernel's file (bench/campaign/expect.h). */
#ifndef BENCH_EXPECTED_H
#define BENCH_EXPECTED_H

#include <jansson.h>
#include <stdio.h>

#include "bench/campaign/expect.h"

/* One line for all that hold, and "file:line:col: error: ..." for each that does not. */
void report_expected(FILE *out, const struct kase *k, const expected_list *list);

/* Adds "expectations" to the result of k, and returns it. What does not hold is a finding; findings that are
 * expected are "known", and when there are no others the answer is "expected". */
json_t *expected_json(json_t *result, const struct kase *k, const expected_list *list);

#endif
