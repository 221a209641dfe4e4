/* SPDX-License-Identifier: MIT */
/*
 * Operations of any kind. What stands behind a name is read by its look: words with brackets are
 * groups of operands, braces attributes or a region, what follows a colon types.
 */
#include <stdlib.h>
#include <string.h>

#include "pto/ops.h"
#include "pto/parse_internal.h"

/* ---- what is written ---- */

void pto_add_text(struct pto_parser *p, struct pto_op *op, const char *text)
{
    vec_push(p->arena, &op->parts, (struct pto_part){.kind = PTO_PART_TEXT, .text = text});
}

bool pto_take_text(struct pto_parser *p, struct pto_op *op, const char *mark)
{
    if (!pto_need(p, mark))
        return false;
    pto_add_text(p, op, mark);
    return true;
}

static void add_part(struct pto_parser *p, struct pto_op *op, enum pto_part_kind kind, size_t first,
                     size_t count)
{
    struct pto_part part = {.kind = kind, .first = (int)first, .count = (int)count};
    vec_push(p->arena, &op->parts, part);
}

bool pto_add_operand(struct pto_parser *p, struct pto_op *op, const char *group)
{
    struct pto_operand o = {.group = group, .span = p->at->span};
    if (p->at->kind == PT_NUMBER) {
        o.number = strtoll(p->at->text, NULL, 0);
        p->at++;
    } else if (!(o.value = pto_use(p))) {
        return false;
    }
    add_part(p, op, PTO_PART_OPERAND, op->operands.len, 1);
    vec_push(p->arena, &op->operands, o);
    return true;
}

bool pto_add_type(struct pto_parser *p, struct pto_op *op, const struct pto_type **out)
{
    const struct pto_type *t = pto_parse_type(p);
    if (!t)
        return false;
    struct pto_part part = {.kind = PTO_PART_TYPE, .type = t};
    vec_push(p->arena, &op->parts, part);
    *out = t;
    return true;
}

void pto_add_dict(struct pto_parser *p, struct pto_op *op, const pto_attr_list *list)
{
    add_part(p, op, PTO_PART_DICT, op->attrs.len, list->len);
    vec_foreach (const struct pto_attr, a, list)
        vec_push(p->arena, &op->attrs, *a);
}

static bool add_attr(struct pto_parser *p, struct pto_op *op, const char *name)
{
    struct pto_attr a;
    if (!pto_parse_attr(p, name, &a))
        return false;
    /* One that stands by its place must not look like a word or a group when it is printed. */
    if (!*name && a.kind != PTO_BOOL && !strchr("#<-0123456789\"", a.text[0]))
        return pto_fail(p, a.span, "'%s' cannot stand here by itself", a.text);
    add_part(p, op, PTO_PART_ATTR, op->attrs.len, 1);
    vec_push(p->arena, &op->attrs, a);
    return true;
}

static bool add_dict(struct pto_parser *p, struct pto_op *op)
{
    pto_attr_list list = {0};
    if (!pto_parse_dict(p, &list))
        return false;
    pto_add_dict(p, op, &list);
    return true;
}

static bool add_region(struct pto_parser *p, struct pto_op *op)
{
    add_part(p, op, PTO_PART_REGION, op->regions.len, 1);
    return pto_parse_region(p, op, NULL);
}

/* ---- the pretty form ---- */

/* Reading one: types behind the colon so far, and those behind the arrow. */
struct form {
    VEC(const struct pto_type *) types, results;
    bool arrow;
};

static bool items(struct pto_parser *p, struct pto_op *op, struct form *f, const char *group,
                  const char *close);

static const char *const dialects[] = {"pto.",  "arith.",  "scf.",     "func.",   "cf.",
                                       "math.", "memref.", "builtin.", "vector.", "affine."};

static bool is_op_name(const char *word)
{
    for (size_t i = 0; i < sizeof dialects / sizeof *dialects; i++)
        if (!strncmp(word, dialects[i], strlen(dialects[i])))
            return true;
    return !strcmp(word, "return") || !strcmp(word, "module");
}

/* The operation ends in front of the next one. */
static bool ends(const struct pto_parser *p)
{
    const struct pto_token *t = p->at;
    switch (t->kind) {
    case PT_END:
    case PT_ERROR:
        return true;
    case PT_STRING: /* the generic form */
        return t[1].kind == PT_MARK && !strcmp(t[1].text, "(");
    case PT_VALUE: /* %x:2 = */
        return t[1].kind == PT_MARK && !strcmp(t[1].text, ":") && t[2].kind == PT_NUMBER;
    case PT_WORD:
        return is_op_name(t->text) || !strcmp(t->text, "loc");
    case PT_HASH:
        return t[1].kind == PT_MARK && !strcmp(t[1].text, "=");
    case PT_LABEL:
        return pto_at_block(p);
    default:
        return pto_at_mark(p, "}");
    }
}

/* `%a = ` or `%a, %b = ` begins an operation; a comma in front of a value does not. */
static bool begins_results(const struct pto_parser *p)
{
    const struct pto_token *t = p->at;
    while (t->kind == PT_VALUE && t[1].kind == PT_MARK && !strcmp(t[1].text, ",") &&
           t[2].kind == PT_VALUE)
        t += 2;
    return t->kind == PT_VALUE && t[1].kind == PT_MARK && !strcmp(t[1].text, "=");
}

/* {a = 1, flag}, or operations? */
static bool braces_are_dict(const struct pto_parser *p)
{
    const struct pto_token *t = p->at + 1;
    if (t->kind == PT_MARK)
        return !strcmp(t->text, "}");
    if (t->kind != PT_WORD && t->kind != PT_STRING)
        return false;
    const struct pto_token *n = t + 1;
    while (n->kind == PT_MARK && !strcmp(n->text, "-") && n[1].kind == PT_WORD)
        n += 2;
    bool name = n->kind == PT_MARK && strchr("=,}", n->text[0]) && n->text[0];
    return name && strcmp(t->text, "return") && !pto_op_has_regions(t->text) &&
           strcmp(t->text, "scf.yield");
}

static bool braces(struct pto_parser *p, struct pto_op *op)
{
    return !pto_op_has_regions(op->name) && braces_are_dict(p) ? add_dict(p, op)
                                                               : add_region(p, op);
}

/* Behind a comma stands one more type, not the next operand or group. */
static bool type_follows(const struct pto_parser *p)
{
    if (!pto_at_mark(p, ","))
        return false;
    const struct pto_token *t = p->at + 1,
                           *n = t->kind == PT_END || t->kind == PT_ERROR ? t : t + 1;
    bool name = n->kind == PT_MARK && (!strcmp(n->text, "=") || !strcmp(n->text, "("));
    return t->kind == PT_BANG || (t->kind == PT_WORD && !name) ||
           (t->kind == PT_MARK && !strcmp(t->text, "("));
}

static bool type_list(struct pto_parser *p, struct pto_op *op, struct form *f, bool result)
{
    bool list = pto_take(p, "(");
    if (list)
        pto_add_text(p, op, "(");
    while (!list || !pto_at_mark(p, ")")) {
        const struct pto_type *t;
        if (!pto_add_type(p, op, &t))
            return false;
        if (result)
            vec_push(p->arena, &f->results, t);
        else
            vec_push(p->arena, &f->types, t);
        if (list ? !pto_at_mark(p, ",") : !type_follows(p))
            break;
        pto_take_text(p, op, ",");
    }
    return !list || pto_take_text(p, op, ")");
}

/* A group in brackets: name(...), name[...]. Colons inside are of its own values. */
static bool group(struct pto_parser *p, struct pto_op *op, struct form *f, const char *name)
{
    bool square = pto_at_mark(p, "[");
    const char *close = square ? "]" : ")";
    if (!pto_enter(p))
        return false;
    bool ok = pto_take_text(p, op, square ? "[" : "(") &&
              items(p, op, f, square && !*name ? "index" : name, close) &&
              pto_take_text(p, op, close);
    p->depth--;
    return ok;
}

/* A word: the name of a group or of an attribute, or one that stands alone. */
static bool word(struct pto_parser *p, struct pto_op *op, struct form *f)
{
    const struct pto_token *t = p->at++;
    pto_add_text(p, op, t->text);
    if (!strcmp(t->text, "attributes") && pto_at_mark(p, "{"))
        return add_dict(p, op);
    bool equals = pto_at_mark(p, "=");
    if (equals)
        pto_take_text(p, op, "=");
    if (pto_at_mark(p, "(") || pto_at_mark(p, "["))
        return group(p, op, f, t->text);
    if (equals && p->at->kind == PT_VALUE)
        return pto_add_operand(p, op, t->text);
    if (equals)
        return add_attr(p, op, t->text);
    if (!strcmp(t->text, "to") && f->types.len) /* a cast: %a : T to U */
        return type_list(p, op, f, true);
    vec_push(p->arena, &op->words, t->text);
    return true;
}

static bool mark(struct pto_parser *p, struct pto_op *op, struct form *f, const char *name)
{
    if (pto_at_mark(p, "(") || pto_at_mark(p, "["))
        return group(p, op, f, name);
    if (pto_at_mark(p, "{"))
        return braces(p, op);
    if (pto_at_mark(p, "<"))
        return add_attr(p, op, "");
    if (pto_at_mark(p, ","))
        return pto_take_text(p, op, ",");
    if (pto_at_mark(p, "->")) {
        f->arrow = true;
        return pto_take_text(p, op, "->") && type_list(p, op, f, true);
    }
    if (pto_at_mark(p, ":"))
        return pto_take_text(p, op, ":") && type_list(p, op, f, false);
    return pto_expected(p, "an operand, an attribute or a type");
}

static bool item(struct pto_parser *p, struct pto_op *op, struct form *f, const char *name,
                 bool inside)
{
    switch (p->at->kind) {
    case PT_VALUE:
        return pto_add_operand(p, op, name);
    case PT_WORD:
        if (!strcmp(p->at->text, "true") || !strcmp(p->at->text, "false"))
            return add_attr(p, op, "");
        return word(p, op, f);
    case PT_NUMBER:
        return inside ? pto_add_operand(p, op, name) : add_attr(p, op, "");
    case PT_SYMBOL:
        op->symbol = p->at->text + 1;
        pto_add_text(p, op, p->at++->text);
        return true;
    case PT_LABEL:
        vec_push(p->arena, &op->words, p->at->text);
        pto_add_text(p, op, p->at++->text);
        return true;
    case PT_HASH:
    case PT_STRING:
        return add_attr(p, op, "");
    case PT_BANG:
        return type_list(p, op, f, false);
    case PT_MARK:
        return mark(p, op, f, name);
    default:
        return pto_expected(p, "an operand, an attribute or a type");
    }
}

/* Up to the bracket, or without one to the end of the operation. */
static bool items(struct pto_parser *p, struct pto_op *op, struct form *f, const char *group_name,
                  const char *close)
{
    bool separated = false; /* an operation never begins behind a comma */
    while (close ? !pto_at_mark(p, close) : separated || (!begins_results(p) && !ends(p))) {
        separated = pto_at_mark(p, ",");
        if (p->at->kind == PT_END || p->at->kind == PT_ERROR)
            return pto_expected(p, close ? arena_printf(p->arena, "'%s'", close) : "an operand");
        if (!item(p, op, f, group_name, close != NULL))
            return false;
    }
    return true;
}

/* ---- results ---- */

static const struct pto_type *scalar(struct pto_parser *p, const char *name)
{
    struct pto_type t = {.kind = PTO_SCALAR, .text = name, .elem = name};
    return arena_dup(p->arena, &t, sizeof t);
}

/* The type of result i: behind the arrow, or the one that the form has. */
static const struct pto_type *result_type(struct pto_parser *p, const struct pto_op *op,
                                          const struct form *f, size_t i)
{
    if (f->results.len)
        return i < f->results.len ? f->results.items[i] : NULL;
    if (!strcmp(op->name, "arith.cmpi") || !strcmp(op->name, "arith.cmpf"))
        return scalar(p, "i1");
    if (!strcmp(op->name, "arith.constant") && op->attrs.len) {
        const struct pto_attr *a = &op->attrs.items[0];
        if (a->type || !f->types.len)
            return a->type ? a->type : scalar(p, a->kind == PTO_BOOL ? "i1" : "i64");
    }
    if (f->types.len)
        return f->types.items[f->types.len - 1];
    return !strncmp(op->name, "pto.get_", 8) ? scalar(p, "i64") : NULL;
}

/* Names in front of the equals sign; "%x:2" are two of one name. */
struct result_name {
    const char *name;
    struct span span;
};
typedef VEC(struct result_name) result_names;

static bool result_list(struct pto_parser *p, result_names *out)
{
    while (p->at->kind == PT_VALUE) {
        struct result_name r = {p->at->text, p->at->span};
        long n = 1;
        p->at++;
        if (pto_take(p, ":")) {
            n = p->at->kind == PT_NUMBER ? strtol(p->at->text, NULL, 10) : 0;
            if (n < 1 || n > 64)
                return pto_expected(p, "a number of results, at most 64");
            p->at++;
        }
        for (long i = 0; i < n; i++) {
            struct result_name one = r;
            if (n > 1)
                one.name = arena_printf(p->arena, "%s#%ld", r.name, i);
            vec_push(p->arena, out, one);
        }
        if (!pto_take(p, ","))
            break;
        if (p->at->kind != PT_VALUE)
            return pto_expected(p, "the name of a result");
    }
    return !out->len || pto_need(p, "=");
}

static bool define_results(struct pto_parser *p, struct pto_op *op, const result_names *names,
                           const struct form *f)
{
    for (size_t i = 0; i < names->len; i++) {
        const struct result_name *n = &names->items[i];
        struct pto_value *v = pto_define(p, n->name, result_type(p, op, f, i), op, n->span);
        if (!v)
            return false;
        if (!v->type)
            return pto_fail(p, n->span,
                            "the type of '%s' is not said; expected ': TYPE' or '-> "
                            "TYPE'",
                            n->name);
        vec_push(p->arena, &op->results, v);
    }
    return true;
}

/* ---- the generic form ---- */

/* array<i32: 1, 2>: returns how many there are. */
static int segment_sizes(const struct pto_op *op, int64_t *sizes)
{
    const struct pto_attr *a = pto_find_attr(op, "operandSegmentSizes");
    const char *s = a && a->text ? strchr(a->text, ':') : NULL;
    int n = 0;
    while (s && n < PTO_MAX_GROUPS) {
        char *end;
        sizes[n] = strtoll(s + 1, &end, 10);
        if (end == s + 1)
            break;
        n++;
        s = *end == ',' ? end : NULL;
    }
    return n;
}

/* The generic form names no groups: they follow from the sizes of its segments. */
static void name_groups(struct pto_parser *p, struct pto_op *op)
{
    const struct pto_op_kind *k = pto_op_find(op->name);
    const char *names[PTO_MAX_GROUPS];
    int64_t sizes[PTO_MAX_GROUPS];
    int n = k ? pto_op_groups(p->arena, k, names) : 0, segments = segment_sizes(op, sizes);
    size_t at = 0;
    for (int g = 0; g < n; g++) {
        int64_t size = g < segments              ? sizes[g]
                       : g == n - 1 && !segments ? (int64_t)(op->operands.len - at)
                                                 : 1;
        for (int64_t i = 0; i < size && at < op->operands.len; i++)
            op->operands.items[at++].group = names[g];
    }
}

static bool generic_regions(struct pto_parser *p, struct pto_op *op)
{
    do
        if (!add_region(p, op))
            return false;
    while (pto_at_mark(p, ",") && pto_take_text(p, op, ","));
    return pto_take_text(p, op, ")");
}

static bool generic_successors(struct pto_parser *p, struct pto_op *op)
{
    if (!pto_at_mark(p, "["))
        return true;
    pto_take_text(p, op, "[");
    while (p->at->kind == PT_LABEL) {
        vec_push(p->arena, &op->words, p->at->text);
        pto_add_text(p, op, p->at++->text);
        if (pto_at_mark(p, ","))
            pto_take_text(p, op, ",");
    }
    return pto_take_text(p, op, "]");
}

static bool generic_properties(struct pto_parser *p, struct pto_op *op)
{
    if (!pto_at_mark(p, "<"))
        return true;
    return pto_take_text(p, op, "<") && add_dict(p, op) && pto_take_text(p, op, ">");
}

/* "name"(%a, %b)[^bb0] <{...}> ({...}) {...} : (T, T) -> U */
static bool generic(struct pto_parser *p, struct pto_op *op, struct form *f)
{
    if (!pto_take_text(p, op, "("))
        return false;
    while (p->at->kind == PT_VALUE) {
        if (!pto_add_operand(p, op, ""))
            return false;
        if (pto_at_mark(p, ","))
            pto_take_text(p, op, ",");
    }
    if (!pto_take_text(p, op, ")") || !generic_successors(p, op) || !generic_properties(p, op))
        return false;
    if (pto_at_mark(p, "(") && (!pto_take_text(p, op, "(") || !generic_regions(p, op)))
        return false;
    if ((pto_at_mark(p, "{") && !add_dict(p, op)) || !pto_take_text(p, op, ":"))
        return false;
    struct form given = {0};
    if (!type_list(p, op, &given, true) || !pto_take_text(p, op, "->") ||
        !type_list(p, op, f, true))
        return false;
    name_groups(p, op);
    const struct pto_attr *symbol = pto_find_attr(op, "sym_name");
    if (symbol && symbol->kind == PTO_STRING)
        op->symbol = symbol->word;
    return true;
}

/* ---- one operation ---- */

static bool form_of(struct pto_parser *p, struct pto_op *op, struct form *f)
{
    if (op->quoted)
        return generic(p, op, f);
    return items(p, op, f, "", NULL);
}

static struct pto_op *named(struct pto_parser *p)
{
    struct pto_op *op = arena_new(p->arena, struct pto_op);
    op->quoted = p->at->kind == PT_STRING;
    if (!op->quoted && (p->at->kind != PT_WORD || !strcmp(p->at->text, "loc"))) {
        pto_expected(p, "an operation");
        return NULL;
    }
    op->span = p->at->span;
    op->spelled = p->at++->text;
    op->name = pto_op_name(op->spelled);
    return op;
}

/* The results of an operation whose arguments are defined inside are typed by its own reader. */
static bool special(struct pto_parser *p, struct pto_op *op, struct form *f)
{
    if (!pto_parse_special(p, op))
        return false;
    bool behind = false; /* the arrow */
    vec_foreach (const struct pto_part, part, &op->parts) {
        if (part->kind == PTO_PART_TEXT)
            behind = !strcmp(part->text, "->") || (behind && strchr("(,", part->text[0]));
        if (part->kind == PTO_PART_TYPE && behind)
            vec_push(p->arena, &f->results, part->type);
    }
    return true;
}

struct pto_op *pto_parse_op(struct pto_parser *p)
{
    result_names names = {0};
    struct form f = {0};
    if (!result_list(p, &names))
        return NULL;
    struct pto_op *op = named(p);
    if (!op || !pto_enter(p))
        return NULL;
    bool ok = !op->quoted && pto_is_special(op->name) ? special(p, op, &f) : form_of(p, op, &f);
    p->depth--;
    if (!ok || !define_results(p, op, &names, &f) || !pto_parse_loc(p, &op->loc))
        return NULL;
    op->last_line = p->at[-1].span.line;
    return op;
}
