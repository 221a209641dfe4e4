/* SPDX-License-Identifier: MIT */
/* Maps from pointers, or from text, to pointers, in an arena. */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include "base/arena.h"

struct map_entry;

/* Keys are of one sort: pointers by identity, or text by content. A NULL head is an empty map. */
struct map {
    struct arena *arena;
    struct map_entry *head;
};

/* The value of key, or NULL. */
void *map_get(const struct map *m, const void *key);
/* Adds the key or replaces its value. */
void map_put(struct map *m, const void *key, void *value);

void *map_get_text(const struct map *m, const char *key);
void map_put_text(struct map *m, const char *key, void *value);
/* The key that was added after this one, which is in the map; of NULL, the first. NULL: there is none. */
const char *map_next_text(const struct map *m, const char *key);

#endif
