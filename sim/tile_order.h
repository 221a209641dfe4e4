/* SPDX-License-Identifier: MIT */
/*
 * Which tiles of a core are used in one order, whatever its units do when: by its flags and barriers.
 *
 * The pipes of a core and its scalar unit are ordered by what the unit issues: an operation comes after
 * what was issued to its pipe before it; what a pipe does behind a wait comes after what the flag was
 * set behind, the k-th wait for a flag after its k-th set, since a flag has one pipe that sets it and
 * one that waits (hw-facts 3.2); and what the unit issues behind a barrier comes after what it waits
 * for. A tile whose accesses are ordered by that, but for reads, is used in the same order in every
 * schedule in which the unit issues the same. Flags between cores and signals may order more; they are
 * left out.
 */
#ifndef SIM_TILE_ORDER_H
#define SIM_TILE_ORDER_H

#include "models/contract.h"
#include "isa/program.h"

struct tile_order;

struct tile_order *tile_order_new(struct arena *a, const struct program *p,
                                  const struct contract *k);

/* The core's scalar unit takes the instruction; those of a core in order. */
void tile_order_step(struct tile_order *t, int core, const struct insn *i);

/* Tiles with memory of their own, as bits; two may share one. */
struct tile_use {
    uint64_t reads, writes;
};
struct tile_use tile_use_of(const struct code *code, const struct insn *i);

/* Those bits of which the core's uses are not ordered by what it has taken. */
uint64_t tile_order_mixed(const struct tile_order *t, int core);

#endif
