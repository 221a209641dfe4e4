/* SPDX-License-Identifier: MIT */
/* Litmus tests named on a command line. */
#ifndef BENCH_LITMUS_FILES_H
#define BENCH_LITMUS_FILES_H

#include "bench/cli/options.h"

/*
 * The file that path is, or the *.litmus files below the folder that it is, in byte order of their
 * names, folder by folder. False with o->diag filled when a folder cannot be read or holds none.
 */
bool litmus_files(struct options *o, const char *path, const char *const **files, size_t *n);

#endif
