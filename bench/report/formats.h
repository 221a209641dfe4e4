/* SPDX-License-Identifier: MIT */
/*
 * Reports in the formats that other programs read. All of them are made of one: the JSON of
 * docs/json.md, an object with `results`, each with its `findings`, and `errors`.
 */
#ifndef BENCH_FORMATS_H
#define BENCH_FORMATS_H

#include <jansson.h>
#include <stdio.h>

#include "base/diag.h"

enum format { FORMAT_TEXT, FORMAT_JSON, FORMAT_SARIF, FORMAT_JUNIT, FORMAT_GITHUB, FORMAT_COUNT };

/* write is NULL for text, which its command prints as it goes. */
struct format_row {
    const char *name; /* "sarif" */
    void (*write)(FILE *out, struct arena *a, const json_t *report);
};
extern const struct format_row formats[FORMAT_COUNT];

/* Prints a report, which is not text, to standard output and lets go of it. */
void format_print(enum format f, json_t *report);

/* What a report of files that could not be used holds of each, in its `errors`. */
json_t *error_json(const struct diag *d);

/* ---- for the writers ---- */

/* The text of a member, or NULL. */
const char *json_text(const json_t *j, const char *key);
/* Its number, or 0. */
json_int_t json_number(const json_t *j, const char *key);
/* What a result is about: "put_ring P=2 a2a3", of a mutant "put_ring P=2 a2a3 site 4: fence: dsb". */
const char *result_name(struct arena *a, const json_t *result);
/* It ended without an answer: never a pass. */
bool result_unfinished(const json_t *result);
/* "ended before an answer", or what a mutant lacks. */
const char *result_lacks(const json_t *result);
/* "stale read at win[16]@0: 19 of 100 runs" and the remedy, of a finding of a result. */
const char *finding_sentence(struct arena *a, const json_t *result, const json_t *finding);
/* "stale-read" of "stale read". */
const char *rule_id(struct arena *a, const char *verdict);

void write_sarif(FILE *out, struct arena *a, const json_t *report);
void write_junit(FILE *out, struct arena *a, const json_t *report);
void write_github(FILE *out, struct arena *a, const json_t *report);

#endif
