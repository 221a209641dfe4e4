/* SPDX-License-Identifier: MIT */
/* What the files of the lowering share among themselves. */
#ifndef PTO_LOWER_H
#define PTO_LOWER_H

#include "isa/launch.h"
#include "isa/ring.h"
#include "pto/compile.h"

/* ---- arguments (bind.c) ---- */

/* ROLE_RING: the slots of a pipe. */
enum pto_role {
    ROLE_TENSOR,
    ROLE_WINDOW,
    ROLE_CTX,
    ROLE_SCALAR,
    ROLE_DIM,
    ROLE_BLOCK,
    ROLE_TILE,
    ROLE_RING
};

struct pto_arg {
    const struct pto_value *value;
    int lane; /* the function whose it is */
    int twin; /* the same argument of the task's first lane, or -1 */
    enum pto_role role;
    const char *number, *name; /* "arg4"; of the memory behind it */
    int region;                /* tensors: its own; contexts: theirs */
    int window;                /* of a context: the index of the argument whose it is */
    enum elem elem;
    int64_t elems; /* 0: not known */
    bool read_first, read, written;
    const struct pto_op *writes;     /* the first operation that does, or NULL */
    bool local;                      /* it is said to be no window */
    int joined;                      /* an earlier argument that is the same buffer, or -1 */
    const struct pto_tensor *tensor; /* of a recorded run, or NULL */
    int64_t recorded;                /* a dimension, as that had it; 0: not known */
    bool counts;                     /* cores count arrivals there: it begins with zeros */
    enum elem part;                  /* the smallest that a pipe hands on; else elem */
    bool constant;                   /* a dimension: on every rank the same */
    int64_t fixed;
    int64_t at_least; /* a dimension: as far as its known parts reach */
};
typedef VEC(struct pto_arg) pto_args;

struct slot;

/* ---- tasks (task.c) ---- */

/* A function, or its part for one kind of core, as a lane of a task. */
struct task_lane {
    const struct pto_op *func;
    int task;
    bool cube, dual;
    bool parts;              /* it holds code for both kinds of core */
    size_t first_arg, nargs; /* of args */
};

struct task_pipe {
    struct pipe_ring ring;
    const struct slot *memory; /* of the lane in hand: where the slots of all blocks lie */
};

struct task {
    const char *name;
    int first_lane, nlanes, blocks;
    int *after, nafter;               /* earlier tasks */
    VEC(struct task_pipe) pipes;      /* between its lanes */
    int flags;                        /* that these take */
    const struct pto_tensor *tensors; /* of a recorded run */
    int ntensors;
};

/* ---- values ---- */

enum slot_kind { SLOT_NONE, SLOT_NUMBER, SLOT_POINTER, SLOT_VIEW, SLOT_TILE };

struct slot {
    enum slot_kind kind;
    struct operand op; /* a number, or the address of a pointer or view */
    enum elem elem;
    int region;
    struct gm_use use;
    int ndims; /* of a view, whole or a part of one */
    struct operand extent[PTO_MAX_DIMS], stride[PTO_MAX_DIMS]; /* elements */
    int tile;
    struct operand rows, cols; /* of a tile: its valid part */
    /* A part of tile `whole` at bytes, row and column that the run computes; `tile` holds a copy. */
    bool placed;
    int whole;
    struct operand at, row, col;
};

/* Rows of a view: all its dimensions but one, evenly spaced; elements of the other one lie one behind
 * the other. */
struct layout {
    struct gm_rows rows;
    bool columns; /* what is dense in memory is the first dimension */
    int leading;  /* dimensions that do not fit in: as many times these rows */
};

typedef VEC(struct slot *) slot_list;

struct lower {
    union {
        struct builder; /* its members are the lowering's own */
        struct builder build;
    };
    const struct pto_file *file;
    const struct pto_options *o;
    struct diag *d;
    pto_args args;
    VEC(struct task_lane) lanes;
    VEC(struct task) launches;    /* the tasks; `tasks` has the names of their lanes */
    const struct task_lane *lane; /* the one in hand, */
    size_t own_first, own_end;    /* and its arguments */
    bool together;                /* some task is on several cores at once: */
    int block_reg;                /* the first of LAUNCH_REGISTERS */
    struct map slots;             /* value -> struct slot */
    struct map
        handed;       /* argument of a called function -> value of the call, of the visit in hand */
    struct map homes; /* alloc_tile -> tile (tiles.c) */
    const struct pto_op *func;
    bool vector;           /* of the function: it is for a vector core */
    slot_list *yields;     /* what a yield assigns */
    int while_exit;        /* the branch that scf.condition makes */
    slot_list *conditions; /* what it assigns */
    slot_list returned;
    int depth;                     /* of calls */
    VEC(const char *) written;     /* per line of the file, as in struct program */
    const struct pto_block *block; /* of the operation in hand, */
    size_t at;                     /* and its place there */
};

/* The number in the row of the table. */
int lower_detail(const struct pto_op *op);

/* The function with a body that is called, or NULL. */
const struct pto_op *lower_callee(const struct lower *l, const struct pto_op *call);

/* One operation. */
typedef bool pto_lowering(struct lower *l, const struct pto_op *op);

/* False, for the caller to return. */
bool lower_error(struct lower *l, struct span at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* The slot of a result, to be filled. */
struct slot *lower_new(struct lower *l, const struct pto_value *v);
/* That of an operand, which exists; NULL after an error. */
const struct slot *lower_slot(struct lower *l, const struct pto_op *op, const char *group, int n,
                              enum slot_kind kind);
bool lower_number(struct lower *l, const struct pto_operand *o, struct operand *out);
/* A number that is known when the file is translated: what it is in the message. */
bool lower_constant(struct lower *l, const struct pto_operand *o, const char *what, int64_t *out);
bool lower_set_number(struct lower *l, const struct pto_op *op, struct operand value);
struct operand lower_convert(struct lower *l, struct operand x, enum elem from, enum elem to);
/* The rows that a transfer moves. */
bool lower_rows_of(struct lower *l, const struct pto_op *op, const struct slot *v,
                   struct layout *out);
/* For a macro, that has no other dimensions. */
bool lower_even_rows(struct lower *l, const struct pto_op *op, const struct slot *v,
                     struct gm_rows *out);
/* Between a view and a tile, or the place in it that the run computes. */
bool lower_transfer(struct lower *l, const struct pto_op *op, enum insn_op insn,
                    const struct slot *v, const struct slot *t, bool adds);
/* atomicType says that the transfer adds. */
bool lower_adds(const struct pto_op *op);
/* False when the machine has no such elements. */
bool lower_elem(const char *name, enum elem *out);
/* As tmrgsort says how far it came. */
bool lower_is_vector(const struct pto_type *t);
/* Elements of eight bits or less that the machine only moves, a byte each. */
bool lower_is_carried(const char *name);
bool lower_need_elem(struct lower *l, const char *name, struct span at, enum elem *out);

/* An operation that only computes or names, and touches no memory. */
bool lower_is_pure(const struct pto_op *op);
/* Whose a marker is, by what stands around it (origin.c; pto-facts 3.3). */
enum origin_kind lower_origin(struct lower *l, const struct pto_block *b, size_t i);
/* What a sweep calls the barrier in hand: which macro it stands beside. */
const char *lower_barrier_name(const struct lower *l);

/* The tasks of the program and their lanes. */
bool tasks_choose(struct lower *l);
/* Takes the lane in hand. */
void tasks_enter(struct lower *l, int lane);
/* A part for that kind of core, of a function that holds both, is not for the lane in hand. */
bool tasks_skip(const struct lower *l, const char *kind);
/* "cube", "vector", or NULL where a function does not say it. */
const char *tasks_kind(const struct pto_op *func);
static inline struct task *lower_task(const struct lower *l)
{
    return &l->launches.items[l->lane->task];
}

/* What the arguments of a task's lanes are, as far as these tell; an error where it cannot be. */
bool bind_recognise(struct lower *l, int task);
/* The number N of "argN", or -1. */
int pto_position(const char *name);
/* Whose each context is, when the roles of all tasks are known. */
bool bind_contexts(struct lower *l);
/* Regions and argument registers of all functions; values: what these hold at first, by rank. */
bool bind_arguments(struct lower *l, uint64_t *bytes, int64_t **values);
/* Contents that are given, over those that memory begins with. False after an error. */
bool bind_contents(struct lower *l, uint8_t *const *memory);

/* ---- what is said of arguments (said.c) ---- */

/* What is given for an argument on a rank, with its function or task in front or by itself; word: "", or
 * what stands in front of its name. False after an error. */
bool said_value(struct lower *l, const struct pto_arg *arg, const char *word, int rank, bool *found,
                int64_t *out);
/* The name that its contents are given under, "init arg2", or NULL; false after an error. */
bool said_contents(struct lower *l, const struct pto_arg *arg, const char **name);
/* Roles, directions and contexts that are said of the arguments of a task, which begin at `first`. */
bool said_roles(struct lower *l, size_t first);
/* Arguments that are one buffer. */
bool said_joins(struct lower *l);
/* Whatever is said fits the argument that it is said of; when the roles are known. */
bool said_fits(struct lower *l);

/* ---- recorded runs (recorded.c) ---- */

/* The lane's arguments are those that its task had. False after an error. */
bool recorded_arguments(struct lower *l, int lane);
/* A buffer that is a window for one task is one for all. */
void recorded_windows(struct lower *l);
/* An argument that has the same buffer and a region already, or NULL. */
const struct pto_arg *recorded_peer(const struct lower *l, const struct pto_arg *a);
/* What a view says of dimensions: those of the recorded tensor, which is that argument's. */
void recorded_dims(struct lower *l, const struct pto_arg *a, const struct pto_op *view,
                   struct pto_arg *(*argument)(struct lower *, const struct pto_value *));
/* Windows of a recorded run lie as they did in their lines; the bytes that all regions take. */
uint64_t recorded_lay_out(struct lower *l);

/* The slots of the arguments of the lane in hand. */
bool bind_lane(struct lower *l);
/* The number of a block or vector core, or how many there are: which one its name says. */
struct operand bind_block(const struct lower *l, const char *name);
bool lower_pipe(struct lower *l, const struct pto_attr *a, struct span at, enum pipe *out);
/* A tile that is an argument, or is popped: one of its own. */
bool tiles_argument(struct lower *l, const struct pto_value *v, struct slot *out);
/* Overlapping tiles are one storage: the tiles of a function. */
bool tiles_prepare(struct lower *l, const struct pto_op *func);

/* The code of a lane. */
bool lower_lane(struct lower *l, int lane);
/* The slots of the pipes that the lane in hand sets up (cross.c): before it, and behind it. */
void cross_begin(struct lower *l);
void cross_end(struct lower *l);
/* Adds the pipe that an operation sets up to the task of the lane in hand, if it is the first to do
 * so. False after an error. */
bool cross_note_pipe(struct lower *l, const struct pto_op *op);
/* That one, or the one that is pushed to or popped from; or NULL. */
struct task_pipe *cross_find(struct lower *l, const struct pto_op *op);
bool lower_region(struct lower *l, const struct pto_region *r);

pto_lowering lower_constant_op, lower_integer, lower_float, lower_compare, lower_select, lower_cast,
    lower_for, lower_if, lower_while, lower_yield, lower_condition, lower_return, lower_call,
    lower_view, lower_partition, lower_addptr, lower_load_scalar, lower_store_scalar, lower_tload,
    lower_tstore, lower_notify, lower_collective, lower_reduce, lower_wait, lower_test,
    lower_copy_macro, lower_cacheinvalid, lower_fence, lower_barrier, lower_flag, lower_block_index,
    lower_section, lower_alloc_tile, lower_compute, lower_fill, lower_move, lower_fillpad,
    lower_validshape, lower_reshape, lower_subview, lower_tile_read, lower_tile_write,
    lower_tstore_fp, lower_print, lower_valid_extents, lower_array, lower_array_access,
    lower_view_extent, lower_slot_of_tiles, lower_mgather, lower_mscatter, lower_sync_set,
    lower_sync_wait, lower_syncall, lower_initialize_pipe, lower_tpush, lower_tpop, lower_no_code,
    lower_buffer;

#endif
