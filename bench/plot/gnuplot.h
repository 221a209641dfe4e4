/* SPDX-License-Identifier: MIT */
/* Running gnuplot: found on the PATH, without the user's own settings, nothing left behind. */
#ifndef BENCH_GNUPLOT_H
#define BENCH_GNUPLOT_H

#include <stdio.h>

#include "base/diag.h"

/*
 * Runs a script that draws on its standard output (no `set output`). Returns an unnamed temporary
 * file with the picture, at its beginning, for the caller to close; NULL with d filled when gnuplot
 * is missing, fails or draws nothing.
 */
FILE *gnuplot_run(const char *script, struct diag *d);

#endif
