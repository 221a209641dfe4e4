/* SPDX-License-Identifier: MIT */
/*
 * A litmus test as written (docs/litmus.md): what the parser builds, lowering walks and the printer
 * prints.
 *
 * Names live in every rank's window at the same offset, words are 4 bytes. Each declaration starts
 * a fresh line of 64 bytes; the members of a `line` group stand side by side on one.
 */
#ifndef LITMUS_TREE_H
#define LITMUS_TREE_H

#include "litmus/ops.h"
#include "isa/program.h"

enum {
    LITMUS_LINE = 64, /* bytes; the language's, whatever the contract says */
    LITMUS_WORD = 4,
    LITMUS_WINDOW = 16 * 1024, /* bytes of all names together */
    LITMUS_REGS = 64,          /* of each kind: r0 to r63, t0 to t63 */
    LITMUS_CORES = 32,
    LITMUS_ROWS = 200, /* fewer than a flag counter holds */
    LITMUS_ATOMS = 256,
    LITMUS_NESTING = 100,
    OWN_RANK = -1
};

/* A declared name. */
struct litmus_var {
    const char *name;
    int words;
    bool array;       /* written with [n] */
    int32_t initial;  /* of its word, on every rank; arrays start at 0 */
    bool valued;      /* written with = value */
    bool used;        /* by an instruction or a condition */
    struct span span; /* of its name where it is declared */
    bool grouped;     /* shares the line of the name before it */
    uint64_t offset;  /* bytes, in every rank's window */
};

struct litmus_loc {
    int var; /* index into tree.vars */
    int index;
    int rank; /* or OWN_RANK: none written */
};

/* One operand; which fields count depends on its kind, one bit of enum litmus_kind. */
struct litmus_operand {
    int kind;
    /* LK_INT; register number of LK_SCALAR and LK_TILE; enum pipe of LK_PIPE, LK_S; enum
     * syncall_kind of LK_MEETING; of LK_MODE 1: add */
    int32_t value;
    struct litmus_loc loc; /* LK_LOC */
    enum cmp cmp;          /* of a comparison */
    struct span span;
};

struct litmus_insn {
    const struct litmus_op *op;
    const char *label; /* or NULL */
    struct litmus_operand args[LITMUS_OPERANDS];
    struct span span;
};

/* One core: a column of the table, without its empty cells. */
struct litmus_column {
    int rank, core;  /* core: index on its rank; of a lane 3 x cluster + 0, 1 or 2 */
    enum lane lane;  /* "P0.aiv1", in the first cluster of its rank, or "P0.2.aiv1" */
    int regs, tiles; /* highest register number in use, plus one */
    uint64_t reg_used, tile_used;
    VEC(struct litmus_insn) insns;
};

struct litmus_tree {
    VEC(struct litmus_var) vars;
    uint64_t bytes; /* of the window, whole lines */
    int ranks;
    VEC(struct litmus_column) columns;
};

enum { LANES_OF_CLUSTER = 3 };

/* The core of a column; its name, without P, is that of core_desc_name. */
static inline struct core_desc litmus_core(const struct litmus_column *c)
{
    return (struct core_desc){.rank = c->rank,
                              .index = c->core,
                              .lane = c->lane,
                              .cluster = c->lane == LANE_NONE ? 0 : c->core / LANES_OF_CLUSTER};
}

/* "x[3]@1": the index when the name is an array, the rank when one is written. */
const char *litmus_loc_text(struct arena *a, const struct litmus_tree *t,
                            const struct litmus_loc *l);

/* "mte3 x[3]@1, 1", without the label. */
const char *litmus_insn_text(struct arena *a, const struct litmus_tree *t,
                             const struct litmus_insn *i);

/* Global address of a location named by a core of `rank`. */
uint64_t litmus_loc_addr(const struct litmus_tree *t, const struct litmus_loc *l, int rank);

/* The machine program: one code per column, one region per name, one site per instruction, columns
 * one after another. */
struct program *litmus_lower(struct arena *a, const char *name, const struct source *src,
                             const struct litmus_tree *t, const struct toolchain *k);

#endif
