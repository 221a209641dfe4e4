/* SPDX-License-Identifier: MIT */
/*
 * Copies of statements with variables of their own: what a pass makes twice of one text may share no
 * variable, since code generation and comparisons of programs know a variable by its identity.
 */
#ifndef PASSES_CLONE_H
#define PASSES_CLONE_H

#include "ir/ir.h"

struct cloner {
    struct arena *arena;
    struct map vars;    /* variable -> the one that stands for it in the copy; others stay */
    const char *suffix; /* of the names of what the copy defines, or NULL */
};

/* The variable that stands for v. */
struct ir_var *clone_use(const struct cloner *c, struct ir_var *v);
/* A variable of the copy's own for v, which it defines; one that c has already stays. */
struct ir_var *clone_def(struct cloner *c, struct ir_var *v);
struct ir_type *clone_type(struct cloner *c, struct ir_type *t);
struct ir_expr *clone_expr(struct cloner *c, struct ir_expr *e);
/* A copy of s alone that reads variables of the copy; what it defines and what stands under it are
 * those of s. */
struct ir_stmt *clone_header(struct cloner *c, struct ir_stmt *s);
/* Every statement of the block anew; what it defines gets variables of its own. */
ir_block clone_block(struct cloner *c, const ir_block *block);

/* f with parameters and variables of its own; c holds them afterwards. */
struct ir_func *clone_func(struct cloner *c, const struct ir_func *f);

#endif
