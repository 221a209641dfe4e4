/* SPDX-License-Identifier: MIT */
/*
 * What it costs to add a state to the visited set, beside liburcu's cds_lfht: the same hashes into
 * both, one thread, processor time. Prints nanoseconds per state.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <urcu.h>
#include <urcu/rculfhash.h>

#include "base/rng.h"
#include "sim/explore/state_set.h"

enum { STATES = 4000000, FIRST_BUCKETS = 1 << 14, CHECK_EVERY = 1024 };

struct node {
    struct cds_lfht_node node;
    XXH128_hash_t hash;
    uint64_t mark;
};

static double processor_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double time_state_set(const XXH128_hash_t *hashes)
{
    double start = processor_seconds();
    struct state_set *s = state_set_new(1);
    state_set_enter(s);
    for (uint64_t i = 0; i < STATES; i++) {
        uint64_t mark = 0;
        state_set_add(s, hashes[i], &mark);
        if (i % CHECK_EVERY)
            continue;
        state_set_leave(s);
        state_set_reserve(s, i, 0);
        state_set_enter(s);
    }
    state_set_leave(s);
    state_set_free(s);
    return processor_seconds() - start;
}

static int same_hash(struct cds_lfht_node *node, const void *key)
{
    const struct node *n = caa_container_of(node, struct node, node);
    return XXH128_isEqual(n->hash, *(const XXH128_hash_t *)key);
}

/* Grown at the same times, to one bucket for two states at the least. */
static double time_lfht(const XXH128_hash_t *hashes)
{
    double start = processor_seconds();
    struct node *nodes = calloc(STATES, sizeof *nodes);
    uint64_t buckets = FIRST_BUCKETS;
    struct cds_lfht *set = cds_lfht_new(buckets, buckets, 0, 0, NULL);
    if (!nodes || !set)
        abort();
    for (uint64_t i = 0; i < STATES; i++) {
        nodes[i].hash = hashes[i];
        cds_lfht_node_init(&nodes[i].node);
        rcu_read_lock();
        cds_lfht_add_unique(set, hashes[i].low64, same_hash, &hashes[i], &nodes[i].node);
        rcu_read_unlock();
        if (i % CHECK_EVERY == 0 && i > 2 * buckets)
            cds_lfht_resize(set, buckets *= 2);
    }
    for (uint64_t i = 0; i < STATES; i++) {
        rcu_read_lock();
        cds_lfht_del(set, &nodes[i].node);
        rcu_read_unlock();
    }
    cds_lfht_destroy(set, NULL);
    free(nodes);
    return processor_seconds() - start;
}

int main(void)
{
    XXH128_hash_t *hashes = calloc(STATES, sizeof *hashes);
    struct rng rng = rng_make(1, 0);
    if (!hashes)
        abort();
    for (uint64_t i = 0; i < STATES; i++)
        hashes[i] = (XXH128_hash_t){rng_u64(&rng), rng_u64(&rng)};
    rcu_register_thread();
    double own = 0, lfht = 0;
    for (int round = 0; round < 3; round++) {
        double a = time_state_set(hashes), b = time_lfht(hashes);
        own = round && own < a ? own : a;
        lfht = round && lfht < b ? lfht : b;
    }
    rcu_unregister_thread();
    free(hashes);
    printf("visited set: %.0f ns per state; cds_lfht: %.0f ns; ratio %.1f (best of 3, %d states)\n",
           own / STATES * 1e9, lfht / STATES * 1e9, lfht / own, STATES);
    return 0;
}
