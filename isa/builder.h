/* SPDX-License-Identifier: MIT */
/*
 * A machine program in the making: what front ends emit through. It holds the code and its tables, the
 * place in the text that is being translated, and what the assembler's synchronisation needs to know
 * of the code (isa/auto_sync.c). All of it lives in one arena; a zeroed builder with arena,
 * toolchain, site -1 and origin set is an empty one.
 */
#ifndef ISA_BUILDER_H
#define ISA_BUILDER_H

#include "isa/build.h"

enum { CACHE_LINE = 64 };

/* The name of a tile copy that no operator of the kernel asks for: the compiler would let both
 * names stand for one buffer. Operators' names have a dot. */
#define BUILD_COPY "copy"

/* The memory that an instruction accesses as the assembler sees it: by the argument that its
 * pointer comes from, whatever the offset (pypto-ops-facts 4.3). */
struct gm_use {
    int root;  /* register of the argument; NO_REG: the assembler does not see it */
    bool peer; /* through the pointer that addptr makes for a peer's copy */
};

/* An if or a loop in the code: [begin, end). */
struct flow_code {
    int begin;  /* the branch of an if; the first instruction of a loop's test */
    int middle; /* of an if: its else part, or end; of a loop: its body */
    int end;
    bool loop;
};

/* Rows in global memory, evenly spaced. */
struct gm_rows {
    struct operand addr, rows, cols;
    int64_t gm_stride; /* bytes between rows */
    enum elem elem;
    int region;
    struct gm_use use;
};

/* TPUT or TGET (hw-facts 1.3) without what a toolchain puts around it. */
struct macro_copy {
    struct gm_rows src, dst; /* with the same extents */
    int stage[2], nstages;   /* two: while one is stored, the other one is loaded */
    bool atomic;
};

/* A library macro that works on two pipes: its instructions are [first, end). copy: of TPUT and TGET what
 * they were asked for; of others it has no stage. */
struct macro_code {
    int first, end;
    struct macro_copy copy;
};

/*
 * An operation of the text whose instructions, [first, end), do not tell what it was, for who prints
 * the program as text. One that has none stands at its place.
 */
enum operation_kind {
    OPERATION_PIPE, /* a pipe is set up */
    OPERATION_PUSH,
    OPERATION_POP,
    OPERATION_FREE,     /* what was popped is not needed any more */
    OPERATION_PIPE_END, /* what the library does behind the code of a task */
    OPERATION_MEETING   /* syncall */
};

struct pipe_ring;

struct operation_code {
    enum operation_kind kind;
    int first, end;
    int flows;                    /* branches and loops of the code that ended in front of it */
    const struct pipe_ring *ring; /* of pipes: which one, */
    int region;                   /* where it is set up: that has its slots; */
    int64_t split;                /* the parts of a slot that vector cores have, as ring_part */
    int meets;                    /* who meets: enum syncall_kind, */
    bool soft;                    /* by a counter */
    struct operand counter, total;
};

/* ---- what runs, for who prints the program as text ---- */

/* What a register holds when a task begins. */
enum start_kind { START_POINTER, START_NUMBER, START_BLOCK, START_BLOCKS, START_VECTOR };
struct start {
    enum start_kind kind;
    int reg, region;       /* of a pointer: into that region */
    enum elem elem;        /* of a number */
    const int64_t *values; /* by rank: the number, or bytes from the start of the region */
};

struct run_lane {
    int task; /* of the builder */
    bool cube, dual;
    VEC(struct start) starts;
};

/* Tasks that begin at once: the lanes of a launch, each in so many blocks. */
struct task_run {
    const char *name;
    VEC(struct run_lane) lanes;
    int blocks;
    int *after, nafter; /* earlier runs, by number */
    struct span at;
};

/* The valid extents of a tile, as far as a definition states them. */
struct tile_valid {
    struct operand rows, cols;
    bool tracked; /* in registers of the tile's own: several definitions may set it */
};

struct builder {
    struct arena *arena;
    const struct toolchain *toolchain;
    VEC(struct insn) code;
    VEC(struct gm_use) gm_uses;  /* parallel to code */
    VEC(struct flow_code) flows; /* inner ones before outer ones */
    VEC(struct macro_code) macros;
    VEC(struct dma) dmas;
    VEC(struct tile_op) tile_ops;
    VEC(struct tile) tiles;
    VEC(struct tile_valid) tile_valid; /* parallel to tiles */
    VEC(bool) accumulators;            /* parallel to tiles: those of the cube core */
    VEC(const char *) reg_names;
    VEC(struct counted_loop) loops;
    VEC(struct region) regions;
    VEC(struct site) sites;
    VEC(const char *) tasks;
    VEC(struct operation_code) operations; /* in the order of their first instructions */
    VEC(struct task_run) runs; /* in the order of the text, the same on every rank; or none: */
    const char *no_runs;       /* then why, */
    struct span no_runs_at;    /* and where */
    int64_t tile_bytes;
    /* the place in the text */
    const char *function;
    struct span span;
    const char *what;
    const char *anchor; /* the last operator that is no marker */
    enum origin_kind origin;
    int site;
    int in_loop; /* the innermost of loops that is open, as insn.loop */
    /* Library code of a builtin collective: no step of the compiler's adds markers to it, and what
     * it contains counts for its call, at *pinned. */
    const char *library; /* its name, or NULL */
    const struct span *pinned;
};

/* Origin, site, loop, place and name of what is emitted now (isa/build.h). */
struct insn build_like(const struct builder *b);
struct insn build_insn(const struct builder *b, enum insn_op op);
int build_emit(struct builder *b, struct insn i);
/* The instruction emitted last accesses memory of the argument root, or a peer's copy of it. */
void build_accesses(struct builder *b, int root, bool peer);
int build_reg(struct builder *b, const char *name);
struct operand build_alu(struct builder *b, enum alu op, struct operand x, struct operand y);
/* The operand in a register. */
int build_in_reg(struct builder *b, struct operand o);
void build_move(struct builder *b, int rd, struct operand o);
/* The value in a register of its own. */
struct operand build_copy_reg(struct builder *b, struct operand o);
/* One more tile, all of it valid. */
int build_tile(struct builder *b, struct tile t, bool accumulator);
/* A branch whose target is filled later: returns its index. cond NO_REG: unconditional. */
int build_branch(struct builder *b, enum insn_op op, int cond);
void build_branch_to(struct builder *b, enum insn_op op, int cond, int target);
void build_patch_here(struct builder *b, int branch);
int build_here(const struct builder *b);
/* Begins an operation, and ends the one that was begun last. What comes back can be filled in until the
 * next one. */
struct operation_code *build_operation(struct builder *b, enum operation_kind kind);
void build_operation_end(struct builder *b);
/* Opens a site: instructions emitted until the next build_site_end belong to it. marker: site it is
 * part of, or -1. */
int build_site_begin(struct builder *b, const char *what, int marker);
void build_site_end(struct builder *b);
void build_barrier(struct builder *b, enum pipe pipe);
void build_simple(struct builder *b, enum insn_op op);
/* reg += step. */
void build_step(struct builder *b, int reg, int64_t step);
/* for (*at = 0; *at < end; *at += step): the branch that leaves, which build_end_count is given. */
int build_begin_count(struct builder *b, int *at, struct operand end);
void build_end_count(struct builder *b, int at, int leave, int64_t step);
/* The steps of a library macro, each a site of its own; one_marker: of one marker, the first one. */
void build_steps(struct builder *b, const struct macro_step *steps, int n, bool one_marker);
/* One instruction as a site of its own, of that origin. */
void build_single(struct builder *b, enum origin_kind origin, struct insn i, const char *what);
/* o times factor. */
struct operand build_scaled(struct builder *b, struct operand o, int64_t factor);
/* An address, that is a register and constant bytes on top, moved by delta bytes. */
struct operand build_plus(struct builder *b, struct operand addr, struct operand delta);

/* ---- transfers (isa/copy.c) ---- */

/* The transfer between them and a tile; what comes back can be changed until the next one. */
struct dma *build_dma(struct builder *b, enum insn_op op, int tile, const struct gm_rows *r);

void build_copy(struct builder *b, const struct macro_copy *c);

/* ---- tasks (isa/task.c) ---- */

/* What the toolchain puts before and behind the code of a kernel. first: where the task begins, as
 * build_task_begin says. */
int build_task_begin(struct builder *b, const char *name, struct span at);
void build_task_end(struct builder *b, const char *function, struct span at, int first);

/* ---- auto_sync.c ---- */

/* Inserts what the assembler inserts for dependences through tiles and memory: set_flag/wait_flag
 * pairs between pipes, barriers in one pipe. */
void auto_sync(struct builder *b);
/* Does it leave the function alone whose code starts at first and is the last one so far? */
bool auto_sync_leaves_alone(struct builder *b, int first);

/* ---- the program ---- */

/* The code with its tables. */
struct code *build_code(struct builder *b);
/* The program without cores and memory: of nranks ranks, from that text. */
struct program *build_program(struct builder *b, const char *name, const struct source *source,
                              int nranks);
/* The first instruction of each task. */
int *build_task_entries(const struct builder *b);
static inline uint64_t align_up(uint64_t n, uint64_t a)
{
    return (n + a - 1) / a * a;
}
/* Lays n regions out one behind the other, windows at window_align bytes (0: on a line of their own, as
 * the others are); the bytes that they take. */
uint64_t build_lay_out(struct region *r, size_t n, int window_align);
/* The bytes of memory on each rank where `used` are laid out, or an error: the machine has less. */
bool build_memory_bytes(uint64_t used, int nranks, const struct source *source, uint64_t *bytes,
                        struct diag *d);
/* Initial data of element i of an input: small, so that sums of a few ranks are exact everywhere. */
int64_t build_pattern(enum elem e, uint64_t i, int rank);
/* The first contents of region r in a rank's memory: a pattern, what nobody has written, or zeros. */
void build_fill_region(const struct region *r, bool input, uint8_t *memory, int rank);

/* Byte offsets in a communication context (pypto-facts 6). */
enum { CTX_RANK_SLOT = 16, CTX_WINDOWS = 32 };
/* The number and place of a rank and its peers' window bases, as the context holds them. */
void build_fill_ctx(uint8_t *ctx, int rank, int nranks, const uint64_t *bases);

enum { UNINITIALISED_BYTE = 0xa5, MAX_MEMORY = 1 << 30 /* bytes of all ranks */ };

#endif
