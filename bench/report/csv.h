/* SPDX-License-Identifier: MIT */
/*
 * CSV as the bench writes it: comma separated, one header line, fields in "quotes" where they need
 * them (RFC 4180: a quote inside is doubled, a quoted field may hold commas and line ends). Columns
 * are found by name, so their order is free and further columns do no harm. Empty lines are
 * skipped.
 */
#ifndef BENCH_CSV_H
#define BENCH_CSV_H

#include "base/diag.h"
#include "base/vec.h"

struct csv_field {
    const char *text;
    struct span at;
};

/* fields[i] belongs to the i-th column asked for. */
struct csv_row {
    const struct csv_field *fields;
};

struct csv {
    const struct source *src;
    const char *const *columns;
    VEC(struct csv_row) rows;
};

/*
 * Reads the named columns of src, which outlives the result. One whose name here has a '?' in front may be
 * missing: the text of its fields is NULL then. False with d filled when a column is
 * missing or stands twice, a row has more or fewer fields than the header, a quote is not closed,
 * or no row follows the header.
 */
bool csv_read(struct arena *a, const struct source *src, const char *const *columns, size_t n,
              struct csv *out, struct diag *d);

/* The number in a row's column, from low to high; false with d filled when it is none. */
bool csv_number(const struct csv *csv, const struct csv_row *row, size_t column, double low,
                double high, double *out, struct diag *d);

#endif
