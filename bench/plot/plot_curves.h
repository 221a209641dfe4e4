/* SPDX-License-Identifier: MIT */
/*
 * Curves over the number of ranks, or over the payload, one a kernel, from rows of the CSV of `flushes`. Each kernel is
 * shown at one payload: the one asked for, or the largest that most kernels have in full; a kernel
 * without it at its own, which its label then names. Over the payload, ranks and payload change places in
 * all of this: `ranks` is then the place on the axis, in bytes, and `payload` the number of ranks.
 */
#ifndef BENCH_PLOT_CURVES_H
#define BENCH_PLOT_CURVES_H

#include "bench/plot/plot_internal.h"

/* The columns of these kinds, as in the table of plot.c; VALUE is flushes_per_rank or cycles_mean. LOW and
 * HIGH, the interval of what was saved, may be missing. */
enum curve_column { KERNEL, RANKS, PAYLOAD, BATCH, MODEL, TOOLCHAIN, RUNS, VALUE, LOW, HIGH };

enum mode { NONE, LOOPS, MODES }; /* --batch: one flush after each wait; batched */

enum { CURVES_MAX = 35, CURVES_MAX_RANKS = 1024 };

struct point {
    double ranks, value[MODES];
    double half[MODES];                /* half of the value's interval; 0: not known */
    const struct plot_row *row[MODES]; /* NULL: no such value */
};

struct curve {
    const char *label;
    VEC(struct point) points; /* ascending ranks */
    size_t payload;           /* position among the payloads of the rows */
    size_t look;              /* colour and shape; set by who draws */
};

struct curves {
    struct arena *arena;
    bool over_payload;
    double payload; /* bytes, of the curves whose label names none */
    VEC(struct curve) list;
};

/* What the curves have in common, in words: "4 KiB", or "8 ranks". */
const char *curves_group(struct arena *a, bool over_payload, double payload);

/* out->over_payload is set by the caller. payload: bytes, or negative. False with d filled for a bad field, a case that stands twice, or
 * too many kernels. */
bool curves_read(struct arena *a, const plot_rows *rows, double payload, struct curves *out,
                 struct diag *d);

#endif
