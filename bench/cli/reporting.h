/* SPDX-License-Identifier: MIT */
/* The end of the commands that report findings: format, baseline, exit code. */
#ifndef BENCH_REPORTING_H
#define BENCH_REPORTING_H

#include "bench/cli/options.h"

/* A report is needed: another format than text, or a baseline. */
bool reporting_wanted(const struct options *o);

/*
 * Compares the report with the baseline, or writes that, prints it in its format and lets go of it. code: that
 * of the command without a baseline. Returns what becomes of it: findings that are known are none.
 */
int reporting_end(struct options *o, json_t *report, int code);

/* Of a command that could look at nothing, for o->diag: prints the report that says so in formats for
 * programs. Returns its exit code. */
int reporting_refused(struct options *o, const char *command);

#endif
