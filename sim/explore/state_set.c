/* SPDX-License-Identifier: MIT */
/*
 * Open addressing. An entry's home is given by the leading bits of its hash, so that a table twice
 * as long has its entries in the same order: it is filled from front to back.
 */
#include "sim/explore/state_set.h"

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

static void out_of_memory(size_t bytes)
{
    fprintf(stderr, "fencebench: out of memory: %zu bytes for visited states\n", bytes);
    exit(OUT_OF_MEMORY);
}

/* Entries are visited at random, and a small page for each is one more wait. */
static void advise(struct entry *e, size_t bytes)
{
    if (bytes >= HUGE_PAGE)
        madvise(e, bytes, MADV_HUGEPAGE);
}

static struct entry *entries_new(int bits)
{
    size_t bytes = sizeof(struct entry) * length_of(bits);
    struct entry *e = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (e == MAP_FAILED)
        out_of_memory(bytes);
    advise(e, bytes);
    return e;
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
    munmap(s->entries, state_set_bytes(s));
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

/* ---- growth ---- */

/* Entries on their way to their new places. */
struct taken {
    struct entry *items;
    size_t len, cap;
};

static void take(struct taken *t, struct entry *e)
{
    if (t->len == t->cap) {
        t->cap = t->cap ? 2 * t->cap : 64;
        t->items = realloc(t->items, sizeof *t->items * t->cap);
        if (!t->items)
            abort();
    }
    struct entry *to = &t->items[t->len++];
    to->low = e->low;
    to->high = e->high;
    to->mark = e->mark;
    e->low = e->high = e->mark = 0;
}

static void put(struct entry *to, const struct entry *e)
{
    atomic_store_explicit(&to->low, e->low, memory_order_relaxed);
    atomic_store_explicit(&to->high, e->high, memory_order_relaxed);
    atomic_store_explicit(&to->mark, e->mark, memory_order_relaxed);
}

/* Into the first free place from its home on; what would have to begin again at the front waits. */
static void put_back(struct state_set *s, const struct taken *run, struct taken *waiting)
{
    for (size_t i = 0; i < run->len; i++) {
        uint64_t at = home_of(s->bits, run->items[i].low), end = length_of(s->bits);
        while (at < end && s->entries[at].low)
            at++;
        if (at < end)
            put(&s->entries[at], &run->items[i]);
        else
            take(waiting, &run->items[i]);
    }
}

/*
 * Doubles the table in place, run by run of entries without a gap, the last one first. A run that
 * begins at a > 0 has its homes in it; in the longer table they are at 2a or behind, and all that
 * stands there has been moved already. The run at the front, whose homes may be at the other end,
 * is taken out first and put back when all else has its place.
 */
static void move_runs(struct state_set *s, uint64_t old_length)
{
    struct taken front = {0}, run = {0};
    for (uint64_t i = 0; i < old_length && s->entries[i].low; i++)
        take(&front, &s->entries[i]);
    for (uint64_t end = old_length; end > 0;) {
        uint64_t first = end;
        while (first > 0 && s->entries[first - 1].low)
            first--;
        run.len = 0;
        for (uint64_t i = first; i < end; i++)
            take(&run, &s->entries[i]);
        put_back(s, &run, &front);
        end = first > 0 ? first - 1 : 0;
    }
    for (size_t i = 0; i < front.len; i++) {
        uint64_t mark = front.items[i].mark;
        state_set_add(s, (XXH128_hash_t){front.items[i].low, front.items[i].high}, &mark);
    }
    free(front.items);
    free(run.items);
}

static void grow(struct state_set *s, int bits)
{
    uint64_t old_length = length_of(s->bits);
    while (s->bits < bits) {
        size_t bytes = state_set_bytes(s);
        void *longer = mremap(s->entries, bytes, 2 * bytes, MREMAP_MAYMOVE);
        if (longer == MAP_FAILED)
            out_of_memory(2 * bytes);
        s->entries = longer;
        s->bits++;
        advise(s->entries, 2 * bytes);
        move_runs(s, old_length);
        old_length *= 2;
    }
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
    uint64_t bytes = sizeof(struct entry) * length_of(bits);
    bool fits = bits == s->bits || !max_bytes || bytes <= max_bytes;
    if (fits && bits > s->bits)
        grow(s, bits);
    pthread_rwlock_unlock(&s->lock);
    return fits;
}
