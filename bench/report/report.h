/* SPDX-License-Identifier: MIT */
/* Findings as text for people and as JSON for programs. */
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include <jansson.h>

#include "bench/campaign/cases.h"
#include "bench/campaign/remedy.h"
#include "bench/report/columns.h"

/* Of all JSON that is printed (docs/json.md, docs/fencebench.schema.json). The number changes when something
 * that was there is gone or means another thing; members may come without. */
#define JSON_SCHEMA "fencebench/1"

/* "stale read at win[16]@0", "overrun read of tile t", "deadlock". */
const char *report_what(struct arena *a, const struct program *p, const struct finding *f);

/* "ring.py:25:9: error: stale read at win[16]@0": what editors and problem matchers read. The place is
 * that of the access at fault, or where the finding has none, of another of its accesses; of one
 * without any, the first line of the program's file. */
const char *report_headline(struct arena *a, const struct program *p, const struct finding *f);

/* The source line of a place without its indentation, or NULL. */
const char *report_source(struct arena *a, const struct program *p, struct place at);
/* The same of a line of the program's source; 0: none. */
const char *report_line(struct arena *a, const struct program *p, int number);

/* The rows of a finding: the places, where the fresh value was, the remedy. */
void report_places(FILE *out, struct arena *a, const struct program *p, const struct finding *f);

/* The row of a remedy; none for NULL. */
void report_remedy(FILE *out, struct arena *a, const struct program *p,
                   const struct remedy_found *r);

/* "clean, so less than 3.0 % of runs fail (95 %)": what runs without a finding say, of which there
 * are this many. */
const char *report_clean(struct arena *a, uint64_t runs);

/* With 95 % confidence, less than this share of runs fails when none of so many did. */
double clean_bound(uint64_t runs);

/* The pct driver's bound for n agents, k steps and depth d, without an end of line. */
const char *report_bound(struct arena *a, int n, uint64_t k, int d);

/* A case in numbers. */
struct case_row {
    const char *kernel, *file;
    int ranks;
    const char *model, *toolchain, *markers, *driver;
    uint64_t first_seed, runs, failed;
    int uninterpreted;            /* operators that are fixed functions of their operands' bits */
    const char *verdict, *answer; /* answer: "clean", "findings" or "unfinished" */
    uint64_t first_failed_seed;
};
extern const struct columns case_columns;
struct case_row case_row_of(const struct kase *k);

/* The block of a case: its line, its findings (at most max), the replay line. */
void report_case(FILE *out, const struct kase *k, size_t max);

/* The operators of p that are functions of their operands' bits: how many, and in *names the first few. */
int report_uninterpreted(struct arena *a, const struct program *p, const char **names);

/* A finding without how often it came; note may be NULL. */
json_t *report_places_json(struct arena *a, const struct program *p, const struct finding *x,
                           const char *note);
/* Adds "remedy", its line or null, "edit", what it inserts into which file (empty: nothing is known), and
 * when something was tried "repair" to a finding's object. */
void report_remedy_json(struct arena *a, json_t *j, const struct program *p,
                        const struct remedy_found *r);
json_t *report_case_json(const struct kase *k);

/* 95 % Wilson interval of a rate. */
void wilson(uint64_t hits, uint64_t runs, double *low, double *high);

#endif
