/* SPDX-License-Identifier: MIT */
#include "base/map.h"

#include <string.h>

/* Every function below names its map `m`; a table that the library outgrows stays in the arena. */
#define uthash_malloc(size)    arena_alloc(m->arena, size)
#define uthash_free(ptr, size) ((void)(ptr))
#include <uthash.h>

struct map_entry {
    const void *key;
    void *value;
    UT_hash_handle hh;
};

void *map_get(const struct map *m, const void *key)
{
    struct map_entry *e = NULL;
    HASH_FIND_PTR(m->head, &key, e);
    return e ? e->value : NULL;
}

void map_put(struct map *m, const void *key, void *value)
{
    struct map_entry *e = NULL;
    HASH_FIND_PTR(m->head, &key, e);
    if (!e) {
        e = arena_new(m->arena, struct map_entry);
        e->key = key;
        HASH_ADD_PTR(m->head, key, e);
    }
    e->value = value;
}

void *map_get_text(const struct map *m, const char *key)
{
    struct map_entry *e = NULL;
    HASH_FIND_STR(m->head, key, e);
    return e ? e->value : NULL;
}

void map_put_text(struct map *m, const char *key, void *value)
{
    struct map_entry *e = NULL;
    HASH_FIND_STR(m->head, key, e);
    if (!e) {
        e = arena_new(m->arena, struct map_entry);
        e->key = key;
        HASH_ADD_KEYPTR(hh, m->head, e->key, strlen(key), e);
    }
    e->value = value;
}

const char *map_next_text(const struct map *m, const char *key)
{
    struct map_entry *e = m->head;
    if (key) {
        HASH_FIND_STR(m->head, key, e);
        e = e ? e->hh.next : NULL;
    }
    return e ? e->key : NULL;
}
