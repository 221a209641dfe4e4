/* SPDX-License-Identifier: MIT */
/* A shortest run of a litmus test to one of its final states (docs/litmus.md, "Witnesses"). */
#ifndef BENCH_LITMUS_WITNESS_H
#define BENCH_LITMUS_WITNESS_H

#include "bench/report/litmus_report.h"
#include "bench/report/witness_output.h"

/*
 * Shows a run to the state with that number in the log, from 1; with 0, to the nearest state that
 * decides the condition: one that satisfies an `exists`, one that violates a `~exists` or `forall`.
 * Says so when there is none. j is explored. False with d filled when there is no such state,
 * or a file cannot be written.
 */
bool litmus_show_witness(const struct litmus_job *j, const struct witness_output *show,
                         uint64_t state, struct diag *d);

#endif
