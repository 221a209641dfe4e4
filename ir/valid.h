/* SPDX-License-Identifier: MIT */
/*
 * The valid part of a tile: a load or a creation may fill less than the physical tile, and a store
 * transfers what is valid (pypto-facts 1.2, 1.6, 2, 5.4). A TileView in the type says it; where the
 * type says nothing, the definition does.
 */
#ifndef IR_VALID_H
#define IR_VALID_H

#include "base/map.h"
#include "ir/ops.h"

enum ir_valid_kind {
    IR_VALID_UNSEEN, /* no definition yet */
    IR_VALID_WHOLE,
    IR_VALID_PART,   /* extents holds one expression per dimension */
    IR_VALID_UNKNOWN /* the facts or the paths to the use leave it open */
};

struct ir_valid {
    enum ir_valid_kind kind;
    const ir_exprs *extents;
};

/* How an operator's result gets its valid part. */
enum ir_valid_source {
    IR_VALID_FILLED, /* the whole tile, whatever the operands */
    IR_VALID_KEPT,   /* that of the first tile */
    IR_VALID_GIVEN,  /* by an argument */
    IR_VALID_ROW,    /* one row: the first of a block of rows that the cube makes */
    IR_VALID_OPEN    /* not stated: the whole tile if every operand is whole */
};
enum ir_valid_source ir_valid_source(const struct ir_op *op);

/* The valid_shape that a TileView of the type gives, or NULL. */
const ir_exprs *ir_valid_view(const struct ir_type *t);

/* Adds to m, whose arena is set, what is known of the variables of f, on all paths together. */
void ir_valid_collect(struct map *m, const struct ir_program *p, const struct ir_func *f);
/* The valid part of a tile, or of a tensor that a slice made. */
struct ir_valid ir_valid_of(const struct map *m, const struct ir_program *p,
                            const struct ir_expr *e);

#endif
