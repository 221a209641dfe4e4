/* SPDX-License-Identifier: MIT */
/*
 * A baseline: findings that are known, in a file, so that only others fail a run. A finding is the same
 * as long as its kernel's name, the model, its verdict, its tensor and the text of its lines are: line
 * numbers, words, ranks and seeds may change.
 */
#ifndef BENCH_BASELINE_H
#define BENCH_BASELINE_H

#include <jansson.h>

#include "base/diag.h"

#define BASELINE_SCHEMA "fencebench-baseline/1"

/* Gives every finding of a report (docs/json.md) its "fingerprint". */
void baseline_name(json_t *report);

/*
 * Marks the findings that the file knows as "known", and adds "baseline" to the report: the file, how many
 * are known and new, and those fixed, which are of cases that were checked to their end and are not found
 * any more. False with d filled when the file cannot be read or is no baseline.
 */
bool baseline_compare(struct arena *a, json_t *report, const char *path, struct diag *d);

/* Writes the findings of the report to the file, which need not exist; what it knows of other cases stays,
 * and of those that did not end. They are known from then on. False with d filled. */
bool baseline_update(struct arena *a, json_t *report, const char *path, struct diag *d);

/* How many findings of the report are not known. */
size_t baseline_new(const json_t *report);

/* Before a long command: whether the file is a baseline, or where it is to be updated can be one. False
 * with d filled. */
bool baseline_possible(struct arena *a, const char *path, bool update, struct diag *d);

#endif
