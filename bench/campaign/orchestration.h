/* SPDX-License-Identifier: MIT */
/*
 * The generated orchestration of a chip program (pto-facts 4): C++ of about fifteen kinds of
 * statements, which is run here, on a rank, for the tasks that it submits.
 *
 *     scopes, for, if                      SIMPLER_SCOPE() {...}; of older compilers PTO2_SCOPE
 *     integers, lists of them              sums, products, comparisons, casts, std::min, std::max
 *     tensors                              of the host, alloc_tensors, reshape, view, transpose, shapes[n]
 *     CoreTaskArgs                         add_input, add_output, add_inout, add_no_dep, add_scalar,
 *                                          launch_spec.set_block_num, set_dependencies
 *     rt_submit_aiv_task, rt_submit_aic_task, rt_submit_task, rt_submit_dummy_task
 *
 * A task waits for those of its set_dependencies, and, outside of manual scopes, for the ones that wrote
 * what it reads or updates: every writer of an overlapping part since the last task that updated (add_inout)
 * all of that part. A task that only writes (add_output) waits for none, and readers are not waited
 * for: so the recorded runs have it (source "tensormap" of deps.json).
 *
 * A number that cannot be known (elements of tensors, contexts, extents that nobody says) is carried along
 * with the reason, and is an error only where it is needed.
 */
#ifndef BENCH_ORCHESTRATION_H
#define BENCH_ORCHESTRATION_H

#include "bench/campaign/host_orch.h"

/* A number, or why it is not known. */
struct chip_number {
    bool known;
    int64_t n;
    const char *why;
    struct span at;     /* in the orchestration; line 0: nowhere */
    bool maybe_context; /* it is, or may be, the context of a window */
    const char *symbol; /* it is that extent of the host */
    const char *needs;  /* the name of the host that it is computed from, or NULL */
};

/* A part of a buffer. */
struct chip_tensor {
    int buffer;
    int elem_bytes; /* 0: not known */
    int host;       /* it is that whole tensor of the host; -1: it is not */
    int ndims;      /* -1: not known */
    struct chip_number shape[PTO_MAX_DIMS], stride[PTO_MAX_DIMS]; /* in elements */
    struct chip_number at;
};

struct chip_buffer {
    const char *name;
    bool manual, window; /* manual: no dependences by its data */
    bool host;           /* the host hands it over */
    uint64_t address;
    struct chip_number elems;
};

enum chip_way { CHIP_INPUT, CHIP_OUTPUT, CHIP_INOUT, CHIP_NO_DEP };

struct chip_argument {
    struct chip_tensor tensor;
    enum chip_way way;
};

struct chip_task {
    int kernels[3]; /* numbers: cube, vector, vector; -1: none, and all -1: a barrier */
    struct chip_number blocks;
    VEC(struct chip_argument) args;
    VEC(struct chip_number) scalars; /* behind the tensors */
    VEC(int) preds;
    struct span at;
};

/* An extent that is known from elsewhere. */
struct chip_extent {
    const char *name;
    int64_t n;
};
typedef VEC(struct chip_extent) chip_extents;

struct chip_run {
    VEC(struct chip_buffer) buffers;
    VEC(struct chip_task) tasks;
    bool stopped; /* at what is not read or not known; the tasks in front of it stand */
    struct span at;
    const char *why;
    const char *needs; /* the extent that was not known, or NULL */
};

/* Runs the orchestration on a rank. */
struct chip_run *orchestration_run(struct arena *a, const struct source *chip,
                                   const struct host_program *host, const chip_extents *known,
                                   int rank, int nranks);

#endif
