/* SPDX-License-Identifier: MIT */
#include "base/arena.h"

#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* From LARGE bytes on a block is mapped by itself: pages that are never written cost nothing, also
 * where memory has been used before. */
enum { BLOCK_SIZE = 64 * 1024, LARGE = 1024 * 1024 };

struct arena_block {
    struct arena_block *next;
    size_t used, size;
    alignas(max_align_t) char data[];
};

static struct arena_block *block_new(size_t size)
{
    struct arena_block *b = size < LARGE ? calloc(1, sizeof *b + size)
                                         : mmap(NULL, sizeof *b + size, PROT_READ | PROT_WRITE,
                                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (!b || (void *)b == MAP_FAILED) {
        fprintf(stderr, "fencebench: out of memory (%zu bytes)\n", size);
        exit(3);
    }
    b->size = size;
    return b;
}

void *arena_alloc(struct arena *a, size_t size)
{
    const size_t align = alignof(max_align_t);
    size = (size + align - 1) / align * align;
    struct arena_block *b = a->head;
    if (!b || b->size - b->used < size) {
        struct arena_block *fresh = block_new(size > BLOCK_SIZE / 4 ? size : BLOCK_SIZE);
        /* A block made for one large object goes behind the head, so
         * that the head keeps its room. */
        if (b && fresh->size != BLOCK_SIZE) {
            fresh->next = b->next;
            b->next = fresh;
        } else {
            fresh->next = b;
            a->head = fresh;
        }
        b = fresh;
    }
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
        if (a->head->size < LARGE)
            free(a->head);
        else
            munmap(a->head, sizeof *a->head + a->head->size);
        a->head = next;
    }
}
