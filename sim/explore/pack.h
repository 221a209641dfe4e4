/* SPDX-License-Identifier: MIT */
/*
 * States as canonical bytes: what the explorer hashes and keeps on its stack.
 *
 * Two machines in the same state pack to the same bytes, however they got there: cache lines go in
 * address order, messages in channel order, sets of atomic adds as sets. Left out are words that no
 * instruction can write (sim/writable.h) and clean lines of nothing else, which are the same in the
 * cache as in memory; and clean lines and registers that nothing reads any more
 * (sim/explore/liveness.h, and the course that a run follows). pack_load(pack_store(m)) restores m for every transition that can follow;
 * counters, LRU ages and the history behind findings are not part of a state (pack_new refuses
 * contracts that replace lines by age).
 */
#ifndef SIM_PACK_H
#define SIM_PACK_H

#include <string.h>

#include "sim/machine.h"

/* Growing bytes. Zero-initialise; free with pack_buffer_free. */
struct pack_buffer {
    uint8_t *data;
    size_t len, cap;
};
void pack_buffer_free(struct pack_buffer *b);

struct packer;

/* For one machine, which must not change but by pack_load and by steps
 * that pack_step is told of. */
struct packer *packer_new(const struct machine *m);
/* Which registers matter in final states, as for liveness_new; without it, all do. Before anything
 * is stored. */
void packer_observe(struct packer *p, const struct machine *m, const uint64_t *observed);
void packer_free(struct packer *p);

/* The machine has just taken t. Storing and loading then handle only what differs: a state is kept
 * in parts, and a step touches few of them. */
void pack_step(struct packer *p, const struct machine *m, struct transition t);

/* The state of m. It is the packer's, and stays until the next call. */
const struct pack_buffer *pack_store(struct packer *p, const struct machine *m);

/* Puts m into the packed state. */
void pack_load(struct packer *p, struct machine *m, const uint8_t *data);

/* True for a step that leads to the packed state that it comes from: a prefetch of a line that does
 * not matter. */
bool pack_idle(const struct packer *p, const struct machine *m, struct transition t);

/* Puts m back into the state that was loaded last. */
void pack_back(struct packer *p, struct machine *m);

/* ---- for the files of the machine: variable-length integers ---- */

/* Place for n more bytes. */
uint8_t *pack_room(struct pack_buffer *b, size_t n);
void pack_long(struct pack_buffer *b, uint64_t v);
uint64_t unpack_long(const uint8_t **p);

static inline void pack_bytes(struct pack_buffer *b, const void *data, size_t n)
{
    memcpy(b->len + n <= b->cap ? b->data + b->len : pack_room(b, n), data, n);
    b->len += n;
}

/* Nearly all integers of a state fit one byte. */
static inline void pack_u64(struct pack_buffer *b, uint64_t v)
{
    if (v < 0x80 && b->len < b->cap)
        b->data[b->len++] = (uint8_t)v;
    else
        pack_long(b, v);
}

static inline void pack_i64(struct pack_buffer *b, int64_t v)
{
    pack_u64(b, ((uint64_t)v << 1) ^ (uint64_t)(v >> 63));
}

static inline uint64_t unpack_u64(const uint8_t **p)
{
    return **p < 0x80 ? *(*p)++ : unpack_long(p);
}

static inline int64_t unpack_i64(const uint8_t **p)
{
    uint64_t v = unpack_u64(p);
    return (int64_t)(v >> 1) ^ -(int64_t)(v & 1);
}

#endif
