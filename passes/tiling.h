/* SPDX-License-Identifier: MIT */
/*
 * ConvertTensorToTileOps inside: the function at hand, what its operators on tensors become, and the
 * statements that are made on the way (pypto-front-facts 3.4). Private to passes/tiling*.c and
 * passes/convert_tensor_to_tile_ops.c.
 */
#ifndef PASSES_TILING_H
#define PASSES_TILING_H

#include "ir/ops.h"
#include "ir/space.h"
#include "passes/pass.h"
#include "passes/refusals.h"

struct tiling {
    struct arena *arena;
    const struct ir_program *prog;
    struct diag *diag;
    const struct pass_options *options;
    const struct ir_func *func;
    struct map renamed;          /* variable -> the one that stands for it */
    struct map definitions;      /* variable -> how many statements of the function define it */
    struct map wanted;           /* variable -> the enum ir_space in which an operator wants it */
    struct map outputs;          /* name of a function -> how many parameters it has got */
    ir_block *out;               /* the block that is being written */
    const struct ir_var *target; /* what takes the value of the operator at hand, or NULL */
    struct span at;              /* of the operator at hand */
};

struct tile_form;
/* What the call becomes; its operands are converted. Statements that it needs go to t->out. NULL
 * after an error. */
typedef struct ir_expr *tile_converter(struct tiling *t, const struct tile_form *form,
                                       struct ir_expr *e);

/* What an operator on tensors becomes in an InCore function. */
struct tile_form {
    const char *tensor;
    const char *tile;
    tile_converter *convert;
    const char *other;  /* the operator on tiles for the other kind of second operand, or NULL */
    const char *spaces; /* by operand: V or M, where one that lies in memory is loaded to for this
                         * operator alone; - none. NULL: none at all */
    bool loads_itself;  /* says itself what it loads, so that nothing is loaded at the entry */
};

/* The form of the operator that e calls, or NULL. */
const struct tile_form *tiling_form(const struct ir_expr *e);
/* The space in which a form wants operand i, or IR_SPACE_NONE. The two that it wants in M are those
 * of a product, which a_trans= and b_trans= transpose. */
enum ir_space tiling_wants(const struct tile_form *form, size_t i);

/* The call is of a form that leaves it as it is: an access of memory, or memory into memory. */
bool tiling_stays(const struct tile_form *form, const struct ir_expr *e);

/* ---- the operators ---- */

extern const struct tile_form tiling_values[], tiling_memory[], tiling_places[];

/* ---- building ---- */

bool tiling_is_tile(const struct ir_expr *e);
bool tiling_is_scalar(const struct ir_expr *e);
struct ir_expr *tiling_index(struct tiling *t, int64_t value);
/* A constant of an element type. */
struct ir_expr *tiling_number(struct tiling *t, int64_t value, enum ir_dtype dtype);
struct ir_expr *tiling_pair(struct tiling *t, struct ir_expr *x, struct ir_expr *y);
struct ir_expr *tiling_tuple(struct tiling *t, const ir_exprs *items);
/* The error that a shape is not known; NULL, for the caller to return. */
struct ir_expr *tiling_no_shape(struct tiling *t, const struct tile_form *form,
                                const struct ir_expr *e);
/* As many zeros. */
struct ir_expr *tiling_origin(struct tiling *t, size_t rank);
struct ir_expr *tiling_name(struct tiling *t, const char *name);
struct ir_expr *tiling_dtype(struct tiling *t, enum ir_dtype dtype);
/* "pl.Mem.Vec" of IR_SPACE_VEC. */
struct ir_expr *tiling_space(struct tiling *t, enum ir_space space);

/* A call without a type; tiling_typed says it when all keywords are there. */
struct ir_expr *tiling_call(struct tiling *t, const char *op, size_t n,
                            struct ir_expr *const *args);
#define TILING_CALL(t, op, ...)                                                                    \
    tiling_call(t, op, sizeof((struct ir_expr *[]){__VA_ARGS__}) / sizeof(struct ir_expr *),       \
                (struct ir_expr *[]){__VA_ARGS__})
void tiling_keyword(struct tiling *t, struct ir_expr *call, const char *name,
                    struct ir_expr *value);
struct ir_expr *tiling_typed(struct tiling *t, struct ir_expr *call);

/* The type of a variable for that value: a tile says where it lies and what of it is valid. */
struct ir_type *tiling_place(struct tiling *t, const struct ir_expr *value);
/* name = value, in the block that is being written: the variable. */
struct ir_expr *tiling_bind(struct tiling *t, const char *name, struct ir_expr *value);
/* A tile of that shape without contents. */
struct ir_expr *tiling_scratch(struct tiling *t, const char *name, const ir_exprs *shape,
                               enum ir_dtype dtype);
/* tile.load of a region; of all of a tensor when offsets is NULL. */
struct ir_expr *tiling_load(struct tiling *t, struct ir_expr *tensor, struct ir_expr *offsets,
                            struct ir_expr *shape, struct ir_expr *valid, enum ir_space space);

#endif
