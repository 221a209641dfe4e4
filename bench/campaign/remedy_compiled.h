/* SPDX-License-Identifier: MIT */
/*
 * Where an operation of its own can stand in the text of a compiled kernel, and which one cleans the
 * line of a scalar access. Lines are those of the file; an operation belongs to a place when that is
 * the span of its name.
 */
#ifndef BENCH_REMEDY_COMPILED_H
#define BENCH_REMEDY_COMPILED_H

#include "bench/campaign/remedy.h"
#include "codegen/kernel.h"

/* Next to which statement a step of a remedy stands, and in which column. */
struct remedy_spot {
    int line, col;
    bool after;
};

/* In front of the operation at a place, or behind it. False where its region ends with it, or none is
 * there. */
bool compiled_beside(const struct kernel *k, struct span at, bool behind, struct remedy_spot *out);
/* In front of the end of a function. */
bool compiled_task_end(const struct kernel *k, const char *function, struct remedy_spot *out);
/* As remedy_outward. */
bool compiled_outward(const struct kernel *k, const struct remedy_call *c, struct remedy_call *out);
/* The cacheinvalid of the line that the scalar access at a place accesses, or NULL: it is none. */
const char *compiled_line(struct arena *a, const struct kernel *k, struct span at);

#endif
