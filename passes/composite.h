/* SPDX-License-Identifier: MIT */
/*
 * What LowerCompositeOps emits with: expressions, names, structured statements, and the credit
 * barrier that all collectives share (pypto-facts 5.3, pypto-front-facts 3.7).
 *
 * Statements are pushed in text order; a statement that holds others is open from emit_for... or
 * emit_if to emit_end... A name takes its number when its variable is made: a loop's variable
 * before the body, what it results in behind.
 */
#ifndef PASSES_COMPOSITE_H
#define PASSES_COMPOSITE_H

#include "ir/ops.h"

/* The names of one function. */
struct composite_names {
    struct map taken;
    unsigned next;
};

/* A statement that is not complete yet. */
struct open_stmt {
    struct ir_stmt *stmt;
    const char *name; /* of a loop's variable; its result is called after it */
    ir_block *outer;
};

/* One call on the way to its statements. Everything is made in arena, at the place of the call. */
struct composite {
    struct arena *arena;
    const struct ir_program *prog;
    const struct ir_call *call;
    struct span at;
    const char *base; /* of names */
    struct composite_names *names;
    ir_block *out;
    VEC(struct open_stmt) open;
    struct ir_expr *target, *signal;
    /* What every call begins with. */
    struct ir_expr *ranks;   /* their number, INDEX */
    struct ir_expr *my_rank; /* INT32 */
    int64_t barriers;        /* of this call, so far */
};

/* ---- expressions; scalars are INDEX where nothing else is said ---- */

struct ir_expr *emit_index(struct composite *m, int64_t value);
struct ir_expr *emit_int32(struct composite *m, int64_t value);
struct ir_expr *emit_binary(struct composite *m, enum ir_binary_op op, struct ir_expr *x,
                            struct ir_expr *y);
struct ir_expr *emit_cast(struct composite *m, struct ir_expr *x, enum ir_dtype to);
struct ir_expr *emit_pair(struct composite *m, struct ir_expr *x, struct ir_expr *y);
struct ir_expr *emit_name(struct composite *m, const char *name);
/* A registered operator's call with these n arguments. */
struct ir_expr *emit_call(struct composite *m, const char *op, size_t n,
                          struct ir_expr *const *args);
#define EMIT_CALL(m, op, ...)                                                                      \
    emit_call(m, op, sizeof((struct ir_expr *[]){__VA_ARGS__}) / sizeof(struct ir_expr *),         \
              (struct ir_expr *[]){__VA_ARGS__})
void emit_keyword(struct composite *m, struct ir_expr *call, const char *name,
                  struct ir_expr *value);

/* The value of an expression of literals. A name of the module is none: the command line may give
 * it another value (docs/kernels.md). */
bool emit_literal(const struct ir_expr *e, int64_t *value);
/* Products and rounded-down quotients of extents: literals are folded. */
struct ir_expr *emit_times(struct composite *m, struct ir_expr *x, struct ir_expr *y);
struct ir_expr *emit_quotient(struct composite *m, struct ir_expr *x, struct ir_expr *y);

/* ---- types of tiles ---- */

enum emit_tile { EMIT_TILE_VEC = 1, EMIT_TILE_PADDED = 2 };
/* valid: extents, or NULL or shape itself when all of it is valid. */
struct ir_type *emit_tile_type(struct composite *m, const struct ir_expr *shape,
                               const struct ir_expr *valid, unsigned flags);
/* A tuple's items as the list that types hold. */
struct ir_expr *emit_list(struct composite *m, const struct ir_expr *tuple);

/* ---- statements ---- */

/* name = value: the variable. */
struct ir_expr *emit_bind(struct composite *m, const char *name, struct ir_expr *value);
/* name: type = value, where the type says more than the call's arguments do. */
struct ir_expr *emit_bind_as(struct composite *m, const char *name, struct ir_type *type,
                             struct ir_expr *value);
/* for name in range(0, stop, step): the loop's variable. */
struct ir_expr *emit_for(struct composite *m, const char *name, struct ir_expr *stop,
                         struct ir_expr *step);
/* The same over all ranks. */
struct ir_expr *emit_for_ranks(struct composite *m, const char *name);
/* The loop just opened carries a value that starts as init: its name in the loop. */
struct ir_expr *emit_carry(struct composite *m, struct ir_expr *init);
void emit_if(struct composite *m, struct ir_expr *condition);
/* if rank != my_rank */
void emit_if_other(struct composite *m, struct ir_expr *rank);
/* The branch yields a value; the other branch begins. */
void emit_else(struct composite *m, struct ir_expr *value);
void emit_end(struct composite *m);
/* The body or branch yields a value: what the loop or branches result in. */
struct ir_expr *emit_end_with(struct composite *m, struct ir_expr *value);

/* ---- the protocol ---- */

/* Context, number of ranks and own rank, from the context of a window. */
void emit_setup(struct composite *m, struct ir_expr *window);
/* Tells each peer, and waits until each has told as often as expected says. row NULL: the signal is
 * [NR, 1], else [rows, NR]. suffix goes into the names. */
void emit_barrier_at(struct composite *m, const char *suffix, struct ir_expr *row,
                     struct ir_expr *expected);
/* The next barrier of a signal [NR, 1]. Not for loops: each call counts once. */
void emit_barrier(struct composite *m, const char *suffix);
/* Takes back what the call's barriers have added to each cell: total, INT32. rows NULL: the signal
 * is [NR, 1], else it has that many rows. */
void emit_take_back(struct composite *m, struct ir_expr *rows, struct ir_expr *total);

/* ---- pieces of a window: what one tile holds ---- */

/*
 * Rows and columns of a window. When only a part is valid, the rest of the tile is filled with
 * zeros, so that a tile has one type whatever the part; valid_cols is that part's width.
 */
struct piece {
    struct ir_expr *window, *offsets, *shape;
    struct ir_expr *valid;      /* extents to load, or NULL: the shape */
    struct ir_expr *valid_cols; /* NULL: not filled */
    struct ir_expr *simplified; /* valid_cols as a type holds what arithmetic made of it */
};

/* The own piece, under a name; loaded names it before the rest is filled. */
struct ir_expr *emit_load_own(struct composite *m, const struct piece *p, const char *loaded,
                              const char *name);
/* A peer's, filled behind if only a part is valid. */
struct ir_expr *emit_load_peer(struct composite *m, const struct piece *p, struct ir_expr *peer,
                               const char *name);
/* Both under the operator of the call. */
struct ir_expr *emit_reduce(struct composite *m, const char *name, struct ir_expr *acc,
                            struct ir_expr *other);
/* The first valid_cols of a filled tile, called part, go to the window at offsets. */
void emit_store_part(struct composite *m, const struct piece *p, const char *part,
                     const char *stored, struct ir_expr *value, struct ir_expr *valid_cols,
                     struct ir_expr *offsets);

/* ---- the target under two dimensions ---- */

/* [1, N], and [rows, columns] with all dimensions but the last as rows. */
struct ir_expr *emit_line(struct composite *m, const ir_exprs *extents);
struct ir_expr *emit_rectangle(struct composite *m, const ir_exprs *extents);
/* The target as packed rows of that shape, of which a part may be valid: target_2d. */
struct ir_expr *emit_view(struct composite *m, struct ir_expr *shape, struct ir_expr *valid);
/* The width of a chunk of n elements in all: what 16 KiB hold, or, when n is known to be less, n
 * rounded up to what a tile's row needs. */
struct ir_expr *emit_chunk_width(struct composite *m, const struct ir_expr *n);
/* (n + (width - 1)) // width, as the compiler leaves it. */
struct ir_expr *emit_chunk_count(struct composite *m, struct ir_expr *n, struct ir_expr *width);

bool composite_is_half(const struct composite *m); /* FP16 */
/* Elements of the target in 32 bytes. */
int64_t composite_alignment(const struct composite *m);
/* The extents of the valid part of a tensor that its type says is smaller, or NULL. */
const ir_exprs *composite_part(const struct ir_type *t);

/* ---- the collectives ---- */

void composite_barrier(struct composite *m);
void composite_broadcast(struct composite *m);
void composite_allgather(struct composite *m);
void composite_all_to_all(struct composite *m);
void composite_all_to_all_v(struct composite *m);
void composite_reduce_scatter(struct composite *m);
void composite_mesh_allreduce(struct composite *m);
void composite_ring_allreduce(struct composite *m);

/* ---- tile operators: the value, behind its steps ---- */

struct ir_expr *composite_sin(struct composite *m);
struct ir_expr *composite_cos(struct composite *m);

#endif
