/* SPDX-License-Identifier: MIT */
/*
 * Output files that are there whole or not at all: written under a temporary name beside the target
 * and renamed when complete. What is no regular file, such as a device or a pipe, is never
 * replaced: it is written to directly.
 */
#ifndef BENCH_OUTPUT_H
#define BENCH_OUTPUT_H

#include <jansson.h>
#include <stdio.h>

#include "base/diag.h"

struct output {
    FILE *file;
    const char *path;               /* as given; NULL: standard output */
    const char *target, *temporary; /* temporary NULL: target is written directly */
};

/* path NULL: standard output. */
bool output_open(struct output *o, const char *path, struct diag *d);
/* Keeps the file when keep is true and everything was written, otherwise removes it. */
bool output_close(struct output *o, bool keep, struct diag *d);

/* Before a long command: whether path, or NULL, can be written as it seems. False with d filled. */
bool output_possible(const char *path, struct diag *d);

/* A file of that text; path as of output_open. */
bool output_text(const char *path, const char *text, struct diag *d);

/* Makes the folder when it does not exist. False with d filled. */
bool output_folder(const char *path, struct diag *d);

/* Prints it to standard output, indented, and lets go of it. */
void output_json(json_t *top);

#endif
