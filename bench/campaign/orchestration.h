/* SPDX-License-Identifier: MIT */
/*
 * Scalars that the generated orchestration of a chip hands to its tasks (pto-facts 4). Read is its regular
 * part: definitions of integers, the arguments of tasks, and their submission outside of loops and
 * branches. An integer is an expression of others, of the extents of a tensor that some recorded task had, and
 * of scalars that host_orch.py hands to the chip, which are numbers or the rank. All else is an
 * error at the place where it stands, when it is asked for.
 */
#ifndef BENCH_ORCHESTRATION_H
#define BENCH_ORCHESTRATION_H

#include "pto/compile.h"

/* A task of the recorded run, in order; kernel: its number, that of the cube where it has two; -1: a
 * barrier. */
struct recorded_task {
    int kernel;
    const struct pto_tensor *tensors;
    int ntensors;
};
typedef VEC(struct recorded_task) recorded_tasks;

struct orchestration;

/* Reads both texts; host may be NULL. */
struct orchestration *orchestration_read(struct arena *a, const struct source *chip,
                                         const struct source *host, const recorded_tasks *tasks);

/* The scalar behind all tensors of recorded task number task, the first one being number 0, on a rank;
 * name: of the argument, for the error. PTO_UNKNOWN: its submission is not found. */
enum pto_answer orchestration_scalar(struct orchestration *o, int task, int scalar,
                                     const char *name, int rank, int nranks, int64_t *out,
                                     struct diag *d);

#endif
