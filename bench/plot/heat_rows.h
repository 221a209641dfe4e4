/* SPDX-License-Identifier: MIT */
/*
 * The rows of a sweep of one kernel as a table: a line for each site or marker statement, in the order of
 * the source; a column for each mutation, number of ranks and contract; in a cell the class of the mutants.
 */
#ifndef BENCH_HEAT_ROWS_H
#define BENCH_HEAT_ROWS_H

#include "base/table.h"
#include "bench/plot/plot_internal.h"

/* As in the table of plot.c. */
enum heat_field {
    HEAT_KERNEL,
    HEAT_RANKS,
    HEAT_MODEL,
    HEAT_TOOLCHAIN,
    HEAT_SITE,
    HEAT_LEVEL,
    HEAT_ORIGIN,
    HEAT_WHAT,
    HEAT_LINE,
    HEAT_FILE,
    HEAT_CLASS,
    HEAT_KILLED,
    HEAT_RUNS,
    HEAT_RATE
};

/* What a cell says, the gravest last: of several mutants in one cell the gravest is shown. A kill is graded by
 * its rate. */
// clang-format off
#define HEAT_CLASSES(X) \
    X(HEAT_NONE, "no such mutant") \
    X(HEAT_NOT_REACHED, "not reached") \
    X(HEAT_REDUNDANT, "redundant") \
    X(HEAT_GIVEN, "redundant given others") \
    X(HEAT_FEWER, "fewer findings") \
    X(HEAT_NOT_OBSERVED, "not observed") \
    X(HEAT_UNKNOWN, "unknown") \
    X(HEAT_KILLED_EXPLORED, "killed by exploration") \
    X(HEAT_KILLED_LOW, "killed in fewer than 5 %") \
    X(HEAT_KILLED_HALF, "killed in fewer than half") \
    X(HEAT_KILLED_HIGH, "killed in half of the runs or more")
// clang-format on
enum heat_class { HEAT_CLASSES(ENUM_ROW) HEAT_CLASS_COUNT };
const char *heat_class_name(enum heat_class c);

/* Mutations, as blocks of columns. */
enum heat_block {
    BLOCK_REMOVE,
    BLOCK_NARROW,
    BLOCK_WEAKEN,
    BLOCK_MISPLACE,
    BLOCK_RETARGET,
    BLOCK_COUNT
};
const char *heat_block_name(enum heat_block b);

enum { HEAT_MAX_COLUMNS = 120 };

struct heat_cell {
    enum heat_class class;
    double rate;
    bool varies; /* lines of several rates were joined: none is said */
};

struct heat_line {
    const char *file, *origin;
    plot_names whats;  /* "fence: dsb", of joined lines each once */
    plot_names wheres; /* "36", the lines of the source; a place in another file names it */
    int line;          /* the first of them; INT_MAX: none */
    int site;
    int sites; /* that were joined */
    struct heat_cell cells[HEAT_MAX_COLUMNS];
};

/* ranks and model of one column: a cell of every block. */
struct heat_case {
    const char *ranks, *model;
};

struct heat_table {
    VEC(struct heat_line *) lines;
    VEC(struct heat_case) cases;
    bool blocks[BLOCK_COUNT]; /* that have a mutant */
    bool joined;              /* lines that look alike */
};

/* The column of a cell. */
static inline size_t heat_column(const struct heat_table *t, enum heat_block b, size_t kase)
{
    return (size_t)b * t->cases.len + kase;
}

/* rows: of one kernel under one toolchain. At most `most` lines where joining those that look alike can do
 * it: at first on one line of the source, at last wherever they stand. False with d filled. */
bool heat_table_make(struct arena *a, const plot_rows *rows, size_t most, struct heat_table *out,
                     struct diag *d);

#endif
