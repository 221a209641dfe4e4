/* SPDX-License-Identifier: MIT */
/*
 * Text -> tree (pypto-facts 1.3 to 1.6). Both spellings: what the compiler's printer prints and
 * what its authoring DSL accepts. The parser resolves names and operators, infers types, and
 * reports the first error with a caret.
 */
#ifndef IR_PARSE_H
#define IR_PARSE_H

#include "ir/ir.h"

/* The program, in arena a, or NULL with d filled. src must outlive the
 * program (it may live in a). */
struct ir_program *ir_parse(struct arena *a, const struct source *src, struct diag *d);

#endif
