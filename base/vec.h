/* SPDX-License-Identifier: MIT */
/*
 * Growable arrays whose storage lives in an arena.
 *
 *     VEC(int) v = {0};
 *     vec_push(&arena, &v, 7);
 *     vec_foreach (int, x, &v) ...   // x points at each element
 */
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include "base/arena.h"

#define VEC(T)                                                                                     \
    struct {                                                                                       \
        T *items;                                                                                  \
        size_t len, cap;                                                                           \
    }

#define vec_push(a, v, ...)                                                                        \
    do {                                                                                           \
        if ((v)->len == (v)->cap)                                                                  \
            (v)->items = vec_grow((a), (v)->items, &(v)->cap, sizeof *(v)->items);                 \
        (v)->items[(v)->len++] = (__VA_ARGS__);                                                    \
    } while (0)

#define vec_foreach(T, it, v) for (T *it = (v)->items; it < (v)->items + (v)->len; it++)

/* Doubles *cap and returns the larger copy of items; the old storage stays in the arena. */
void *vec_grow(struct arena *a, void *items, size_t *cap, size_t size);

#endif
