/* SPDX-License-Identifier: MIT */
/* What the files of Simplify share. */
#ifndef PASSES_SIMPLIFY_INTERNAL_H
#define PASSES_SIMPLIFY_INTERNAL_H

#include "base/map.h"
#include "passes/simplify.h"

/* ---- what is known at a place of the program: simplify_range.c ---- */

/* The values that an integer can have; the ends of int64_t stand for no bound. */
struct range {
    int64_t min, max;
};

struct noted {
    const struct ir_var *var;
    const struct range *before; /* NULL: nothing was known but its type */
};

struct known {
    struct arena *arena;
    struct map ranges; /* variable -> struct range */
    VEC(struct noted) log;
    ir_exprs holds; /* conditions that hold */
    int folds;      /* one inside the other */
};

/* A place to come back to: what is learned behind it is forgotten again. */
struct known_place {
    size_t log, holds;
};
struct known_place known_here(const struct known *k);
void known_back(struct known *k, struct known_place place);

/* The variable has a value in r, whatever its type says. */
void known_bound(struct known *k, const struct ir_var *v, struct range r);
/* The variable has a value in r, and in what was known before; ignored when it could have none. */
void known_range(struct known *k, const struct ir_var *v, struct range r);
/* A condition that holds, folded, over variables that keep their value while it does. */
void known_condition(struct known *k, struct ir_expr *cond);

struct range range_of(const struct known *k, const struct ir_expr *e);

/* True when the folded condition holds wherever what is known does. */
bool known_proves(struct known *k, struct ir_expr *cond);

/* ---- expressions: simplify_fold.c ---- */

/* e, whose operands are folded, folded itself; e when nothing can be done. */
struct ir_expr *fold_node(struct known *k, struct ir_expr *e);
/* The same for a node that is yet to be made. */
struct ir_expr *fold_binary(struct known *k, enum ir_binary_op op, struct ir_expr *lhs,
                            struct ir_expr *rhs, struct span at);
struct ir_expr *fold_unary(struct known *k, enum ir_unary_op op, struct ir_expr *operand,
                           struct span at);

/* The value of a number or a truth; false for anything else. A cast is no number
 * (pypto-front-facts 3.8). */
bool fold_literal(const struct ir_expr *e, int64_t *value);
/* The literal v of an element type, or NULL when it does not fit. */
struct ir_expr *fold_constant(struct arena *a, int64_t v, enum ir_dtype dtype, struct span at);

/* True when dropping or repeating e changes nothing: no call. */
bool fold_is_pure(const struct ir_expr *e);
/* The same value wherever both stand: the same pure expression of the same variables. */
bool fold_same(const struct ir_expr *x, const struct ir_expr *y);

enum ir_dtype fold_dtype(const struct ir_expr *e);
/* One type, or INDEX and INT64. */
bool fold_is_same_type(enum ir_dtype x, enum ir_dtype y);
/* Integers that arithmetic may be moved about with: signed, and INDEX. */
bool fold_is_signed(enum ir_dtype t);

/* ---- identities: simplify_rules.c ---- */

/* What the first identity that fits makes of e, folded; NULL when none does. */
struct ir_expr *rules_apply(struct known *k, struct ir_expr *e);

#endif
