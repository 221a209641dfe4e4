/* SPDX-License-Identifier: MIT */
/*
 * Where the accesses of some code can reach, for isa/lint/lint.h: one value for each register,
 * whatever the way that leads to it, so that the time is linear in the code.
 *
 * Cores of several ranks that run the same code are one: addresses are told as offsets in the
 * memory of the own rank, of a rank that is known, or of any.
 */
#ifndef ISA_REACH_H
#define ISA_REACH_H

#include "isa/program.h"

/* Of whose memory: of a rank by its number, or one of these; a peer is any rank but the own. */
enum { RANK_OWN = -1, RANK_ANY = -2, RANK_PEER = -3 };

/*
 * Bytes from lo up to hi, which is not one of them, of each rank's memory. base, and from s_lo up
 * to s_hi: the same relative to what that register holds; NO_REG: not known so.
 */
struct reach {
    int64_t lo, hi;
    int64_t s_lo, s_hi;
    int64_t unit; /* lo, with any multiple of it on top: where it begins; 0: there alone */
    int32_t base;
    int rank;
    bool nowhere; /* it names no memory */
};

/* Cores, one a rank, that run the same code as the same part of their rank. */
struct core_group {
    const struct code *code;
    const int *cores; /* their numbers */
    int ncores;
};

/*
 * One for each instruction, in arena a; of those that name no memory it is nowhere. A loop of dcci
 * over all lines of a region is told at the branch that ends it: what has been reached behind it,
 * and unit 1 where lo and hi are not known.
 */
struct reach *reach_find(struct arena *a, const struct program *p, const struct core_group *g);

#endif
