/* SPDX-License-Identifier: MIT */
/* A growing string. Storage lives in the arena given at each call; text
 * is always NUL-terminated. */
#ifndef BASE_STRBUF_H
#define BASE_STRBUF_H

#include "base/vec.h"

struct strbuf {
    struct arena *arena;
    char *text;
    size_t len, cap;
};

struct strbuf strbuf_make(struct arena *a);
void strbuf_add(struct strbuf *b, const char *s);
void strbuf_addn(struct strbuf *b, const char *s, size_t n);
void strbuf_addf(struct strbuf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void strbuf_pad(struct strbuf *b, char c, size_t n);

#endif
