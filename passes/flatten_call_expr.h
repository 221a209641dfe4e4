/* SPDX-License-Identifier: MIT */
/*
 * FlattenCallExpr (pypto-front-facts 3.5): what a call gives gets a name of its own, t__tmp_vN,
 * assigned just before the statement, so that the passes behind see each call as a statement.
 *
 *   given a name      a call that is an argument of a call, an operand of arithmetic or a cast, a
 *                     condition, a bound of a range, what is returned or yielded; a launch
 *                     (pl.submit) as an argument of a launch and as a yielded value
 *   left where it is  the statement's own call; an element of a tuple or list, what `t[i]` takes
 *                     an element of, initial values of loops, keywords and attributes
 *   order             arguments from left to right, each one's inner calls first; for an operator
 *                     the inner calls of both sides, then the left side, then the right one. Both
 *                     sides of and/or are evaluated: there is no short circuit.
 *
 * N counts from 0 through the function; a name that is in use there is left out. The pass is
 * idempotent.
 *
 * A call in the condition of a while loop is evaluated once, before the loop: a note says so
 * (struct pass_options). Where such a call needs a value that the loop changes, the compiler's own
 * output refers to a variable that does not exist before the loop; here it is an error.
 */
#ifndef PASSES_FLATTEN_CALL_EXPR_H
#define PASSES_FLATTEN_CALL_EXPR_H

#include "passes/pass.h"

/*
 * Errors, with the name of the rule in brackets:
 *   while-condition   a call in the condition of a while loop uses what the loop changes
 */
struct ir_program *flatten_call_expr(struct arena *a, const struct ir_program *p,
                                     const struct pass_options *o, struct diag *d);

/* True, with its place in *at, when some call would be given a name. */
bool has_nested_call(const struct ir_program *p, struct span *at);

#endif
