/* SPDX-License-Identifier: MIT */
/*
 * Compiled kernels, `.pto` files, as kernels like those of the kernel language: with directives in
 * comments `// fencebench: ...` of the file, and in a file of its name with `.bind` behind.
 */
#ifndef BENCH_COMPILED_H
#define BENCH_COMPILED_H

#include "codegen/kernel.h"
#include "pto/tree.h"

/* By its name; or a directory, which is to be what a program was built in (build_dir.h). */
bool compiled_is(const char *path);

/* Reads the file. NULL with d filled when it cannot be read. */
struct kernel *compiled_load(struct arena *a, const char *path, const struct kernel_options *o,
                             struct diag *d);

/* A kernel of the kernel language as what the compiler would have emitted for it, with directives that
 * run it: the text in arena a, or NULL with d filled where it has no such form. */
const char *kernel_as_compiled(struct arena *a, const struct kernel *k,
                               const struct kernel_options *o, int nranks, struct diag *d);

/* What was read. */
const struct pto_file *compiled_file(const struct kernel *k);

#endif
