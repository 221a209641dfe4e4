/* SPDX-License-Identifier: MIT */
/* Observed verdicts written back into the expectations of litmus files. */
#ifndef BENCH_LITMUS_PROMOTE_H
#define BENCH_LITMUS_PROMOTE_H

#include "bench/report/litmus_report.h"

/*
 * Rewrites the expectations of one test's file from its jobs (all with the same base), and adds
 * lines for models without one. Only what the outcomes show is written: a complete exploration
 * shows its verdict; otherwise "Sometimes" is shown by both kinds of states, and an expectation
 * that was contradicted becomes what was seen instead. The file is replaced whole or not at all,
 * everything else in it stays as it is. Prints the lines that changed, before and after, to out.
 */
bool litmus_promote(FILE *out, struct arena *a, const struct litmus_job *jobs, size_t n,
                    struct diag *d);

#endif
