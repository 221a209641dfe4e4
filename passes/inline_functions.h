/* SPDX-License-Identifier: MIT */
/*
 * InlineFunctions (pypto-front-facts 3.1): the body of a function of type Inline takes the place of
 * each call, and the function itself goes.
 *
 *   a call       x = self.f(..), a, b = self.f(..), self.f(..) and return self.f(..); a call inside
 *                of an expression is none of them and is refused
 *   parameters   become what the call gives, where they are read and where they are assigned to: an
 *                Out parameter that the body rebinds rebinds the caller's variable
 *   other names  NAME_inlineN, N counting the calls of the program; what a loop carries keeps its
 *                name
 *   the value    of the one return, which is the last statement; of several values each goes to
 *                its own target
 *
 * Inline functions may call each other, but not themselves.
 */
#ifndef PASSES_INLINE_FUNCTIONS_H
#define PASSES_INLINE_FUNCTIONS_H

#include "passes/pass.h"

/*
 * Errors, with the name of the rule in brackets:
 *   inline-nested      a call of an Inline function inside of an expression, or its launch
 *   inline-recursive   one that calls itself, by way of others or not
 *   inline-return      a return that is not the last statement of its function
 *   inline-rebinds     a parameter is assigned to, and the call gives no variable for it
 */
struct ir_program *inline_functions(struct arena *a, const struct ir_program *p,
                                    const struct pass_options *o, struct diag *d);

#endif
