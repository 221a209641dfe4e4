/* SPDX-License-Identifier: MIT */
/*
 * INI files read through a table of keys (inih does the scanning). Shared by contracts and
 * toolchain profiles. `inherit = NAME` in the section [model] takes another file of the same folder
 * first.
 */
#ifndef MODELS_INI_TABLE_H
#define MODELS_INI_TABLE_H

#include "base/diag.h"

enum ini_kind { INI_ENUM, INI_BOOL, INI_INT, INI_DOUBLE, INI_DIST, INI_TEXT };

struct ini_key {
    const char *section, *name;
    enum ini_kind kind;
    size_t offset;      /* of the field in the record */
    const char *values; /* INI_ENUM: "line|word", numbered from 0; INI_INT, INI_DOUBLE, INI_DIST:
                           the unit */
    double min, max;    /* INI_INT, INI_DOUBLE */
};

struct ini_table {
    const char *folder, *suffix; /* "machines", ".model" */
    const char *what;            /* "machine contract" */
    const struct ini_key *keys;
    size_t key_count;
};

/* Where a key was set. */
struct ini_place {
    const struct source *source;
    struct span span;
};

/* Fills record from the named file. Every key that no file of the chain sets is an error. places,
 * when given, gets one entry a key of the table, for errors about what the values mean together. */
bool ini_table_load(struct arena *a, const struct ini_table *t, const char *dir, const char *name,
                    void *record, struct ini_place *places, struct diag *d);

/* Names of the files of a table's folder, sorted. */
size_t ini_table_list(struct arena *a, const struct ini_table *t, const char *dir,
                      const char *const **names);

/* A key as a file would state it. kind "cycles", "bytes": the unit of value; "line|word": the
 * choices; NULL: free text. */
struct ini_row {
    const char *section, *name, *value, *kind;
};

/* Every key of record, in the order of the table; the count is returned. Loading these lines gives
 * an equal record. */
size_t ini_table_describe(struct arena *a, const struct ini_table *t, const void *record,
                          const struct ini_row **rows);

/* The text of value v of an enum key: "word" for 1 of "line|word". */
const char *ini_enum_text(struct arena *a, const char *values, int v);

#endif
