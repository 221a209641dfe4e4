/* SPDX-License-Identifier: MIT */
/*
 * deps.json: the tasks that a rank of a distributed program was recorded to run, what they were handed, and
 * what each waited for (pto-facts 4).
 */
#ifndef BENCH_RECORDED_RUN_H
#define BENCH_RECORDED_RUN_H

#include "base/diag.h"
#include "base/vec.h"
#include "pto/compile.h"

enum { RUN_MAX_BLOCKS = 1024, RUN_MAX_TASKS = 1 << 13 };

struct run_task {
    int kernels[3]; /* numbers: cube, vector, vector; -1: none, and all -1: a barrier */
    int blocks;
    struct pto_tensor *tensors;
    int ntensors;
    const char *wrong; /* why one of the tensors cannot be run, or NULL */
    VEC(int) preds;    /* earlier tasks */
};
typedef VEC(struct run_task) run_tasks;

/* Reads the file. False with d filled. */
bool recorded_run_read(struct arena *a, const char *path, run_tasks *out, struct diag *d);

#endif
