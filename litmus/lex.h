/* SPDX-License-Identifier: MIT */
/*
 * Text -> tokens of the litmus language. Private to litmus/.
 *
 * A word is a run of letters, digits, '_', '.' and '-': what it means (name, number, register,
 * label) is decided where it stands. Comments, (* nested *) and from # to the end of the line, are
 * dropped. A lexical error becomes the last token, so that the parser reports whatever is wrong
 * first in the text.
 */
#ifndef LITMUS_LEX_H
#define LITMUS_LEX_H

#include "base/diag.h"
#include "base/vec.h"

enum litmus_token_kind { LT_END, LT_WORD, LT_NAME /* of the test */, LT_STRING, LT_MARK, LT_ERROR };

struct litmus_token {
    enum litmus_token_kind kind;
    struct span span;
    size_t offset, end; /* bytes of the source that it covers */
    const char *text;   /* word, mark, string without quotes, error message */
};
typedef VEC(struct litmus_token) litmus_tokens;

/* Ends in LT_END or LT_ERROR. */
litmus_tokens litmus_lex(struct arena *a, const struct source *src);

#endif
