/* SPDX-License-Identifier: MIT */
#include "litmus/lex.h"

#include <ctype.h>
#include <string.h>

struct litmus_lexer {
    struct arena *arena;
    const char *text, *p, *line_start;
    int line;
    litmus_tokens out;
};

/* Longest first where one is a prefix of another. */
static const char *const marks[] = {">=", "==", "/\\", "\\/", "{", "}", "[", "]", ";",
                                    "|",  ",",  "@",   ":",   "=", "(", ")", "~"};

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '-';
}

static void push(struct litmus_lexer *lx, enum litmus_token_kind kind, size_t len, const char *text)
{
    struct litmus_token t = {.kind = kind,
                             .span = {lx->line, (int)(lx->p - lx->line_start) + 1, (int)len},
                             .offset = (size_t)(lx->p - lx->text),
                             .text = text};
    t.end = t.offset + len;
    vec_push(lx->arena, &lx->out, t);
    lx->p += len;
}

static void new_line(struct litmus_lexer *lx)
{
    lx->line++;
    lx->line_start = lx->p + 1;
}

/* False when the comment does not end; nothing is consumed then. */
static bool skip_comment(struct litmus_lexer *lx)
{
    struct litmus_lexer start = *lx;
    int depth = 0;
    do {
        bool opens = !strncmp(lx->p, "(*", 2), closes = !strncmp(lx->p, "*)", 2);
        if (!*lx->p) {
            *lx = start;
            return false;
        }
        if (*lx->p == '\n')
            new_line(lx);
        depth += opens - closes;
        lx->p += opens || closes ? 2 : 1;
    } while (depth);
    return true;
}

/* Up to the next token; false at a comment that does not end. */
static bool skip_blank(struct litmus_lexer *lx)
{
    for (;;) {
        if (*lx->p == '\n') {
            new_line(lx);
            lx->p++;
        } else if (isspace((unsigned char)*lx->p)) {
            lx->p++;
        } else if (*lx->p == '#') {
            lx->p += strcspn(lx->p, "\n");
        } else if (!strncmp(lx->p, "(*", 2)) {
            if (!skip_comment(lx))
                return false;
        } else {
            return true;
        }
    }
}

static bool lex_string(struct litmus_lexer *lx)
{
    size_t len = strcspn(lx->p + 1, "\"\n");
    if (lx->p[1 + len] != '"') {
        push(lx, LT_ERROR, 1, "this string does not end on its line");
        return false;
    }
    push(lx, LT_STRING, len + 2, arena_strndup(lx->arena, lx->p + 1, len));
    return true;
}

static bool lex_mark(struct litmus_lexer *lx)
{
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (!strncmp(lx->p, marks[i], strlen(marks[i]))) {
            push(lx, LT_MARK, strlen(marks[i]), marks[i]);
            return true;
        }
    unsigned char c = (unsigned char)*lx->p;
    push(lx, LT_ERROR, 1,
         isprint(c) ? arena_printf(lx->arena, "unexpected character '%c'", c)
                    : arena_printf(lx->arena, "unexpected byte 0x%02x", c));
    return false;
}

static bool lex_word(struct litmus_lexer *lx, bool name)
{
    size_t len = 0;
    while (name ? lx->p[len] && !isspace((unsigned char)lx->p[len]) : is_word(lx->p[len]))
        len++;
    push(lx, name ? LT_NAME : LT_WORD, len, arena_strndup(lx->arena, lx->p, len));
    return true;
}

static bool lex_token(struct litmus_lexer *lx)
{
    if (!skip_blank(lx)) {
        push(lx, LT_ERROR, 2, "this comment does not end; expected '*)'");
        return false;
    }
    if (!*lx->p) {
        push(lx, LT_END, 0, "");
        return false;
    }
    /* The name of the test, after "GM", may hold characters that are marks elsewhere. */
    if (lx->out.len == 1 && *lx->p != '{' && *lx->p != '"')
        return lex_word(lx, true);
    return *lx->p == '"' ? lex_string(lx) : is_word(*lx->p) ? lex_word(lx, false) : lex_mark(lx);
}

litmus_tokens litmus_lex(struct arena *a, const struct source *src)
{
    struct litmus_lexer lx = {
        .arena = a, .text = src->text, .p = src->text, .line_start = src->text, .line = 1};
    while (lex_token(&lx))
        continue;
    return lx.out;
}
