/* SPDX-License-Identifier: MIT */
#include "bench/campaign/greedy.h"

#include "base/arena.h"

void greedy_delete(const struct greedy *g, bool *deleted)
{
    struct arena a = {0};
    size_t gone = 0, *tried = arena_array(&a, size_t, g->size + 1); /* 1 + how many had gone then */
    for (bool again = true; again;) {
        again = false;
        for (size_t i = 0; i < g->n; i++) {
            size_t m = g->order[i];
            if (deleted[m] || tried[m] == gone + 1)
                continue;
            deleted[m] = true;
            if (g->enough(g->ctx, deleted, m)) {
                gone++;
                again = true;
            } else {
                deleted[m] = false;
                tried[m] = gone + 1;
            }
        }
    }
    arena_free(&a);
}
