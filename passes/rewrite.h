/* SPDX-License-Identifier: MIT */
/*
 * What passes need to walk a tree and to build a changed one that shares what did not change.
 *
 * An expression of a statement is one that the statement itself holds: its value, condition,
 * bounds, initial values, keywords, what it yields or returns. Expressions of the statements under
 * it, and those inside of types, are not among them.
 */
#ifndef PASSES_REWRITE_H
#define PASSES_REWRITE_H

#include "ir/ir.h"

/* Calls fn for each expression of s and everything below it; fn returning false ends the walk. */
bool pass_walk_stmt(const struct ir_stmt *s, bool (*fn)(const struct ir_expr *e, void *ctx),
                    void *ctx);

enum walk { WALK_INTO, WALK_OVER, WALK_FOUND };

/* The first statement, in text order, for which fn says WALK_FOUND; NULL when there is none.
 * WALK_OVER leaves out what is under the statement. */
const struct ir_stmt *pass_find_stmt(const ir_block *block,
                                     enum walk (*fn)(const struct ir_stmt *s, void *ctx),
                                     void *ctx);

/* For pass_find_stmt: the first break or continue. */
enum walk pass_is_jump(const struct ir_stmt *s, void *unused);

/* True when a break or continue in the block is of the loop whose body that is. */
bool pass_leaves_loop(const ir_block *body);

/* True when an assignment in the block, or in one under it, has v as a target. */
bool pass_assigns(const ir_block *block, const struct ir_var *v);

bool pass_is_collective(const struct ir_expr *e);

/* The first expression that is wanted and is not all that the statement assigns, evaluates or returns
 * in one place; NULL when there is none. */
const struct ir_expr *pass_nested_call(const struct ir_stmt *s,
                                       bool (*wanted)(const struct ir_expr *e));

/* Is f called by another function of which `by` is true, in an assignment or as a statement? */
bool pass_is_called(const struct ir_program *p, const struct ir_func *f,
                    bool (*by)(const struct ir_func *f));

/* A function of an expression whose operands are rewritten already: the expression or another. */
typedef struct ir_expr *rewrite_fn(void *ctx, struct ir_expr *e);

/* e after fn has seen it and everything below it, operands first; e itself when nothing changes. A
 * copy keeps the type of what it was copied from. */
struct ir_expr *rewrite_expr(struct arena *a, struct ir_expr *e, rewrite_fn *fn, void *ctx);

/* t, which may be NULL, or a copy after fn has seen its dimensions and what follows them, and those
 * of a tuple's elements. */
struct ir_type *rewrite_type(struct arena *a, struct ir_type *t, rewrite_fn *fn, void *ctx);

/* s, or a copy, after fn has seen all its expressions. */
struct ir_stmt *rewrite_exprs(struct arena *a, struct ir_stmt *s, rewrite_fn *fn, void *ctx);

/* s, or a copy, after fn has seen each block directly under it. fn replaces *block, or leaves it as
 * it is; it must not change what the block's items point to. */
struct ir_stmt *rewrite_blocks(struct arena *a, struct ir_stmt *s,
                               void (*fn)(void *ctx, ir_block *block), void *ctx);

/* p, or a copy of it, after fn has seen each function whose kind is among kinds (enum
 * pass_functions). NULL when fn returns NULL. */
struct ir_program *rewrite_funcs(struct arena *a, const struct ir_program *p, unsigned kinds,
                                 struct ir_func *(*fn)(void *ctx, struct ir_func *f), void *ctx);

/* f itself when body is its own, else a copy with that body. */
struct ir_func *pass_with_body(struct arena *a, struct ir_func *f, ir_block body);

/* The type that a call has after its operands changed: as inferred, unless it was recorded. */
struct ir_type *pass_type_now(struct arena *a, const struct ir_expr *before,
                              const struct ir_call *after);

/* name = value. */
struct ir_stmt *pass_assign(struct arena *a, struct ir_var *target, struct ir_expr *value);

/* kw with name=value behind the rest, in place of what it had under that name; value NULL: without
 * it. */
ir_kwargs pass_with_keyword(struct arena *a, const ir_kwargs *kw, const char *name,
                            struct ir_expr *value);
/* The named constant, as an expression. */
struct ir_expr *pass_constant(struct arena *a, const char *name, struct span at);

/* Enters the names of f's parameters and of all that its body defines, each with its variable. */
void pass_names_in_use(const struct ir_func *f, struct map *names);

#endif
