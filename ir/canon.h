/* SPDX-License-Identifier: MIT */
/*
 * What equality and hash look at: parts of a tree in one order, without what does not count
 * (pypto-front-facts 4). Everything is made in the arena given, or shared with the tree.
 */
#ifndef IR_CANON_H
#define IR_CANON_H

#include "ir/ir.h"

typedef VEC(const struct ir_func *) canon_funcs;

/* The functions of a program by name: their order in the file does not count. */
canon_funcs canon_program(struct arena *a, const struct ir_program *p);

/* Keywords or entries of a dict by name; attrs={} is as good as none. */
ir_kwargs canon_kwargs(struct arena *a, const ir_kwargs *kw);

/* A call with its keywords likewise, without those that say what their absence says (ir/ops.h); of
 * scopes and launches (pypto-front-facts 2.11) the optional operands are keywords, optimizations are
 * in one order, and a manual scope has one name. */
struct ir_call canon_call(struct arena *a, const struct ir_call *call);

/* What the decorator says beside the type: level and role that the type implies are filled in, by
 * their first names, auto_scope=False is an attribute, and strict_ssa= is left out. */
ir_kwargs canon_decorator(struct arena *a, const struct ir_func *f);

/* The statements of a block. One that assigns to several variables is as good as one that gives the
 * value a name, and one more for each element of it (pypto-facts 1.1). */
ir_block canon_block(struct arena *a, const ir_block *block);

/* The level (or role) that a function type implies, "pl.Level.CHIP", or NULL. */
const char *canon_implied_level(enum ir_func_type type);
const char *canon_implied_role(enum ir_func_type type);
/* The first name of a level: "pl.Level.HOST" of "pl.Level.NODE". */
const char *canon_level(const char *name);
/* Is pl.at(...) at level CORE_GROUP: a kernel, that is (pypto-front-facts 2.11)? */
bool canon_at_core_group(const struct ir_call *at);

/* What follows the element type of a tensor or tile, without its MemRef and without what a view
 * says that is so anyway. */
ir_exprs canon_annots(struct arena *a, const struct ir_type *t);

#endif
