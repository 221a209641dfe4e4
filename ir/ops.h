/* SPDX-License-Identifier: MIT */
/*
 * The operator registry: one row per operator (pypto-facts 2). Parser, verifier, printer, passes
 * and code generation all read this table; nobody else switches on operator names.
 */
#ifndef IR_OPS_H
#define IR_OPS_H

#include "ir/ir.h"

/* What a pass must know of an operator. Arguments are counted from 0. */
enum ir_effect {
    IR_EFFECT_PURE,  /* computes a value; touches no memory that another core can see */
    IR_EFFECT_READ,  /* reads global memory */
    IR_EFFECT_WRITE, /* writes global memory of this rank: publishing when the target is a window */
    IR_EFFECT_REMOTE_WRITE, /* writes a peer's window */
    IR_EFFECT_NOTIFY,       /* writes a peer's signal */
    IR_EFFECT_WAIT,         /* spins on a signal of this rank */
    IR_EFFECT_MARKER,       /* cache maintenance, fence, barrier */
    IR_EFFECT_COLLECTIVE,   /* composite: lowered before markers are inserted */
    IR_EFFECT_HOST          /* allowed in host or orchestration functions only */
};

/* The unit that performs the operator's memory or tile access. */
// clang-format off
enum ir_pipe { IR_PIPE_NONE, IR_PIPE_S, IR_PIPE_V, IR_PIPE_MTE1, IR_PIPE_MTE2, IR_PIPE_MTE3, IR_PIPE_M, IR_PIPE_FIX };
// clang-format on

enum ir_result_rule {
    IR_RESULT_UNKNOWN,     /* side effect only */
    IR_RESULT_ARG,         /* the type of argument result_arg */
    IR_RESULT_ELEMENT,     /* scalar of argument result_arg's dtype */
    IR_RESULT_TILE_LOAD,   /* tile of the shape tuple, dtype of argument 0 */
    IR_RESULT_TILE_SHAPE,  /* tile of the shape tuple in argument 0 and the dtype keyword */
    IR_RESULT_TILE_BINARY, /* tile: broadcast of arguments 0 and 1 */
    IR_RESULT_TILE_CAST,   /* tile of argument 0's shape and the target dtype keyword */
    IR_RESULT_TILE_ROW,    /* tile of argument 0's shape with the last extent 1 */
    IR_RESULT_TILE_COL,    /* tile of argument 0's shape with the first extent 1 */
    IR_RESULT_TILE_MATMUL,
    IR_RESULT_VIEW,   /* tensor or tile of argument 0's dtype and the shape tuple in argument 1 */
    IR_RESULT_WINDOW, /* distributed tensor of the shape tuple in argument 1, dtype keyword */
    IR_RESULT_INT32,
    IR_RESULT_INT64,
    IR_RESULT_CTX,
    IR_RESULT_PTR,
    IR_RESULT_NONE_KNOWN, /* the annotation decides */
    IR_RESULT_INDEX,
    IR_RESULT_TENSOR_SHAPE /* tensor of the shape tuple in argument 0 and the dtype keyword */
};

/*
 * Argument kinds, one letter an argument in struct ir_op.args:
 *   T tensor or distributed tensor, D distributed tensor, P plain tensor, t tile, s scalar,
 *   i integer scalar, u tuple of integers, v tuple of integers or one integer (a flat index),
 *   c communication context, p pointer, x tile or scalar, m tensor or tile, * anything.
 *
 * struct ir_op.params names them: "dst,peer,src,stage[,stage2][,dst_offsets,src_offsets,shape]".
 * What stands in one pair of brackets is given together or not at all; earlier pairs are filled
 * first when the number of arguments leaves a choice. "valid_shapes=shapes" gives a trailing
 * parameter that text may leave out: the parser then repeats the argument `shapes`, so that the
 * tree always holds it.
 */
struct ir_op_kwarg {
    const char *name;
    char kind; /* 'i' int, 'b' bool, 's' string, 'd' dtype, 'e' enum, '*' anything */
    bool required;
    const char *enum_name; /* kind 'e': "pld.NotifyOp"; its members are in ir_enums */
    int64_t default_value; /* kinds i, b, e when not required */
    bool positional; /* the authoring DSL may give it behind the arguments, without its name */
};

enum { IR_MAX_KWARGS = 6, IR_MAX_PARAMS = 9 };

struct ir_op {
    const char *name;   /* "tile.store", "pld.system.wait" */
    const char *args;   /* kinds of all positional arguments, in order */
    const char *params; /* their names, comma separated, for keyword spelling and messages */
    uint16_t arities;   /* bit n set: n arguments allowed */
    enum ir_effect effect;
    int8_t target; /* the written, published or polled argument, or -1 */
    enum ir_pipe pipe;
    enum ir_result_rule result;
    int8_t result_arg;
    bool incore; /* may an InCore function use it? */
    struct ir_op_kwarg kwargs[IR_MAX_KWARGS];
    const char *doc; /* one line, shown by `fencebench ops` */
};

extern const struct ir_op ir_ops[];
extern const size_t ir_op_count;

/* Where an operator may stand, as bits (pypto-facts 1.3, 2). */
enum ir_place {
    IR_PLACE_HOST = 1, /* functions of level HOST */
    IR_PLACE_CHIP = 2, /* Orchestration, Graph, Group, Spmd */
    IR_PLACE_CORE = 4, /* InCore, AIC, AIV, and scopes that become such functions */
    IR_PLACE_OPEN = 8, /* Opaque: not decided yet */
    IR_PLACE_CORES = IR_PLACE_CORE | IR_PLACE_OPEN,
    IR_PLACE_DEVICE = IR_PLACE_CHIP | IR_PLACE_CORES,
    IR_PLACE_ANY = IR_PLACE_HOST | IR_PLACE_DEVICE
};
enum ir_place ir_op_places(const struct ir_op *op);

/* The kind of argument i of a call with n arguments, or '\0' when the row allows none there. */
char ir_op_arg_kind(const struct ir_op *op, size_t n, size_t i);
/* The name of that argument in arena a, or NULL. */
const char *ir_op_arg_name(struct arena *a, const struct ir_op *op, size_t n, size_t i);
/* The parameters that n arguments give, as positions among all; false when no choice fits n. */
bool ir_op_layout(const struct ir_op *op, size_t n, size_t out[IR_MAX_PARAMS]);
/* The parameter that stands for the last one when text leaves it out, or -1. */
int ir_op_repeated(const struct ir_op *op);
/* Position of the named parameter among all, or -1. A final s is ignored: shape, shapes. */
int ir_op_param(const struct ir_op *op, const char *name);
/* The argument that fills the parameter of that name in the operator's row, or NULL. */
struct ir_expr *ir_call_arg(const struct ir_call *call, const char *param);
/* "2 or 4": the allowed numbers of arguments, for messages. */
const char *ir_op_arities(struct arena *a, const struct ir_op *op);

/* Another spelling: a short form, or the printed form of a call with a certain keyword. */
struct ir_op_spelling {
    const char *written; /* without the leading "pl." */
    const char *name;    /* of the row */
    const char *kwarg;   /* this keyword is present; NULL: a short form, read and never printed */
    bool implied;        /* the spelling stands for kwarg=True, which then is not printed */
};
extern const struct ir_op_spelling ir_op_spellings[];
extern const size_t ir_op_spelling_count;

/* The row of a canonical name, or NULL. */
const struct ir_op *ir_op_find(const char *name);

/* An enum member as text names it and the integer it prints as (pypto-facts 2). */
struct ir_enum_member {
    const char *name; /* "pld.NotifyOp.Set" */
    int64_t value;
};
extern const struct ir_enum_member ir_enums[];
extern const size_t ir_enum_count;
/* The member with this full name, or NULL. */
const struct ir_enum_member *ir_enum_find(const char *name);

/* Integer value of keyword `name` of call (enum, bool or int), or the row's default. */
int64_t ir_call_int(const struct ir_call *call, const char *name);

#endif
