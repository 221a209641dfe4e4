/* SPDX-License-Identifier: MIT */
/*
 * Which node of the oracle each unit of a rank's memory has, at the grain of whole transfers.
 *
 * Memory is cut into pages. While all units of a page have one node the page is that node; an access
 * to a part of it gives each unit a place of its own, until all have one node again. What a map says
 * of each unit is the same either way: a page is only shorter to write down, to compare and to go
 * through.
 */
#ifndef SIM_NODE_MAP_H
#define SIM_NODE_MAP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

/* A page holds the units of so many bytes, and so whole cache lines, and whole messages of the
 * contracts. */
enum { NODE_PAGE_BYTES = 512 };

struct node_page {
    uint32_t node;   /* of all its units, unless it is split */
    bool split;      /* each unit has its own */
    uint32_t *units; /* NULL until it is split for the first time; then kept */
};

struct node_map {
    struct arena *arena;
    struct node_page *pages;
    uint64_t npages;
    int shift;     /* units of a page, as a power of two */
    bool by_units; /* pages are split, always: for tests */
};

/* For bytes of memory in units of grain (1, 2 or 4) bytes, all of node 0, in arena a. */
struct node_map node_map_new(struct arena *a, uint64_t bytes, int grain, bool by_units);

/* n units from the first on, which the map has. */
void node_map_set(struct node_map *m, uint64_t first, uint64_t n, uint32_t node);
void node_map_read(const struct node_map *m, uint64_t first, uint64_t n, uint32_t *out);
/* Everything is as in from, which is of the same memory. */
void node_map_copy(struct node_map *m, const struct node_map *from);

/* How many of n > 0 nodes in a row are equal to the first. */
uint64_t node_run(const uint32_t *nodes, uint64_t n);

/* How many of n > 0 units from the first on have the first's node. */
uint64_t node_map_run(const struct node_map *m, uint64_t first, uint64_t n);

static inline uint32_t node_map_get(const struct node_map *m, uint64_t unit)
{
    const struct node_page *p = &m->pages[unit >> m->shift];
    return p->split ? p->units[unit & (((uint64_t)1 << m->shift) - 1)] : p->node;
}

/* The place of one unit, to be read or written until the next call. */
uint32_t *node_map_at(struct node_map *m, uint64_t unit);

#endif
