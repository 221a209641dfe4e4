/* SPDX-License-Identifier: MIT */
/*
 * What the commands share that list what the tool knows (models, ops, passes, rules): names of
 * rows, --json, --markdown for a table of the documentation, one switch of their own.
 */
#ifndef BENCH_LISTING_H
#define BENCH_LISTING_H

#include "base/diag.h"
#include "base/vec.h"

enum listing_format { LISTING_TEXT, LISTING_JSON, LISTING_MARKDOWN };

struct listing_command {
    const char *doc;
    const char *names;             /* "[NAME..]", or NULL: it takes none */
    const char *markdown;          /* what --markdown prints, or NULL: there is no such option */
    const char *extra, *extra_doc; /* its own switch, or NULL */
};

/* Zero-initialise; free with listing_end. */
struct listing {
    struct arena arena;
    struct diag diag;
    enum listing_format format;
    bool extra;
    VEC(const char *) names;
};

/* Does not return when the command line is wrong. */
void listing_parse(struct listing *l, const struct listing_command *c, int argc, char **argv);

/* "no WHAT 'NAME'", with the nearest of the known ones; always false. */
bool listing_unknown(struct listing *l, const char *what, const char *name,
                     const char *const *known, size_t n);

/* Prints the error when ok is false, frees all, and returns the exit code. */
int listing_end(struct listing *l, bool ok);

#endif
