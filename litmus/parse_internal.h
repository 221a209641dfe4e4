/* SPDX-License-Identifier: MIT */
/* What the files of the parser share; private to litmus/. */
#ifndef LITMUS_PARSE_INTERNAL_H
#define LITMUS_PARSE_INTERNAL_H

#include "litmus/lex.h"
#include "litmus/test.h"
#include "litmus/tree.h"

struct litmus_parser {
    struct arena *arena;
    const struct source *src;
    struct diag *d;
    const struct litmus_token *toks;
    size_t at;
    struct litmus_test *test;
    struct litmus_tree *tree;
    bool condition;   /* 'deadlock' and 'true' may stand for a location */
    bool ranks_given; /* tree->ranks is what the test says, else what its columns need so far */
};

static inline const struct litmus_token *lp_peek(const struct litmus_parser *p)
{
    return &p->toks[p->at];
}

/* The current token is this mark or word. */
bool lp_at(const struct litmus_parser *p, const char *text);
/* The current token, which is left behind unless it is the last one. */
const struct litmus_token *lp_next(struct litmus_parser *p);
bool lp_accept(struct litmus_parser *p, const char *text);
/* accept, or an error that expected it `where`. */
bool lp_expect(struct litmus_parser *p, const char *text, const char *where);
/* "expected WHAT, found 'x'" at the current token, or the lexical error that it is. False. */
bool lp_expected(struct litmus_parser *p, const char *what);
/* The same, with the one of n words that the token is nearest to, if it is a misspelt one. */
bool lp_expected_word(struct litmus_parser *p, const char *what, const char *const *words,
                      size_t n);
/* From the first byte of a token to the last of the one before the current, when both stand on one
 * line. */
struct span lp_span_from(const struct litmus_parser *p, const struct litmus_token *first);

/* A name or label: letter or '_', then letters, digits, '_' and '.'. */
bool lp_is_identifier(const char *s);
/* r0 to r63, t0 to t63 and anything else that looks like a register; *number is -1 when out of
 * range. */
bool lp_is_register(const char *s, bool *tile, int *number);
/* Decimal, or hexadecimal up to 0xffffffff; false when it is none or has more than 32 bits. */
bool lp_int32(const char *s, int32_t *value);

/* The int32 at the current token. */
bool lp_integer(struct litmus_parser *p, const char *what, int32_t *value);
/* NAME [INDEX] @RANK. */
bool lp_location(struct litmus_parser *p, struct litmus_loc *out);
/* RANK or RANK.CORE, as after the P of a header cell; false when text is none. */
bool lp_core_name(const char *text, struct litmus_column *c);

/* What may follow the table; the last one is a mark. */
enum { LP_TAIL_WORDS = 6 };
extern const char *const lp_tail_words[LP_TAIL_WORDS];

/* ---- parse_insn.c ---- */

/* [LABEL:] INSTRUCTION, or nothing; into column c. */
bool lp_cell(struct litmus_parser *p, struct litmus_column *c);

/* ---- parse_cond.c ---- */

/* [NAME; NAME; ...] behind 'locations'; fills test->locations and observed. */
bool lp_locations(struct litmus_parser *p);

/* The proposition behind 'filter'; fills test->filter. */
bool lp_filter(struct litmus_parser *p);

/* The quantifier and its condition; fills test->quantifier, cond, cond_text, cond_from and
 * observed. */
bool lp_condition(struct litmus_parser *p);

#endif
