/* SPDX-License-Identifier: MIT */
/*
 * What a core may have begun and not finished, as isa/lint/lint.h keeps it.
 *
 * A piece is one or several regions that share lines. Facts only rise: where ways meet, the extents
 * of a fact become those that hold both.
 */
#ifndef ISA_FACTS_H
#define ISA_FACTS_H

#include "isa/lint/reach.h"

enum fact_kind {
    LOAD_QUEUED, /* a load of MTE2 may not have been performed */
    MTE3_QUEUED, /* a store of MTE3, */
    FIX_QUEUED,  /* or of FIX */
    POSTED,      /* such a store has left its pipe and may be in flight */
    DIRTY,       /* a store of the scalar unit is in the cache */
    CLEANED,     /* it is in flight, or a store past the cache */
    CACHED,      /* a line is in the cache */
    OLD,         /* it may be from before what others did, or this core past its cache */
    FACT_KINDS
};
enum { QUEUED_KINDS = POSTED };

enum side { SIDE_OWN, SIDE_OTHER, SIDES };

struct fact {
    bool set;
    bool vague;              /* not all between lo and hi need be so */
    uint8_t before;          /* queued: pipes, as bits, whose next operations come after it */
    int8_t rank;             /* as in struct reach, and the fields below */
    int32_t access, partial; /* the instruction that made it so first; a dcci of a part, or -1 */
    int32_t base;
    int64_t lo, hi, s_lo, s_hi;
};

struct piece {
    struct fact facts[SIDES][FACT_KINDS];
};

/* Of npieces, and for each of nflags the queued facts that its last set comes after: bits, of
 * which a piece has PIECE_BITS. All bits of facts that are not set are 1. */
struct facts {
    struct piece *pieces;
    uint64_t *told;
};
enum { PIECE_BITS = SIDES * QUEUED_KINDS };

struct facts_size {
    int npieces, nflags, nwords;
};

struct facts facts_new(struct arena *a, struct facts_size n);
void facts_copy(struct facts *to, const struct facts *from, struct facts_size n);
/* True when `to` has changed. */
bool facts_join(struct facts *to, const struct facts *from, struct facts_size n);

/* The fact holds of what r reaches too, by instruction insn. */
void fact_raise(struct fact *f, const struct reach *r, int insn);
/* The fact holds wherever from does. */
bool fact_merge(struct fact *f, const struct fact *from);

/* A queued fact, with what flags tell of it. */
void facts_queue(struct facts *s, struct facts_size n, int piece, int side, int kind,
                 const struct reach *r, int insn, int pipe);
void facts_dequeue(struct facts *s, struct facts_size n, int piece, int side, int kind);
/* The flag is set by a pipe; awaited by another one. */
void facts_set_flag(struct facts *s, struct facts_size n, int flag, int pipe);
void facts_wait_flag(struct facts *s, struct facts_size n, int flag, int pipe);

#endif
