/* SPDX-License-Identifier: MIT */
/* From `.pto` text to its record: names, errors, and the file. */
#include <stdarg.h>
#include <string.h>

#include "pto/parse_internal.h"

bool pto_fail(struct pto_parser *p, struct span at, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    diag_verror(p->d, p->src, at, fmt, ap);
    va_end(ap);
    return false;
}

bool pto_expected(struct pto_parser *p, const char *what)
{
    const struct pto_token *t = p->at;
    if (t->kind == PT_ERROR)
        return pto_fail(p, t->span, "%s", t->text);
    return pto_fail(p, t->span,
                    t->kind == PT_END ? "expected %s, found %s" : "expected %s, found '%s'", what,
                    t->text);
}

bool pto_at(const struct pto_parser *p, enum pto_token_kind kind, const char *text)
{
    return p->at->kind == kind && !strcmp(p->at->text, text);
}

bool pto_take(struct pto_parser *p, const char *mark)
{
    bool comes = pto_at_mark(p, mark);
    p->at += comes;
    return comes;
}

bool pto_need(struct pto_parser *p, const char *mark)
{
    return pto_take(p, mark) || pto_expected(p, arena_printf(p->arena, "'%s'", mark));
}

bool pto_enter(struct pto_parser *p)
{
    p->depth++;
    return p->depth <= PTO_MAX_DEPTH ||
           pto_fail(p, p->at->span, "more than %d brackets and regions in each other",
                    PTO_MAX_DEPTH);
}

/* ---- names ---- */

static struct pto_value *find(const struct pto_parser *p, const char *name)
{
    for (const struct pto_scope *s = p->scope; s; s = s->alone ? NULL : s->outer) {
        struct pto_value *v = map_get_text(&s->values, name);
        if (v)
            return v;
    }
    return NULL;
}

struct pto_value *pto_define(struct pto_parser *p, const char *name, const struct pto_type *type,
                             const struct pto_op *def, struct span at)
{
    const struct pto_value *other = find(p, name);
    if (other) {
        pto_fail(p, at, "'%s' is defined already on line %d", name, other->span.line);
        return NULL;
    }
    /* A loop's argument that begins as a number that is written out. */
    static const struct pto_type index = {.kind = PTO_SCALAR, .text = "index", .elem = "index"};
    struct pto_value *v = arena_new(p->arena, struct pto_value);
    *v = (struct pto_value){name, type || def ? type : &index, def, at};
    if (p->scope)
        map_put_text(&p->scope->values, name, v);
    return v;
}

const struct pto_value *pto_use(struct pto_parser *p)
{
    const struct pto_token *t = p->at;
    if (t->kind != PT_VALUE) {
        pto_expected(p, "a value, as in %x");
        return NULL;
    }
    const char *name = t->text;
    p->at++;
    /* %x#1: the second of several results; the first one may go by the plain name. */
    if (p->at->kind == PT_HASH && strspn(p->at->text + 1, "0123456789") == strlen(p->at->text + 1))
        name = arena_printf(p->arena, "%s%s", name, p->at++->text);
    const struct pto_value *v = find(p, name);
    if (!v)
        v = find(p, arena_printf(p->arena, "%s%s", name, "#0"));
    if (!v)
        pto_fail(p, t->span, "no value '%s' is defined here", name);
    return v;
}

/* ---- the file ---- */

/* Aliases may stand behind what uses them. */
static bool read_aliases(struct pto_parser *p, const struct pto_token *first)
{
    const struct pto_token *last = NULL;
    for (const struct pto_token *t = first; t->kind != PT_END && t->kind != PT_ERROR; last = t++) {
        bool sign = t->kind == PT_HASH || t->kind == PT_BANG;
        bool starts = !last || last->span.line != t->span.line;
        if (!sign || !starts || t[1].kind != PT_MARK || strcmp(t[1].text, "="))
            continue;
        p->at = t;
        if (!pto_parse_alias(p))
            return false;
    }
    p->at = first;
    return true;
}

/* The micro-ISA is another language under the same names. */
static bool check_backend(struct pto_parser *p, const struct pto_op *op)
{
    static const char *const keys[] = {"pto.backend", "pto.mode"};
    for (int i = 0; i < 2; i++) {
        const struct pto_attr *a = pto_find_attr(op, keys[i]);
        if (a && a->word && !strcmp(a->word, "vpto"))
            return pto_fail(p, a->span,
                            "this module is for the vpto backend (micro-ISA); expected the "
                            "tile-level .pto that the compiler writes");
    }
    return true;
}

static bool top(struct pto_parser *p, struct pto_file *f)
{
    while (p->at->kind != PT_END) {
        bool alias = (p->at->kind == PT_HASH || p->at->kind == PT_BANG) &&
                     p->at[1].kind == PT_MARK && !strcmp(p->at[1].text, "=");
        if (alias) {
            if (!pto_parse_alias(p))
                return false;
            continue;
        }
        if (p->at->kind == PT_ERROR)
            return pto_expected(p, "an operation");
        struct pto_op *op = pto_parse_op(p);
        if (!op || !check_backend(p, op))
            return false;
        vec_push(p->arena, &f->top.ops, op);
    }
    return f->top.ops.len || pto_expected(p, "a module");
}

struct pto_file *pto_read(struct arena *a, const struct source *src, struct diag *d)
{
    pto_tokens tokens = pto_lex(a, src);
    struct pto_parser p = {.arena = a,
                           .src = src,
                           .d = d,
                           .types = {.arena = a},
                           .attrs = {.arena = a},
                           .locs = {.arena = a}};
    struct pto_file *f = arena_new(a, struct pto_file);
    f->path = src->name;
    f->source = src;
    pto_open_scope(&p, true);
    return read_aliases(&p, tokens.items) && top(&p, f) ? f : NULL;
}

/* ---- looking into an operation ---- */

const struct pto_attr *pto_find_attr(const struct pto_op *op, const char *name)
{
    vec_foreach (const struct pto_attr, a, &op->attrs)
        if (!strcmp(a->name, name))
            return a;
    return NULL;
}

const struct pto_operand *pto_find_operand(const struct pto_op *op, const char *group, int n)
{
    vec_foreach (const struct pto_operand, o, &op->operands)
        if (!strcmp(o->group, group) && n-- == 0)
            return o;
    return NULL;
}

int pto_count_operands(const struct pto_op *op, const char *group)
{
    int n = 0;
    vec_foreach (const struct pto_operand, o, &op->operands)
        n += !strcmp(o->group, group);
    return n;
}
