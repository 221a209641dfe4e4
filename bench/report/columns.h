/* SPDX-License-Identifier: MIT */
/*
 * The rows of an output, described once: what a column is called, where its value is in the struct
 * of a row, and where it appears. Text, CSV, JSON and the columns of a database are made from it.
 */
#ifndef BENCH_COLUMNS_H
#define BENCH_COLUMNS_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/vec.h"

enum column_type { COLUMN_TEXT, COLUMN_INT, COLUMN_COUNT, COLUMN_REAL };

/* Where a column appears; in text when it has a width. */
enum { IN_CSV = 1, IN_JSON = 2, IN_DB = 4 };

struct column {
    const char *name;
    enum column_type type; /* const char *, int, uint64_t, double */
    size_t offset;
    unsigned where;
    const char *csv; /* printf format of a COLUMN_REAL there */
    /* In text: characters, negative: flush left; title above, and format; NULL: name, plain. */
    int width;
    const char *title, *text;
};

/* A member of struct row, called as the member is or otherwise: where it appears, and the rest. */
#define COLUMN_TYPE(x)                                                                             \
    _Generic((x), const char *: COLUMN_TEXT, int: COLUMN_INT, uint64_t: COLUMN_COUNT,              \
        double: COLUMN_REAL)
#define COLUMN_CALLED(called, row, field, ...)                                                     \
    {                                                                                              \
        .name = called, .type = COLUMN_TYPE(((struct row *)NULL)->field),                          \
        .offset = offsetof(struct row, field), .where = __VA_ARGS__                                \
    }
#define COLUMN(row, field, ...) COLUMN_CALLED(#field, row, field, __VA_ARGS__)

struct columns {
    const struct column *items;
    size_t len;
};
#define COLUMNS(array)                                                                             \
    {                                                                                              \
        array, sizeof(array) / sizeof *(array)                                                     \
    }

/* Structs of one kind, each so many bytes behind the one before. */
struct column_rows {
    const void *first;
    size_t n, stride;
};

/* One row to standard output, its cells a space apart, without an end of line. */
void columns_text_row(const struct columns *c, const void *row);
/* A line of titles and one for each row. */
void columns_text(const struct columns *c, struct column_rows rows);

/* A file with a header line, quoted as bench/report/csv.h reads it. False with d filled. */
bool columns_csv(const struct columns *c, struct column_rows rows, const char *path,
                 struct diag *d);

/* The text of such a file, in arena a. */
const char *columns_csv_text(const struct columns *c, struct column_rows rows, struct arena *a);

json_t *columns_json_row(const struct columns *c, const void *row);
json_t *columns_json(const struct columns *c, struct column_rows rows);
/* The members of j in a row, whose texts are those of j; what j lacks is "" or 0. */
void columns_of_json(const struct columns *c, void *row, const json_t *j);

#endif
