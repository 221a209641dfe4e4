/* SPDX-License-Identifier: MIT */
/*
 * A kernel file from text to machine program: parse, verify, run the passes, generate code.
 */
#ifndef CODEGEN_KERNEL_H
#define CODEGEN_KERNEL_H

#include "ir/ir.h"
#include "codegen/bind.h"
#include "codegen/codegen.h"
#include "passes/pass.h"

struct kernel {
    const char *path;
    const char *name; /* file name without folder and suffix */
    const struct source *source;
    const struct ir_program *program; /* as parsed */
    struct directives directives;
};

struct kernel_options {
    struct pass_options pass;
    const char *const *passes; /* names, or NULL: all */
    size_t npasses;
    struct pass_hooks hooks;
    const struct toolchain *toolchain;
    const struct binding *args;
    size_t nargs;
    int window_align;
    int cores_per_rank; /* the contract's, of host programs; 0: 1 */
};

/* Reads, parses and verifies a file. NULL with d filled otherwise. */
struct kernel *kernel_load(struct arena *a, const char *path, struct diag *d);
/* The same of a text that stands for the file at path, which is not read. */
struct kernel *kernel_load_text(struct arena *a, const char *path, const char *text,
                                struct diag *d);

/* The tree after the passes. */
const struct ir_program *kernel_lower(struct arena *a, const struct kernel *k,
                                      const struct kernel_options *o, struct diag *d);

/* Machine program for nranks ranks. */
struct program *kernel_compile(struct arena *a, const struct kernel *k,
                               const struct kernel_options *o, int nranks, struct diag *d);

#endif
