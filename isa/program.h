/* SPDX-License-Identifier: MIT */
/*
 * Machine programs: per core, a list of instructions over virtual registers and tile slots (design
 * 4).
 *
 * A global address is (rank << GM_RANK_SHIFT) | byte offset; windows are symmetric, so a pointer
 * into a peer's window is the local pointer plus the difference of the two window bases, as in the
 * compiler's context ABI (pypto-facts 6). Registers hold 64-bit integers, or the bits of one
 * element of a dtype.
 */
#ifndef ISA_PROGRAM_H
#define ISA_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/table.h"
#include "base/vec.h"
#include "isa/arithmetic.h"

enum {
    GM_RANK_SHIFT = 40,
    MAX_RANKS = 1024,
    MAX_FLAG_IDS = 16,
    MAX_CROSS_IDS = 16,
    TILE_MAX_SRC = 5,
    NO_REG = -1
};

static inline uint64_t gm_addr(int rank, uint64_t offset)
{
    return ((uint64_t)rank << GM_RANK_SHIFT) | offset;
}
static inline int gm_rank(uint64_t addr)
{
    return (int)(addr >> GM_RANK_SHIFT);
}
static inline uint64_t gm_offset(uint64_t addr)
{
    return addr & (((uint64_t)1 << GM_RANK_SHIFT) - 1);
}

enum pipe {
    PIPE_V,
    PIPE_MTE1,
    PIPE_MTE2,
    PIPE_MTE3,
    PIPE_M,
    PIPE_FIX,
    PIPE_COUNT,
    PIPE_S = PIPE_COUNT,
    PIPE_ALL
};
const char *pipe_name(enum pipe p); /* "mte2", "s", "all" */

enum insn_op {
#define INSN(id, ...) I_##id,
#include "isa/insns.h"
#undef INSN
    I_OP_COUNT
};

/* What an instruction does. One that a part of the bench does not know counts as touching all. */
enum insn_class {
    CLASS_LOCAL = 1 << 0,  /* no effect outside the core's registers and mode */
    CLASS_BRANCH = 1 << 1, /* imm is a pc that may come next */
    CLASS_LOAD = 1 << 2,   /* reads global memory */
    CLASS_STORE = 1 << 3,  /* writes global memory, at once or when a line is cleaned */
    CLASS_CACHED = 1 << 4, /* looks at or changes the core's cache */
    CLASS_DMA = 1 << 5,    /* a transfer of a pipe, past the cache: aux is its struct dma */
    CLASS_ORDER = 1 << 6,  /* the scalar unit waits for what others do */
    CLASS_FLAG = 1 << 7,   /* pa -> pb, number imm; either may be PIPE_S */
    CLASS_TILE = 1 << 8,   /* reads and writes tiles alone */
    CLASS_TASK = 1 << 9,   /* a task begins or ends */
    CLASS_CROSS =
        1 << 10 /* a flag between cores, number imm; of a set sub is its enum cross_mode */
};

/*
 * Who meets at a flag between cores (pypto-ops-facts 3.4): each core of the kind, all of them on the
 * rank, or the cores of one kind in a cluster, or the cube core and the vector cores of a cluster. In
 * the first two every one of them has to set it, then it is up for every one. In the last the cube
 * core raises it for both vector cores, and these, by contract together or each, for the cube core.
 */
enum cross_mode { CROSS_ALL, CROSS_PAIR, CROSS_CLUSTER, CROSS_MODES };

enum insn_registers { REG_RA = 1 << 0, REG_RB = 1 << 1, REG_RD = 1 << 2 };

/* How memory is named. ra may be NO_REG, which counts as 0. */
enum insn_address {
    ADDRESS_NONE,
    ADDRESS_WORD, /* ra + imm, an element of `elem`; the value, if there is one, is rb or imm2 */
    ADDRESS_LINE, /* ra + imm: the cache line that holds it */
    ADDRESS_ALL,  /* every line of the cache */
    ADDRESS_TILE, /* element ra + imm of tile aux; the value is rb or imm2 */
    ADDRESS_DMA   /* as its struct dma says */
};

/* What performs it: a pipe by itself, or the one that a field names. */
enum insn_unit {
    UNIT_MTE2 = PIPE_MTE2,
    UNIT_MTE3 = PIPE_MTE3,
    UNIT_FIX = PIPE_FIX,
    UNIT_S = PIPE_S,
    UNIT_PA,
    UNIT_PB,
    UNIT_TILE_OP
};

struct insn_kind {
    const char *name;
    uint8_t reads, writes, address, unit;
    uint16_t classes;
};
extern const struct insn_kind insn_kinds[];
const char *insn_op_name(enum insn_op op);

/* How a poll compares what memory holds with what it expects, both of 32 bits. The runtime compares
 * counts without a sign, so that -1 passes every test (pypto-facts 5.1). */
// clang-format off
#define COMPARISONS(X) \
    X(CMP_EQ, "==") \
    X(CMP_GE, ">=") \
    X(CMP_GEU, "u>=") \
    X(CMP_NE, "!=") \
    X(CMP_LT, "<") \
    X(CMP_LE, "<=")
// clang-format on
enum cmp { COMPARISONS(ENUM_ROW) CMP_COUNT };
const char *cmp_name(enum cmp c);
bool cmp_holds(enum cmp c, int32_t memory, int32_t expected);

/* A value known when the instruction is issued: a register, or imm when reg is NO_REG. */
struct operand {
    int32_t reg;
    int64_t imm;
};

/* A two-dimensional transfer between GM and a tile. Strides and offsets in bytes; extents in
 * elements. */
struct dma {
    int tile;
    struct operand address, rows, cols;
    int64_t gm_stride, tile_stride, tile_offset;
    enum elem elem;
    bool atomic_add; /* stores only */
    bool immediate;  /* stores only: one element, `value` as read at issue, instead of a tile's */
    bool placed;     /* its part of the tile begins `value` bytes further on, as read at issue */
    bool turned;     /* loads only: what is a row in memory becomes a column of the tile */
    struct operand value;
    bool converts; /* stores only: the tile holds elements of type held (pypto-ops-facts 2.5) */
    enum elem held;
    /* inside TPUT or TGET: a store's data was not written by the kernel's own tile code */
    bool macro;
};

struct tile_op {
    enum tile_op_kind kind;
    const char *name; /* as the kernel wrote it; seeds an uninterpreted function */
    enum pipe pipe;
    int dst, src[TILE_MAX_SRC], nsrc;
    /* second operand of the *S kinds, FILL, FILLPAD: bits of the source element type */
    struct operand scalar;
    struct operand rows, cols; /* FILLPAD: the valid part of the source; PART, INSERT: a place */
};

struct tile {
    const char *name;
    int rows, cols;
    enum elem elem;
    int64_t offset;    /* into the core's tile memory, bytes */
    int view_of;       /* 1 + index of the tile in whose memory it lies; 0: memory of its own */
    int pitch;         /* elements from one row to the next; 0: cols */
    const char *space; /* the memory it lies in, as the assembler calls it; NULL: not known */
};
static inline int tile_pitch(const struct tile *t)
{
    return t->pitch ? t->pitch : t->cols;
}
/* The tile of the table whose memory, and so whose state, tile t has. */
static inline int tile_home(const struct tile *tiles, int t)
{
    return tiles[t].view_of ? tiles[t].view_of - 1 : t;
}

/* Which step made an instruction; a sweep's sites are the origins marked as markers. */
// clang-format off
#define ORIGINS(X) \
    X(ORIGIN_USER, "kernel") /* the kernel's own statement */ \
    X(ORIGIN_W1, "W1") \
    X(ORIGIN_W2, "W2") \
    X(ORIGIN_W3, "W3") \
    X(ORIGIN_R1, "R1") /* InsertCommFence (pypto-facts 3.1) */ \
    X(ORIGIN_HAND, "by hand") /* a marker that stood in the source */ \
    X(ORIGIN_CODEGEN, "codegen") /* peer cacheinvalid, put/get/notify barriers */ \
    X(ORIGIN_MACRO, "macro") /* inside TNOTIFY, TWAIT, TPUT, TGET */ \
    X(ORIGIN_AUTO_SYNC, "auto-sync") \
    X(ORIGIN_ENTRY, "entry") \
    X(ORIGIN_TAIL, "tail") /* of a kernel */
// clang-format on
enum origin_kind { ORIGINS(ENUM_ROW) ORIGIN_COUNT };
const char *origin_name(enum origin_kind k);
/* A rule of InsertCommFence made it. */
bool origin_is_rule(enum origin_kind k);

enum insn_flags {
    INSN_NOTIFY = 1 << 0,  /* the store of a TNOTIFY: a release */
    INSN_MARKER = 1 << 1,  /* a site of the sweep */
    INSN_REMOVED = 1 << 2, /* taken out by a mutation: acts as nop */
    INSN_SIGNED = 1 << 3,  /* ld: sign-extend */
    INSN_ADDED = 1 << 4,   /* put in by program_insert */
    INSN_SYNC = 1 << 5     /* ld.dev: of a counter that only orders, so no access to be judged */
};

/* What each field means follows from the row of op (isa/insns.h). */
struct insn {
    uint8_t op, sub; /* sub: enum alu or, of a poll, enum cmp */
    uint8_t elem, elem2;
    uint8_t pa, pb; /* enum pipe; of a barrier pa, which may be PIPE_ALL */
    uint8_t origin; /* enum origin_kind */
    uint8_t flags;
    int32_t rd, ra, rb;
    int32_t aux;    /* index of dma, tile_op or tile */
    int32_t region; /* GM region that the access must stay in, or -1 */
    int32_t site;   /* the marker site it belongs to, or -1 */
    int32_t loop;   /* 1 + index of the innermost counted loop around it; 0: none */
    int64_t imm, imm2;
    struct span span;
    const char *what; /* the source operation: "tile.store", "TNOTIFY" */
};

/* What it acts as: one that a mutation took out does nothing. */
static inline enum insn_op insn_acts(const struct insn *i)
{
    return i->flags & INSN_REMOVED ? I_NOP : (enum insn_op)i->op;
}
static inline const struct insn_kind *insn_kind(const struct insn *i)
{
    return &insn_kinds[insn_acts(i)];
}
/* It is of one of the classes; of all of them. */
static inline bool insn_any(const struct insn *i, unsigned classes)
{
    return (insn_kind(i)->classes & classes) != 0;
}
static inline bool insn_all(const struct insn *i, unsigned classes)
{
    return (insn_kind(i)->classes & classes) == classes;
}
/* A load, store or atomic add of the scalar unit, through the cache or not; a poll is none. */
static inline bool insn_scalar_access(const struct insn *i)
{
    return insn_any(i, CLASS_LOAD | CLASS_STORE) && !insn_any(i, CLASS_DMA | CLASS_ORDER);
}

/* The scalar unit waits for what another core tells it: a signal, or a flag between cores. */
static inline bool insn_acquires(const struct insn *i)
{
    return insn_all(i, CLASS_LOAD | CLASS_ORDER) || insn_acts(i) == I_WAIT_CROSS;
}

enum region_kind { REGION_WINDOW, REGION_LOCAL, REGION_CTX, REGION_KIND_COUNT };

/* A named piece of every rank's memory. */
struct region {
    const char *name;
    enum region_kind kind;
    uint64_t offset, size; /* bytes, the same on every rank */
    enum elem elem;
    bool uninitialised; /* reading a word before it is written is a finding */
    bool output;        /* compared with the golden run */
    int ndims;          /* 0: one dimension, as long as the region */
    const int64_t *shape;
};

/* A loop over a range, for saying in which iteration an access was made. */
struct counted_loop {
    const char *name; /* of its variable, which is in reg while the body runs */
    int reg;
    int line;
    int32_t outer; /* like insn.loop */
};

/* One program text; cores of several ranks share it. */
struct code {
    struct insn *insns;
    int count;
    int nregs;
    struct dma *dmas;
    int ndmas;
    struct tile_op *tile_ops;
    int ntile_ops;
    struct tile *tiles;
    int ntiles;
    int64_t tile_bytes;
    const char **reg_names; /* or NULL */
    struct counted_loop *loops;
    int nloops;
};

/* The index-th task of a core. */
struct task_ref {
    int32_t core, index;
};

/*
 * A task that the host gave to a core (pypto-facts 4.3). A core runs its tasks in order; each
 * starts with fresh registers, and with tiles, flags and pipes as the task before left them.
 */
struct dispatch {
    int entry; /* the instruction that it starts at, an I_TASK; it ends at the next I_END */
    int first_reg, nargs;
    const int64_t *args; /* initial values of registers first_reg and on: pointers, scalars */
    const struct task_ref *after; /* tasks of other cores of its rank that must have ended */
    int nafter;
    bool awaited; /* some task of another core names it there */
    /* It is picked up when those tasks have completed, under early dispatch too: one of them waits
     * for a deferred completion, and may not be resolved early (pypto-ops-facts 5.1). */
    bool picked_late;
    int step; /* submissions of the host before this one: when the timed driver releases it */
};

/* A cluster is a cube core and two vector cores; all three are there, whether code runs on them or
 * not (pypto-ops-facts 3.1). */
// clang-format off
#define CORE_LANES(X) \
    X(LANE_NONE, "core") /* no part of a cluster: a core of a kind of its own */ \
    X(LANE_AIC, "aic") \
    X(LANE_AIV0, "aiv0") \
    X(LANE_AIV1, "aiv1")
// clang-format on
enum lane { CORE_LANES(ENUM_ROW) LANE_COUNT };
const char *lane_name(enum lane l);

struct core_desc {
    int rank, index; /* index of the core on its rank */
    enum lane lane;  /* the part that it is of its cluster */
    int cluster;     /* of its rank, from 0; without a lane it says nothing */
    const struct code *code;
    const int64_t *args; /* initial values of registers 0 to nargs - 1: pointers, scalars */
    int nargs;
    const struct dispatch *dispatches; /* its tasks; NULL: the code runs once, from its start */
    int ndispatches;
};

/* A removable step as the sweep enumerates it: one instruction, a flag pair, or the loop of a
 * region. */
struct site {
    enum origin_kind origin;
    int marker; /* first site of the same marker statement (a fence is a barrier and a dsb), or
                   itself */
    const char *what; /* "region cacheinvalid", "fence", "cacheinvalid all", "barrier all" */
    struct span span;
    const char *anchor; /* the statement that it follows: "tile.store" */
    const char *func;
};

struct program {
    const char *name;
    const struct source *source;
    int nranks, ncores;
    struct core_desc *cores;
    struct region *regions;
    int nregions;
    uint64_t gm_bytes; /* per rank */
    uint8_t **gm_init; /* one image per rank */
    bool float_adds;   /* atomic adds of floats: sums depend on the order in which they arrive */
    int grain;         /* bytes that share one provenance: the smallest element size, 1, 2 or 4 */
    struct site *sites;
    int nsites;
    const char **tasks;
    int ntasks;
    int nsteps;       /* submissions of the host; 0: no host program */
    const char *plan; /* what the host does, as lines of text, or NULL */
    /* Of a compiled kernel: per line of its source the place that its author wrote, "k.py:12:9", or
     * NULL. */
    const char **written;
    int nwritten;
    struct arena *arena;
};

/* The region of every rank that holds offset, or NULL. */
const struct region *program_region_at(const struct program *p, uint64_t offset);

/* "win[17]@1": the element of a global address, in arena a. */
const char *program_where(const struct program *p, uint64_t addr, struct arena *a);

/* "index [4, 0] of win, whose extent is [4, 16]": the element of region g at addr, which may lie
 * outside. */
const char *program_index(const struct region *g, uint64_t addr, struct arena *a);

/* "win[-1]@1": the same as a flat number. */
const char *program_element(const struct region *g, uint64_t addr, struct arena *a);

/* The rank that an address is computed for: bytes before its memory are below 0, not in the rank
 * before it. */
static inline int gm_home(uint64_t addr, int64_t *offset)
{
    *offset = (int64_t)(addr << (64 - GM_RANK_SHIFT)) >> (64 - GM_RANK_SHIFT);
    return (int)((int64_t)(addr - (uint64_t)*offset) >> GM_RANK_SHIFT);
}

/* "win[0..15]@1": the elements from addr up to end, which is not one of them. */
const char *program_words(const struct program *p, uint64_t addr, uint64_t end, struct arena *a);

/* "0", "0.1" for the second core of rank 0, or "0.aiv1", "0.2.aiv1" for a lane of its first or third
 * cluster. */
const char *core_desc_name(const struct core_desc *c, struct arena *a);
const char *program_core_name(const struct program *p, int core, struct arena *a);

/* For a sentence: "rank 1", or of a lane "core 1.aiv0". */
const char *program_core_phrase(const struct program *p, int core, struct arena *a);

/* The program as text: one line an instruction with its origin and source line. */
char *program_print(const struct program *p, struct arena *a);

/* One instruction in the same spelling, without address and origin. */
const char *insn_text(const struct program *p, const struct code *c, const struct insn *i,
                      struct arena *a);

/* The pipe that performs the instruction, PIPE_S for the scalar unit (enum pipe). */
int insn_pipe(const struct code *code, const struct insn *i);

/* A copy of p in which every instruction of the sites marked in removed[nsites] acts as nop. Shares
 * all else with p. */
struct program *program_without(const struct program *p, const bool *removed, struct arena *a);

#endif
