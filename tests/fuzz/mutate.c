/* SPDX-License-Identifier: MIT */
#include "tests/fuzz/mutate.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "base/strbuf.h"

struct piece {
    size_t at, len;
};

static size_t pick(struct rng *r, size_t n)
{
    return n ? (size_t)rng_below(r, n) : 0;
}

/* The text with `cut` replaced by len bytes of s. */
static char *splice(struct arena *a, const char *text, struct piece cut, const char *s, size_t len)
{
    struct strbuf b = strbuf_make(a);
    strbuf_addn(&b, text, cut.at);
    strbuf_addn(&b, s, len);
    strbuf_add(&b, text + cut.at + cut.len);
    return b.text;
}

/* The line around a random byte, with its newline. */
static struct piece some_line(struct rng *r, const char *text)
{
    size_t at = pick(r, strlen(text));
    while (at > 0 && text[at - 1] != '\n')
        at--;
    size_t len = strcspn(text + at, "\n");
    return (struct piece){at, len + (text[at + len] == '\n')};
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* A word or a single other character at or behind a random byte. */
static struct piece some_token(struct rng *r, const char *text)
{
    size_t at = pick(r, strlen(text));
    while (at > 0 && is_word(text[at - 1]) && is_word(text[at]))
        at--;
    while (isspace((unsigned char)text[at]))
        at++;
    size_t len = 0;
    while (is_word(text[at + len]))
        len++;
    return (struct piece){at, len ? len : text[at] != '\0'};
}

/* ---- the mutations ---- */

typedef char *mutation(struct arena *a, struct rng *r, const char *text, const char *other);

static char *flip_bit(struct arena *a, struct rng *r, const char *text, const char *other)
{
    (void)other;
    char *out = arena_strdup(a, text);
    size_t at = pick(r, strlen(text));
    out[at] ^= (char)(1 << rng_below(r, 8));
    if (out[at] == '\0')
        out[at] = '?';
    return out;
}

static char *put_byte(struct arena *a, struct rng *r, const char *text, const char *other)
{
    static const char bytes[] = "()[]{}:=,.\"'\\\n #@+-*/%<>!;|~&^0aZ_\t\r\x80\xff";
    (void)other;
    char c =
        rng_below(r, 4) ? bytes[rng_below(r, sizeof bytes - 1)] : (char)(1 + rng_below(r, 255));
    return splice(a, text, (struct piece){pick(r, strlen(text)), rng_below(r, 2)}, &c, 1);
}

static char *cut_out(struct arena *a, struct rng *r, const char *text, const char *other)
{
    (void)other;
    size_t len = strlen(text), at = pick(r, len);
    return splice(a, text, (struct piece){at, pick(r, len - at < 64 ? len - at : 64)}, "", 0);
}

static char *drop_line(struct arena *a, struct rng *r, const char *text, const char *other)
{
    (void)other;
    return splice(a, text, some_line(r, text), "", 0);
}

static char *double_line(struct arena *a, struct rng *r, const char *text, const char *other)
{
    (void)other;
    struct piece line = some_line(r, text);
    return splice(a, text, (struct piece){some_line(r, text).at, 0}, text + line.at, line.len);
}

/* Puts the piece y in the place of x and x in the place of y; they must not overlap. */
static char *exchange(struct arena *a, const char *text, struct piece x, struct piece y)
{
    if (x.at > y.at) {
        struct piece z = x;
        x = y;
        y = z;
    }
    if (x.at + x.len > y.at)
        return arena_strdup(a, text);
    char *half = splice(a, text, y, text + x.at, x.len);
    return splice(a, half, x, text + y.at, y.len);
}

static char *swap_lines(struct arena *a, struct rng *r, const char *text, const char *other)
{
    (void)other;
    return exchange(a, text, some_line(r, text), some_line(r, text));
}

static char *swap_tokens(struct arena *a, struct rng *r, const char *text, const char *other)
{
    (void)other;
    return exchange(a, text, some_token(r, text), some_token(r, text));
}

static char *copy_token(struct arena *a, struct rng *r, const char *text, const char *other)
{
    (void)other;
    struct piece from = some_token(r, text), to = some_token(r, text);
    if (rng_below(r, 2))
        to.len = 0;
    return splice(a, text, to, text + from.at, from.len);
}

static char *put_word(struct arena *a, struct rng *r, const char *text, const char *other)
{
    static const char *const words[] = {"self",
                                        "pl",
                                        "pl.",
                                        "pld.",
                                        "...",
                                        "None",
                                        "True",
                                        "0",
                                        "-1",
                                        "99999999999999999999",
                                        "1e999",
                                        "9223372036854775807",
                                        "-9223372036854775808",
                                        "2147483648",
                                        "[]",
                                        "()",
                                        "{}",
                                        "pl.yield_()",
                                        "pl._dump.call(",
                                        "pl._dump.window_ref(",
                                        "with ",
                                        " as t",
                                        "elif x:",
                                        "else:",
                                        "return",
                                        "break",
                                        "lambda",
                                        "pl.Tuple[",
                                        "pl.const(0, pl.INT64)",
                                        "exists",
                                        "/\\",
                                        "forall",
                                        "@1",
                                        "x[3]",
                                        "P0",
                                        "inherit = ",
                                        "[cost]",
                                        "tail 1 2 0.5 3",
                                        "\"\"\"",
                                        "'",
                                        "#",
                                        ";"};
    (void)other;
    const char *word = words[rng_below(r, sizeof words / sizeof *words)];
    struct piece to = some_token(r, text);
    if (rng_below(r, 2))
        to.len = 0;
    return splice(a, text, to, word, strlen(word));
}

static char *repeat_bracket(struct arena *a, struct rng *r, const char *text, const char *other)
{
    static const char *const openers[] = {"(",    "[",  "{",     "-",        "~",
                                          "not ", "x[", "pl.m(", "pl.Tuple["};
    (void)other;
    const char *opener = openers[rng_below(r, sizeof openers / sizeof *openers)];
    struct strbuf b = strbuf_make(a);
    for (uint64_t n = 1 + rng_below(r, 250); n > 0; n--)
        strbuf_add(&b, opener);
    return splice(a, text, (struct piece){some_token(r, text).at, 0}, b.text, b.len);
}

static char *cross(struct arena *a, struct rng *r, const char *text, const char *other)
{
    size_t head = pick(r, strlen(text)), from = pick(r, strlen(other));
    return splice(a, text, (struct piece){head, strlen(text) - head}, other + from,
                  strlen(other) - from);
}

static mutation *const mutations[] = {
    flip_bit,    put_byte,    put_byte,   cut_out,    drop_line, double_line,    swap_lines,
    swap_tokens, swap_tokens, copy_token, copy_token, put_word,  repeat_bracket, cross,
};

char *mutate(struct arena *a, struct rng *r, const char *text, const char *other)
{
    char *out = arena_strdup(a, text);
    for (uint64_t n = 1 + rng_below(r, 4); n > 0 && *out; n--)
        out = mutations[rng_below(r, sizeof mutations / sizeof *mutations)](a, r, out, other);
    return out;
}
