/* SPDX-License-Identifier: MIT */
/* Result types from the registry's result rules (pypto-facts 2). */
#ifndef IR_INFER_H
#define IR_INFER_H

#include "ir/ir.h"

/* The type of a registered operator's result, or NULL when its arguments do not decide it. */
struct ir_type *ir_infer_call(struct arena *a, const struct ir_call *call);
/* The type of an operator expression, cast, subscript or tuple over typed operands, or NULL. */
struct ir_type *ir_infer_expr(struct arena *a, const struct ir_expr *e);

/* The type that operands of types x and y get together: the wider, of two as wide the left one;
 * IR_DTYPE_NONE when they are not both integers or both floats (pypto-front-facts 2.3). */
enum ir_dtype ir_promoted(const struct ir_type *x, const struct ir_type *y);
/* lhs op rhs at a place, in arena a. An operand of another type than the two get together is cast
 * to it (pypto-front-facts 2.3). */
struct ir_expr *ir_binary(struct arena *a, enum ir_binary_op op, struct ir_expr *lhs,
                          struct ir_expr *rhs, struct span at);
/* The type of a call of f, whose parameters in its return type stand for the arguments; NULL when f
 * is NULL or gives nothing back, or when the arguments do not decide it. */
struct ir_type *ir_infer_returned(struct arena *a, const struct ir_func *f,
                                  const struct ir_call *call);
/* True when no value has both types: they differ in kind, element type, rank or static extent. */
bool ir_types_clash(const struct ir_type *a, const struct ir_type *b);

#endif
