/* SPDX-License-Identifier: MIT */
/* Attributes, dictionaries, locations and aliases. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "pto/parse_internal.h"

static const char *quoted(struct pto_parser *p, const char *text)
{
    return arena_printf(p->arena, "\"%s\"", text);
}

/* Tokens whose neighbours stand close to them in a text. */
static bool is_tight(const struct pto_token *t, bool in_front)
{
    static const char *const before[] = {",", ":", ")", "]", ">", "(", "<", "=", "}", "::"};
    static const char *const behind[] = {"(", "[", "<", "=", "{", "::"};
    const char *const *list = in_front ? before : behind;
    size_t n = in_front ? sizeof before / sizeof *before : sizeof behind / sizeof *behind;
    for (size_t i = 0; t->kind == PT_MARK && i < n; i++)
        if (!strcmp(t->text, list[i]))
            return true;
    return false;
}

const char *pto_raw(struct pto_parser *p, const char *close)
{
    struct strbuf b = strbuf_make(p->arena);
    int open = 0;
    for (const struct pto_token *last = NULL;; last = p->at++) {
        const char *t = p->at->text;
        bool mark = p->at->kind == PT_MARK && !t[1];
        if (p->at->kind == PT_END || p->at->kind == PT_ERROR) {
            pto_expected(p, arena_printf(p->arena, "'%s'", close));
            return NULL;
        }
        if (!open && mark && !strcmp(t, close))
            return b.text ? b.text : "";
        open += mark && strchr("(<[{", *t) ? 1 : mark && strchr(")>]}", *t) ? -1 : 0;
        if (open < 0) {
            pto_expected(p, arena_printf(p->arena, "'%s'", close));
            return NULL;
        }
        if (last && !is_tight(p->at, true) && !is_tight(last, false))
            strbuf_add(&b, " ");
        strbuf_add(&b, p->at->kind == PT_STRING ? quoted(p, t) : t);
    }
}

/* The last word of what stands in the brackets of an enumerated attribute, and what is in front of it. */
static bool enum_inside(struct pto_parser *p, struct pto_attr *out)
{
    const char *inner = pto_raw(p, ">");
    if (!inner || !pto_need(p, ">"))
        return false;
    const char *space = strrchr(inner, ' ');
    out->kind = PTO_ENUM;
    out->word = space ? space + 1 : inner;
    if (space)
        out->sort = arena_strndup(p->arena, inner, (size_t)(space - inner));
    return true;
}

/* #pto<round_mode RINT>, #pto.layout<nd>, #alias. */
static bool hash_attr(struct pto_parser *p, struct pto_attr *out)
{
    const char *name = p->at++->text;
    const struct pto_attr *alias = map_get_text(&p->attrs, name);
    if (alias) {
        const char *own = out->name;
        struct span at = out->span;
        *out = *alias;
        out->name = own;
        out->span = at;
        return true;
    }
    if (!pto_take(p, "<")) {
        out->kind = PTO_ANYTHING;
        out->text = name;
        return true;
    }
    if (!enum_inside(p, out))
        return false;
    bool in_name = !strncmp(name, "#pto.", 5);
    out->text = out->sort ? arena_printf(p->arena, "%s<%s %s>", name, out->sort, out->word)
                          : arena_printf(p->arena, "%s<%s>", name, out->word);
    if (in_name && !out->sort)
        out->sort = name + 5;
    return true;
}

static bool number_attr(struct pto_parser *p, struct pto_attr *out)
{
    const char *text = p->at->text;
    char *end;
    errno = 0;
    bool hex = strchr(text, 'x') != NULL;
    out->kind = !hex && strpbrk(text, ".eE") ? PTO_FLOAT : PTO_INT;
    if (out->kind == PTO_INT) {
        out->number = hex ? (int64_t)strtoull(text, &end, 16) : strtoll(text, &end, 10);
        /* An unsigned 64-bit value is written out as one. */
        if (errno == ERANGE && *text != '-') {
            errno = 0;
            out->number = (int64_t)strtoull(text, &end, 10);
        }
        if (errno == ERANGE || *end)
            return pto_fail(p, p->at->span, "this number is out of range");
    } else {
        double x = strtod(text, &end);
        memcpy(&out->number, &x, sizeof x);
    }
    out->text = text;
    p->at++;
    if (!pto_take(p, ":"))
        return true;
    out->type = pto_parse_type(p);
    if (!out->type)
        return false;
    if (hex && (out->type->text[0] == 'f' || out->type->text[0] == 'b'))
        out->kind = PTO_FLOAT;
    out->text = arena_printf(p->arena, "%s : %s", text, out->type->text);
    return true;
}

/* [..], {..}, array<..>, dense<..>: kept as text. */
static bool bracket_attr(struct pto_parser *p, const char *open, const char *close,
                         struct pto_attr *out)
{
    const char *inner = pto_need(p, open) ? pto_raw(p, close) : NULL;
    out->kind = PTO_ANYTHING;
    if (!inner || !pto_need(p, close))
        return false;
    out->text = arena_printf(p->arena, "%s%s%s", open, inner, close);
    return true;
}

static bool word_attr(struct pto_parser *p, struct pto_attr *out)
{
    const char *word = p->at->text;
    if (!strcmp(word, "true") || !strcmp(word, "false")) {
        out->kind = PTO_BOOL;
        out->number = *word == 't';
        out->text = word;
        p->at++;
        return true;
    }
    const struct pto_type *t = pto_parse_type(p);
    if (!t)
        return false;
    out->kind = t->kind == PTO_SCALAR ? PTO_ENUM : PTO_ANYTHING;
    out->word = out->text = t->text;
    return true;
}

static bool attr_value(struct pto_parser *p, struct pto_attr *out)
{
    switch (p->at->kind) {
    case PT_HASH:
        return hash_attr(p, out);
    case PT_NUMBER:
        return number_attr(p, out);
    case PT_STRING:
        out->kind = PTO_STRING;
        out->word = p->at->text;
        out->text = quoted(p, p->at++->text);
        return true;
    case PT_SYMBOL:
        out->kind = PTO_ANYTHING;
        out->text = p->at++->text;
        return true;
    case PT_WORD:
        return word_attr(p, out);
    case PT_BANG: {
        const struct pto_type *t = pto_parse_type(p);
        out->kind = PTO_ANYTHING;
        out->text = t ? t->text : NULL;
        return t != NULL;
    }
    default:
        break;
    }
    if (pto_at_mark(p, "["))
        return bracket_attr(p, "[", "]", out);
    if (pto_at_mark(p, "{"))
        return bracket_attr(p, "{", "}", out);
    if (pto_at_mark(p, "(")) {
        const struct pto_type *t = pto_parse_type(p);
        out->kind = PTO_ANYTHING;
        out->text = t ? t->text : NULL;
        return t != NULL;
    }
    if (!pto_take(p, "<"))
        return pto_expected(p, "an attribute");
    if (!enum_inside(p, out))
        return false;
    out->text = out->sort ? arena_printf(p->arena, "<%s %s>", out->sort, out->word)
                          : arena_printf(p->arena, "<%s>", out->word);
    return true;
}

bool pto_parse_attr(struct pto_parser *p, const char *name, struct pto_attr *out)
{
    *out = (struct pto_attr){.name = name, .span = p->at->span};
    bool ok = pto_enter(p) && attr_value(p, out);
    p->depth--;
    return ok;
}

bool pto_parse_dict(struct pto_parser *p, pto_attr_list *out)
{
    if (!pto_need(p, "{"))
        return false;
    while (!pto_at_mark(p, "}")) {
        struct pto_attr a = {.kind = PTO_UNIT, .span = p->at->span};
        if (p->at->kind != PT_WORD && p->at->kind != PT_STRING)
            return pto_expected(p, "the name of an attribute");
        const char *name = p->at++->text;
        /* Names with a hyphen: pto.device-spec. */
        while (pto_at_mark(p, "-") && p->at[1].kind == PT_WORD) {
            name = arena_printf(p->arena, "%s-%s", name, p->at[1].text);
            p->at += 2;
        }
        a.name = name;
        if (pto_take(p, "=") && !pto_parse_attr(p, name, &a))
            return false;
        vec_push(p->arena, out, a);
        if (!pto_take(p, ","))
            break;
    }
    return pto_need(p, "}");
}

/* ---- locations ---- */

static bool loc_inside(struct pto_parser *p, struct pto_loc *out)
{
    if (p->at->kind == PT_HASH) {
        const struct pto_loc *alias = map_get_text(&p->locs, p->at->text);
        struct pto_loc unknown = {.text = p->at->text};
        *out = alias ? *alias : unknown;
        p->at++;
        return true;
    }
    const struct pto_token *first = p->at;
    out->text = pto_raw(p, ")");
    /* The first place of several. */
    while (first->kind != PT_STRING && first < p->at)
        first++;
    bool whole = out->text && first->kind == PT_STRING && first + 4 < p->at + 1 &&
                 first[2].kind == PT_NUMBER && first[4].kind == PT_NUMBER;
    if (whole) {
        out->file = first->text;
        out->line = atoi(first[2].text);
        out->col = atoi(first[4].text);
        if (first + 5 == p->at) /* and not one of several */
            out->text =
                arena_printf(p->arena, "\"%s\":%s:%s", out->file, first[2].text, first[4].text);
    }
    return out->text != NULL;
}

bool pto_parse_loc(struct pto_parser *p, struct pto_loc *out)
{
    bool comes = pto_at_word(p, "loc") && p->at[1].kind == PT_MARK && !strcmp(p->at[1].text, "(");
    if (!comes)
        return true;
    p->at += 2;
    return loc_inside(p, out) && pto_need(p, ")");
}

bool pto_parse_alias(struct pto_parser *p)
{
    const char *name = p->at->text;
    bool type = p->at++->kind == PT_BANG;
    if (!pto_need(p, "="))
        return false;
    if (type) {
        const struct pto_type *t = pto_parse_type(p);
        if (t)
            map_put_text(&p->types, name, (void *)t);
        return t != NULL;
    }
    if (pto_at_word(p, "loc")) {
        struct pto_loc *l = arena_new(p->arena, struct pto_loc);
        if (!pto_parse_loc(p, l))
            return false;
        map_put_text(&p->locs, name, l);
        return true;
    }
    struct pto_attr *a = arena_new(p->arena, struct pto_attr);
    if (!pto_parse_attr(p, name, a))
        return false;
    map_put_text(&p->attrs, name, a);
    return true;
}
