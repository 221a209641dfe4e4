/* SPDX-License-Identifier: MIT */
/*
 * Machine programs by hand, so that a test reads like a litmus test:
 *
 *     struct loc x = var(b, "x", 1), s = var(b, "s", 1);
 *     core(b, 0);
 *     st(b, on(x, 1), 1);
 *     dcci(b, on(x, 1));
 *     dsb(b);
 *     notify_add(b, on(s, 1), 1);
 *     core(b, 1);
 *     wait_ge(b, s, 1);
 *     ld(b, 0, x);
 *
 * A variable starts on a line of its own on every rank (docs/litmus.md). Each emitting function
 * returns the instruction, valid until the next one, for a test that wants a field otherwise.
 */
#ifndef TESTS_SIM_BUILD_H
#define TESTS_SIM_BUILD_H

#include "isa/program.h"

enum { OWN = -1, TEST_CORES = 8, TEST_REGS = 16, TEST_LINE = 64 };

/* A word of a variable: on a rank, or on the rank of the core that names it. */
struct loc {
    uint64_t offset; /* bytes */
    int rank, region;
};

struct part {
    int rank;
    enum lane lane;
    int cluster;
    VEC(struct insn) insns;
    VEC(struct dma) dmas;
    VEC(struct tile_op) ops;
    VEC(struct tile) tiles;
    int64_t tile_bytes;
};

struct initial {
    struct loc at;
    int32_t value;
};

/* Zero but for the arena; a test may set nranks, grain and checked before it is built. */
struct builder {
    struct arena *arena;
    int nranks;   /* 0: 2 */
    int grain;    /* 0: 4 bytes */
    bool checked; /* accesses must stay in the variable that they name */
    uint64_t gm_bytes;
    struct part parts[TEST_CORES];
    int nparts;
    VEC(struct region) regions;
    VEC(struct initial) inits;
    VEC(const char *) tasks;
};

struct loc var(struct builder *b, const char *name, int words);
struct loc uninitialised(struct builder *b, const char *name, int words);
struct loc on(struct loc x, int rank);
struct loc word(struct loc x, int index);
/* The word's value before the run, on one rank or (OWN) on all. */
void initially(struct builder *b, struct loc x, int32_t value);

/* The instructions that follow are those of a new core, each on a line of its own from line 1. */
void core(struct builder *b, int rank);
/* The same of a lane of a cluster of the rank. */
void lane(struct builder *b, int rank, int cluster, enum lane l);

struct insn *nop(struct builder *b);
struct insn *li(struct builder *b, int reg, int64_t value);
struct insn *jmp(struct builder *b, int target);
/* rd = ra <op> value. */
struct insn *alu(struct builder *b, int rd, enum alu op, int ra, int64_t value);
/* The global address of the word, as a literal address is in the core that names it. */
int64_t address(const struct builder *b, struct loc x);
/* The access, or marker, goes to the address in a register instead. */
void through(struct insn *i, int reg);
struct insn *ld(struct builder *b, int reg, struct loc x);
struct insn *st(struct builder *b, struct loc x, int64_t value);
struct insn *st_atomic(struct builder *b, struct loc x, int64_t delta);
struct insn *ld_dev(struct builder *b, int reg, struct loc x);
struct insn *st_dev(struct builder *b, struct loc x, int64_t value);
struct insn *dcci(struct builder *b, struct loc x);
struct insn *dcci_all(struct builder *b);
struct insn *dsb(struct builder *b);
struct insn *barrier(struct builder *b, enum pipe p);
struct insn *set_flag(struct builder *b, enum pipe from, enum pipe to, int id);
struct insn *wait_flag(struct builder *b, enum pipe from, enum pipe to, int id);
struct insn *set_atomic(struct builder *b, bool add);
struct insn *set_cross(struct builder *b, enum pipe p, enum cross_mode mode, int id);
struct insn *wait_cross(struct builder *b, int id);
struct insn *poll_dev(struct builder *b, struct loc s, int64_t value);
struct insn *wait_ge(struct builder *b, struct loc s, int64_t value);
struct insn *wait_eq(struct builder *b, struct loc s, int64_t value);
struct insn *task(struct builder *b, const char *name);

/* A tile of one row of int32 words. */
int tile(struct builder *b, int words);
int tile_of(struct builder *b, int rows, int cols, enum elem elem);
struct insn *tile_ld(struct builder *b, int reg, int t, int index);
struct insn *tile_st(struct builder *b, int t, int index, int64_t value);
/* Whole-tile transfers: the GM side is dense. */
struct insn *mte2(struct builder *b, int t, struct loc x);
struct insn *mte3(struct builder *b, struct loc x, int t);
struct insn *mte3_add(struct builder *b, struct loc x, int t);
struct insn *fix(struct builder *b, struct loc x, int t);
/* The transfer of the last mte2, mte3 or fix. */
struct dma *last_dma(struct builder *b);
struct insn *tile_op(struct builder *b, enum tile_op_kind k, int dst, int src0, int src1);
struct tile_op *last_tile_op(struct builder *b);

/* A one-word tile with a value, stored: two scalar steps. */
void put(struct builder *b, struct loc x, int32_t value);

/* The release of a notify without its waiting part: the atomic or plain store, then dcci. */
void post_add(struct builder *b, struct loc s, int64_t delta);
void post_set(struct builder *b, struct loc s, int64_t value);
/* TNOTIFY as the library expands it (hw-facts 1.1). */
void notify_add(struct builder *b, struct loc s, int64_t delta);
void notify_set(struct builder *b, struct loc s, int64_t value);

/* The program; the builder is used up. */
const struct program *built(struct builder *b);

#endif
