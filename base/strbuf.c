/* SPDX-License-Identifier: MIT */
#include "base/strbuf.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct strbuf strbuf_make(struct arena *a)
{
    return (struct strbuf){.arena = a, .text = arena_alloc(a, 64), .cap = 64};
}

static void reserve(struct strbuf *b, size_t more)
{
    while (b->len + more + 1 > b->cap)
        b->text = vec_grow(b->arena, b->text, &b->cap, 1);
}

void strbuf_addn(struct strbuf *b, const char *s, size_t n)
{
    reserve(b, n);
    memcpy(b->text + b->len, s, n);
    b->len += n;
    b->text[b->len] = '\0';
}

void strbuf_add(struct strbuf *b, const char *s)
{
    strbuf_addn(b, s, strlen(s));
}

void strbuf_addf(struct strbuf *b, const char *fmt, ...)
{
    va_list ap, copy;
    va_start(ap, fmt);
    va_copy(copy, ap);
    int n = vsnprintf(NULL, 0, fmt, copy);
    va_end(copy);
    reserve(b, (size_t)n);
    vsnprintf(b->text + b->len, (size_t)n + 1, fmt, ap);
    va_end(ap);
    b->len += (size_t)n;
}

void strbuf_pad(struct strbuf *b, char c, size_t n)
{
    reserve(b, n);
    memset(b->text + b->len, c, n);
    b->len += n;
    b->text[b->len] = '\0';
}
