/* SPDX-License-Identifier: MIT */
/* What the plots share: rows of all files as one table, and the pieces of a script. */
#ifndef BENCH_PLOT_INTERNAL_H
#define BENCH_PLOT_INTERNAL_H

#include "base/strbuf.h"
#include "bench/report/csv.h"
#include "bench/plot/plot.h"

/* A row that passed the filters; csv says which file it is from. */
struct plot_row {
    const struct csv *csv;
    const struct csv_field *fields;
};
typedef VEC(struct plot_row) plot_rows;

/* Canvas in pixels; the box is where the data is drawn. */
struct canvas {
    int width, height;
    int left, right, top, bottom; /* margins around the box */
};

/* Each draws the rows, whose fields are in the order of the kind's
 * columns (the tables in plot.c). */
bool plot_lines(struct strbuf *b, const plot_rows *rows, const struct plot_options *o,
                enum plot_format f, struct diag *d);
bool plot_bars(struct strbuf *b, const plot_rows *rows, const struct plot_options *o,
               enum plot_format f, struct diag *d);
bool plot_heatmap(struct strbuf *b, const plot_rows *rows, const struct plot_options *o,
                  enum plot_format f, struct diag *d);

/* Widens the right margin until title and subtitle fit. */
void plot_fit(struct canvas *c, const char *title, const char *subtitle);

/* Terminal, margins and the two lines of the title. */
void plot_head(struct strbuf *b, enum plot_format f, const struct canvas *c, const char *title,
               const char *subtitle);

/* text as a gnuplot string, safe whatever it holds. */
void plot_quote(struct strbuf *b, const char *text);

/* text, cut when it is too long for a label. */
const char *plot_short(struct arena *a, const char *text);

/* "64 B", "4 KiB". */
const char *plot_bytes(struct arena *a, double bytes);

/* The text of a column when all rows agree on it, otherwise NULL. */
const char *plot_common(const plot_rows *rows, size_t column);

/* An error at a field of a row. */
bool plot_error(const struct plot_row *r, size_t column, struct diag *d, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* Position of text among names, added when new. */
typedef VEC(const char *) plot_names;
size_t plot_intern(struct arena *a, plot_names *names, const char *text);

#endif
