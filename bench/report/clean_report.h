/* SPDX-License-Identifier: MIT */
/* Whether a program is clean (bench/campaign/clean.h), as text and as JSON. */
#ifndef BENCH_CLEAN_REPORT_H
#define BENCH_CLEAN_REPORT_H

#include "bench/campaign/clean.h"
#include "bench/campaign/expense.h"
#include "bench/report/report.h"

/* "proved, 243 states", "not observed, 200 runs: less than 1.5 % fail", or "stale read at win[0]@1,
 * read at line 36". k: the case that was looked at. */
const char *report_clean_answer(const struct kase *k, const struct clean_answer *x);
json_t *report_clean_answer_json(const struct kase *k, const struct clean_answer *x);

/* The first n cases and their answers. */
json_t *report_clean_answers_json(const kases *k, const struct clean_answer *x, size_t n);

json_t *report_expense_json(const struct expense *c);

#endif
