/* SPDX-License-Identifier: MIT */
/*
 * States as canonical bytes: what the explorer hashes and keeps on its stack.
 *
 * Two machines in the same state pack to the same bytes, however they got there: cache lines go in
 * address order, messages in channel order, sets of atomic adds as sets. Words that no instruction
 * can write are left out. pack_load(pack_store(m)) restores m for every transition that can follow;
 * counters, LRU ages and the history behind findings are not part of a state (pack_new refuses
 * contracts that replace lines by age).
 */
#ifndef SIM_PACK_H
#define SIM_PACK_H

#include "sim/machine.h"

/* Growing bytes. Zero-initialise; free with pack_buffer_free. */
struct pack_buffer {
    uint8_t *data;
    size_t len, cap;
};
void pack_buffer_free(struct pack_buffer *b);

struct packer;

/* For machines of one program and contract. */
struct packer *packer_new(const struct machine *m);
void packer_free(struct packer *p);

/* The state of m, replacing what b held. */
void pack_store(const struct packer *p, const struct machine *m, struct pack_buffer *b);

/* Puts m, a machine of the packer's program and contract, into the packed state. */
void pack_load(const struct packer *p, struct machine *m, const uint8_t *data);

/* ---- for the files of the machine: variable-length integers ---- */

void pack_u64(struct pack_buffer *b, uint64_t v);
void pack_i64(struct pack_buffer *b, int64_t v);
void pack_bytes(struct pack_buffer *b, const void *data, size_t n);
uint64_t unpack_u64(const uint8_t **p);
int64_t unpack_i64(const uint8_t **p);
void unpack_bytes(const uint8_t **p, void *data, size_t n);

#endif
