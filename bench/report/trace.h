/* SPDX-License-Identifier: MIT */
/*
 * Traces of one run: the Chrome/Perfetto JSON format (times in microseconds at 1.85 GHz, one
 * process a rank, one thread a unit), or a text timeline, one line a step (cycles).
 */
#ifndef BENCH_TRACE_H
#define BENCH_TRACE_H

#include <stdio.h>

#include "sim/driver.h"

enum trace_format { TRACE_CHROME, TRACE_TEXT };

struct trace {
    FILE *out;
    enum trace_format format;
    uint64_t events;
};

/* Cycles per microsecond (hw-facts Units). */
enum { CYCLES_PER_US = 1850 };

/* TRACE_TEXT for a file name that ends in .txt. */
enum trace_format trace_format_of(const char *path);

void trace_begin(struct trace *t, const struct program *p);
/* A drive_options.on_step; ctx is the struct trace. */
void trace_step(void *ctx, const struct machine *m, const struct step *s);
void trace_end(struct trace *t);

/* "1" of a rank's first core, "1.1" of its second. */
const char *trace_core(struct arena *a, const struct machine *m, int core);

/* What a step does, in words, before its effect: "st [x[0]@1], 5", "deliver 64 bytes at x[0]@1". */
const char *trace_describe(struct arena *a, const struct machine *m, const struct step *s);

#endif
