/* SPDX-License-Identifier: MIT */
/*
 * What the generated host program of a build directory hands to its chip program (pto-facts 4):
 * orchestration/host_orch.py says which tensors, windows and scalars, distributed_meta.json the element types and
 * extents of the program's own tensors.
 *
 *     T_DYN = tensors["x__ssa_v0"].shape[1]                                   an extent with a name
 *     CommBufferSpec(name="win_buf", ..., nbytes=(((8 + 31) // 32) * 32))     windows, one behind the other
 *     tensors["t"] = tensors["x__ssa_v0"][rank, 0:T_DYN, 0:64]                 a part of a tensor
 *     _ta_0.add_tensor(make_tensor_arg(orch._worker, tensors["t"]), ...)
 *     _ta_0.add_tensor(__comm[rank].buffers["win_buf"].tensor(shapes=(2, 64), dtype=DataType.FLOAT32), ...)
 *     _ta_0.add_scalar(rank)
 *     _submit_chip(orch, callables["program"], _ta_0, config, rank)
 */
#ifndef BENCH_HOST_ORCH_H
#define BENCH_HOST_ORCH_H

#include <stdint.h>

#include "base/diag.h"
#include "base/vec.h"
#include "pto/compile.h"

/* An extent: a number, or one that has a name. */
struct host_extent {
    const char *name; /* NULL: n */
    int64_t n;
};

struct host_tensor {
    const char *name; /* of the memory that it is a part of */
    int elem_bytes;   /* 0: not said */
    int ndims;        /* at most PTO_MAX_DIMS */
    struct host_extent shape[PTO_MAX_DIMS];
    bool window;
    uint64_t address; /* of a window, from the start of all of them */
};

/* An expression of numbers, rank, nranks and names of extents; or NULL: a context, or what is not read. */
struct host_scalar {
    const char *expr;
    const char *text; /* as it was written */
    bool ctx;
    struct span at;
};

struct host_program {
    const struct source *source;
    VEC(struct host_tensor) tensors;
    VEC(struct host_scalar) scalars;
    VEC(const char *) names; /* of extents and scalars that the caller of the program chooses */
    int nranks;              /* devices that it was built for; 0: not said */
};

/* Reads what there is of the two files; without a host program source is NULL. False with d filled
 * when the chip program is submitted several times, or what is handed to it is not read. */
bool host_orch_read(struct arena *a, const char *dir, const char *program, struct host_program *out,
                    struct diag *d);

/* The bytes of an element, by the runtime's name of its type or by the program's; 0: unknown. */
int host_element_bytes(const char *dtype);

#endif
