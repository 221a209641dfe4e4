/* SPDX-License-Identifier: MIT */
/*
 * From a machine program to `.pto` text: what code generation made of a kernel, in the compiler's
 * spelling, so that it can be read back, and given to the assembler. Registers become SSA values, flow
 * becomes regions, and the steps of the library's macros, fences and waits the operations that they
 * come from. What the toolchain adds around a kernel is left out: the assembler adds it again.
 */
#ifndef PTO_EMIT_H
#define PTO_EMIT_H

#include "isa/builder.h"

/* The text in arena a, with directives for what it cannot say, or NULL with d filled where the program
 * has something that has no such form. b: the builder of p without the assembler's
 * synchronisation, every marker one instruction (REGION_BASE_LINE). */
const char *pto_emit(struct arena *a, const struct builder *b, const struct program *p,
                     struct diag *d);

#endif
