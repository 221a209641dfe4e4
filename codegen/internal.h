/* SPDX-License-Identifier: MIT */
/* What the files of code generation share among themselves. */
#ifndef CODEGEN_INTERNAL_H
#define CODEGEN_INTERNAL_H

#include "ir/ops.h"
#include "ir/space.h"
#include "ir/valid.h"
#include "codegen/codegen.h"
#include "isa/build.h"

enum {
    MAX_DIMS = 8,
    CACHE_LINE = 64,
    MAX_INLINE = 16,
    MAX_BLOCKS = 64,
    UNINITIALISED_BYTE = 0xa5,
    MAX_MEMORY = 1 << 30 /* bytes of all ranks */
};

/* Byte offsets in a communication context (pypto-facts 6). */
enum { CTX_RANK_SLOT = 16, CTX_WINDOWS = 32 };

/* The name of a tile copy that no operator of the kernel asks for: the compiler would let both
 * names stand for one buffer. Operators' names have a dot. */
#define GEN_COPY "copy"

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

/* The memory that an instruction accesses as the assembler sees it: by the argument that its
 * pointer comes from, whatever the offset (pypto-ops-facts 4.3). */
struct gm_use {
    int root;  /* as in struct tensor */
    bool peer; /* through the pointer that addptr makes for a peer's copy */
};

/* An if or a loop in the code: [begin, end). */
struct flow_code {
    int begin;  /* the branch of an if; the first instruction of a loop's test */
    int middle; /* of an if: its else part, or end; of a loop: its body */
    int end;
    bool loop;
};

/* A library macro that works on two pipes: its instructions are [first, end). */
struct macro_code {
    int first, end;
};

struct value {
    enum value_kind kind;
    struct operand op; /* INT: 64-bit integer; FLOAT: fp32 bits; CTX: address of the context */
    int tile, second;  /* second: the other tile of a pair */
    const struct tensor *tensor;
};

/* The valid extents of a tile, as far as a definition states them (ir/valid.h). */
struct tile_valid {
    struct operand rows, cols;
    bool tracked; /* in registers of the tile's own: several definitions may set it */
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
    struct arena *arena;
    const struct ir_program *prog;
    const struct codegen_options *opt;
    const struct directives *dir;
    struct diag *d;
    VEC(struct insn) code;
    VEC(struct gm_use) gm_uses;  /* parallel to code */
    VEC(struct flow_code) flows; /* inner ones before outer ones */
    VEC(struct macro_code) macros;
    VEC(struct dma) dmas;
    VEC(struct tile_op) tile_ops;
    VEC(struct tile) tiles;
    VEC(enum ir_space) spaces;         /* parallel to tiles */
    struct map space;                  /* where the tile variables of the function lie */
    VEC(struct tile_valid) tile_valid; /* parallel to tiles */
    struct map valid;                  /* what all definitions of a variable together say */
    bool stores_parts;                 /* a store takes its extents from tile_valid */
    VEC(const char *) reg_names;
    VEC(struct counted_loop) loops;
    VEC(struct region) regions;
    VEC(int) region_ctx; /* parallel: argument register with the window's context, or NO_REG */
    VEC(struct site) sites;
    VEC(const char *) tasks;
    int64_t tile_bytes;
    int nargs;
    struct map slots; /* variable -> struct var_slot */
    /* the place in the text */
    const struct ir_func *func;
    struct span span;
    const char *what;
    const char *anchor; /* the last operator that is no marker */
    enum origin_kind origin;
    int site;
    struct loop *loop;
    int in_loop; /* the innermost of loops that is open, as insn.loop */
    struct patch_list returns;
    const ir_vars *yield_to; /* phis of the enclosing if, or the loop's carried variables */
    struct value returned;
    int inline_depth;
    struct operand block_index, block_count; /* of an SPMD launch */
    struct operand lane_index;               /* of a vector core in its cluster */
    struct pipes *pipes;                     /* of the launch that the task belongs to, or NULL */
    int pipe_pointers; /* the register with the address of region 0; those of others follow */
    /* Library code of a builtin collective: no step of the compiler's adds markers to it, and what
     * it contains counts for its call, at *pinned. */
    const char *library; /* its name, or NULL */
    const struct span *pinned;
};

/* The code of a call; target: the variable that takes its value, or NULL. */
typedef struct value gen_operator(struct gen *g, const struct ir_expr *e,
                                  const struct ir_var *target);

static const struct value none = {.kind = VAL_VOID};

static inline uint64_t align_up(uint64_t n, uint64_t a)
{
    return (n + a - 1) / a * a;
}

/* ---- codegen.c ---- */

/* What was generated, as a program of nranks times those cores, which run it; called name, unless
 * the file has a name. Memory and what cores start with are the caller's. */
struct program *gen_program(struct gen *g, const char *name, int nranks, const place_list *places);
/* The first instruction of each task. */
int *gen_task_entries(const struct gen *g);
/* The bytes of memory on each rank where `used` are laid out, or an error: the machine has less. */
bool gen_memory_bytes(struct gen *g, uint64_t used, int nranks, uint64_t *bytes);
/* Initial data of element i of an input: small, so that sums of a few
 * ranks are exact everywhere. */
int64_t gen_pattern(enum elem e, uint64_t i, int rank);
/* The number and place of a rank and its peers' window bases, as the context holds them. */
void gen_fill_ctx(uint8_t *ctx, int rank, int nranks, const uint64_t *bases);
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

/* ---- emit.c ---- */

/* Origin, site, loop, place and name of what is emitted now (isa/build.h). */
struct insn gen_like(const struct gen *g);
struct insn gen_insn(const struct gen *g, enum insn_op op);
int gen_emit(struct gen *g, struct insn i);
/* The instruction emitted last accesses t, or a peer's copy of it. */
void gen_accesses(struct gen *g, const struct tensor *t, bool peer);
int gen_reg(struct gen *g, const char *name);
struct operand gen_alu(struct gen *g, enum alu op, struct operand x, struct operand y);
/* The operand in a register. */
int gen_in_reg(struct gen *g, struct operand o);
void gen_move(struct gen *g, int rd, struct operand o);
/* The value in a register of its own. */
struct operand gen_copy(struct gen *g, struct operand o);
/* A branch whose target is filled later: returns its index. cond NO_REG: unconditional. */
int gen_branch(struct gen *g, enum insn_op op, int cond);
void gen_branch_to(struct gen *g, enum insn_op op, int cond, int target);
void gen_patch_here(struct gen *g, int branch);
void gen_patch_all(struct gen *g, const struct patch_list *l);
int gen_here(const struct gen *g);
/* Opens a site: instructions emitted until the next gen_site_end belong to it. marker: site it is
 * part of, or -1. */
int gen_site_begin(struct gen *g, const char *what, int marker);
void gen_site_end(struct gen *g);
int gen_tile(struct gen *g, const char *name, int rows, int cols, enum elem elem, enum ir_space s);
/* A part of tile `of`, or the whole under another shape: in its memory, from an offset in bytes on,
 * with pitch elements from one row to the next; 0: cols. */
int gen_view(struct gen *g, const char *name, int of, struct tile layout);
/* A definition of the tile has these valid extents; a register is copied. */
void gen_set_valid(struct gen *g, int tile, struct operand rows, struct operand cols);
void gen_set_whole(struct gen *g, int tile);
/* From here on, each definition sets the valid extents at run time. */
void gen_track_valid(struct gen *g, int tile);
void gen_barrier(struct gen *g, enum pipe pipe);
void gen_simple(struct gen *g, enum insn_op op);
/* reg += step. */
void gen_step(struct gen *g, int reg, int64_t step);
/* for (*at = 0; *at < end; *at += step): the branch that leaves, which gen_end_count is given. */
int gen_begin_count(struct gen *g, int *at, struct operand end);
void gen_end_count(struct gen *g, int at, int leave, int64_t step);
/* The steps of a library macro, each a site of its own; one_marker: of one marker, the first one. */
void gen_steps(struct gen *g, const struct macro_step *steps, int n, bool one_marker);
void gen_flags(struct gen *g, enum pipe from, enum pipe to, int id);

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
/* o times factor. */
struct operand gen_scaled(struct gen *g, struct operand o, int64_t factor);
/* An address, that is a register and constant bytes on top, moved by delta bytes. */
struct operand gen_plus(struct gen *g, struct operand addr, struct operand delta);
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
/* Where a kernel of the cube, or of vectors, runs that takes core number n of its kind, or, with
 * cluster, its core of cluster n; vector: 1 for the second vector core of that. */
struct core_place lanes_place(bool cube, bool cluster, int n, int vector);
/* The place's index among those of a rank, to which it is added if it is new. */
int lanes_add_place(struct arena *a, place_list *places, struct core_place at);
/* A Group with a lane of the cube and one of the vector cores. */
bool lanes_is_mixed(const struct ir_program *p, const struct ir_func *f);
/* Some kernels of the program run on several cores of a cluster, or meet other cores. */
bool lanes_have_clusters(const struct ir_program *p);

/* ---- cross.c: flags and pipes between cores ---- */

gen_operator gen_sync_set, gen_sync_wait, gen_syncall, gen_no_code, gen_buffer;
gen_operator gen_initialize_pipe, gen_tpush, gen_tpop;
/* The pipes that the function sets up, added to *pipes, which is made with the first of them; with
 * memory for that many blocks as regions of g, called after the launch. False after an error. */
bool cross_find_pipes(struct gen *g, const struct ir_func *f, const char *launch, int blocks,
                      struct pipes **pipes);
/* Before and behind the code of a task. */
void cross_begin_task(struct gen *g);
void cross_end_task(struct gen *g);

/* ---- auto_sync.c ---- */

/* Inserts what the assembler inserts for dependences through tiles and memory
 * (codegen/auto_sync.c): set_flag/wait_flag pairs between pipes, barriers in one pipe. */
void auto_sync(struct gen *g);
/* Does it leave the function alone whose code starts at first and is the last one so far? */
bool auto_sync_leaves_alone(struct gen *g, int first);

#endif
