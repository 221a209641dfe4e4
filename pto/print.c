/* SPDX-License-Identifier: MIT */
/* A file as text: each operation as it was written, in the compiler's lines and one spelling of types. */
#include <string.h>

#include "base/strbuf.h"
#include "pto/tree.h"

struct printer {
    struct strbuf out;
    int depth;
    bool regions; /* printed too */
};

static void operation(struct printer *w, const struct pto_op *op);

static void indent(struct printer *w)
{
    strbuf_pad(&w->out, ' ', (size_t)(2 * w->depth));
}

static void attribute(struct printer *w, const struct pto_attr *a)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.$";
    bool quotes = a->name[strspn(a->name, plain)] != '\0' || !a->name[0] ||
                  strchr("0123456789.$", a->name[0]);
    strbuf_addf(&w->out, quotes ? "\"%s\"" : "%s", a->name);
    if (a->kind != PTO_UNIT)
        strbuf_addf(&w->out, " = %s", a->text);
}

static void operand(struct printer *w, const struct pto_operand *o)
{
    if (o->value)
        strbuf_add(&w->out, o->value->name);
    else
        strbuf_addf(&w->out, "%lld", (long long)o->number);
}

static void block_head(struct printer *w, const struct pto_block *b, bool named)
{
    if (!named)
        return;
    strbuf_pad(&w->out, ' ', w->depth ? (size_t)(2 * w->depth - 2) : 0);
    strbuf_add(&w->out, b->label);
    for (size_t i = 0; i < b->args.len; i++)
        strbuf_addf(&w->out, "%s%s : %s", i ? ", " : "(", b->args.items[i]->name,
                    b->args.items[i]->type ? b->args.items[i]->type->text : "none");
    strbuf_add(&w->out, b->args.len ? "):\n" : ":\n");
}

/* A function's body stands where the function does, as the compiler prints it. */
static void region(struct printer *w, const struct pto_op *op, const struct pto_region *r)
{
    int deeper = strcmp(op->name, "func.func") != 0;
    strbuf_add(&w->out, "{\n");
    w->depth += deeper;
    vec_foreach (struct pto_block *, b, &r->blocks) {
        block_head(w, *b, (*b)->label != NULL);
        vec_foreach (struct pto_op *, op, &(*b)->ops)
            operation(w, *op);
    }
    w->depth -= deeper;
    indent(w);
    strbuf_add(&w->out, "}");
}

static void part(struct printer *w, const struct pto_op *op, const struct pto_part *p)
{
    switch (p->kind) {
    case PTO_PART_TEXT:
        strbuf_add(&w->out, p->text);
        return;
    case PTO_PART_OPERAND:
        operand(w, &op->operands.items[p->first]);
        return;
    case PTO_PART_ATTR:
        strbuf_add(&w->out, op->attrs.items[p->first].text);
        return;
    case PTO_PART_TYPE:
        strbuf_add(&w->out, p->type->text);
        return;
    case PTO_PART_REGION:
        if (w->regions)
            region(w, op, op->regions.items[p->first]);
        return;
    case PTO_PART_DICT:
        strbuf_add(&w->out, "{");
        for (int i = 0; i < p->count; i++) {
            strbuf_add(&w->out, i ? ", " : "");
            attribute(w, &op->attrs.items[p->first + i]);
        }
        strbuf_add(&w->out, "}");
        return;
    }
}

/* Marks that nothing stands apart from in front of them, and behind them. */
static bool close_before(const struct pto_op *op, const struct pto_part *p)
{
    if (p->kind != PTO_PART_TEXT || !p->text[0])
        return false;
    if (p->text[0] == '(')
        return p > op->parts.items ? p[-1].kind == PTO_PART_TEXT
                                   : strcmp(op->name, "scf.while") != 0;
    if (p->text[0] == '[')
        return p == op->parts.items || p[-1].kind == PTO_PART_OPERAND;
    if (p->text[0] == ':') /* of an argument: "%x: T" */
        return p > op->parts.items && p[-1].kind == PTO_PART_TEXT && p[-1].text[0] == '%';
    return strchr(",)]>", p->text[0]) != NULL;
}

static bool close_behind(const struct pto_part *p)
{
    return p->kind == PTO_PART_TEXT && strchr("([<", p->text[0]);
}

/* A bracket behind an arrow, a colon or an equals sign stands apart. */
static bool apart(const struct pto_part *last)
{
    return last->kind == PTO_PART_TEXT && strchr("-:=,", last->text[0]);
}

static void parts(struct printer *w, const struct pto_op *op)
{
    for (size_t i = 0; i < op->parts.len; i++) {
        const struct pto_part *p = &op->parts.items[i], *last = i ? p - 1 : NULL;
        bool bracket = p->kind == PTO_PART_TEXT && (p->text[0] == '(' || p->text[0] == '[');
        bool close = close_before(op, p) && !(last && bracket && apart(last));
        if (!close && !(last && close_behind(last)))
            strbuf_add(&w->out, " ");
        part(w, op, p);
    }
}

/* "%a, %b = "; several of one name as "%x:2 = ". */
static void results(struct printer *w, const struct pto_op *op)
{
    for (size_t i = 0; i < op->results.len; i++) {
        const char *name = op->results.items[i]->name, *number = strchr(name, '#');
        size_t len = number ? (size_t)(number - name) : strlen(name), n = 1;
        while (number && i + n < op->results.len &&
               !strncmp(op->results.items[i + n]->name, name, len + 1))
            n++;
        strbuf_add(&w->out, i ? ", " : "");
        strbuf_addn(&w->out, name, len);
        if (number)
            strbuf_addf(&w->out, ":%zu", n);
        i += n - 1;
    }
    if (op->results.len)
        strbuf_add(&w->out, " = ");
}

static void head(struct printer *w, const struct pto_op *op)
{
    results(w, op);
    strbuf_addf(&w->out, op->quoted ? "\"%s\"" : "%s", op->spelled);
    parts(w, op);
}

static void operation(struct printer *w, const struct pto_op *op)
{
    indent(w);
    head(w, op);
    if (op->loc.text)
        strbuf_addf(&w->out, " loc(%s)", op->loc.text);
    strbuf_add(&w->out, "\n");
}

char *pto_print(struct arena *a, const struct pto_file *f)
{
    struct printer w = {.out = strbuf_make(a), .regions = true};
    vec_foreach (struct pto_op *, op, &f->top.ops)
        operation(&w, *op);
    return w.out.text;
}
