/* SPDX-License-Identifier: MIT */
/*
 * Results of a sweep in SQLite (WAL): one row per removal and case, one transaction per row, so
 * that a killed campaign resumes with what it finished.
 */
#ifndef BENCH_STORE_H
#define BENCH_STORE_H

#include "bench/report/columns.h"

struct sweep_row {
    const char *key; /* names program, model, seeds and removal: equal keys mean equal results */
    const char *kernel, *model, *toolchain;
    int ranks;
    int site;          /* first site of the removal */
    const char *level; /* what became of it: a name of mutation_name() */
    const char *origin, *what, *anchor;
    int line;
    uint64_t executed; /* times that the baseline's first run reached it */
    uint64_t runs, killed, first_seed;
    const char *finding, *where; /* of the first run that it killed, or "" */
    int reader_line, producer_line;
    const char *class;   /* fate_name() */
    const char *why;     /* it is redundant, or "" */
    uint64_t states;     /* explored of the mutant; 0: none */
    const char *extents; /* ... whose constants are these, or "" for its own */
    /* Not in the file: what follows from these. */
    const char *verdict; /* of the runs: "killed", "survived", "not reached" */
    const char *others;  /* sites without which it is needed, "4, 7", or "" */
    const char
        *certificate;    /* the command that shows the finding, or explores what is proved; or "" */
    const char *witness; /* of a kill, shortest: "P=2 seed 5", "P=2 explored", or "" */
    double rate, rate_low, rate_high; /* with its 95 % interval */
    const char *file;                 /* that line counts in */
    const char *reader_file;          /* and reader_line, or NULL: the row was read from a file */
};
extern const struct columns sweep_columns;

struct store; /* an open file */

/* Opens or makes the file. NULL with d filled when it cannot be written, or is no result file of this
 * version. SIGXFSZ is ignored from then on: a limit of the file's size is an error of store_put. */
struct store *store_open(const char *path, struct arena *a, struct diag *d);
void store_close(struct store *s);

/* Writes a row, in a transaction of its own. */
bool store_put(struct store *s, const struct sweep_row *row, struct diag *d);

/* Reads the row with this key into arena a; false when there is none. */
bool store_get(struct store *s, const char *key, struct sweep_row *row, struct arena *a);

/* Reads every row of a file that is not opened for more, in the order of the kernels, ranks, models and sites, and
 * shows it to fn; it lives in arena a. False with d filled when there is no file, or it is no result file of
 * this version. */
bool store_read(const char *path, struct arena *a,
                void (*fn)(void *ctx, const struct sweep_row *row), void *ctx, struct diag *d);

/* Copies every row of another file that is not here yet. False with d filled when there is none, or it
 * is no result file of this version. */
bool store_merge(struct store *s, const char *path, struct diag *d);

#endif
