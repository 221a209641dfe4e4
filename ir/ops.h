/* SPDX-License-Identifier: MIT */
/*
 * The operator registry: one row per operator (pypto-facts 2, pypto-ops-facts 1). Parser, verifier,
 * printer, passes and code generation all read this table; nobody else switches on operator names.
 *
 * A name that the compiler registers has a row, whether or not the machine runs it: what has no row
 * is opaque, and InsertCommFence takes it for a write that anybody may see.
 */
#ifndef IR_OPS_H
#define IR_OPS_H

#include "ir/ir.h"

/* What a pass must know of an operator. Arguments are counted from 0. */
enum ir_effect {
    IR_EFFECT_PURE,  /* computes a value; touches no memory that another core can see */
    IR_EFFECT_READ,  /* reads global memory */
    IR_EFFECT_WRITE, /* writes global memory of this rank: publishing when the target is a window */
    IR_EFFECT_SILENT_WRITE, /* likewise, but the compiler's predicate does not know it
                             * (pypto-ops-facts 1) */
    IR_EFFECT_REMOTE_WRITE, /* writes a peer's window */
    IR_EFFECT_NOTIFY,       /* writes a peer's signal */
    IR_EFFECT_WAIT,         /* spins on a signal of this rank */
    IR_EFFECT_MARKER,       /* cache maintenance, fence, barrier */
    IR_EFFECT_LANE,         /* meets other cores: cross-core flags and pipes, barriers of blocks */
    IR_EFFECT_COLLECTIVE,   /* composite: lowered before markers are inserted */
    IR_EFFECT_HOST,         /* allowed in host or orchestration functions only */
    IR_EFFECT_COUNT
};

/* The unit that performs the operator's memory or tile access. */
// clang-format off
enum ir_pipe { IR_PIPE_NONE, IR_PIPE_S, IR_PIPE_V, IR_PIPE_MTE1, IR_PIPE_MTE2, IR_PIPE_MTE3, IR_PIPE_M, IR_PIPE_FIX, IR_PIPE_COUNT };
// clang-format on

enum ir_result_rule {
    IR_RESULT_UNKNOWN,       /* side effect only */
    IR_RESULT_ARG,           /* the type of argument result_arg */
    IR_RESULT_IN_PLACE,      /* likewise, and the result is that argument's buffer */
    IR_RESULT_ELEMENT,       /* scalar of argument result_arg's dtype */
    IR_RESULT_TILE_LOAD,     /* tile of the shape tuple, dtype of argument 0 */
    IR_RESULT_TILE_SHAPE,    /* tile of the shape tuple and the dtype keyword */
    IR_RESULT_TENSOR_SHAPE,  /* likewise a tensor */
    IR_RESULT_TILE_BINARY,   /* broadcast of the shapes of all arguments from result_arg on */
    IR_RESULT_TILE_ROW,      /* argument 0's shape with the last extent 1, or without it */
    IR_RESULT_TILE_COL,      /* argument 0's shape with the one before it 1, or without it */
    IR_RESULT_TILE_MATMUL,   /* accumulator of a product of arguments result_arg and the next */
    IR_RESULT_TILE_GEMV,     /* likewise, of one row in a block of 16 */
    IR_RESULT_MATMUL,        /* tensor, likewise, of the out_dtype keyword */
    IR_RESULT_VIEW,          /* of argument 0's dtype and the shape tuple, in argument 0's memory */
    IR_RESULT_EXPANDED,      /* of argument 0's dtype and the shape tuple, a value of its own */
    IR_RESULT_WINDOW,        /* distributed tensor of the shape tuple, dtype keyword */
    IR_RESULT_PREDICATE,     /* packed bits of a comparison of arguments 0 and 1 */
    IR_RESULT_LIKE,          /* shape of argument result_arg, dtype of argument 0 */
    IR_RESULT_BLOCKS,        /* likewise, blocks of 32 bytes for its elements */
    IR_RESULT_CONCAT,        /* last extents of all arguments added */
    IR_RESULT_DOUBLED,       /* argument 0 with the last extent doubled */
    IR_RESULT_MASKED,        /* argument 0 with the part of the last extent that a mask leaves */
    IR_RESULT_FOUND,         /* gather_compare: positions and counts */
    IR_RESULT_TRANSPOSED,    /* argument 0 with two axes exchanged, the last two when not named */
    IR_RESULT_REINTERPRETED, /* argument 0's bytes, or the shape tuple, under the dtype keyword */
    IR_RESULT_SPLIT,         /* half of argument 0, by the split keyword */
    IR_RESULT_JOINED,        /* twice argument 0, by the split keyword */
    IR_RESULT_PAGES,         /* paged_gather: max_indices times size */
    IR_RESULT_BOOL,
    IR_RESULT_INT32,
    IR_RESULT_INT64,
    IR_RESULT_INDEX,
    IR_RESULT_TASK_ID,
    IR_RESULT_CTX,
    IR_RESULT_PTR,
    IR_RESULT_ANNOTATED, /* the annotation decides */
    IR_RESULT_COUNT
};

/* The element type of a result with a shape. */
enum ir_dtype_rule {
    IR_ELEM_STATED,   /* as the result rule says, or else argument 0's */
    IR_ELEM_PROMOTED, /* that of arguments 0 and 1 together */
    IR_ELEM_KEYWORD,  /* the keyword target_type, dtype or output_dtype, if given */
    IR_ELEM_INT32
};

/*
 * Argument kinds, one letter an argument in struct ir_op.args:
 *   T tensor or distributed tensor, D distributed tensor, P plain tensor, t tile, s scalar,
 *   i integer scalar, u tuple of integers, v tuple of integers or one integer (a flat index),
 *   c communication context, p pointer, x tile or scalar, m tensor or tile, * anything.
 *
 * struct ir_op.params names them: "dst,peer,src,stage[,stage2][,dst_offsets,src_offsets,shape]".
 * What stands in one pair of brackets is given together or not at all; earlier pairs are filled
 * first when the number of arguments leaves a choice. "valid_shape=shapes" names a parameter that
 * text may leave out: the parser then repeats the argument `shapes`, or puts a number in its place,
 * so that the tree always holds it. Behind a bar stands how the authoring DSL orders parameters and
 * keywords by position, where that is not the parameters and then the positional keywords; a name
 * with `=` behind it prints by name.
 */
struct ir_op_kwarg {
    const char *name;
    /* 'i' int, 'b' bool, 's' string, 'd' dtype, 'e' enum, 'n' a number that has a name in strings,
     * '*' anything */
    char kind;
    bool required;
    const char *names;      /* kind 'e': "pld.NotifyOp", whose members are in ir_enums;
                               kind 'n': "row,elem", from 0 on */
    int64_t default_value;  /* kinds i, b, e, n when not required */
    const char *default_is; /* the other kinds: "pl.Mem.Vec" or the string, or NULL for none */
    bool open;              /* no value says what leaving it out says */
    bool positional; /* the authoring DSL may give it behind the arguments, without its name */
};

enum { IR_MAX_KWARGS = 7, IR_MAX_PARAMS = 9 };

struct ir_op {
    const char *name;   /* "tile.store", "pld.system.wait" */
    const char *args;   /* kinds of all positional arguments, in order */
    const char *params; /* their names, comma separated, for keyword spelling and messages */
    enum ir_effect effect;
    int8_t target; /* the written, published or polled argument, or -1 */
    enum ir_pipe pipe;
    enum ir_result_rule result;
    int8_t result_arg;
    enum ir_dtype_rule dtype;
    /*
     * Memory spaces of tiles (pypto-ops-facts 1.1, 2): letters of the spaces that each argument may
     * lie in, the first one preferred, comma separated; then `>` and where the result lies. V Vec,
     * M Mat, L Left, R Right, A Acc, B Bias, l and r their scales, - any. Of the result: `=` as its
     * first tile, `k` as the keyword target_memory says, `?` likewise, or where it is wanted.
     * NULL: the row says nothing.
     */
    const char *spaces;
    struct ir_op_kwarg kwargs[IR_MAX_KWARGS];
    const char *doc; /* one line, shown by `fencebench ops` */
};

/* All rows, counted through: NULL behind the last one. */
const struct ir_op *ir_op_at(size_t i);
size_t ir_op_count(void);

/* Where an operator may stand, as bits (pypto-facts 1.3, 2). */
enum ir_place {
    IR_PLACE_HOST = 1, /* functions of level HOST */
    IR_PLACE_CHIP = 2, /* Orchestration, Graph, Group, Spmd */
    IR_PLACE_CORE = 4, /* InCore, AIC, AIV, and scopes that become such functions */
    IR_PLACE_OPEN = 8, /* Opaque: not decided yet */
    IR_PLACE_CORES = IR_PLACE_CORE | IR_PLACE_OPEN,
    IR_PLACE_DEVICE = IR_PLACE_CHIP | IR_PLACE_CORES,
    IR_PLACE_OUTSIDE = IR_PLACE_HOST | IR_PLACE_CHIP | IR_PLACE_OPEN,
    IR_PLACE_ANY = IR_PLACE_HOST | IR_PLACE_DEVICE
};
enum ir_place ir_op_places(const struct ir_op *op);
/* May an InCore function use it? */
bool ir_op_in_core(const struct ir_op *op);
/* n arguments are allowed. */
bool ir_op_takes(const struct ir_op *op, size_t n);

/* The kind of argument i of a call with n arguments, or '\0' when the row allows none there. */
char ir_op_arg_kind(const struct ir_op *op, size_t n, size_t i);
/* The name of that argument in arena a, or NULL. */
const char *ir_op_arg_name(struct arena *a, const struct ir_op *op, size_t n, size_t i);
/* The order of text, or NULL when the row has none of its own. */
const char *ir_op_text_order(const struct ir_op *op);
/* The parameters that n arguments give, as positions among all; false when no choice fits n. */
bool ir_op_layout(const struct ir_op *op, size_t n, size_t out[IR_MAX_PARAMS]);
/* What stands for parameter i when text leaves it out: the parameter whose argument is repeated in
 * *repeated, or -1 and a number in *value; false when it may not be left out so. */
bool ir_op_default(const struct ir_op *op, size_t i, int *repeated, int64_t *value);
/* Position of the named parameter among all, or -1. A final s is ignored: shape, shapes. */
int ir_op_param(const struct ir_op *op, const char *name);
/* The argument that fills the parameter of that name in the operator's row, or NULL. */
struct ir_expr *ir_call_arg(const struct ir_call *call, const char *param);
/* "2 or 4": the allowed numbers of arguments, for messages. */
const char *ir_op_arities(struct arena *a, const struct ir_op *op);

/* A name that the authoring DSL has for several operators: the first row whose keyword is given, or
 * that has none, says which one is meant. */
struct ir_op_overload {
    const char *written, *keyword, *name;
};
extern const struct ir_op_overload ir_op_overloads[];
extern const size_t ir_op_overload_count;

/* The value is what the row says of a keyword that is left out. */
bool ir_op_is_default(const struct ir_op_kwarg *k, const struct ir_expr *value);

/* Another spelling: a short form, or the printed form of a call with a certain keyword. */
struct ir_op_spelling {
    const char *written; /* without the leading "pl." */
    const char *name;    /* of the row */
    const char *kwarg;   /* this keyword is present; NULL: a short form, read and never printed */
    bool implied;        /* the spelling stands for kwarg=True, which then is not printed */
    bool always;         /* the name of the row is a word of Python: this one is printed instead */
};
extern const struct ir_op_spelling ir_op_spellings[];
extern const size_t ir_op_spelling_count;

/* The row of a canonical name, or NULL. */
const struct ir_op *ir_op_find(const char *name);
/* The keyword of that name in the row, or NULL. */
const struct ir_op_kwarg *ir_op_keyword(const struct ir_op *op, const char *name);
/* What kind 'n' calls a value, in arena a, or NULL; and the value of a name, or -1. */
const char *ir_op_number_name(struct arena *a, const struct ir_op_kwarg *k, int64_t value);
int64_t ir_op_named_number(const struct ir_op_kwarg *k, const char *name);

/* An enum member as text names it and the integer it prints as (pypto-facts 2). */
struct ir_enum_member {
    const char *name; /* "pld.NotifyOp.Set" */
    int64_t value;
};
extern const struct ir_enum_member ir_enums[];
extern const size_t ir_enum_count;
/* The member with this full name, or NULL. */
const struct ir_enum_member *ir_enum_find(const char *name);

/* Integer value of keyword `name` of call (kinds i, b, e, n), or the row's default. */
int64_t ir_call_int(const struct ir_call *call, const char *name);

#endif
