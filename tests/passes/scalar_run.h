/* SPDX-License-Identifier: MIT */
/*
 * Runs a function of scalars as its text says, with no regard to how passes or code generation do
 * it: the reference that Simplify is compared with.
 *
 * Arithmetic wraps in the element type of the node; INDEX has 64 bits. Division rounds down. What
 * has no value (division by zero, a negative shift, a variable that was never assigned) ends the
 * run; with strict, so does what the compiler takes for impossible: signed arithmetic that wraps,
 * and a variable of type INDEX that is negative. Each call, of an operator or of a function, is one
 * line of the trace with its arguments; it gives back their sum.
 */
#ifndef TESTS_PASSES_SCALAR_RUN_H
#define TESTS_PASSES_SCALAR_RUN_H

#include "base/strbuf.h"
#include "ir/ir.h"

/* The trace; it ends in "failed\n" when the run did. values: of the parameters, in order. */
const char *scalar_run(struct arena *a, const struct ir_func *f, const int64_t *values,
                       bool strict);

#endif
