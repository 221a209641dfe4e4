/* SPDX-License-Identifier: MIT */
/*
 * Open addressing. An entry's home is given by the leading bits of its hash, so that a table twice
 * as long has its entries in the same order: it is filled from front to back.
 */
#include "sim/state_set.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

/* All zero: free. Who changes low from 0 owns the entry; the others wait for high. */
struct entry {
    atomic_uint_fast64_t low, high, mark;
};

enum { FIRST_BITS = 14, HUGE_PAGE = 1 << 21, OUT_OF_MEMORY = 3 };

struct state_set {
    struct entry *entries;
    int bits;
    pthread_rwlock_t lock; /* held for writing while the table grows */
};

static uint64_t length_of(int bits)
{
    return (uint64_t)1 << bits;
}

static struct entry *entries_new(int bits)
{
    size_t bytes = sizeof(struct entry) * length_of(bits);
    struct entry *e = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (e == MAP_FAILED) {
        fprintf(stderr, "fencebench: out of memory: %zu bytes for visited states\n", bytes);
        exit(OUT_OF_MEMORY);
    }
    /* Advice only: entries are visited at random, and a small page for each is one more wait. */
    if (bytes >= HUGE_PAGE)
        madvise(e, bytes, MADV_HUGEPAGE);
    return e;
}

static void entries_free(struct entry *e, int bits)
{
    munmap(e, sizeof *e * length_of(bits));
}

struct state_set *state_set_new(int workers)
{
    struct state_set *s = calloc(1, sizeof *s);
    pthread_rwlockattr_t attr;
    if (!s)
        abort();
    s->bits = FIRST_BITS;
    while (length_of(s->bits) < 4 * STATE_SET_CALL * (uint64_t)workers)
        s->bits++;
    s->entries = entries_new(s->bits);
    pthread_rwlockattr_init(&attr);
    pthread_rwlockattr_setkind_np(&attr, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    pthread_rwlock_init(&s->lock, &attr);
    pthread_rwlockattr_destroy(&attr);
    return s;
}

void state_set_free(struct state_set *s)
{
    entries_free(s->entries, s->bits);
    pthread_rwlock_destroy(&s->lock);
    free(s);
}

void state_set_enter(struct state_set *s)
{
    pthread_rwlock_rdlock(&s->lock);
}

void state_set_leave(struct state_set *s)
{
    pthread_rwlock_unlock(&s->lock);
}

size_t state_set_bytes(const struct state_set *s)
{
    return sizeof *s->entries * length_of(s->bits);
}

/* 0 stands for "none yet" in both halves. */
static XXH128_hash_t nonzero(XXH128_hash_t h)
{
    h.low64 += h.low64 == 0;
    h.high64 += h.high64 == 0;
    return h;
}

static uint64_t home_of(int bits, uint64_t low)
{
    return low >> (64 - bits);
}

void state_set_prefetch(const struct state_set *s, XXH128_hash_t hash)
{
    __builtin_prefetch(&s->entries[home_of(s->bits, nonzero(hash).low64)], 1);
}

/* The entry's high half; its owner writes it right after the low one. */
static uint64_t wait_for_high(struct entry *e)
{
    uint64_t high;
    while (!(high = atomic_load_explicit(&e->high, memory_order_acquire)))
        ;
    return high;
}

/* Claims a free entry; otherwise *low is what stands there. */
static bool claim(struct entry *e, uint64_t *low, XXH128_hash_t hash, uint64_t mark)
{
    *low = atomic_load_explicit(&e->low, memory_order_relaxed);
    if (*low || !atomic_compare_exchange_strong(&e->low, low, hash.low64))
        return false;
    atomic_store_explicit(&e->mark, mark, memory_order_relaxed);
    atomic_store_explicit(&e->high, hash.high64, memory_order_release);
    return true;
}

bool state_set_add(struct state_set *s, XXH128_hash_t hash, uint64_t *mark)
{
    hash = nonzero(hash);
    uint64_t last = length_of(s->bits) - 1, low;
    for (uint64_t at = home_of(s->bits, hash.low64);; at = (at + 1) & last) {
        struct entry *e = &s->entries[at];
        if (claim(e, &low, hash, *mark))
            return true;
        if (low != hash.low64 || wait_for_high(e) != hash.high64)
            continue;
        uint64_t had = atomic_load_explicit(&e->mark, memory_order_relaxed);
        if (had & ~*mark) /* rare: it shrinks */
            had = atomic_fetch_and(&e->mark, *mark);
        *mark = had;
        return false;
    }
}

static void grow(struct state_set *s, int bits)
{
    struct state_set longer = {.entries = entries_new(bits), .bits = bits};
    for (uint64_t i = 0; i < length_of(s->bits); i++) {
        struct entry *e = &s->entries[i];
        uint64_t mark = e->mark;
        if (e->low)
            state_set_add(&longer, (XXH128_hash_t){e->low, e->high}, &mark);
    }
    entries_free(s->entries, s->bits);
    s->entries = longer.entries;
    s->bits = bits;
}

/* Two thirds full at the most: longer searches cost more than memory does. */
static int bits_for(int bits, uint64_t states)
{
    while (states * 3 > length_of(bits) * 2)
        bits++;
    return bits;
}

bool state_set_reserve(struct state_set *s, uint64_t states, uint64_t max_bytes)
{
    pthread_rwlock_rdlock(&s->lock);
    bool enough = bits_for(s->bits, states) == s->bits;
    pthread_rwlock_unlock(&s->lock);
    if (enough)
        return true;
    pthread_rwlock_wrlock(&s->lock);
    int bits = bits_for(s->bits, states);
    uint64_t bytes = sizeof(struct entry) * (length_of(s->bits) + length_of(bits));
    bool fits = bits == s->bits || !max_bytes || bytes <= max_bytes;
    if (fits && bits > s->bits)
        grow(s, bits);
    pthread_rwlock_unlock(&s->lock);
    return fits;
}
