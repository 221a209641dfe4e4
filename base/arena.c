/* SPDX-License-Identifier: MIT */
#include "base/arena.h"

#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/*
 * Blocks for many objects grow with the arena. From LARGE bytes on a block is mapped by itself. One
 * of a single object has ordinary pages: those that are never written cost nothing, also where
 * memory has been used before. One of many is a large page: the objects of a large simulation are
 * used in no order, and the processor has to find each page that is touched.
 */
enum { BLOCK = 64 * 1024, OBJECT = BLOCK / 4, LARGE = 1024 * 1024, PAGE = 2 * LARGE };

struct arena_block {
    struct arena_block *next;
    size_t used, size; /* of data */
    alignas(max_align_t) char data[];
};

static void *map(size_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                   -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

/* A large page, or NULL. */
static void *map_page(void)
{
    char *p = map(2 * (size_t)PAGE);
    if (!p)
        return NULL;
    size_t before = (PAGE - (uintptr_t)p % PAGE) % PAGE;
    if (before)
        munmap(p, before);
    munmap(p + before + PAGE, PAGE - before);
    madvise(p + before, PAGE, MADV_HUGEPAGE);
    return p + before;
}

/* Of so many bytes altogether. */
static struct arena_block *block_new(size_t bytes, bool many)
{
    struct arena_block *b = bytes < LARGE ? calloc(1, bytes) : many ? map_page() : map(bytes);
    if (!b) {
        fprintf(stderr, "fencebench: out of memory (%zu bytes)\n", bytes);
        exit(3);
    }
    b->size = bytes - sizeof *b;
    return b;
}

/* A block made for one large object goes behind the head, so that the head keeps its room. */
static struct arena_block *add_block(struct arena *a, size_t size)
{
    struct arena_block *b = a->head;
    if (size > OBJECT) {
        struct arena_block *own = block_new(sizeof *own + size, false);
        if (b) {
            own->next = b->next;
            b->next = own;
        } else {
            a->head = own;
        }
        return own;
    }
    size_t bytes = a->block ? a->block * 2 : BLOCK;
    a->block = bytes < LARGE ? bytes : PAGE;
    struct arena_block *fresh = block_new(a->block, true);
    fresh->next = b;
    a->head = fresh;
    return fresh;
}

void *arena_alloc(struct arena *a, size_t size)
{
    const size_t align = alignof(max_align_t);
    size = (size + align - 1) / align * align;
    struct arena_block *b = a->head;
    if (!b || b->size - b->used < size)
        b = add_block(a, size);
    void *p = b->data + b->used;
    b->used += size;
    return p;
}

void *arena_dup(struct arena *a, const void *data, size_t size)
{
    void *p = arena_alloc(a, size);
    if (size)
        memcpy(p, data, size);
    return p;
}

char *arena_strndup(struct arena *a, const char *s, size_t len)
{
    char *p = arena_alloc(a, len + 1);
    memcpy(p, s, len);
    return p;
}

char *arena_strdup(struct arena *a, const char *s)
{
    return arena_strndup(a, s, strlen(s));
}

char *arena_vprintf(struct arena *a, const char *fmt, va_list ap)
{
    va_list copy;
    va_copy(copy, ap);
    int n = vsnprintf(NULL, 0, fmt, copy);
    va_end(copy);
    char *p = arena_alloc(a, (size_t)n + 1);
    vsnprintf(p, (size_t)n + 1, fmt, ap);
    return p;
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char *p = arena_vprintf(a, fmt, ap);
    va_end(ap);
    return p;
}

char *arena_decimal(struct arena *a, long long value)
{
    return arena_printf(a, "%lld", value);
}

void arena_free(struct arena *a)
{
    while (a->head) {
        struct arena_block *next = a->head->next;
        size_t bytes = sizeof *a->head + a->head->size;
        if (bytes < LARGE)
            free(a->head);
        else
            munmap(a->head, bytes);
        a->head = next;
    }
    a->block = 0;
}
