/* SPDX-License-Identifier: MIT */
/* Tokens of `.pto` text (pto-facts 1.1). */
#ifndef PTO_LEX_H
#define PTO_LEX_H

#include "base/diag.h"
#include "base/vec.h"

enum pto_token_kind {
    PT_END,
    PT_ERROR, /* text: what is wrong */
    PT_WORD,  /* func.func, loc, i32 */
    PT_VALUE, /* %x; text with its sign, as those of the next three */
    PT_SYMBOL,
    PT_LABEL,
    PT_HASH, /* #pto.layout, #loc3 */
    PT_BANG, /* !pto.ptr */
    PT_NUMBER,
    PT_STRING, /* text without quotes */
    PT_DIMS,   /* 8x?xbf16 */
    PT_MARK    /* -> :: and single characters */
};

struct pto_token {
    enum pto_token_kind kind;
    const char *text;
    struct span span;
};
typedef VEC(struct pto_token) pto_tokens;

/* Ends in one PT_END or PT_ERROR. */
pto_tokens pto_lex(struct arena *a, const struct source *src);

#endif
