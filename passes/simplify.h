/* SPDX-License-Identifier: MIT */
/*
 * Simplify (pypto-front-facts 3.8): makes a program smaller without changing what it does.
 *
 *   fold        arithmetic of integers and truths, by the identities of simplify_rules.c and by
 *               what is known of the values: an INDEX is not negative, a loop's variable lies
 *               between constant bounds, a branch's condition holds in it. Casts and floats stay.
 *   bind        a scalar that is assigned once, to a constant, at the top level of a function is
 *               replaced by it, in types too; of others the range is known up to the end of the
 *               block
 *   branch      `if` with a condition that is known is the branch that runs
 *   loop        `for` over a plain range that runs never is nothing, once is its body
 *   dead        an assignment to a scalar that nothing uses, and a result of an `if` that nothing
 *               uses, is nothing
 *
 * Calls, and so all reads, writes, waits and launches, stay as many as they were and in their
 * order, but for those that could never run. Integers do not overflow and divisors are not 0, as
 * the compiler takes for granted. Module constants are left alone, for the command line may give
 * them other values (docs/kernels.md). A value that a while loop carries from a constant, which the compiler
 * loses, is kept: a note says so (struct pass_options). The pass is idempotent and cannot fail.
 */
#ifndef PASSES_SIMPLIFY_H
#define PASSES_SIMPLIFY_H

#include "passes/pass.h"

struct ir_program *simplify(struct arena *a, const struct ir_program *p,
                            const struct pass_options *o, struct diag *d);

#endif
