/* SPDX-License-Identifier: MIT */
#include "sim/node_map.h"

#include <string.h>

struct node_map node_map_new(struct arena *a, uint64_t bytes, int grain, bool by_units)
{
    struct node_map m = {.arena = a,
                         .npages = bytes / NODE_PAGE_BYTES + 1,
                         .shift = __builtin_ctz((unsigned)(NODE_PAGE_BYTES / grain)),
                         .by_units = by_units};
    m.pages = arena_array(a, struct node_page, m.npages);
    return m;
}

static uint64_t page_units(const struct node_map *m)
{
    return (uint64_t)1 << m->shift;
}

static void fill(uint32_t *units, uint64_t n, uint32_t node)
{
    for (uint64_t u = 0; u < n; u++)
        units[u] = node;
}

/* Gives each unit of the page a place of its own. */
static void split(struct node_map *m, struct node_page *p)
{
    if (p->split)
        return;
    if (!p->units)
        p->units = arena_array(m->arena, uint32_t, page_units(m));
    fill(p->units, page_units(m), p->node);
    p->split = true;
}

uint32_t *node_map_at(struct node_map *m, uint64_t unit)
{
    struct node_page *p = &m->pages[unit >> m->shift];
    split(m, p);
    return &p->units[unit & (page_units(m) - 1)];
}

void node_map_set(struct node_map *m, uint64_t first, uint64_t n, uint32_t node)
{
    while (n) {
        struct node_page *p = &m->pages[first >> m->shift];
        uint64_t at = first & (page_units(m) - 1), room = page_units(m) - at,
                 part = n < room ? n : room;
        if (part == page_units(m) && !m->by_units) {
            p->node = node;
            p->split = false;
        } else if (p->split || p->node != node || m->by_units) {
            split(m, p);
            fill(p->units + at, part, node);
        }
        first += part;
        n -= part;
    }
}

void node_map_read(const struct node_map *m, uint64_t first, uint64_t n, uint32_t *out)
{
    while (n) {
        const struct node_page *p = &m->pages[first >> m->shift];
        uint64_t at = first & (page_units(m) - 1), room = page_units(m) - at,
                 part = n < room ? n : room;
        if (p->split)
            memcpy(out, p->units + at, part * sizeof *out);
        else
            fill(out, part, p->node);
        out += part;
        first += part;
        n -= part;
    }
}

void node_map_copy(struct node_map *m, const struct node_map *from)
{
    for (uint64_t i = 0; i < m->npages; i++) {
        const struct node_page *p = &from->pages[i];
        m->pages[i].node = p->node;
        m->pages[i].split = false;
        if (!p->split && !m->by_units)
            continue;
        split(m, &m->pages[i]);
        if (p->split)
            memcpy(m->pages[i].units, p->units, page_units(m) * sizeof *p->units);
    }
}

/* In blocks, which a processor compares at once. */
uint64_t node_run(const uint32_t *nodes, uint64_t n)
{
    enum { BLOCK = 16 };
    uint64_t u = 1;
    for (; u + BLOCK <= n; u += BLOCK) {
        uint32_t differ = 0;
        for (int k = 0; k < BLOCK; k++)
            differ |= nodes[u + (uint64_t)k] ^ nodes[0];
        if (differ)
            break;
    }
    while (u < n && nodes[u] == nodes[0])
        u++;
    return u;
}

uint64_t node_map_run(const struct node_map *m, uint64_t first, uint64_t n)
{
    uint32_t node = node_map_get(m, first);
    uint64_t u = 0;
    while (u < n) {
        const struct node_page *p = &m->pages[(first + u) >> m->shift];
        uint64_t at = (first + u) & (page_units(m) - 1), room = page_units(m) - at,
                 part = n - u < room ? n - u : room,
                 same = node_map_get(m, first + u) != node ? 0
                        : p->split                         ? node_run(p->units + at, part)
                                                           : part;
        u += same;
        if (same < part)
            break;
    }
    return u;
}
