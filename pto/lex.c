/* SPDX-License-Identifier: MIT */
#include "pto/lex.h"

#include <ctype.h>
#include <string.h>

struct pto_lexer {
    struct arena *arena;
    const char *p, *line_start;
    int line;
    pto_tokens out;
};

static void push(struct pto_lexer *lx, enum pto_token_kind kind, size_t len, const char *text)
{
    struct pto_token t = {kind, text, {lx->line, (int)(lx->p - lx->line_start) + 1, (int)len}};
    vec_push(lx->arena, &lx->out, t);
    lx->p += len;
}

static bool push_copy(struct pto_lexer *lx, enum pto_token_kind kind, size_t len)
{
    push(lx, kind, len, arena_strndup(lx->arena, lx->p, len));
    return true;
}

static bool fail(struct pto_lexer *lx, const char *text)
{
    push(lx, PT_ERROR, 1, text);
    return false;
}

static void skip_blank(struct pto_lexer *lx)
{
    for (;; lx->p++) {
        if (lx->p[0] == '/' && lx->p[1] == '/')
            lx->p += strcspn(lx->p, "\n");
        if (*lx->p == '\n') {
            lx->line++;
            lx->line_start = lx->p + 1;
        } else if (!isspace((unsigned char)*lx->p)) {
            return;
        }
    }
}

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$';
}

static size_t name_length(const char *p, bool dash)
{
    size_t n = 0;
    while (is_name(p[n]) || (dash && p[n] == '-' && p[n + 1] != '>'))
        n++;
    return n;
}

/* "8x4096xbf16" is a list of extents and an element, but "0xFF800000" a number. */
static size_t dims_length(const char *p)
{
    size_t n = 0;
    while (p[n] == '?' || isdigit((unsigned char)p[n]))
        n++;
    if (p[n] != 'x' || n == 0)
        return 0;
    while (isalnum((unsigned char)p[n]) || p[n] == '?' || p[n] == '_' || p[n] == '.' || p[n] == '!')
        n++;
    bool hex = p[0] == '0' && p[1] == 'x';
    for (size_t i = 2; hex && i < n; i++)
        hex = isxdigit((unsigned char)p[i]);
    return hex ? 0 : n;
}

static size_t number_length(const char *p)
{
    size_t n = *p == '-';
    if (p[n] == '0' && p[n + 1] == 'x')
        return n + 2 + strspn(p + n + 2, "0123456789abcdefABCDEF");
    n += strspn(p + n, "0123456789");
    if (p[n] == '.')
        n += 1 + strspn(p + n + 1, "0123456789");
    size_t e = p[n] == 'e' || p[n] == 'E' ? n + 1 : 0;
    if (e && (p[e] == '+' || p[e] == '-'))
        e++;
    return e && isdigit((unsigned char)p[e]) ? e + strspn(p + e, "0123456789") : n;
}

static bool lex_string(struct pto_lexer *lx)
{
    size_t n = 1;
    while (lx->p[n] != '"') {
        if (!lx->p[n] || lx->p[n] == '\n')
            return fail(lx, "this string does not end on its line");
        n += lx->p[n] == '\\' && lx->p[n + 1] && lx->p[n + 1] != '\n' ? 2 : 1;
    }
    push(lx, PT_STRING, n + 1, arena_strndup(lx->arena, lx->p + 1, n - 1));
    return true;
}

/* Names with a sign in front; a symbol's may be in quotes. */
static bool lex_signed(struct pto_lexer *lx, enum pto_token_kind kind)
{
    if (kind == PT_SYMBOL && lx->p[1] == '"') {
        size_t n = strcspn(lx->p + 2, "\"\n");
        if (lx->p[2 + n] != '"')
            return fail(lx, "this string does not end on its line");
        push(lx, kind, n + 3, arena_printf(lx->arena, "@%.*s", (int)n, lx->p + 2));
        return true;
    }
    size_t n = name_length(lx->p + 1, kind == PT_VALUE || kind == PT_SYMBOL);
    if (!n)
        return fail(lx, arena_printf(lx->arena, "expected a name behind '%c'", *lx->p));
    return push_copy(lx, kind, n + 1);
}

static bool lex_mark(struct pto_lexer *lx)
{
    unsigned char c = (unsigned char)*lx->p;
    if (!strncmp(lx->p, "->", 2) || !strncmp(lx->p, "::", 2))
        return push_copy(lx, PT_MARK, 2);
    if (strchr("(){}[]<>,:=?*+-/|", c))
        return push_copy(lx, PT_MARK, 1);
    return fail(lx, isprint(c) ? arena_printf(lx->arena, "unexpected character '%c'", c)
                               : arena_printf(lx->arena, "unexpected byte 0x%02x", c));
}

static bool lex_token(struct pto_lexer *lx)
{
    skip_blank(lx);
    char c = *lx->p;
    if (!c) {
        push(lx, PT_END, 0, "the end of the file");
        return false;
    }
    if (dims_length(lx->p))
        return push_copy(lx, PT_DIMS, dims_length(lx->p));
    if (isdigit((unsigned char)c) || (c == '-' && isdigit((unsigned char)lx->p[1])))
        return push_copy(lx, PT_NUMBER, number_length(lx->p));
    if (isalpha((unsigned char)c) || c == '_')
        return push_copy(lx, PT_WORD, name_length(lx->p, false));
    static const char signs[] = "%@^#!";
    static const enum pto_token_kind kinds[] = {PT_VALUE, PT_SYMBOL, PT_LABEL, PT_HASH, PT_BANG};
    const char *sign = strchr(signs, c);
    if (sign)
        return lex_signed(lx, kinds[sign - signs]);
    return c == '"' ? lex_string(lx) : lex_mark(lx);
}

pto_tokens pto_lex(struct arena *a, const struct source *src)
{
    struct pto_lexer lx = {.arena = a, .p = src->text, .line_start = src->text, .line = 1};
    while (lex_token(&lx))
        continue;
    return lx.out;
}
