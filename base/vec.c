/* SPDX-License-Identifier: MIT */
#include "base/vec.h"

#include <string.h>

void *vec_grow(struct arena *a, void *items, size_t *cap, size_t size)
{
    size_t wider = *cap ? *cap * 2 : 8;
    void *p = arena_alloc(a, wider * size);
    if (items)
        memcpy(p, items, *cap * size);
    *cap = wider;
    return p;
}
