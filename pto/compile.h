/* SPDX-License-Identifier: MIT */
/*
 * From a compiled kernel to a machine program.
 *
 * Each function of the file that no other calls is a task; the tasks of a rank run one after the
 * other on its core. A file does not say what its arguments are: what is a window, a context, a
 * dimension is recognised by type, place and use (pto-facts 4), the rest is asked for by name,
 * "arg4".
 */
#ifndef PTO_COMPILE_H
#define PTO_COMPILE_H

#include "isa/program.h"
#include "models/toolchain.h"
#include "pto/tree.h"

enum pto_answer { PTO_UNKNOWN, PTO_GIVEN, PTO_WRONG };

struct pto_options {
    const struct toolchain *toolchain; /* its barriers around put, get and notify do not count: the
                                          file says its own */
    int nranks;
    int window_align; /* bytes, a power of two; 0: 64 */
    /* What is given from outside under that name, on a rank: PTO_WRONG with d filled. Names are those
     * of scalar arguments and dimensions ("arg4"), "size arg2" (elements), "window arg2" (1 or 0). */
    enum pto_answer (*value)(void *ctx, const char *name, int rank, int64_t *out, struct diag *d);
    void *ctx;
};

/* The program in arena a, or NULL with d filled. */
struct program *pto_compile(struct arena *a, const struct pto_file *f, const struct pto_options *o,
                            struct diag *d);

/* Some function has an argument of that name. */
bool pto_knows(const struct pto_file *f, const char *name);

#endif
