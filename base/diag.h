/* SPDX-License-Identifier: MIT */
/*
 * Diagnostics: one clear error with file:line:column, the offending line and a caret.
 *
 *     kernels/ring.py:12:9: error: unknown operator 'pld.tile.putt'; did you mean 'pld.tile.put'?
 *       12 |     pld.tile.putt(win, peer, src, stage)
 *          |     ^~~~~~~~~~~~~
 *
 * A function that can fail takes a struct diag and returns false (or NULL) after filling it. The
 * first error wins: later calls on a filled diag change nothing, so the reader sees the cause, not
 * its echo.
 */
#ifndef BASE_DIAG_H
#define BASE_DIAG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/arena.h"

/* A further file of a source: its text stands in that of the source from this line on, to the next
 * one's or the end. */
struct source_part {
    const char *name;
    int first_line; /* 1-based, in the source */
    size_t offset;  /* of its text in that of the source */
};

/*
 * A text that spans point into. text is NUL-terminated; the strings outlive every span. A program of
 * several files has one source: the text of its own file first, and behind it those of the others,
 * each from a line of its own on. What is shown to a reader is source_place of a span's line.
 */
struct source {
    const char *name;
    const char *text;
    size_t len;
    const struct source_part *parts; /* the files behind the first one, in the order of the text */
    size_t nparts;
};

/* A line as a reader knows it. */
struct source_line {
    const char *file;
    int line; /* of that file */
};

/* A place in a source: 1-based line and column (in bytes), length in bytes on that line; lines of
 * further files count on. line 0: none. */
struct span {
    int line, col, len;
};

struct diag {
    struct arena *arena; /* owns the message; set by the caller */
    bool failed;
    const char *file;
    struct span span;
    const char *message;
    const char *line_text; /* the offending line without its newline, or NULL */
};

/* The file and line that line of src is. Line 0 is line 0 of the first file. */
struct source_line source_place(const struct source *src, int line);

/* "line 12", or "line 12 of other.py" in another file than the first; src may be NULL. */
const char *source_line_words(struct arena *a, const struct source *src, int line);

/* The first file of src by itself, in arena a: src when it is the only one. */
const struct source *source_main(struct arena *a, const struct source *src);

/* The word, n letters long, is the known one with one letter less, more or other, or with two neighbours in
 * the wrong order. */
bool diag_is_typo(const char *word, size_t n, const char *known);

/* Fills d unless it is filled. src may be NULL (an error about no text). Returns false for `return
 * diag_error(...)`. */
bool diag_error(struct diag *d, const struct source *src, struct span at, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* The same with the arguments of a function of its own. */
bool diag_verror(struct diag *d, const struct source *src, struct span at, const char *fmt,
                 va_list ap) __attribute__((format(printf, 4, 0)));

/* The same about a whole file, or what should be one. */
bool diag_file(struct diag *d, const char *name, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Prints the error as shown above; prints nothing when d is not filled. */
void diag_print(const struct diag *d, FILE *out);

/* The same text as diag_print, in the arena. */
char *diag_text(const struct diag *d, struct arena *a);

/* A place without an error: "file:line:col", the line and a caret, as diag_text shows them. */
char *diag_place(const struct source *src, struct span at, struct arena *a);

/* A remark that is no error: "file:line:col: note: text", the line and a caret. */
char *diag_note(const struct source *src, struct span at, const char *text, struct arena *a);

/* What standard input is called in messages. */
#define SOURCE_STDIN "<stdin>"

/* Reads a whole file, or standard input for "-", whose text is kept and the same each time. On failure
 * returns NULL and fills d ("cannot open ...", "is a directory", too large). */
const struct source *source_read(struct arena *a, const char *path, struct diag *d);

/* A source over a string that the arena copies. */
const struct source *source_from_string(struct arena *a, const char *name, const char *text);

/* One source of n of one file each, the first of which it is called by; n is 1 or more. */
const struct source *source_join(struct arena *a, const struct source *const *files, size_t n);

/* The candidate nearest to word by edit distance, or NULL when none is close enough to suggest. */
const char *diag_nearest(const char *word, const char *const *candidates, size_t n);

/* "; did you mean 'nearest'?", in arena a, or an empty text. */
const char *diag_hint(struct arena *a, const char *word, const char *const *candidates, size_t n);

#endif
