/* SPDX-License-Identifier: MIT */
/*
 * Simplify (pypto-facts 1.5, design 3): makes a program smaller without changing what it does.
 *
 *   fold        integer and boolean arithmetic over constants, and with 0, 1, True and False. What
 *               does not fit the element type stays: nothing wraps at compile time. A cast of a
 *               constant stays too, as real programs print it (pypto-facts 1.6).
 *   bind        a scalar or context that is assigned once, to a constant or to another such name,
 *               is replaced by it
 *   branch      `if` with a constant condition is the branch that runs
 *   loop        `for` over a plain range that runs never is nothing, once is its body
 *   empty       a branch or loop that holds nothing is nothing
 *   dead        an assignment to a scalar or context that nothing uses is nothing
 *
 * Only arithmetic without a call, and without a division that could fail, is ever dropped or
 * repeated: calls, and so all reads, writes, waits and launches, stay as many as they were and in
 * their order, but for those that could never run. Module constants are left alone, as the command
 * line may give them other values (docs/kernels.md); so are types. The pass is idempotent and
 * cannot fail.
 */
#ifndef PASSES_SIMPLIFY_H
#define PASSES_SIMPLIFY_H

#include "passes/pass.h"

struct ir_program *simplify(struct arena *a, const struct ir_program *p,
                            const struct pass_options *o, struct diag *d);

/* One expression with its operands: what `fold` makes of it, in arena a. */
struct ir_expr *simplify_expr(struct arena *a, struct ir_expr *e);

#endif
