/* SPDX-License-Identifier: MIT */
/*
 * Arena: memory that is freed wholesale.
 *
 * One arena belongs to one program or one simulation; everything that hangs off it dies with it,
 * and nothing is freed piecemeal. Memory is zeroed and aligned for any type. Running out of memory
 * ends the process with a message (exit code 3: a limit was hit), so callers never test for NULL.
 * An arena is not shared between threads.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>

struct arena_block;

/* A zero-initialised struct arena is an empty arena. */
struct arena {
    struct arena_block *head;
    size_t block; /* bytes of its last block for many objects */
};

void *arena_alloc(struct arena *a, size_t size);
void *arena_dup(struct arena *a, const void *data, size_t size);
char *arena_strndup(struct arena *a, const char *s, size_t len);
char *arena_strdup(struct arena *a, const char *s);
char *arena_printf(struct arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
char *arena_vprintf(struct arena *a, const char *fmt, va_list ap)
    __attribute__((format(printf, 2, 0), nonnull(2)));

char *arena_decimal(struct arena *a, long long value);

/* Frees every block; the arena is empty and usable again. */
void arena_free(struct arena *a);

#define arena_new(a, T)      ((T *)arena_alloc((a), sizeof(T)))
#define arena_array(a, T, n) ((T *)arena_alloc((a), sizeof(T) * (n)))

#endif
