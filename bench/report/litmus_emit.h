/* SPDX-License-Identifier: MIT */
/* Litmus tests written out in another language. */
#ifndef BENCH_LITMUS_EMIT_H
#define BENCH_LITMUS_EMIT_H

#include "bench/report/litmus_report.h"

/*
 * The Promela models (litmus/promela/promela.h) of n jobs: of one job to standard output when
 * folder is NULL, otherwise each to folder/NAME.MODEL.pml, whole or not at all; the folder is made
 * when it does not exist. False with d filled: several jobs and no folder, two jobs of one
 * name, a contract that cannot be translated, a file that cannot be written.
 */
bool litmus_emit(const struct litmus_job *jobs, size_t n, const char *folder, struct diag *d);

#endif
