/* SPDX-License-Identifier: MIT */
/*
 * Functions of scopes (pypto-front-facts 2.11, 3.6): what the passes OutlineHierarchyScopes,
 * OutlineIncoreScopes and OutlineClusterScopes share. The body of a scope becomes a function, and a
 * call of it stands in the scope's place.
 *
 * Parameters are the variables that the body reads and does not define before, in the order of their
 * first reads, under their names. Returned is what the body defines and something behind the scope
 * reads, in the order of the text, then each tensor from outside that a tile is stored into, the last
 * one first. A tensor
 * that is a parameter's memory is returned as the parameter, and has a new name behind the call.
 *
 * The program must be in SSA form. What a scope becomes keeps the lines of the scope's statements.
 */
#ifndef PASSES_OUTLINE_H
#define PASSES_OUTLINE_H

#include "ir/ir.h"

enum outline_kind { OUTLINE_HIERARCHY, OUTLINE_INCORE, OUTLINE_CLUSTER, OUTLINE_SPMD };

typedef VEC(struct ir_func *) outline_funcs;

/* What stands behind a statement in its block, and in those around it. */
struct outline_tail;

struct outliner {
    struct arena *arena;
    const struct ir_program *prog;
    struct diag *diag;
    enum outline_kind kind;
    struct map taken;     /* names of all functions, those made included */
    struct map functions; /* name -> function, likewise */
    outline_funcs made;   /* of the function at hand; callees stand before their callers */
    /* Of the function at hand, or of the scope in it: */
    const char *name;
    unsigned count;     /* of scopes */
    struct map known;   /* names of its variables, and of the functions made of it */
    struct map carried; /* iter_args: a store into one is a value that the loop carries */
    struct map renames; /* variable -> the one that has its value by now */
    ir_vars undo;       /* what was renamed, each with what it was called before */
    const struct outline_tail *tail;
    bool in_scope; /* of another kind: what that defines does not leave it */
};

/* Is it a scope that becomes a function of that kind? */
bool outline_is_scope(const struct ir_stmt *s, enum outline_kind kind);
/* The block, or one under it, has such a scope. */
bool outline_has_scope(const ir_block *block, enum outline_kind kind);
/* The keyword's value, or the i-th argument of the scope's call; NULL when it has neither. */
struct ir_expr *outline_argument(const struct ir_stmt *scope, const char *keyword, size_t i);

/*
 * f with each scope of the kind replaced by a call; o->made are the functions for them. f itself when
 * it has none; NULL with the diag filled.
 */
struct ir_func *outline_scopes(struct outliner *o, struct ir_func *f, enum outline_kind kind);

/*
 * p with each function of which `takes` is true replaced by what fn makes of it, behind what fn leaves
 * in o->made. fn sees the functions in the order of their names, which decides what is named first.
 */
struct ir_program *outline_program(struct arena *a, const struct ir_program *p, struct diag *d,
                                   bool (*takes)(const struct ir_func *f),
                                   struct ir_func *(*fn)(struct outliner *o, struct ir_func *f));

/* for i in pl.spmd(n), and with pl.spmd(n) around a body that asks for its block: as the scope of the
 * launch around the scope of the kernel, which the compiler's parser makes of them. */
struct ir_func *outline_unfold_spmd(struct arena *a, struct ir_func *f);

/* ---- what a body reads, defines and writes ---- */

/* The variables that the block reads and does not define before, in the order of first reads. Those of
 * the module are not among them. */
ir_vars outline_reads(struct arena *a, const struct ir_program *p, const ir_block *block);
/* All that the block defines, in the order of the text. */
ir_vars outline_definitions(struct arena *a, const ir_block *block);
/* The target of a tile.store that is a variable, and none that a loop carries; otherwise NULL. */
struct ir_var *outline_store_target(const struct outliner *o, const struct ir_expr *e);
/* What is stored into, in the order of the text, without repetitions. */
ir_vars outline_store_targets(const struct outliner *o, const ir_block *block);
/* The directions of the inputs; stored: those that a tile is stored into. */
enum ir_direction *outline_directions(const struct outliner *o, const ir_vars *inputs,
                                      const ir_vars *stored, const ir_block *block);
/* The input whose memory the variable is, or NULL. */
struct ir_var *outline_origin(const struct outliner *o, const ir_block *block,
                              const ir_vars *inputs, struct ir_var *v);

#endif
