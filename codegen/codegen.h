/* SPDX-License-Identifier: MIT */
/*
 * Code generation: InCore functions -> machine program (pypto-facts 6).
 *
 * A program with a HOST orchestrator becomes what that does (codegen/host/host.h). A kernel without
 * a host function gets its parameters by rule (docs/kernels.md). Each InCore function that no other
 * calls is a task; the tasks of a rank run one after the other on its core. Peer addresses are
 * computed at run time from the communication context in memory, through cached scalar loads, as
 * the real code does (pypto-facts 6: three loads for each remote operation).
 */
#ifndef CODEGEN_CODEGEN_H
#define CODEGEN_CODEGEN_H

#include "ir/ir.h"
#include "models/toolchain.h"
#include "codegen/bind.h"
#include "passes/pass.h"
#include "isa/launch.h"

struct codegen_options {
    const struct toolchain *toolchain;
    int nranks;
    const struct binding *args; /* of the command line; they win over the file's directives */
    size_t nargs;
    int window_align;   /* bytes, a power of two; 0: 64, in host programs what the toolchain says */
    int cores_per_rank; /* of host programs; 0: 1 */
    struct pass_options pass; /* that put in the markers: whose a marker is */
    /* Called with the program and what it was built from; or NULL. */
    void (*built)(void *ctx, const struct builder *b, const struct program *p);
    void *built_ctx;
};

/* The program for that many ranks, in arena a, or NULL with d filled. p and options must outlive
 * it. */
struct program *codegen(struct arena *a, const struct ir_program *p, const struct directives *dir,
                        const struct codegen_options *o, struct diag *d);

#endif
