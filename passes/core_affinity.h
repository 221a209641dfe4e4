/* SPDX-License-Identifier: MIT */
/*
 * Which core of a cluster a call runs on: its cube core, its vector cores, or both
 * (pypto-ops-facts 3.1).
 *
 *   stated      what names its lane: pipes between the cores, flags and barriers with a core_type
 *   by memory   a tile operator runs where its result lies, or else its first tile: Vec is the
 *               vector cores', every other memory of a tile the cube's
 *   vector      put, get, prefetches, the index of the vector lane
 *   crossing    tile.move from the cube's memory to Vec or back, aiv_shard, aic_gather: both
 *   shared      all else (scalars, scalar loads and stores, notify, wait): each core for itself
 */
#ifndef PASSES_CORE_AFFINITY_H
#define PASSES_CORE_AFFINITY_H

#include "ir/ir.h"

/* What several of them together are is their union. */
enum core_affinity { CORE_SHARED = 0, CORE_CUBE = 1, CORE_VECTOR = 2, CORE_MIXED = 3 };

/* A call of a registered operator; spaces: where the function's tiles lie (ir/space.h). */
enum core_affinity core_affinity_of(const struct map *spaces, const struct ir_expr *call);

/* A statement with all that is under it. What a called function of p does counts as well. */
enum core_affinity core_affinity_of_stmt(const struct ir_program *p, const struct map *spaces,
                                         const struct ir_stmt *s);
enum core_affinity core_affinity_of_block(const struct ir_program *p, const struct map *spaces,
                                          const ir_block *block);
enum core_affinity core_affinity_of_func(const struct ir_program *p, const struct ir_func *f);

/* A tile crosses from one kind of core to the other. */
enum core_crossing { CROSSES_NOT, CROSSES_TO_VECTOR, CROSSES_TO_CUBE };
enum core_crossing core_crossing_of(const struct map *spaces, const struct ir_expr *call);

#endif
