/* SPDX-License-Identifier: MIT */
/*
 * The memory space that a tile lies in (pypto-ops-facts 2). Which unit moves, computes and stores a
 * tile depends on it: what a matrix product leaves in the accumulator, FIX stores and not MTE3.
 *
 * The rows of the registry say where results lie and what operands may lie in. A load or creation
 * lies where its keyword says. No row asks for a space that a load could reach but Vec, so what
 * wants a load's result does not decide where it lies; what a loop carries does.
 */
#ifndef IR_SPACE_H
#define IR_SPACE_H

#include "base/map.h"
#include "ir/ops.h"

enum ir_space {
    IR_SPACE_NONE, /* not a tile, or not known */
    IR_SPACE_VEC,
    IR_SPACE_MAT,
    IR_SPACE_LEFT,
    IR_SPACE_RIGHT,
    IR_SPACE_ACC,
    IR_SPACE_BIAS,
    IR_SPACE_LEFT_SCALE,
    IR_SPACE_RIGHT_SCALE,
    IR_SPACE_COUNT
};

/* "pl.Mem.Vec"; NULL for IR_SPACE_NONE. */
const char *ir_space_name(enum ir_space s);
/* Of a constant "pl.Mem.Vec", or IR_SPACE_NONE. */
enum ir_space ir_space_named(const char *name);
/* What a type states. */
enum ir_space ir_space_of_type(const struct ir_type *t);

/* The type t of a tile with that space in place of its own, with or without its layout. */
struct ir_type *ir_type_in_space(struct arena *a, const struct ir_type *t, enum ir_space s,
                                 bool layout);

/* The space that argument i of the operator is wanted in, or IR_SPACE_NONE where any will do. */
enum ir_space ir_space_wanted(const struct ir_op *op, size_t i);
/* May argument i lie there? */
bool ir_space_allowed(const struct ir_op *op, size_t i, enum ir_space s);
/* The keyword target_memory decides where the result lies, and the compiler may change it. */
bool ir_space_retargetable(const struct ir_op *op);

/* Adds to m, whose arena is set, where the tile variables of f lie, for ir_space_of. */
void ir_space_collect(struct map *m, const struct ir_func *f);
/* Where a tile lies; m NULL: as far as the expression alone says. */
enum ir_space ir_space_of(const struct map *m, const struct ir_expr *e);
enum ir_space ir_space_of_var(const struct map *m, const struct ir_var *v);

#endif
