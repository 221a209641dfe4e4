/* SPDX-License-Identifier: MIT */
/*
 * Which parameter the memory of a tensor variable is: a store, a loop or a branch gives a tensor
 * another name, not another place (pypto-facts 1.5).
 */
#ifndef PASSES_GM_ORIGIN_H
#define PASSES_GM_ORIGIN_H

#include "ir/ir.h"

/* Adds to m, whose arena is set, the parameter behind each variable of f that stands for one on all
 * paths: variable -> variable of the parameter. */
void gm_origins(struct map *m, const struct ir_func *f);
/* The parameter behind e, or NULL. */
struct ir_var *gm_origin_of(const struct map *m, const struct ir_expr *e);

#endif
