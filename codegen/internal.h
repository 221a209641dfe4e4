/* SPDX-License-Identifier: MIT */
/* What the files of code generation share among themselves. */
#ifndef CODEGEN_INTERNAL_H
#define CODEGEN_INTERNAL_H

#include "ir/ops.h"
#include "ir/space.h"
#include "ir/valid.h"
#include "codegen/codegen.h"
#include "isa/builder.h"

enum { MAX_DIMS = 8, MAX_INLINE = 16, MAX_BLOCKS = 64 };

#define GEN_COPY BUILD_COPY

enum value_kind { VAL_VOID, VAL_INT, VAL_FLOAT, VAL_TILE, VAL_PAIR, VAL_TENSOR, VAL_CTX };

/* A tensor: a base pointer and a layout known at compile time. */
struct tensor {
    int region;
    /* register with the global address of element 0; imm: constant bytes on top of reg */
    struct operand base;
    int ndims;
    int64_t shape[MAX_DIMS], stride[MAX_DIMS]; /* elements */
    bool run_time; /* a slice with extents that only a run knows: shape holds what they may be at
                      the most, extent what they are */
    struct operand extent[MAX_DIMS];
    enum elem elem;
    int ctx;   /* register with the context's address, or NO_REG */
    int peers; /* region of the context's array of window bases */
    int root;  /* register of the argument that the pointer comes from; NO_REG: the assembler does
                  not see it */
};

struct value {
    enum value_kind kind;
    struct operand op; /* INT: 64-bit integer; FLOAT: fp32 bits; CTX: address of the context */
    int tile, second;  /* second: the other tile of a pair */
    const struct tensor *tensor;
};

/* What a variable of the tree stands for. */
struct var_slot {
    struct value value;
    /* in the whole program text: 1 means that a value can be bound without a copy */
    int assignments;
    bool bound, joined; /* joined: loops carry it or branches yield it */
    bool loaded;        /* a slice of a tensor that is used as a value */
    bool parts;         /* a tile of which only a part may be valid */
};

struct patch_list {
    VEC(int) at;
};

struct loop {
    struct loop *outer;
    struct patch_list breaks, continues;
    const ir_vars *carried; /* what the body's final yield assigns */
};

/* What one launch runs at once: the lanes of a Group, or one function, in several blocks. */
struct launch_member {
    const struct ir_func *func;
    const struct ir_call *call; /* of the Group, or NULL */
    enum lane kind;             /* LANE_AIC or LANE_AIV0 */
    bool dual;                  /* on both vector cores */
};
struct launch {
    const struct ir_func *func; /* the Group, or the one member */
    VEC(struct launch_member) members;
    int blocks;
    bool together;       /* on more than one core */
    struct pipes *pipes; /* between its members, or NULL */
};
typedef VEC(struct launch) launch_list;

struct pipes; /* codegen/cross.c */

/* A parameter of a task. */
struct param {
    const struct ir_param *p;
    const struct ir_func *func;
    const char *name; /* of the memory behind it: the Group's, where that passes on its own */
    int region;       /* tensors */
};
typedef VEC(struct param) param_list;

struct gen {
    union {
        struct builder; /* its members are the generator's own */
        struct builder build;
    };
    const struct ir_program *prog;
    const struct codegen_options *opt;
    const struct directives *dir;
    struct diag *d;
    VEC(enum ir_space) spaces; /* parallel to tiles */
    struct map space;          /* where the tile variables of the function lie */
    struct map valid;          /* what all definitions of a variable together say */
    bool stores_parts;         /* a store takes its extents from tile_valid */
    VEC(int) region_ctx; /* parallel: argument register with the window's context, or NO_REG */
    int nargs;
    struct map slots; /* variable -> struct var_slot */
    /* the place in the text */
    const struct ir_func *func;
    struct loop *loop;
    struct patch_list returns;
    const ir_vars *yield_to; /* phis of the enclosing if, or the loop's carried variables */
    struct value returned;
    int inline_depth;
    struct operand block_index, block_count; /* of an SPMD launch */
    struct operand lane_index;               /* of a vector core in its cluster */
    struct pipes *pipes;                     /* of the launch that the task belongs to, or NULL */
    int pipe_pointers; /* the register with the address of region 0; those of others follow */
};

/* The code of a call; target: the variable that takes its value, or NULL. */
typedef struct value gen_operator(struct gen *g, const struct ir_expr *e,
                                  const struct ir_var *target);

/* The builder, which knows the function in hand. */
static inline struct builder *gen_builder(struct gen *g)
{
    g->function = g->func ? g->func->name : NULL;
    return &g->build;
}

static const struct value none = {.kind = VAL_VOID};

/* ---- codegen.c ---- */

/* What was generated, as a program of nranks times those cores, which run it; called name, unless
 * the file has a name. Memory and what cores start with are the caller's. */
struct program *gen_program(struct gen *g, const char *name, int nranks, const place_list *places);
/* False, for the caller to return. */
bool gen_error(struct gen *g, struct span at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- params.c ---- */

/* The last binding of a name: the command line comes after the file. */
const struct binding *codegen_binding(const struct directives *dir, const struct codegen_options *o,
                                      const char *name);
/* Values of the program's constants and of symbols that --arg or a directive names. */
bool gen_globals(struct gen *g);
/* An error for an --arg that names nothing. */
bool gen_known_bindings(struct gen *g, const param_list *params);
/* The strides of t that the type's TensorView gives, or its layout;
 * where it gives none, t's stay. */
bool gen_layout(struct gen *g, const struct ir_type *type, struct span at, struct tensor *t);
/* Rows one behind the other, or columns (layout DN); false for another layout. */
bool gen_layout_strides(const struct ir_expr *layout, struct tensor *t);
/* All parameters of the launches' members, and a region for each tensor among them and for each
 * context. */
bool gen_collect_params(struct gen *g, const launch_list *launches, param_list *out);
/* The number of windows: they come first among the regions, their contexts next. */
int gen_window_count(const struct gen *g);
/* Binds the parameters to registers; values: what these hold at the start, by rank. */
bool gen_bind_params(struct gen *g, const param_list *params, int64_t **values);

/* ---- vars.c ---- */

struct var_slot *gen_slot(struct gen *g, const struct ir_var *v);
void gen_bind(struct gen *g, const struct ir_var *v, struct value value);
/* Gives variables of f one slot where no value is overwritten that is still read (homes.c). */
void gen_share_homes(struct gen *g, const struct ir_func *f);
/* Counts the assignments to f's variables, once a function, before any code of it. */
void gen_count(struct gen *g, const struct ir_func *f);
/* Before another task with the same text. */
void gen_forget(struct gen *g, const struct ir_func *f);
/* Has it several definitions? */
bool gen_changes(struct gen *g, const struct ir_var *v);
/* Is it defined anew, other than by the loop that carries it or the branches that yield it? */
bool gen_redefined(struct gen *g, const struct ir_var *v);
/* A copy of a tile that another variable may change later. */
struct value gen_own_tile(struct gen *g, struct value value);
/* An assignment; with several targets it takes a pair or a tuple apart. */
bool gen_assign(struct gen *g, const struct ir_stmt *s);
/* Assigns several values at once: later ones may name variables that earlier ones change. */
bool gen_assign_all(struct gen *g, const ir_vars *vars, const ir_exprs *values, struct span at);
/* A parameter that its function changes gets a register or tile of its own: the caller's stays as
 * it is. */
void gen_bind_argument(struct gen *g, const struct ir_var *v, struct value value, struct span at);

/* ---- stmt.c ---- */

/* returned: the value of its return statement; the void value without one. */
bool gen_function_body(struct gen *g, const struct ir_func *f, struct value *returned);
/* The code of the called function where its call stands, and what it returns. */
struct value gen_inline_call(struct gen *g, const struct ir_call *call, struct span at);

/* ---- task.c ---- */

/* The instructions of f as a task of its own, whose parameters are bound. */
bool gen_task(struct gen *g, const struct ir_func *f);

/* ---- emit.h: the builder's functions by the names of code generation ---- */

#include "codegen/emit.h"

void gen_patch_all(struct gen *g, const struct patch_list *l);

/* ---- tile_slots.c ---- */

int gen_tile(struct gen *g, const char *name, int rows, int cols, enum elem elem, enum ir_space s);
/* A part of tile `of`, or the whole under another shape: in its memory, from an offset in bytes on,
 * with pitch elements from one row to the next; 0: cols. */
int gen_view(struct gen *g, const char *name, int of, struct tile layout);
/* A definition of the tile has these valid extents; a register is copied. */
void gen_set_valid(struct gen *g, int tile, struct operand rows, struct operand cols);
void gen_set_whole(struct gen *g, int tile);
/* From here on, each definition sets the valid extents at run time. */
void gen_track_valid(struct gen *g, int tile);

/* ---- expr.c ---- */

struct value gen_expr(struct gen *g, const struct ir_expr *e, const struct ir_var *target);
/* The operation on integers; ALU_COUNT: there is none. */
enum alu alu_of_binary(enum ir_binary_op op);
enum alu alu_of_unary(enum ir_unary_op op);
struct value gen_pair_item(struct value pair, int64_t i);
bool gen_int(struct gen *g, const struct ir_expr *e, struct operand *out);
/* A value that must be known at compile time: what names it in the message. */
bool gen_const(struct gen *g, const struct ir_expr *e, const char *what, int64_t *out);
/* False when the machine has no such elements. */
bool elem_of_dtype(enum ir_dtype t, enum elem *out);
bool gen_elem(struct gen *g, enum ir_dtype t, struct span at, enum elem *out);
/* Integer or float value converted to the bits of an element. */
struct operand gen_to_elem(struct gen *g, struct value v, enum elem to);
struct value gen_from_elem(struct gen *g, int reg, enum elem from);
/* Tile for the result of e; reuses the target variable's tile when it fits. */
int gen_result_tile(struct gen *g, const struct ir_expr *e, const struct ir_var *target);
/* Rows and columns of a tile of that type: all dimensions but the last are rows. */
bool gen_tile_extents(struct gen *g, const struct ir_type *t, struct span at, int *rows, int *cols);
void gen_tile_op(struct gen *g, enum tile_op_kind kind, const char *name, enum pipe pipe, int dst,
                 const int *src, int nsrc, struct operand scalar);

/* ---- tiles.c ---- */

int gen_tile_arg(struct gen *g, const struct ir_expr *e);
/* An operand whose memory the result shares: a copy of it, where a later definition of one of the
 * names must not change what the other one stands for. */
int gen_shared_arg(struct gen *g, const struct ir_expr *from, const struct ir_var *target);
/* Extents that the tile's type says are valid (TileView), or else its definition. */
bool gen_valid_extents(struct gen *g, const struct ir_expr *e, int tile, struct operand *rows,
                       struct operand *cols);
/* The unit of a GEN_COPY: one that works on tiles of that space anyway. */
enum pipe gen_copy_pipe(const struct gen *g, int tile);
/* The code of an operator that ops.c has no row for: one on tiles, or an error that says
 * why it cannot run. */
struct value gen_tile_operator(struct gen *g, const struct ir_expr *e, const struct ir_var *target);

/* ---- ops.c ---- */

gen_operator gen_call;

/* ---- memory.c ---- */

gen_operator gen_get_ctx, gen_rank, gen_read, gen_write, gen_tile_read;
/* The tensor that e stands for; NULL after an error. */
const struct tensor *gen_tensor_arg(struct gen *g, const struct ir_expr *e);
/* The entries of a tuple or list, len of them unless that is negative; NULL after an error. */
const ir_exprs *gen_tuple_arg(struct gen *g, const struct ir_expr *e, int len);
/* The extent of dimension i: a register where only a run knows it. */
struct operand gen_extent(const struct tensor *t, int i);
/* Its elements lie one behind the other, in the order of the rows. */
bool gen_is_dense(const struct tensor *t);
/* The address of t[index]. */
struct operand gen_element_address(struct gen *g, const struct tensor *t, const ir_exprs *index);
/* The address of the element that is number flat in the order of the rows. */
struct operand gen_flat_address(struct gen *g, const struct tensor *t, struct operand flat);
/* The same place in the peer's copy of the window t. */
struct operand gen_peer_address(struct gen *g, struct operand addr, const struct tensor *t,
                                const struct ir_expr *peer);
/* A scalar load or store of an element of t. */
struct insn gen_scalar_access(struct gen *g, enum insn_op op, const struct tensor *t,
                              struct operand addr);

/* ---- arrays.c ---- */

gen_operator gen_array_create, gen_array_get, gen_array_update;

/* ---- transfer.c ---- */

/* Rows of a tensor, evenly spaced. */
struct region_arg {
    struct operand addr, rows, cols;
    int64_t gm_stride; /* bytes between rows */
    bool peer;         /* of the copy that a peer has */
};

gen_operator gen_load, gen_store, gen_assemble;
gen_operator gen_remote_load, gen_remote_store, gen_tensor_remote_store;
/* The part of t that begins at the offsets and has the shape. */
bool gen_region(struct gen *g, const struct tensor *t, const struct ir_expr *offsets,
                const struct ir_expr *shape, struct region_arg *out);
/* All of t. */
bool gen_whole_region(struct gen *g, const struct tensor *t, struct region_arg *out,
                      struct span at);
/* The same region of the peer's copy. */
void gen_to_peer(struct gen *g, const struct tensor *t, const struct ir_expr *peer,
                 struct region_arg *r);
/* True when r has no more elements than the tile, as far as both are known; else an error at at. */
bool gen_check_fits(struct gen *g, int tile, const struct region_arg *r, struct span at);
/* What a transfer of r names of memory. */
struct gm_rows gen_rows(const struct tensor *t, const struct region_arg *r);
/* The transfer between r and a tile; what comes back can be changed until the next one. */
struct dma *gen_dma(struct gen *g, enum insn_op op, const struct tensor *t, int tile,
                    const struct region_arg *r);
/* All of a tensor in a tile of its own; its extents, where only the run knows them, in r. */
bool gen_load_whole(struct gen *g, const struct tensor *t, const char *name, struct span at,
                    int *tile, struct region_arg *r);

/* ---- copy.c, gather.c, signals.c, views.c ---- */

gen_operator gen_gather_row, gen_mgather, gen_mscatter;
gen_operator gen_put, gen_get;
gen_operator gen_notify, gen_wait, gen_defer_wait;
gen_operator gen_tensor_view, gen_dim;

/* ---- markers.c ---- */

gen_operator gen_cacheinvalid, gen_fence, gen_event, gen_bar;
/* dcci of the peer's line: the peer address is known only here (pypto-facts 6, workarounds). */
void gen_peer_cacheinvalid(struct gen *g, struct operand addr);
/* The barrier beside a macro that the toolchain profile asks for: kind is an EXTRA_*. */
void gen_extra_barrier(struct gen *g, int kind, const char *what);

/* ---- lanes.c: what runs at once ---- */

/* Binds the variable of a scope inside of a kernel; an error where a pass has yet to run. */
bool lanes_enter_scope(struct gen *g, const struct ir_stmt *s);
/* Both vector cores of a cluster run it. */
bool lanes_is_dual(const struct ir_func *f);
/* An error where the code of f, from instruction first on, is that of two lanes. */
bool lanes_check_code(struct gen *g, const struct ir_func *f, int first);
/* Adds the launch of a kernel or Group of a file without a host; of a Group without kernels none. */
bool lanes_add_launch(struct gen *g, const struct ir_func *f, launch_list *out);
/* A Group with a lane of the cube and one of the vector cores. */
bool lanes_is_mixed(const struct ir_program *p, const struct ir_func *f);
/* Some kernels of the program run on several cores of a cluster, or meet other cores. */
bool lanes_have_clusters(const struct ir_program *p);

/* ---- cross.c: flags and pipes between cores ---- */

gen_operator gen_sync_set, gen_sync_wait, gen_syncall, gen_no_code, gen_buffer;
gen_operator gen_initialize_pipe, gen_tpush, gen_tpop, gen_tfree;
/* The pipes that the function sets up, added to *pipes, which is made with the first of them; with
 * memory for that many blocks as regions of g, called after the launch. False after an error. */
bool cross_find_pipes(struct gen *g, const struct ir_func *f, const char *launch, int blocks,
                      struct pipes **pipes);
/* Before and behind the code of a task. */
void cross_begin_task(struct gen *g);
void cross_end_task(struct gen *g);

#endif
