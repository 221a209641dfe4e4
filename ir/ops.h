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
// clang-format off
#define IR_EFFECTS(X) \
    X(IR_EFFECT_PURE, "pure") /* computes a value; touches no memory that another core can see */ \
    X(IR_EFFECT_READ, "read") /* reads global memory */ \
    X(IR_EFFECT_WRITE, "write") /* writes global memory of this rank: publishing when the target is a window */ \
    X(IR_EFFECT_SILENT_WRITE, "silent write") /* likewise, but the compiler's predicate does not know it (pypto-ops-facts 1) */ \
    X(IR_EFFECT_REMOTE_WRITE, "remote write") /* writes a peer's window */ \
    X(IR_EFFECT_NOTIFY, "notify") /* writes a peer's signal */ \
    X(IR_EFFECT_WAIT, "wait") /* spins on a signal of this rank */ \
    X(IR_EFFECT_MARKER, "marker") /* cache maintenance, fence, barrier */ \
    X(IR_EFFECT_LANE, "lane") /* meets other cores: cross-core flags and pipes, barriers of blocks */ \
    X(IR_EFFECT_COLLECTIVE, "collective") /* composite: lowered before markers are inserted */ \
    X(IR_EFFECT_HOST, "host") /* allowed in host or orchestration functions only */
// clang-format on
enum ir_effect { IR_EFFECTS(ENUM_ROW) IR_EFFECT_COUNT };

/* The unit that performs the operator's memory or tile access. */
// clang-format off
#define IR_PIPES(X) \
    X(IR_PIPE_NONE, "-") X(IR_PIPE_S, "S") X(IR_PIPE_V, "V") X(IR_PIPE_MTE1, "MTE1") X(IR_PIPE_MTE2, "MTE2") \
    X(IR_PIPE_MTE3, "MTE3") X(IR_PIPE_M, "M") X(IR_PIPE_FIX, "FIX")
// clang-format on
enum ir_pipe { IR_PIPES(ENUM_ROW) IR_PIPE_COUNT };

// clang-format off
#define IR_RESULTS(X) \
    X(IR_RESULT_UNKNOWN, "-") /* side effect only */ \
    X(IR_RESULT_ARG, "as %s") /* the type of argument result_arg */ \
    X(IR_RESULT_IN_PLACE, "%s in place") /* likewise, and the result is that argument's buffer */ \
    X(IR_RESULT_ELEMENT, "element of %s") /* scalar of argument result_arg's dtype */ \
    X(IR_RESULT_TILE_LOAD, "tile") /* tile of the shape tuple, dtype of argument 0 */ \
    X(IR_RESULT_TILE_SHAPE, "tile") /* tile of the shape tuple and the dtype keyword */ \
    X(IR_RESULT_TENSOR_SHAPE, "tensor") /* likewise a tensor */ \
    X(IR_RESULT_TILE_BINARY, "broadcast") /* broadcast of the shapes of all arguments from result_arg on */ \
    X(IR_RESULT_TILE_ROW, "column of %s") /* argument 0's shape with the last extent 1, or without it */ \
    X(IR_RESULT_TILE_COL, "row of %s") /* argument 0's shape with the one before it 1, or without it */ \
    X(IR_RESULT_TILE_MATMUL, "product tile") /* accumulator of a product of arguments result_arg and the next */ \
    X(IR_RESULT_TILE_GEMV, "product tile") /* likewise, of one row in a block of 16 */ \
    X(IR_RESULT_MATMUL, "product") /* tensor, likewise, of the out_dtype keyword */ \
    X(IR_RESULT_VIEW, "view of %s") /* of argument 0's dtype and the shape tuple, in argument 0's memory */ \
    X(IR_RESULT_RELAID, "view of %s under the layout") /* likewise, packed in the layout keyword's order */ \
    X(IR_RESULT_EXPANDED, "larger %s") /* of argument 0's dtype and the shape tuple, a value of its own */ \
    X(IR_RESULT_WINDOW, "window") /* distributed tensor of the shape tuple, dtype keyword */ \
    X(IR_RESULT_PREDICATE, "packed bits") /* packed bits of a comparison of arguments 0 and 1 */ \
    X(IR_RESULT_LIKE, "shaped as %s") /* shape of argument result_arg, dtype of argument 0 */ \
    X(IR_RESULT_BLOCKS, "blocks by %s") /* likewise, blocks of 32 bytes for its elements */ \
    X(IR_RESULT_CONCAT, "side by side") /* last extents of all arguments added */ \
    X(IR_RESULT_DOUBLED, "twice as wide") /* argument 0 with the last extent doubled */ \
    X(IR_RESULT_MASKED, "part of %s") /* argument 0 with the part of the last extent that a mask leaves */ \
    X(IR_RESULT_FOUND, "places, counts") /* gather_compare: positions and counts */ \
    X(IR_RESULT_TRANSPOSED, "transposed") /* argument 0 with two axes exchanged, the last two when not named */ \
    X(IR_RESULT_REINTERPRETED, "same bytes") /* argument 0's bytes, or the shape tuple, under the dtype keyword */ \
    X(IR_RESULT_SPLIT, "half") /* half of argument 0, by the split keyword */ \
    X(IR_RESULT_JOINED, "double") /* twice argument 0, by the split keyword */ \
    X(IR_RESULT_GATHERED, "a row or element for each index") /* mgather: of argument 0, by argument 1 */ \
    X(IR_RESULT_PAGES, "pages") /* paged_gather: max_indices times size */ \
    X(IR_RESULT_BOOL, "bool") \
    X(IR_RESULT_INT32, "int32") \
    X(IR_RESULT_INT64, "int64") \
    X(IR_RESULT_INDEX, "index") \
    X(IR_RESULT_TASK_ID, "task id") \
    X(IR_RESULT_CTX, "context") \
    X(IR_RESULT_PTR, "pointer") \
    X(IR_RESULT_ANNOTATED, "as annotated") /* the annotation decides */
// clang-format on
enum ir_result_rule { IR_RESULTS(ENUM_ROW) IR_RESULT_COUNT };

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
 *   c communication context, p pointer, x tile or scalar, m tensor or tile, * anything, o tensor, or
 *   None where it is left out and what follows it is given.
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
/* It hands tiles or tensors over between the cores of a cluster, whole or in halves; in a region of
 * vector lanes as the region says, and text leaves its split= out there (pypto-ops-facts 1.2). */
bool ir_op_is_halving(const struct ir_op *op);
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
