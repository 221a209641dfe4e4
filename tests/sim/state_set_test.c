/* SPDX-License-Identifier: MIT */
/* The visited set: each state is new once, whoever adds it and however often the table grows. */
#include <criterion/criterion.h>
#include <pthread.h>

#include "base/rng.h"
#include "sim/explore/state_set.h"

enum { STATES = 200000, WORKERS = 4 };

static XXH128_hash_t hash_of(uint64_t i)
{
    struct rng rng = rng_make(i, 5);
    return (XXH128_hash_t){rng_u64(&rng), rng_u64(&rng)};
}

static bool add(struct state_set *s, XXH128_hash_t hash, uint64_t mark, uint64_t *had)
{
    *had = mark;
    state_set_enter(s);
    bool fresh = state_set_add(s, hash, had);
    state_set_leave(s);
    return fresh;
}

Test(state_set, marks)
{
    static const struct {
        uint64_t mark;
        bool fresh;
        uint64_t had;
    } rows[] = {{0xff, true, 0xff},
                {0x0f, false, 0xff},
                {0xf3, false, 0x0f},
                {0, false, 0x03},
                {~(uint64_t)0, false, 0}};
    struct state_set *s = state_set_new(1);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint64_t had;
        cr_expect_eq(add(s, hash_of(1), rows[i].mark, &had), rows[i].fresh, "row %zu", i);
        cr_expect_eq(had, rows[i].had, "row %zu: had %lx", i, (unsigned long)had);
    }
    state_set_free(s);
}

/* States that differ in one half of their hashes only; 0 in a half means nothing special. */
Test(state_set, halves)
{
    static const XXH128_hash_t hashes[] = {{7, 7}, {7, 8}, {8, 7}, {UINT64_MAX, 7}, {0, 9}, {9, 0}};
    struct state_set *s = state_set_new(1);
    uint64_t had;
    for (size_t i = 0; i < sizeof hashes / sizeof *hashes; i++)
        cr_expect(add(s, hashes[i], 0, &had), "hash %zu is new", i);
    for (size_t i = 0; i < sizeof hashes / sizeof *hashes; i++)
        cr_expect(!add(s, hashes[i], 0, &had), "hash %zu is known", i);
    state_set_free(s);
}

struct adder {
    struct state_set *s;
    uint64_t fresh, first;
};

/* All states, beginning somewhere else than the others do. */
static void *add_all(void *arg)
{
    struct adder *a = arg;
    for (uint64_t i = 0; i < STATES; i++) {
        uint64_t had;
        a->fresh += add(a->s, hash_of((a->first + i) % STATES), 1, &had);
        if (i % STATE_SET_CALL == 0)
            cr_assert(state_set_reserve(a->s, i * WORKERS < STATES ? i * WORKERS : STATES, 0));
    }
    return NULL;
}

Test(state_set, workers_add_each_state_once)
{
    struct state_set *s = state_set_new(WORKERS);
    struct adder adders[WORKERS];
    pthread_t threads[WORKERS];
    uint64_t fresh = 0, had;
    for (int i = 0; i < WORKERS; i++) {
        adders[i] = (struct adder){.s = s, .first = (uint64_t)i * STATES / WORKERS};
        cr_assert_eq(pthread_create(&threads[i], NULL, add_all, &adders[i]), 0);
    }
    for (int i = 0; i < WORKERS; i++) {
        pthread_join(threads[i], NULL);
        fresh += adders[i].fresh;
    }
    cr_expect_eq(fresh, STATES);
    for (uint64_t i = 0; i < STATES; i++)
        cr_assert(!add(s, hash_of(i), 1, &had) && had == 1);
    cr_expect(add(s, hash_of(STATES), 1, &had));
    state_set_free(s);
}

Test(state_set, a_limit_of_memory_stops_growth)
{
    struct state_set *s = state_set_new(1);
    size_t bytes = state_set_bytes(s);
    cr_expect(state_set_reserve(s, 1000, bytes));
    cr_expect(!state_set_reserve(s, 1000000, 2 * bytes));
    cr_expect_eq(state_set_bytes(s), bytes);
    cr_expect(state_set_reserve(s, 1000000, 0));
    cr_expect(state_set_bytes(s) >= 1000000 * 24 * 3 / 2);
    state_set_free(s);
}
