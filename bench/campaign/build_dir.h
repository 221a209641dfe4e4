/* SPDX-License-Identifier: MIT */
/*
 * A build directory of a compiled distributed program (pto-facts 4): the tasks that it runs.
 *
 *     next_levels/PROGRAM/kernel_config.py        number, name and kind of core of each kernel
 *     next_levels/PROGRAM/ptoas/KERNEL.pto        the kernels; of two lanes, X_aic and X_aiv, X.pto
 *     dfx_outputs/rankR/dN/deps.json              the recorded run, where it was profiled
 *     next_levels/PROGRAM/orchestration/PROGRAM.cpp, orchestration/host_orch.py, distributed_meta.json
 *                                                 what submits the tasks
 *     build.bind                                  directives: scalars, extents, and, behind `tasks`,
 *                                                 which of the kernels are of interest
 *
 * Tasks, tensors and edges are those of the recorded run, scalars those of the orchestration, whose tasks
 * must be the same. All is the orchestration's where no run was recorded, or where an extent or a scalar of
 * the host program is said to be another one. What rank 0 runs stands for all ranks. A task that is left
 * out, or a barrier without a kernel, orders those in front of it with those behind it.
 */
#ifndef BENCH_BUILD_DIR_H
#define BENCH_BUILD_DIR_H

#include "bench/campaign/orchestration.h"
#include "bench/campaign/recorded_run.h"
#include "codegen/bind.h"
#include "isa/builder.h"

typedef VEC(struct pto_task) pto_tasks;

struct build_dir {
    int nranks;              /* that it was built or recorded for; 0: nothing says it */
    pto_tasks tasks;         /* in the order of their submission; what runs again is NAME_run2 */
    VEC(int) numbers;        /* parallel: which one of all each is */
    VEC(const char *) files; /* of their kernels */
    struct host_program host;
    const struct source *chip; /* the orchestration's text, or NULL */
    chip_extents known;
};

/* Runs of the orchestration, one for each rank that was asked for. */
struct build_runs {
    struct arena *arena;
    int nranks;
    struct chip_run *of[MAX_RANKS];
};

/* The path names a directory with a folder next_levels. */
bool build_dir_is(const char *path);
/* "DIR/build.bind" */
const char *build_dir_bindings(struct arena *a, const char *dir);
/* Reads the directory; said: its directives; args: of the command line, which count first. False with d
 * filled when something is missing or wrong. */
bool build_dir_read(struct arena *a, const char *dir, const struct directives *said,
                    const struct binding *args, size_t nargs, struct build_dir *out,
                    struct diag *d);

/* A scalar of a task, behind its tensors, on a rank. Where it is not known, *out says why. False with d
 * filled when the ranks submit different tasks, or the orchestration is not read so far. */
bool build_dir_scalar(const struct build_dir *b, struct build_runs *runs, int task, int scalar,
                      int rank, struct chip_number *out, struct diag *d);

#endif
