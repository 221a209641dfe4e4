/* SPDX-License-Identifier: MIT */
#include "ir/lex.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/map.h"

static const char header_mark[] = "# pypto.program:";

static const char *const keywords[] = {
    "and",   "as",     "assert", "async", "await",    "break", "class", "continue", "def", "del",
    "elif",  "else",   "except", "False", "finally",  "for",   "from",  "global",   "if",  "import",
    "in",    "is",     "lambda", "None",  "nonlocal", "not",   "or",    "pass",     "pl",  "pld",
    "raise", "return", "self",   "True",  "try",      "while", "with",  "yield",
};

/* Longest first where one is a prefix of another. */
static const char *const operators[] = {
    "**=", "//=", "<<=", ">>=", "...", "**", "//", "<<", ">>", "<=", ">=", "==",
    "!=",  "->",  "+=",  "-=",  "*=",  "/=", "%=", "&=", "|=", "^=", ":=", "+",
    "-",   "*",   "/",   "%",   "&",   "|",  "^",  "~",  "<",  ">",  "=",  "(",
    ")",   "[",   "]",   "{",   "}",   ",",  ":",  ".",  "@",  ";",
};

struct lexer {
    struct arena *arena;
    const char *text, *p, *line_start;
    int line;
    struct map names;
    struct lexed out;
    size_t indents[IR_MAX_NESTING + 1]; /* columns of the open blocks */
    int blocks;
    struct token brackets[IR_MAX_NESTING]; /* the open ones */
    int open;
    bool failed;
};

static struct span span_of(const struct lexer *lx, const char *from, size_t len)
{
    return (struct span){lx->line, (int)(from - lx->line_start) + 1, (int)len};
}

static struct token *push(struct lexer *lx, enum token_kind kind, const char *from,
                          const char *text)
{
    struct token t = {.kind = kind, .text = text, .offset = (size_t)(from - lx->text)};
    t.end = (size_t)(lx->p - lx->text);
    t.span = span_of(lx, from, from <= lx->p ? (size_t)(lx->p - from) : 0);
    vec_push(lx->arena, &lx->out.toks, t);
    return &lx->out.toks.items[lx->out.toks.len - 1];
}

/* What stands here is no token of the language; the text goes on behind it. */
static void bad_token(struct lexer *lx, const char *from, size_t len, const char *message)
{
    push(lx, TOK_ERROR, lx->p, message)->span = span_of(lx, from, len);
}

/* Nothing behind this can be told apart. */
static void fail_at(struct lexer *lx, struct span at, const char *message)
{
    if (lx->failed)
        return;
    lx->failed = true;
    push(lx, TOK_ERROR, lx->p, message)->span = at;
}

static void fail(struct lexer *lx, const char *from, size_t len, const char *message)
{
    fail_at(lx, span_of(lx, from, len), message);
}

static void next_line(struct lexer *lx)
{
    lx->line++;
    lx->line_start = lx->p;
}

/* ---- names and numbers ---- */

static bool is_keyword(const char *text)
{
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
        if (strcmp(keywords[i], text) == 0)
            return true;
    return false;
}

bool ir_is_python_word(const char *text)
{
    bool own = strcmp(text, "pl") == 0 || strcmp(text, "pld") == 0 || strcmp(text, "self") == 0;
    return is_keyword(text) && !own;
}

static struct name *intern(struct lexer *lx, const char *from, size_t len)
{
    char *text = arena_strndup(lx->arena, from, len);
    struct name *n = map_get_text(&lx->names, text);
    if (!n) {
        n = arena_new(lx->arena, struct name);
        n->text = text;
        n->is_keyword = is_keyword(text);
        map_put_text(&lx->names, text, n);
        vec_push(lx->arena, &lx->out.names, n);
    }
    return n;
}

static bool is_name_byte(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Letters beyond ASCII, in whole blocks: those of scripts, none of punctuation and signs. */
static const struct {
    uint32_t from, to;
} letters[] = {{0xaa, 0xaa},       {0xb5, 0xb5},      {0xba, 0xba},     {0xc0, 0xd6},
               {0xd8, 0xf6},       {0xf8, 0x1fff},    {0x2c00, 0x2dff}, {0x3005, 0x3007},
               {0x3041, 0xd7ff},   {0xf900, 0xfd3d},  {0xfe70, 0xfefc}, {0xff66, 0xffdc},
               {0x10000, 0x1efff}, {0x20000, 0x3ffff}};

/* Bytes of the letter beyond ASCII at p, or 0. */
static size_t letter_at(const char *p)
{
    const unsigned char *b = (const unsigned char *)p;
    size_t n = *b >= 0xf0 ? 4 : *b >= 0xe0 ? 3 : *b >= 0xc2 ? 2 : 0;
    uint32_t c = n ? *b & (0xffu >> (n + 1)) : 0;
    for (size_t i = 1; i < n; i++) {
        if ((b[i] & 0xc0) != 0x80)
            return 0;
        c = c << 6 | (b[i] & 0x3f);
    }
    for (size_t i = 0; n && i < sizeof letters / sizeof *letters; i++)
        if (letters[i].from <= c && c <= letters[i].to)
            return n;
    return 0;
}

static void lex_name(struct lexer *lx)
{
    const char *from = lx->p;
    for (size_t n = 1; n; lx->p += n)
        n = is_name_byte(*lx->p) ? 1 : letter_at(lx->p);
    struct name *n = intern(lx, from, (size_t)(lx->p - from));
    push(lx, TOK_NAME, from, n->text)->name = n;
}

/* The digits of a number without their underscores. */
static char *plain_digits(struct lexer *lx, const char *from)
{
    struct strbuf b = strbuf_make(lx->arena);
    for (const char *q = from; q < lx->p; q++)
        if (*q != '_')
            strbuf_addn(&b, q, 1);
    return b.text;
}

static bool skip_exponent(struct lexer *lx)
{
    const char *q = lx->p;
    if (*q != 'e' && *q != 'E')
        return false;
    q++;
    if (*q == '+' || *q == '-')
        q++;
    if (!isdigit((unsigned char)*q))
        return false;
    while (isdigit((unsigned char)*q) || *q == '_')
        q++;
    lx->p = q;
    return true;
}

static int radix_of(const char *p)
{
    if (p[0] != '0')
        return 10;
    switch (p[1]) {
    case 'x':
    case 'X':
        return 16;
    case 'o':
    case 'O':
        return 8;
    case 'b':
    case 'B':
        return 2;
    default:
        return 10;
    }
}

static void lex_integer(struct lexer *lx, const char *from, int radix)
{
    const char *digits = plain_digits(lx, from);
    char *end;
    errno = 0;
    uint64_t value = strtoull(radix == 10 ? digits : digits + 2, &end, radix);
    bool none = radix != 10 && !isalnum((unsigned char)digits[2]);
    if (none || *end)
        bad_token(lx, from, (size_t)(lx->p - from), "malformed number");
    else if (errno == ERANGE || value > (uint64_t)INT64_MAX + 1)
        bad_token(lx, from, (size_t)(lx->p - from), "integer does not fit 64 bits");
    else
        push(lx, TOK_INT, from, digits)->integer = value;
}

static void lex_number(struct lexer *lx)
{
    const char *from = lx->p;
    int radix = radix_of(lx->p);
    bool real = false;
    if (radix != 10) {
        while (is_name_byte(*lx->p))
            lx->p++;
    } else {
        while (isdigit((unsigned char)*lx->p) || *lx->p == '_')
            lx->p++;
        if (*lx->p == '.') {
            real = true;
            lx->p++;
            while (isdigit((unsigned char)*lx->p) || *lx->p == '_')
                lx->p++;
        }
        real |= skip_exponent(lx);
    }
    if (is_name_byte(*lx->p)) {
        while (is_name_byte(*lx->p))
            lx->p++;
        bad_token(lx, from, (size_t)(lx->p - from), "malformed number");
    } else if (real) {
        const char *digits = plain_digits(lx, from);
        push(lx, TOK_FLOAT, from, digits)->real = strtod(digits, NULL);
    } else {
        lex_integer(lx, from, radix);
    }
}

/* ---- strings ---- */

static int hex_value(char c)
{
    if (isdigit((unsigned char)c))
        return c - '0';
    return isxdigit((unsigned char)c) ? tolower((unsigned char)c) - 'a' + 10 : -1;
}

/* Decodes the escape behind a backslash; false when it is unknown. */
static bool lex_escape(struct lexer *lx, struct strbuf *b)
{
    static const char from[] = "nrtabfv\\'\"", to[] = "\n\r\t\a\b\f\v\\'\"";
    const char *known = *lx->p ? strchr(from, *lx->p) : NULL;
    if (known) {
        strbuf_addn(b, &to[known - from], 1);
        lx->p++;
        return true;
    }
    if (*lx->p == '\n') {
        lx->p++;
        next_line(lx);
        return true;
    }
    if (*lx->p != 'x' || hex_value(lx->p[1]) < 0 || hex_value(lx->p[2]) < 0)
        return false;
    char c = (char)(hex_value(lx->p[1]) << 4 | hex_value(lx->p[2]));
    if (c == '\0')
        return false;
    strbuf_addn(b, &c, 1);
    lx->p += 3;
    return true;
}

/* Python's letters in front of a string: how many, and what they make of it. */
struct prefix {
    size_t len;
    bool raw, formatted, other; /* other: formatted or bytes, no string of this language */
};

static struct prefix string_prefix(const char *p)
{
    struct prefix x = {0};
    for (; x.len < 2 && strchr("rRuUfFbB", p[x.len]) && p[x.len]; x.len++) {
        x.raw |= strchr("rR", p[x.len]) != NULL;
        x.formatted |= strchr("fF", p[x.len]) != NULL;
        x.other |= strchr("fFbB", p[x.len]) != NULL;
    }
    if (p[x.len] != '"' && p[x.len] != '\'')
        x.len = 0;
    return x;
}

/* Behind the opening quotes, to behind the closing ones. False when they never come. *bad: the
 * first escape that is none. */
static bool lex_string_text(struct lexer *lx, struct strbuf *b, char quote, bool triple, bool raw,
                            const char **bad)
{
    while (!(*lx->p == quote && (!triple || (lx->p[1] == quote && lx->p[2] == quote)))) {
        if (*lx->p == '\0' || (*lx->p == '\n' && !triple))
            return false;
        if (*lx->p == '\\' && raw && lx->p[1] && lx->p[1] != '\n') {
            strbuf_addn(b, lx->p, 2);
            lx->p += 2;
            continue;
        }
        if (*lx->p == '\\' && !raw) {
            const char *escape = lx->p++;
            if (!lex_escape(lx, b) && !*bad)
                *bad = escape;
            continue;
        }
        strbuf_addn(b, lx->p, 1);
        if (*lx->p++ == '\n')
            next_line(lx);
    }
    lx->p += triple ? 3 : 1;
    return true;
}

static void lex_string(struct lexer *lx)
{
    const struct prefix prefix = string_prefix(lx->p);
    const char *from = lx->p, *open = from + prefix.len, *bad = NULL;
    struct span at = span_of(lx, from, 1);
    bool triple = open[1] == *open && open[2] == *open;
    struct strbuf b = strbuf_make(lx->arena);
    lx->p = open + (triple ? 3 : 1);
    if (!lex_string_text(lx, &b, *open, triple, prefix.raw, &bad)) {
        fail_at(lx, at, "the string is never closed");
        return;
    }
    struct token *t = push(lx, TOK_STRING, from, b.text);
    if (t->span.line == at.line)
        at.len = (int)(lx->p - from);
    t->span = at;
    if (bad && !prefix.other) {
        t->kind = TOK_ERROR;
        t->text = "unknown escape in a string";
        if (t->span.line == lx->line)
            t->span = span_of(lx, bad, 2);
    } else if (prefix.other) {
        t->kind = prefix.formatted ? TOK_FORMATTED : TOK_ERROR;
        t->text = "this kind of string is no part of the language";
    }
}

/* ---- operators and lines ---- */

static void track_bracket(struct lexer *lx, const struct token *t)
{
    static const char opening[] = "([{", closing[] = ")]}";
    char c = t->text[0];
    if (t->text[1])
        return;
    if (strchr(opening, c)) {
        if (lx->open == IR_MAX_NESTING)
            fail_at(lx, t->span, "brackets nest deeper than 200");
        else
            lx->brackets[lx->open++] = *t;
    } else if (strchr(closing, c)) {
        const char *want = strchr(closing, c);
        if (lx->open == 0 || lx->brackets[lx->open - 1].text[0] != opening[want - closing])
            fail_at(lx, t->span, "this bracket closes nothing");
        else
            lx->open--;
    }
}

static void lex_operator(struct lexer *lx)
{
    const char *from = lx->p;
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        if (operators[i][0] != *from)
            continue;
        size_t len = strlen(operators[i]);
        if (strncmp(from, operators[i], len) == 0) {
            lx->p += len;
            struct token t = *push(lx, TOK_OP, from, operators[i]);
            size_t kept = lx->out.toks.len;
            track_bracket(lx, &t);
            if (lx->failed) /* the bracket itself is the error */
                lx->out.toks.items[kept - 1] = lx->out.toks.items[kept];
            return;
        }
    }
    lx->p++;
    bad_token(lx, from, 1,
              arena_printf(lx->arena,
                           isprint((unsigned char)*from) ? "unexpected character '%c'"
                                                         : "unexpected byte 0x%02x",
                           (unsigned char)*from));
}

static void skip_comment(struct lexer *lx)
{
    const char *from = lx->p;
    lx->p += strcspn(lx->p, "\n");
    size_t mark = sizeof header_mark - 1;
    if (lx->out.header || lx->out.toks.len || strncmp(from, header_mark, mark) != 0)
        return;
    const char *start = from + mark, *end = lx->p;
    while (start < end && isspace((unsigned char)*start))
        start++;
    while (end > start && isspace((unsigned char)end[-1]))
        end--;
    lx->out.header = arena_strndup(lx->arena, start, (size_t)(end - start));
}

/* Opens or closes blocks for a line that starts at column `column`. */
static void indent_to(struct lexer *lx, size_t column)
{
    if (column > lx->indents[lx->blocks]) {
        if (lx->blocks == IR_MAX_NESTING) {
            fail(lx, lx->p, 1, "blocks nest deeper than 200");
            return;
        }
        lx->indents[++lx->blocks] = column;
        push(lx, TOK_INDENT, lx->p, "an indented block");
        return;
    }
    while (column < lx->indents[lx->blocks]) {
        lx->blocks--;
        push(lx, TOK_DEDENT, lx->p, "the end of the block");
    }
    if (column != lx->indents[lx->blocks])
        fail(lx, lx->p, 1, "this indentation matches no open block");
}

/* Skips blank lines and the indentation of the next statement. */
static void start_line(struct lexer *lx)
{
    for (;;) {
        const char *from = lx->p;
        lx->p += strspn(lx->p, " \r\f");
        if (*lx->p == '\t' && lx->p[strspn(lx->p, " \t\r")] > '#') {
            fail(lx, lx->p, 1, "tab in the indentation, expected spaces");
            return;
        }
        lx->p += strspn(lx->p, " \t\r");
        if (*lx->p == '#')
            skip_comment(lx);
        if (*lx->p == '\0')
            return;
        if (*lx->p != '\n') {
            indent_to(lx, (size_t)(lx->p - from));
            return;
        }
        lx->p++;
        next_line(lx);
    }
}

static void end_line(struct lexer *lx)
{
    if (lx->open == 0)
        push(lx, TOK_NEWLINE, lx->p, "the end of the line");
    lx->p++;
    next_line(lx);
    if (lx->open == 0)
        start_line(lx);
}

static void lex_token(struct lexer *lx)
{
    char c = *lx->p;
    if (c == ' ' || c == '\t' || c == '\r' || c == '\f')
        lx->p++;
    else if (c == '#')
        skip_comment(lx);
    else if (c == '\n')
        end_line(lx);
    else if (c == '\\' && (lx->p[1] == '\n' || (lx->p[1] == '\r' && lx->p[2] == '\n'))) {
        lx->p += lx->p[1] == '\n' ? 2 : 3;
        next_line(lx);
    } else if (isdigit((unsigned char)c) || (c == '.' && isdigit((unsigned char)lx->p[1])))
        lex_number(lx);
    else if (c == '"' || c == '\'' || string_prefix(lx->p).len)
        lex_string(lx);
    else if (is_name_byte(c) || letter_at(lx->p))
        lex_name(lx);
    else
        lex_operator(lx);
}

struct lexed ir_lex(struct arena *a, const struct source *src)
{
    struct lexer lx = {
        .arena = a, .text = src->text, .p = src->text, .line_start = src->text, .line = 1};
    lx.names.arena = a;
    /* Programs have a token in four bytes and more: the array is not to be copied as it grows. */
    lx.out.toks.cap = src->len / 4 + 16;
    lx.out.toks.items = arena_array(a, struct token, lx.out.toks.cap);
    if (strncmp(lx.p, "\xef\xbb\xbf", 3) == 0)
        lx.p += 3;
    start_line(&lx);
    while (!lx.failed && *lx.p)
        lex_token(&lx);
    if (!lx.failed && lx.open)
        fail_at(&lx, lx.brackets[lx.open - 1].span,
                arena_printf(a, "this '%s' is never closed", lx.brackets[lx.open - 1].text));
    lx.out.failed = lx.failed;
    size_t n = lx.out.toks.len;
    if (n && lx.out.toks.items[n - 1].kind != TOK_NEWLINE &&
        lx.out.toks.items[n - 1].kind != TOK_DEDENT)
        push(&lx, TOK_NEWLINE, lx.p, "the end of the line");
    for (; lx.blocks > 0; lx.blocks--)
        push(&lx, TOK_DEDENT, lx.p, "the end of the block");
    push(&lx, TOK_END, lx.p, "the end of the file");
    return lx.out;
}
