/* SPDX-License-Identifier: MIT */
/* What the parts of isa/lint share. */
#ifndef ISA_LINT_INTERNAL_H
#define ISA_LINT_INTERNAL_H

#include "isa/lint/facts.h"
#include "isa/lint/lint.h"

/* The lines of a piece, in the memory of every rank. */
struct span_of_memory {
    int64_t lo, hi;
};

/* Core groups, as bits, that use a piece of their own rank, or of another one. Behind a wait,
 * that is when others may have told them to; in front of a notify, so that others may learn of
 * it. */
struct use {
    uint64_t touches_later[SIDES], writes_later[SIDES], writes_told[SIDES];
};

struct block {
    bool reached, due;
    struct facts in;
};

/* Pieces of memory that are told apart; there are as many regions at the least. */
enum { MAX_PIECES = 20 };

/* What a task is to the others of its core and rank. */
struct task {
    bool waits, awaited, last;
};

struct lint {
    struct arena *a;
    struct arena scratch;
    const struct program *p;
    const struct contract *k;
    struct span_of_memory *spans; /* per piece */
    struct facts_size size;
    struct core_group *groups;
    uint64_t *ranks;        /* per group, as bits */
    struct reach **reaches; /* per group */
    struct use *uses;       /* per piece */
    int ngroups;
    bool polls_peers; /* some core waits for a word of another rank */
    /* the group that is looked at */
    int group;
    const struct code *code;
    const struct reach *reach;
    bool (*written)[SIDES];     /* per piece: by others, who tell of it */
    bool (*overwritten)[SIDES]; /* by others, who were told that they may */
    bool (*touched)[SIDES];     /* the same, or read */
    struct piece *named;        /* CACHED: what prefetches may fill */
    int *flags;                 /* per instruction, the number of its flag */
    bool *is_base;              /* per register: facts may be told by it */
    bool *leader;
    struct block *blocks; /* per instruction, of leaders */
    struct block between; /* the tasks of a host */
    struct task *tasks;   /* per instruction: of an I_TASK, and of the I_END behind it */
    struct facts now;
    int pc;
    bool reporting;
    VEC(struct lint_finding) found;
};

static inline int64_t line_down(const struct lint *l, int64_t at)
{
    return at & -(int64_t)l->k->line;
}

/* The lines that r touches. */
static inline struct reach lines_of(const struct lint *l, struct reach r)
{
    r.lo = line_down(l, r.lo);
    r.hi = line_down(l, r.hi + l->k->line - 1);
    return r;
}

static inline int side_of(const struct reach *r)
{
    return r->rank == RANK_OWN ? SIDE_OWN : SIDE_OTHER;
}

static inline bool in_piece(const struct lint *l, int piece, const struct reach *r)
{
    return r->lo < l->spans[piece].hi && l->spans[piece].lo < r->hi;
}

/* ---- isa/lint/prepare.c ---- */

/* Groups of cores, where their accesses reach, pieces and who uses them; ngroups is 0 before. */
void lint_prepare(struct lint *l);
/* Of group g: its blocks, flags, tasks, and what others do with its pieces. */
void lint_prepare_group(struct lint *l, int g);

#endif
