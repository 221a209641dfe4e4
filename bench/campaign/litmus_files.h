/* SPDX-License-Identifier: MIT */
/* Litmus tests named on a command line. */
#ifndef BENCH_LITMUS_FILES_H
#define BENCH_LITMUS_FILES_H

#include "base/diag.h"
#include "base/vec.h"

/*
 * The file that path is; or the *.litmus files below the folder that it is, in byte order of their
 * names, folder by folder; or, when path is @LIST, those of all lines of the file LIST, each one of
 * these three, relative to the folder of LIST. Blank lines and what follows '#' do not count. False
 * with d filled, whose arena holds the names, when a folder or list cannot be read or holds none.
 */
bool litmus_files(const char *path, const char *const **files, size_t *n, struct diag *d);

#endif
