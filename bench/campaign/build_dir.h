/* SPDX-License-Identifier: MIT */
/*
 * A build directory of a compiled distributed program (pto-facts 4): what it was recorded to run.
 *
 *     next_levels/PROGRAM/kernel_config.py        number, name and kind of core of each kernel
 *     next_levels/PROGRAM/ptoas/KERNEL.pto        the kernels; of two lanes, X_aic and X_aiv, X.pto
 *     dfx_outputs/rankR/d0/deps.json              tasks, their tensors and blocks, and edges between them
 *     next_levels/PROGRAM/orchestration/PROGRAM.cpp, orchestration/host_orch.py
 *                                                 scalars, which are not recorded, as far as they can be read
 *     build.bind                                  directives: other scalars, and, behind `tasks`, which of
 *                                                 the kernels are of interest
 *
 * The run of rank 0 stands for that of all ranks. A task that is left out, or a barrier without a kernel,
 * orders those in front of it with those behind it.
 */
#ifndef BENCH_BUILD_DIR_H
#define BENCH_BUILD_DIR_H

#include "bench/campaign/orchestration.h"
#include "codegen/bind.h"

typedef VEC(struct pto_task) pto_tasks;

struct build_dir {
    int nranks;              /* that were recorded */
    pto_tasks tasks;         /* in the order of their submission; what runs again is NAME_run2 */
    VEC(int) records;        /* parallel: which of the recorded tasks each is */
    VEC(const char *) files; /* of their kernels */
    recorded_tasks recorded; /* all of them */
    struct orchestration *scalars; /* or NULL: there is no text of it */
};

/* The path names a directory with a folder next_levels. */
bool build_dir_is(const char *path);
/* "DIR/build.bind" */
const char *build_dir_bindings(struct arena *a, const char *dir);
/* Reads the directory; said: its directives. False with d filled when something is missing or wrong. */
bool build_dir_read(struct arena *a, const char *dir, const struct directives *said,
                    struct build_dir *out, struct diag *d);

#endif
