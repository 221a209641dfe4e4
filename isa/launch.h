/* SPDX-License-Identifier: MIT */
/*
 * Programs of several launches, each of which may run on several cores at once (pypto-ops-facts 3.1):
 * which core of a rank runs what, and what it waits for. The launches are the same on every rank. A
 * core runs its parts of them in the order of the launches.
 */
#ifndef ISA_LAUNCH_H
#define ISA_LAUNCH_H

#include "isa/builder.h"

/* A core of a rank. */
struct core_place {
    int cluster;
    enum lane lane;
};
typedef VEC(struct core_place) place_list;

/* Where a kernel of the cube, or of vectors, runs that takes core number n of its kind, or, with
 * cluster, its core of cluster n; vector: 1 for the second vector core of that. */
struct core_place launch_place(bool cube, bool cluster, int n, int vector);
/* The place's index among those of a rank, to which it is added if it is new. */
int launch_add_place(struct arena *a, place_list *places, struct core_place at);

/* The cores of a program of nranks ranks, each of which has those places. */
void launch_add_cores(struct arena *a, struct program *p, const struct code *c,
                      const place_list *places);

/* A function that runs as a lane of a launch. */
struct launch_lane {
    bool cube, dual; /* dual: on both vector cores of a cluster */
};

struct core_launch {
    int task; /* of the builder: that of its first lane; those of others follow */
    const struct launch_lane *lanes;
    int nlanes, blocks;
    int first_core; /* of its kind, that its first block takes; of what takes clusters, the cluster */
    const int *after; /* earlier launches that must have ended */
    int nafter;
};

/* Behind the arguments of a task, in this order: the index of its block, their number, and which of
 * two vector cores it is on. */
enum { LAUNCH_REGISTERS = 3 };

struct launch_set {
    struct arena *arena;
    const struct core_launch *items;
    int n;
    int64_t *const *values; /* by rank: what arguments hold, with room for LAUNCH_REGISTERS more */
    int nargs;
};

/* Those places that the launches take; then, in a program with cores there and the entries of its tasks,
 * what each core is given to run. */
void launch_find_places(const struct launch_set *s, place_list *places);
void launch_dispatch(const struct launch_set *s, struct program *p, const int *entries,
                     place_list *places);

#endif
