/* SPDX-License-Identifier: MIT */
/* ConvertTensorToTileOps: the body of one function. Private to the pass. */
#ifndef PASSES_TILING_BODY_H
#define PASSES_TILING_BODY_H

#include "passes/tiling.h"

/* Notes how often each variable of t->func is defined, and where products want their operands. */
void tiling_survey(struct tiling *t, const ir_block *body);
/* The tile that stands for a parameter from here on. */
void tiling_enter(struct tiling *t, struct ir_var *param);
/* Converts the statements of a block into t->out. */
void tiling_block(struct tiling *t, const ir_block *body);
/* The variable has the name of a value that was converted, or keeps its own. */
bool tiling_is_named(struct tiling *t, const struct ir_var *v);
/* An expression with the variables that stand for others in it now. */
struct ir_expr *tiling_renamed(struct tiling *t, struct ir_expr *e);

#endif
