/* SPDX-License-Identifier: MIT */
/*
 * A sweep: of each case every mutant, judged (bench/campaign/subject.h), then every two sites that are
 * redundant alone; as many cases at once as there are threads. Rows are in one order and the same for any
 * number of threads.
 */
#ifndef BENCH_SWEEP_H
#define BENCH_SWEEP_H

#include "bench/campaign/store.h"
#include "bench/campaign/subject.h"

struct sweep_item {
    struct sweep_row row; /* first: lists of items are lists of rows */
    const struct subject *subject;
    size_t mutant;          /* index in subject->list; not of a pair */
    struct sweep_item *one; /* of a pair: the items of its sites; else NULL */
    struct sweep_item *two;
};
typedef VEC(struct sweep_item) sweep_items;

/* The class of a row. */
enum fate sweep_fate(const struct sweep_row *r);

/* A case all of whose rows are known; the shortest witness is one of this and the cases before. */
struct sweep_case {
    const struct subject *subject;
    const struct sweep_item *items; /* its mutants */
    size_t n;
    const struct sweep_item *pairs; /* of its sites, those that die */
    size_t npairs;
};

struct sweep_plan {
    const struct experiment *x;
    unsigned origins;    /* bit per enum origin_kind */
    uint64_t max_states; /* of one exploration; 0: nothing is explored */
    bool pairs;
    int shard,
        shards; /* the shard-th of so many parts, from 1; shards 0: all. A part has no pairs */
    struct store *store; /* or NULL */
    bool resume;         /* take what it holds */
    /* Called for one case after the other as each one ends, by any thread but never by two at once, also
     * for one that a stop left with some of its mutants; NULL: never. */
    void (*done)(void *ctx, const struct sweep_case *c);
    void *ctx;
};

struct sweep_results {
    VEC(struct subject) subjects;
    sweep_items items;
    sweep_items pairs;    /* those that die */
    size_t pairs_tried;   /* of sites that are redundant alone */
    size_t pairs_all;     /* ... that there are; of many the nearest are tried */
    struct arena *arenas; /* of the subjects */
};

/* cases: with their tallies. out is freed by sweep_free. False with its diag filled when
 * the store cannot be written. */
bool sweep_run(const struct sweep_plan *plan, const kases *cases, struct sweep_results *out);
void sweep_free(struct sweep_results *r);

#endif
