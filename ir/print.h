/* SPDX-License-Identifier: MIT */
/*
 * Tree -> text, in the compiler's printed form. ir_parse(ir_print(p)) is structurally equal to p.
 */
#ifndef IR_PRINT_H
#define IR_PRINT_H

#include "ir/ir.h"

/* The whole program. The text lives in arena a. */
char *ir_print(struct arena *a, const struct ir_program *p);
/* One expression or type, for messages. */
char *ir_print_expr(struct arena *a, const struct ir_expr *e);
char *ir_print_type(struct arena *a, const struct ir_type *t);

#endif
