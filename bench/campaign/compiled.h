/* SPDX-License-Identifier: MIT */
/*
 * Compiled kernels, `.pto` files, as kernels like those of the kernel language: with directives in
 * comments `// fencebench: ...` of the file, and in a file of its name with `.bind` behind.
 */
#ifndef BENCH_COMPILED_H
#define BENCH_COMPILED_H

#include "codegen/kernel.h"
#include "pto/tree.h"

/* By its name. */
bool compiled_is(const char *path);

/* Reads the file. NULL with d filled when it cannot be read. */
struct kernel *compiled_load(struct arena *a, const char *path, const struct kernel_options *o,
                             struct diag *d);

/* What was read. */
const struct pto_file *compiled_file(const struct kernel *k);

#endif
