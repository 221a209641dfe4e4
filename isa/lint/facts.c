/* SPDX-License-Identifier: MIT */
#include "isa/lint/facts.h"

#include <string.h>

static size_t nwords_of(struct facts_size n)
{
    return (size_t)n.nflags * (size_t)n.nwords;
}

struct facts facts_new(struct arena *a, struct facts_size n)
{
    struct facts s = {arena_array(a, struct piece, (size_t)n.npieces + 1),
                      arena_array(a, uint64_t, nwords_of(n) + 1)};
    memset(s.told, 0xff, sizeof *s.told * nwords_of(n));
    return s;
}

void facts_copy(struct facts *to, const struct facts *from, struct facts_size n)
{
    memcpy(to->pieces, from->pieces, sizeof *to->pieces * (size_t)n.npieces);
    memcpy(to->told, from->told, sizeof *to->told * nwords_of(n));
}

void fact_raise(struct fact *f, const struct reach *r, int insn)
{
    struct fact one = {.set = true,
                       .vague = r->unit != 0,
                       .rank = (int8_t)r->rank,
                       .access = insn,
                       .partial = -1,
                       .base = r->base,
                       .lo = r->lo,
                       .hi = r->hi,
                       .s_lo = r->s_lo,
                       .s_hi = r->s_hi};
    fact_merge(f, &one);
}

static bool lower(int64_t *x, int64_t y)
{
    bool changes = y < *x;
    *x = changes ? y : *x;
    return changes;
}

static bool higher(int64_t *x, int64_t y)
{
    bool changes = y > *x;
    *x = changes ? y : *x;
    return changes;
}

bool fact_merge(struct fact *f, const struct fact *from)
{
    if (!from->set)
        return false;
    if (!f->set) {
        *f = *from;
        return true;
    }
    bool changed = lower(&f->lo, from->lo) | higher(&f->hi, from->hi);
    if (from->vague && !f->vague)
        f->vague = changed = true;
    if (f->base != NO_REG && f->base != from->base) {
        f->base = NO_REG;
        changed = true;
    }
    if (f->base != NO_REG)
        changed |= lower(&f->s_lo, from->s_lo) | higher(&f->s_hi, from->s_hi);
    if (f->rank != from->rank && f->rank != RANK_ANY) {
        f->rank = RANK_ANY;
        changed = true;
    }
    if (f->before & ~from->before) {
        f->before &= from->before;
        changed = true;
    }
    if (f->partial < 0 && from->partial >= 0) {
        f->partial = from->partial;
        changed = true;
    }
    return changed;
}

bool facts_join(struct facts *to, const struct facts *from, struct facts_size n)
{
    bool changed = false;
    for (int p = 0; p < n.npieces; p++)
        for (int side = 0; side < SIDES; side++)
            for (int k = 0; k < FACT_KINDS; k++)
                changed |=
                    fact_merge(&to->pieces[p].facts[side][k], &from->pieces[p].facts[side][k]);
    for (size_t w = 0; w < nwords_of(n); w++) {
        changed |= (to->told[w] & ~from->told[w]) != 0;
        to->told[w] &= from->told[w];
    }
    return changed;
}

/* ---- what is queued, and the flags that come after it ---- */

static int bit_of(int piece, int side, int kind)
{
    return piece * PIECE_BITS + side * QUEUED_KINDS + kind;
}

static uint64_t *word_of(struct facts *s, struct facts_size n, int flag, int bit)
{
    return &s->told[(size_t)flag * (size_t)n.nwords + (size_t)(bit / 64)];
}

static void tell(struct facts *s, struct facts_size n, int bit, bool told)
{
    for (int flag = 0; flag < n.nflags; flag++) {
        uint64_t *word = word_of(s, n, flag, bit), one = (uint64_t)1 << bit % 64;
        *word = told ? *word | one : *word & ~one;
    }
}

void facts_queue(struct facts *s, struct facts_size n, int piece, int side, int kind,
                 const struct reach *r, int insn, int pipe)
{
    struct fact *f = &s->pieces[piece].facts[side][kind];
    fact_raise(f, r, insn);
    f->base = NO_REG;
    f->before = (uint8_t)(1 << pipe);
    tell(s, n, bit_of(piece, side, kind), false);
}

void facts_dequeue(struct facts *s, struct facts_size n, int piece, int side, int kind)
{
    s->pieces[piece].facts[side][kind] = (struct fact){0};
    tell(s, n, bit_of(piece, side, kind), true);
}

void facts_set_flag(struct facts *s, struct facts_size n, int flag, int pipe)
{
    for (int bit = 0; bit < n.npieces * PIECE_BITS; bit++) {
        const struct fact *f =
            &s->pieces[bit / PIECE_BITS].facts[bit % PIECE_BITS / QUEUED_KINDS][bit % QUEUED_KINDS];
        uint64_t *word = word_of(s, n, flag, bit), one = (uint64_t)1 << bit % 64;
        *word = !f->set || f->before >> pipe & 1 ? *word | one : *word & ~one;
    }
}

void facts_wait_flag(struct facts *s, struct facts_size n, int flag, int pipe)
{
    for (int bit = 0; bit < n.npieces * PIECE_BITS; bit++) {
        struct fact *f =
            &s->pieces[bit / PIECE_BITS].facts[bit % PIECE_BITS / QUEUED_KINDS][bit % QUEUED_KINDS];
        if (f->set && *word_of(s, n, flag, bit) >> bit % 64 & 1)
            f->before |= (uint8_t)(1 << pipe);
    }
}
