/* SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "bench/campaign/orchestration_internal.h"

struct chip_lexer {
    struct arena *arena;
    const char *p;
    int line, col;
    chip_tokens out;
    VEC(int) open;  /* brackets */
    int open_of[3]; /* of them, how many of each kind */
};

static void move(struct chip_lexer *x, size_t n)
{
    for (; n > 0 && *x->p; n--) {
        bool end = *x->p++ == '\n';
        x->line += end;
        x->col = end ? 1 : x->col + 1;
    }
}

/* Blanks, comments, lines of the preprocessor. */
static void skip(struct chip_lexer *x)
{
    for (;;) {
        size_t n = strspn(x->p, " \t\r\n");
        if (!n && x->p[0] == '/' && x->p[1] == '/')
            n = strcspn(x->p, "\n");
        if (!n && x->p[0] == '/' && x->p[1] == '*') {
            const char *end = strstr(x->p + 2, "*/");
            n = end ? (size_t)(end + 2 - x->p) : strlen(x->p);
        }
        if (!n && x->p[0] == '#')
            n = strcspn(x->p, "\n");
        if (!n)
            return;
        move(x, n);
    }
}

static void add(struct chip_lexer *x, enum chip_token_kind kind, size_t n, int64_t number)
{
    struct chip_token t = {.kind = kind,
                           .text = arena_strndup(x->arena, x->p, n),
                           .number = number,
                           .span = {x->line, x->col, (int)n},
                           .partner = -1};
    vec_push(x->arena, &x->out, t);
    move(x, n);
}

static void add_number(struct chip_lexer *x)
{
    char *end, *real;
    int64_t n = (int64_t)strtoull(x->p, &end, 0);
    strtod(x->p, &real);
    bool is_real = real > end || *end == 'f';
    const char *last = is_real ? real : end;
    last += strspn(last, is_real ? "fFlL" : "uUlL");
    add(x, is_real ? CT_FLOAT : CT_NUMBER, (size_t)(last - x->p), n);
}

/* Of brackets: which one belongs to which. One that nothing closes belongs to none. */
static void match(struct chip_lexer *x, char c)
{
    static const char opening[] = "([{", closing[] = ")]}";
    int last = (int)x->out.len - 1;
    const char *kind = strchr(opening, c), *close = strchr(closing, c);
    if (kind) {
        x->open_of[kind - opening]++;
        vec_push(x->arena, &x->open, last);
    }
    if (!close || !x->open_of[close - closing])
        return;
    for (;;) {
        int open = x->open.items[--x->open.len];
        size_t is = (size_t)(strchr(opening, x->out.items[open].text[0]) - opening);
        x->open_of[is]--;
        if (is != (size_t)(close - closing))
            continue;
        x->out.items[open].partner = last;
        x->out.items[last].partner = open;
        return;
    }
}

static void add_mark(struct chip_lexer *x)
{
    static const char *const marks[] = {"::", "++", "--", "+=", "-=", "*=", "/=", "%=",
                                        "==", "!=", "<=", ">=", "&&", "||", "<<", ">>"};
    char c = *x->p;
    size_t n = 1;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (!strncmp(x->p, marks[i], 2))
            n = 2;
    add(x, CT_MARK, n, 0);
    if (n == 1)
        match(x, c);
}

chip_tokens chip_lex(struct arena *a, const struct source *src)
{
    struct chip_lexer x = {.arena = a, .p = src->text, .line = 1, .col = 1};
    for (skip(&x); *x.p; skip(&x)) {
        size_t n = 0;
        while (isalnum((unsigned char)x.p[n]) || x.p[n] == '_')
            n++;
        if (isdigit((unsigned char)*x.p))
            add_number(&x);
        else if (n)
            add(&x, CT_WORD, n, 0);
        else if (*x.p == '"')
            n = 1 + strcspn(x.p + 1, "\"\n"), add(&x, CT_STRING, n + (x.p[n] == '"'), 0);
        else
            add_mark(&x);
    }
    add(&x, CT_END, 0, 0);
    return x.out;
}
