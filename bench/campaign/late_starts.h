/* SPDX-License-Identifier: MIT */
/*
 * How long after the first rank each rank starts a task of a host program (pypto-facts 4.5): what
 * a host that submits rank after rank costs, and what a grouped submission saves.
 */
#ifndef BENCH_LATE_STARTS_H
#define BENCH_LATE_STARTS_H

#include <jansson.h>
#include <stdio.h>

#include "sim/driver.h"

/* What ranks run together, one row of the report: the n-th time that each runs a kernel on the same
 * windows and tensors. */
struct late_row {
    int task;        /* index of program.tasks */
    int nth;         /* from 0 */
    uint64_t *start; /* per rank: the cycle, or NOT_STARTED */
};
#define NOT_STARTED UINT64_MAX

struct late_starts {
    struct arena *arena;
    const struct program *program;
    VEC(struct late_row) rows; /* in order of first start */
    int **started;             /* per rank and task: how often */
    uint64_t *waited;          /* per rank: cycles in waits for signals */
};

struct late_starts late_starts_make(struct arena *a, const struct program *p);

/* For runner_on_step: notes the start of a task. */
void late_starts_step(struct late_starts *l, const struct machine *m, const struct step *s);

/* At the end of the run: where the time of each core went. */
void late_starts_end(struct late_starts *l, const struct core_time *time);

/* note stands behind the heading. */
void late_starts_print(FILE *out, const struct late_starts *l, const char *note);
json_t *late_starts_json(const struct late_starts *l);

#endif
