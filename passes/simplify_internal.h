/* SPDX-License-Identifier: MIT */
/* What the files of Simplify share. */
#ifndef PASSES_SIMPLIFY_INTERNAL_H
#define PASSES_SIMPLIFY_INTERNAL_H

#include "passes/simplify.h"

/* e, whose operands are folded, folded itself; e when nothing can be done. */
struct ir_expr *fold_node(struct arena *a, struct ir_expr *e);

/* The value of a literal, or of a cast of one that keeps it; false for anything else. */
bool fold_literal(const struct ir_expr *e, int64_t *value);

/* True when dropping or repeating e changes nothing: no call, nothing that can fail. */
bool fold_is_total(const struct ir_expr *e);

/* The literal v of an element type, or NULL when it does not fit. */
struct ir_expr *fold_constant(struct arena *a, int64_t v, enum ir_dtype dtype, struct span at);

#endif
