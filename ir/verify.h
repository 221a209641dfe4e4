/* SPDX-License-Identifier: MIT */
/*
 * The checks of pypto-facts 2 that need no code generation: arity, argument and keyword kinds,
 * tuple ranks, dtypes, static bounds, host-only operators in InCore functions.
 */
#ifndef IR_VERIFY_H
#define IR_VERIFY_H

#include "ir/ir.h"

/* True when p is well formed; otherwise false with d filled by the first error in text order. */
bool ir_verify(const struct ir_program *p, struct diag *d);

#endif
