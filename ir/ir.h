/* SPDX-License-Identifier: MIT */
/*
 * The kernel language as a tree: types, expressions, statements, functions, programs (pypto-facts
 * 1).
 *
 * A tree is immutable once parsed; a pass builds a new one and shares what it did not change.
 * Everything lives in the arena of its program. Identity matters for variables and window buffers:
 * two struct ir_var are two variables even when their names are equal.
 *
 * A block is a list of statements. The compiler's own tree knows bare single-statement bodies
 * besides statement sequences; text cannot tell them apart and here both are a block, of one and of
 * n statements.
 */
#ifndef IR_IR_H
#define IR_IR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/table.h"
#include "base/vec.h"
#include "base/map.h"

struct ir_op; /* a row of the operator registry, ir/ops.h */
struct ir_expr;
struct ir_stmt;
struct ir_type;

// clang-format off
enum ir_dtype {
    IR_DTYPE_NONE,
    IR_INT4, IR_INT8, IR_INT16, IR_INT32, IR_INT64,
    IR_UINT4, IR_UINT8, IR_UINT16, IR_UINT32, IR_UINT64,
    IR_FP4, IR_FP8, IR_FP8E4M3FN, IR_FP8E5M2, IR_FP8E8M0, IR_FP16, IR_FP32, IR_BF16, IR_HF4, IR_HF8,
    IR_BOOL, IR_INDEX, IR_TASK_ID,
    IR_DTYPE_COUNT
};
// clang-format on

/* "INT32" for IR_INT32, as it prints behind `pl.`. */
const char *ir_dtype_name(enum ir_dtype t);
/* The dtype that prints as name, or IR_DTYPE_NONE. */
enum ir_dtype ir_dtype_parse(const char *name);
/* Size in bits (4 for INT4, 64 for INDEX and TASK_ID, 8 for BOOL). */
int ir_dtype_bits(enum ir_dtype t);
bool ir_dtype_is_float(enum ir_dtype t);
bool ir_dtype_is_signed(enum ir_dtype t);
/* INDEX or INT64, between which the compiler casts nothing (pypto-front-facts 2.3). */
bool ir_is_machine_word(enum ir_dtype t);

struct ir_var {
    const char *name;
    const char *shown;    /* what reports call it, and arguments: as its author knows it */
    struct ir_type *type; /* NULL until known */
    struct span span;
};
typedef VEC(struct ir_var *) ir_vars;
typedef VEC(struct ir_expr *) ir_exprs;

/* A keyword argument, a dict entry (key in name), or a function attribute. Order is kept. */
struct ir_kwarg {
    const char *name;
    struct ir_expr *value;
    struct span span;
};
typedef VEC(struct ir_kwarg) ir_kwargs;

/* What comm_domain scopes and distributed tensors share (pypto-facts 1.1, 1.4), by identity. */
struct ir_window_buffer {
    const char *name;
    struct ir_var *base; /* the Ptr variable of the allocation */
    struct ir_expr *size;
    bool load_from_host, store_to_host;
    const char *label; /* as read, and where it was read first; NULL when a pass made it */
    struct span span;
};

/* ---- types (pypto-facts 1.2) ---- */

enum ir_type_kind {
    IR_TYPE_UNKNOWN,
    IR_TYPE_SCALAR,
    IR_TYPE_TENSOR,
    IR_TYPE_DIST_TENSOR, /* no tensor to a pass that matches kinds precisely */
    IR_TYPE_TILE,
    IR_TYPE_TUPLE,
    IR_TYPE_PTR,
    IR_TYPE_WINDOW_BUFFER,
    IR_TYPE_COMM_CTX,
    IR_TYPE_MEMREF,
    IR_TYPE_OTHER /* any other dotted name; kept as text */
};

struct ir_type {
    enum ir_type_kind kind;
    enum ir_dtype dtype;         /* scalar, tensor, tile */
    ir_exprs shape;              /* tensor, tile: one expression per dimension */
    ir_exprs annots;             /* tensor, tile: what follows the dtype (MemRef, memory, views) */
    VEC(struct ir_type *) elems; /* tuple */
    struct ir_window_buffer *window; /* distributed tensor: its back-reference, or NULL */
    const char *text;                /* IR_TYPE_OTHER */
};

bool ir_type_is_tensor_like(const struct ir_type *t); /* tensor or distributed tensor */
/* A keyword of a tensor's view, pl.TensorView(name=...), or NULL; a layout alone is a view too. */
const struct ir_expr *ir_view_keyword(const struct ir_type *t, const char *name);
/* The layout of a tensor, "pl.TensorLayout.ND" where its type states none. */
const char *ir_tensor_layout(const struct ir_type *t);
/* pl.Array[EXTENT, ELEMENT], on a core's stack; such types are kept as text. */
bool ir_type_is_array(const struct ir_type *t);
enum ir_dtype ir_array_dtype(const struct ir_type *array);
struct ir_type *ir_array_type(struct arena *a, int64_t extent, enum ir_dtype dtype);

/* ---- expressions ---- */

enum ir_expr_kind {
    IR_VAR,
    IR_INT,
    IR_FLOAT,
    IR_BOOLEAN,
    IR_STRING,
    IR_NONE,
    IR_NAME, /* a dotted constant: pl.Mem.Vec, pl.FP32, self.f; a type as a value if type is set */
    IR_CALL, /* registered operator, unknown operator, or user function */
    IR_TUPLE,
    IR_LIST,
    IR_DICT,
    IR_GETITEM, /* base[index]: tuple element */
    IR_BINARY,
    IR_UNARY,
    IR_CAST
};

// clang-format off
enum ir_binary_op {
    IR_ADD, IR_SUB, IR_MUL, IR_FLOORDIV, IR_MOD, IR_TRUEDIV, IR_POW,
    IR_EQ, IR_NE, IR_LT, IR_LE, IR_GT, IR_GE,
    IR_AND, IR_OR, IR_XOR, /* logical, no short circuit */
    IR_BITAND, IR_BITOR, IR_BITXOR, IR_SHL, IR_SHR, IR_MIN, IR_MAX,
    IR_BINARY_COUNT
};
// clang-format on

/* ==, !=, <, <=, > or >=. */
bool ir_binary_compares(enum ir_binary_op op);
/* The result is a truth value: of comparisons and the logical operators. */
bool ir_binary_is_truth(enum ir_binary_op op);

enum ir_unary_op { IR_NEG, IR_NOT, IR_BITNOT, IR_ABS, IR_UNARY_COUNT };

enum ir_callee {
    IR_CALLEE_OP,      /* op is set */
    IR_CALLEE_UNKNOWN, /* an operator-like name that the registry does not hold; name is set */
    IR_CALLEE_USER,    /* self.name(...) or a function of the program */
    IR_CALLEE_SUBMIT   /* pl.submit, pl.spmd_submit: name is the launched function */
};
enum { IR_CALLEE_COUNT = IR_CALLEE_SUBMIT + 1 }; /* no enumerator: switches list them all */

struct ir_call {
    enum ir_callee callee;
    const struct ir_op *op;
    const char *name;    /* canonical: "tile.store", "pld.system.wait", "my_func" */
    const char *written; /* submit: the launcher as written ("pl.submit"); otherwise as name */
    ir_exprs args;       /* positional, keyword spellings of positional parameters already placed */
    ir_kwargs kwargs;
    ir_kwargs attrs; /* the trailing attrs={...} */
};

struct ir_expr {
    enum ir_expr_kind kind;
    struct span span;
    struct ir_type *type; /* NULL when unknown */
    union {
        struct ir_var *var;
        struct {
            int64_t value;
            enum ir_dtype dtype; /* INDEX for a bare literal */
        } integer;
        struct {
            double value;
            enum ir_dtype dtype;
        } real;
        bool boolean;
        const char *string;
        const char *name; /* IR_NAME */
        struct ir_call call;
        ir_exprs items; /* tuple, list */
        ir_kwargs dict;
        struct {
            struct ir_expr *base;
            int64_t index;
        } getitem;
        struct {
            enum ir_binary_op op;
            struct ir_expr *lhs, *rhs;
        } binary;
        struct {
            enum ir_unary_op op;
            struct ir_expr *operand;
        } unary;
        struct {
            struct ir_expr *operand;
            enum ir_dtype dtype;
        } cast;
    };
};

/* ---- statements ---- */

typedef VEC(struct ir_stmt *) ir_block;

// clang-format off
#define IR_STMT_KINDS(X) \
    X(IR_ASSIGN, "an assignment") \
    X(IR_EVAL, "a call for its effect") \
    X(IR_IF, "an if") \
    X(IR_FOR, "a for loop") \
    X(IR_WHILE, "a while loop") \
    X(IR_YIELD, "a yield") /* last statement of a loop body or branch that carries values */ \
    X(IR_RETURN, "a return") \
    X(IR_BREAK, "a break") \
    X(IR_CONTINUE, "a continue") \
    X(IR_SCOPE, "a scope") /* with <call>: body, for i in pl.spmd(...): body; comm_domain and the others */
enum ir_stmt_kind { IR_STMT_KINDS(ENUM_ROW) };

#define IR_LOOP_KINDS(X) \
    X(IR_RANGE, "pl.range") X(IR_PARALLEL, "pl.parallel") X(IR_UNROLL, "pl.unroll") X(IR_PIPELINE, "pl.pipeline")
// clang-format on
enum ir_loop_kind { IR_LOOP_KINDS(ENUM_ROW) IR_LOOP_KIND_COUNT };
const char *ir_loop_name(enum ir_loop_kind k);

struct ir_stmt {
    enum ir_stmt_kind kind;
    struct span span;
    union {
        struct {
            ir_vars targets; /* more than one: a tuple on the left */
            struct ir_expr *value;
            bool annotated;         /* x: T = ... as written */
            struct span annotation; /* where T stands, in what was read */
        } assign;
        struct ir_expr *eval;
        struct {
            struct ir_expr *cond;
            ir_block then_body, else_body;
            bool has_else;
            ir_vars results; /* phis: the names both branches yield to */
        } if_;
        struct {
            enum ir_loop_kind kind;
            struct ir_var *var;
            struct ir_expr *start, *stop, *step; /* never NULL */
            ir_vars iter_args;
            ir_exprs inits; /* one per iter_arg */
            ir_block body;
            ir_vars results;  /* the names the body's yield gives the loop's final values */
            ir_kwargs kwargs; /* stage=N, attrs={...} as one entry "attrs" */
        } for_;
        struct {
            struct ir_expr *cond; /* with iter_args: the pl.cond(...) of the first body line */
            ir_vars iter_args;
            ir_exprs inits;
            ir_block body;
            ir_vars results;
        } while_;
        struct {
            ir_exprs values;
        } yield;
        struct {
            ir_exprs values;
        } return_;
        struct {
            struct ir_expr *call; /* what follows `with`, or `in` when it has lanes */
            struct ir_var *var;   /* the task behind `as`, the lane that `for` binds, or NULL */
            bool lanes;           /* for var in pl.spmd(...): body, and pl.split_aiv likewise */
            ir_block body;
        } scope;
    };
};

/* ---- functions and programs ---- */

// clang-format off
#define IR_FUNC_TYPES(X) \
    X(IR_FUNC_OPAQUE, "Opaque") \
    X(IR_FUNC_ORCHESTRATION, "Orchestration") \
    X(IR_FUNC_INCORE, "InCore") \
    X(IR_FUNC_AIC, "AIC") \
    X(IR_FUNC_AIV, "AIV") \
    X(IR_FUNC_GROUP, "Group") \
    X(IR_FUNC_SPMD, "Spmd") \
    X(IR_FUNC_GRAPH, "Graph") \
    X(IR_FUNC_INLINE, "Inline") /* its body takes the place of its calls */
// clang-format on
enum ir_func_type { IR_FUNC_TYPES(ENUM_ROW) IR_FUNC_TYPE_COUNT };
const char *ir_func_type_name(enum ir_func_type t);

/* True for what programs call their number of ranks, in upper or lower case: nr, n_ranks, nranks,
 * num_ranks, world_size. */
bool ir_name_counts_ranks(const char *name);

enum ir_direction { IR_IN, IR_OUT, IR_INOUT, IR_DIRECTION_COUNT };

struct ir_param {
    struct ir_var *var;
    enum ir_direction direction;
};

struct ir_func {
    const char *name;
    const char *doc; /* docstring, or NULL */
    struct span span;
    enum ir_func_type type;
    ir_kwargs decorator; /* keywords of @pl.function as written, type= included, attrs= not */
    ir_kwargs attrs;     /* of attrs=, and of pl.func_attr at the start of the body */
    bool has_self;       /* the printed form of kernels has no self parameter */
    bool jit;            /* @pl.jit...: what is written as its result is not what counts
                          * (pypto-front-facts 1.2) */
    bool strict_ssa;     /* none of its scopes may assign a variable twice; asked for by strict_ssa=
                          * of the program, or of a function outside of one */
    VEC(struct ir_param) params;
    struct ir_type *return_type; /* NULL when not declared */
    bool is_abstract;            /* the body is `...`: bound at run time */
    const char *python; /* the body of a worker on the host, which is Python: its lines; or NULL */
    ir_block body;
};

/* NAME = pl.dynamic("NAME") at module level: a symbolic dimension. */
struct ir_global {
    struct ir_var *var;
};

struct ir_program {
    struct arena *arena;
    const struct source *source;
    const char *name;   /* class name, or NULL for a file of bare functions */
    const char *header; /* "# pypto.program: NAME" payload, or NULL */
    const char *doc;
    VEC(struct ir_global) globals;
    VEC(struct ir_func *) funcs;
    /* Dimension names that are declared nowhere but in types (pypto-facts 1.6). */
    ir_vars implicit_symbols;
    /* What ir_add_... enters: name of a function -> its position + 1, a module-level variable ->
     * itself. A rewritten program keeps both. */
    struct map positions, module;
    /* Names of the Python around the program -> their values, which stand in its tree. */
    struct map constants;
    bool counts_ranks; /* one of these is the number of ranks, or made of it */
};

/* Adding to a program, in its arena. */
void ir_add_func(struct ir_program *p, struct ir_func *f);
void ir_add_global(struct ir_program *p, struct ir_var *var);
void ir_add_symbol(struct ir_program *p, struct ir_var *var);
void ir_add_constant(struct ir_program *p, const char *name, struct ir_expr *value);
/* The value of a name of the Python around the program, or NULL. */
const struct ir_expr *ir_find_constant(const struct ir_program *p, const char *name);
/* The variable is a module-level name or an implicit symbol. */
bool ir_is_module_var(const struct ir_program *p, const struct ir_var *var);

/* InCore, AIC and AIV functions run on a core; only they get communication markers. */
bool ir_func_is_incore(const struct ir_func *f);
/* Level HOST and orchestrator: where windows are allocated and ranks
 * dispatched (pypto-facts 4.1). */
bool ir_func_is_host_orchestrator(const struct ir_func *f);
/* Level CHIP and orchestrator, no Graph: what a host orchestrator dispatches to a rank. */
bool ir_func_is_chip_orchestrator(const struct ir_func *f);
/* Level HOST or above and role SubWorker: its body is code of the host, not of this language. */
bool ir_func_is_host_worker(const struct ir_func *f);
struct ir_func *ir_find_func(const struct ir_program *p, const char *name);
/* A call has as many arguments as f parameters; a launch may leave out some that it writes, which
 * the runtime then allocates, but no window (pypto-front-facts 2.7). */
bool ir_call_fits(const struct ir_func *f, const struct ir_call *call);
/* The argument of a call that fits for parameter i, or -1 when the launch leaves it out. */
int ir_arg_of_param(const struct ir_func *f, const struct ir_call *call, size_t i);
/* A variable that nothing defines: the compiler's printer puts __FREE_VAR behind the name, where a
 * value is never read, or where the compiler lost a definition (pypto-front-facts 3.3, 3.8). */
bool ir_is_free_var(const struct ir_var *v);
bool ir_vars_hold(const ir_vars *vars, const struct ir_var *v);
/* The named keyword's value, or NULL. */
struct ir_expr *ir_kwarg_find(const ir_kwargs *kw, const char *name);

/* ---- building (all in arena a) ---- */

struct ir_type *ir_type_new(struct arena *a, enum ir_type_kind kind);
/* pl.Scalar[dtype], shared by all programs; NULL for IR_DTYPE_NONE. */
struct ir_type *ir_scalar_type(enum ir_dtype dtype);
struct ir_expr *ir_expr_new(struct arena *a, enum ir_expr_kind kind, struct span at);
struct ir_expr *ir_int(struct arena *a, int64_t value, enum ir_dtype dtype, struct span at);
struct ir_expr *ir_bool(struct arena *a, bool value, struct span at);
struct ir_var *ir_var_new(struct arena *a, const char *name, struct ir_type *type, struct span at);
struct ir_expr *ir_var_ref(struct arena *a, struct ir_var *v, struct span at);
struct ir_expr *ir_tuple(struct arena *a, ir_exprs items, struct span at);
/*
 * A call of the registered operator; op_name must be in the registry. Keywords are added by the
 * caller. The type is inferred from the arguments; a rule that needs a keyword leaves it NULL for
 * the caller.
 */
struct ir_expr *ir_op_call(struct arena *a, const char *op_name, ir_exprs args, struct span at);
/*
 * A slot of a comm_domain scope, pl._dump.window_buffer(...) in text: an IR_CALL without arguments
 * whose type's window is w. Slots and tensor types that name the same window share one object.
 */
#define IR_WINDOW_SLOT "_dump.window_buffer"
struct ir_expr *ir_window_slot(struct arena *a, struct ir_window_buffer *w, struct span at);
/*
 * A comm_domain scope, `with pl._dump.comm_domain(name=..., devices=[...], slots=[...]):` in text
 * (pypto-facts 1.4). Devices ascend; no device at all stands for every device.
 */
#define IR_COMM_DOMAIN "_dump.comm_domain"
bool ir_is_comm_domain(const struct ir_stmt *s);
struct ir_stmt *ir_comm_domain(struct arena *a, const char *name, const int64_t *devices, size_t n,
                               ir_exprs slots, ir_block body, struct span at);
struct ir_stmt *ir_stmt_new(struct arena *a, enum ir_stmt_kind kind, struct span at);

/* The yield that ends a block, or NULL. It may stand in scopes that end the block: a runtime scope
 * goes around the whole body of a loop or branch (pypto-facts 1.1). */
const struct ir_stmt *ir_block_yield(const ir_block *block);

/* The leaf call of an eval or assign statement (its value is a call), or NULL. */
const struct ir_call *ir_leaf_call(const struct ir_stmt *s);

/* ---- walking ---- */

/* Calls fn for e and every expression below it, parents first. fn returning false ends the walk. */
bool ir_walk_expr(const struct ir_expr *e, bool (*fn)(const struct ir_expr *e, void *ctx),
                  void *ctx);

/* Integer value of an expression over literals and known globals; false when it has none. */
bool ir_const_int(const struct ir_expr *e, int64_t *out);

#endif
