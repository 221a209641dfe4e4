/* SPDX-License-Identifier: MIT */
/*
 * The instructions of the litmus language: one row each, with the operands that it takes and the
 * machine instructions that it becomes. Macros expand as the library does (hw-facts 1.1 to 1.3).
 */
#ifndef LITMUS_OPS_H
#define LITMUS_OPS_H

#include "isa/build.h"

enum { LITMUS_OPERANDS = 3 };

/* Kinds of operands. */
enum litmus_kind {
    LK_INT = 1 << 0,     /* 7, -1, 0x10: an int32 */
    LK_SCALAR = 1 << 1,  /* r0: read when the instruction is issued */
    LK_TILE = 1 << 2,    /* t0: a tile of one word, read or written when the pipe operation runs */
    LK_LOC = 1 << 3,     /* x, x[3], x@1 */
    LK_ALL = 1 << 4,     /* all */
    LK_PIPE = 1 << 5,    /* v, mte1, mte2, mte3, m, fix */
    LK_S = 1 << 6,       /* s, the scalar unit, in flags */
    LK_MEETING = 1 << 7, /* aiv_only, aic_only, mix */
    LK_MODE = 1 << 8     /* add, none */
};

/* What an instruction wants in one place. */
enum litmus_want {
    WANT_NOTHING,
    WANT_SCALAR,
    WANT_TILE,
    WANT_LOC,
    WANT_LINE,
    WANT_VALUE,
    WANT_STORED,
    WANT_BARRIER,
    WANT_FLAG,
    WANT_ID,
    WANT_MODE, /* of a flag between cores */
    WANT_MEETING,
    WANT_STORING,
    WANT_TOTAL,      /* of cores */
    WANT_COMPARISON, /* >= or ==, then a value; no comma in front */
    WANT_COUNT
};

struct litmus_want_row {
    int kinds;        /* accepted ones */
    const char *text; /* for "expected ..." */
    int low, high;    /* of an LK_INT; equal: any */
};
extern const struct litmus_want_row litmus_wants[];

struct litmus_insn;
struct litmus_column;
struct litmus_emitter;

struct litmus_op {
    const char *name;
    enum litmus_want wants[LITMUS_OPERANDS];
    enum insn_op insn; /* the machine instruction that distinguishes rows with one emit function */
    bool add;          /* a DMA store that adds */
    enum origin_kind origin;
    void (*emit)(struct litmus_emitter *e, const struct litmus_insn *i);
};

/* The row of a name, or NULL. */
const struct litmus_op *litmus_op_find(const char *name);
/* The names in the order of the rows, from 0; NULL behind the last. */
const char *litmus_op_name(size_t i);

/* What an instruction is emitted into: the code of one core. */
struct litmus_emitter {
    struct arena *arena;
    const struct litmus_tree *tree;
    const struct toolchain *toolchain;
    const struct litmus_column *column;
    int tiles;        /* tile registers; the stage of tput and tget comes after them */
    bool stage;       /* it is needed */
    bool scratch;     /* a register behind those of the column is needed */
    struct insn like; /* site, span and origin of what comes next */
    VEC(struct insn) insns;
    VEC(struct dma) dmas;
};

#endif
