/* SPDX-License-Identifier: MIT */
/*
 * Plots: CSV files of `flushes` and `sweep` to gnuplot scripts and pictures.
 *
 *   flushes  executed whole-cache flushes per rank and call over the ranks, per wait and batched
 *            (pypto-facts 3.3)
 *   time     percent of the cycles per call that batching saves, over the ranks; with the 95 % interval
 *            where the rows have one. What one rank alone does is not drawn
 *   payload  the same over the payload, at one number of ranks
 *   breakdown  where the cycles of the slowest core go: a stacked bar for each row
 *   refills  misses per rank and call, with those that an invalidate behind a wait caused on top
 *   heatmap  class of each mutant of one kernel: a row for each site, grouped by lines of the source, and a
 *            column for each mutation, number of ranks and machine contract; kills are graded by rate
 *
 * Pictures are told apart by colour, point shape and dash, on white. Rows of several files count as
 * one table.
 */
#ifndef BENCH_PLOT_H
#define BENCH_PLOT_H

#include "base/diag.h"

enum plot_kind {
    PLOT_FLUSHES,
    PLOT_TIME,
    PLOT_PAYLOAD,
    PLOT_BREAKDOWN,
    PLOT_REFILLS,
    PLOT_HEATMAP,
    PLOT_KINDS
};
const char *plot_kind_name(enum plot_kind k);

enum plot_format { PLOT_SVG, PLOT_PNG, PLOT_FORMATS };

/* Keeps the rows whose column holds exactly this text. */
struct plot_filter {
    const char *column, *value;
};

struct plot_options {
    enum plot_kind kind;
    double payload; /* bytes; negative: the largest one that most kernels have */
    const struct plot_filter *filters;
    size_t nfilters;
};

/*
 * The script that draws the files' rows on gnuplot's standard output. NULL with d filled when a
 * file does not hold what the plot needs, the same case stands twice, or the picture would be too
 * large to read.
 */
const char *plot_script(struct arena *a, const struct source *const *files, size_t n,
                        const struct plot_options *o, enum plot_format format, struct diag *d);

/* Writes base.svg and base.png, each whole or not at all; heat maps of several kernels are
 * base-KERNEL.svg and base-KERNEL.png. */
bool plot_write(struct arena *a, const struct source *const *files, size_t n,
                const struct plot_options *o, const char *base, struct diag *d);
/* base.png alone, of one kernel. */
bool plot_png(struct arena *a, const struct source *csv, const struct plot_options *o,
              const char *base, struct diag *d);

#endif
