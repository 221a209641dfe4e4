/* SPDX-License-Identifier: MIT */
/*
 * Traces of one run: the Chrome/Perfetto JSON format (times in microseconds at 1.85 GHz, one
 * process a core, one thread a unit), or a text timeline, one line a step (cycles).
 *
 * Each step says what it reads, writes, posts and delivers (bench/report/accesses.h). In JSON a flow
 * goes from each store over its posting and its delivery to each read that returned it, an instant
 * event marks each finding, and steps have one colour an origin. The timeline marks the step that a
 * finding came up in.
 */
#ifndef BENCH_TRACE_H
#define BENCH_TRACE_H

#include <stdio.h>

#include "bench/report/accesses.h"

enum trace_format { TRACE_CHROME, TRACE_TEXT };

struct trace {
    /* set by the caller */
    FILE *out;
    enum trace_format format;
    bool silent; /* about findings: the run is no kernel's */
    /* set by trace_begin */
    uint64_t events, flows;
    uint64_t last; /* cycle in which the last step ended */
    struct access_watch watch;
    struct arena arena;         /* of the trails */
    VEC(struct trail *) trails; /* by node: where its bytes have been */
};

/* Cycles per microsecond (hw-facts Units). */
enum { CYCLES_PER_US = 1850 };

/* TRACE_TEXT for a file name that ends in .txt. */
enum trace_format trace_format_of(const char *path);

void trace_begin(struct trace *t, const struct program *p);
/* A drive_options.on_step; ctx is the struct trace. */
void trace_step(void *ctx, const struct machine *m, const struct step *s);
/* The run is over, or cut short: the file is whole in either case. m is as the run left it. */
void trace_end(struct trace *t, const struct machine *m);

/* "1" of a rank's first core, "1.1" of its second. */
const char *trace_core(struct arena *a, const struct machine *m, int core);

/* What performs a step: "mte2", "fabric", "cache"; numbered from 0 within its core. */
int trace_unit(struct transition t);
const char *trace_unit_name(int unit);

/* What a step does, in words, before its effect: "st [x[0]@1], 5", "deliver 64 bytes at x[0]@1". */
const char *trace_describe(struct arena *a, const struct machine *m, const struct step *s);

/* "reads x[0]@0 = 1 from rank 0, line 4; ...": its accesses with their values, or "". */
const char *trace_accesses(struct arena *a, const struct machine *m, const struct seen_step *s);

#endif
