/* SPDX-License-Identifier: MIT */
/* Canonical text of a litmus test: equal trees print equal, and the
 * text parses to the same tree. */
#include <inttypes.h>
#include <string.h>

#include "base/strbuf.h"
#include "litmus/print.h"

const char *litmus_loc_text(struct arena *a, const struct litmus_tree *t,
                            const struct litmus_loc *l)
{
    const struct litmus_var *v = &t->vars.items[l->var];
    const char *index = v->array ? arena_printf(a, "[%d]", l->index) : "";
    const char *rank = l->rank == OWN_RANK ? "" : arena_printf(a, "@%d", l->rank);
    return arena_printf(a, "%s%s%s", v->name, index, rank);
}

static const char *operand_text(struct arena *a, const struct litmus_tree *t,
                                const struct litmus_operand *o)
{
    switch (o->kind) {
    case LK_INT:
        return arena_printf(a, "%" PRId32, o->value);
    case LK_SCALAR:
        return arena_printf(a, "r%" PRId32, o->value);
    case LK_TILE:
        return arena_printf(a, "t%" PRId32, o->value);
    case LK_LOC:
        return litmus_loc_text(a, t, &o->loc);
    case LK_ALL:
        return "all";
    case LK_MODE:
        return o->value ? "add" : "none";
    case LK_MEETING:
        return syncall_name((enum syncall_kind)o->value);
    default:
        return pipe_name((enum pipe)o->value);
    }
}

const char *litmus_insn_text(struct arena *a, const struct litmus_tree *t,
                             const struct litmus_insn *i)
{
    struct strbuf b = strbuf_make(a);
    strbuf_add(&b, i->op->name);
    for (int n = 0; n < LITMUS_OPERANDS && i->op->wants[n] != WANT_NOTHING; n++) {
        const struct litmus_operand *o = &i->args[n];
        if (i->op->wants[n] == WANT_COMPARISON)
            strbuf_addf(&b, " %s", cmp_name(o->cmp));
        else if (n)
            strbuf_add(&b, ",");
        strbuf_addf(&b, " %s", operand_text(a, t, o));
    }
    return b.text;
}

static void print_init(struct strbuf *b, const struct litmus_tree *t)
{
    strbuf_add(b, "{ ");
    for (size_t i = 0; i < t->vars.len; i++) {
        const struct litmus_var *v = &t->vars.items[i];
        bool opens = i + 1 < t->vars.len && t->vars.items[i + 1].grouped && !v->grouped;
        if (i)
            strbuf_add(b, v->grouped ? ", " : "; ");
        strbuf_addf(b, "%s%s", opens ? "line " : "", v->name);
        if (v->array)
            strbuf_addf(b, "[%d]", v->words);
        if (v->initial)
            strbuf_addf(b, " = %" PRId32, v->initial);
    }
    strbuf_addf(b, "%sranks = %d }\n", t->vars.len ? "; " : "", t->ranks);
}

static const char *header_cell(struct arena *a, const struct litmus_column *c)
{
    const struct core_desc core = litmus_core(c);
    return arena_printf(a, "P%s", core_desc_name(&core, a));
}

static const char *cell_text(struct arena *a, const struct litmus_tree *t,
                             const struct litmus_column *c, size_t row, bool labels)
{
    if (row == 0)
        return header_cell(a, c);
    if (row > c->insns.len)
        return "";
    const struct litmus_insn *i = &c->insns.items[row - 1];
    const char *text = litmus_insn_text(a, t, i);
    return labels && i->label ? arena_printf(a, "%s: %s", i->label, text) : text;
}

static void print_table(struct strbuf *b, const struct litmus_tree *t, bool labels)
{
    struct arena *a = b->arena;
    size_t rows = 0, widths[LITMUS_CORES] = {0};
    for (size_t c = 0; c < t->columns.len; c++) {
        const struct litmus_column *column = &t->columns.items[c];
        rows = column->insns.len > rows ? column->insns.len : rows;
        for (size_t r = 0; r <= column->insns.len; r++) {
            size_t n = strlen(cell_text(a, t, column, r, labels));
            widths[c] = n > widths[c] ? n : widths[c];
        }
    }
    for (size_t r = 0; r <= rows; r++)
        for (size_t c = 0; c < t->columns.len; c++) {
            const char *text = cell_text(a, t, &t->columns.items[c], r, labels);
            strbuf_addf(b, "%s%-*s%s", c ? " | " : " ", (int)widths[c], text,
                        c + 1 == t->columns.len ? " ;\n" : "");
        }
}

/* Tighter binding has the higher level. */
static int level_of(const struct litmus_cond *c)
{
    return c->kind == LITMUS_OR ? 0 : c->kind == LITMUS_AND ? 1 : 2;
}

struct namer {
    const char *(*name_of)(void *ctx, const struct litmus_cond *atom);
    void *ctx;
};

static void print_cond(struct strbuf *b, const struct litmus_cond *c, int level,
                       const struct namer *n)
{
    bool parens = level_of(c) < level;
    strbuf_add(b, parens ? "(" : "");
    switch (c->kind) {
    case LITMUS_TRUE:
        strbuf_add(b, "true");
        break;
    case LITMUS_AND:
    case LITMUS_OR: /* both associate to the left */
        print_cond(b, c->lhs, level_of(c), n);
        strbuf_add(b, c->kind == LITMUS_AND ? " /\\ " : " \\/ ");
        print_cond(b, c->rhs, level_of(c) + 1, n);
        break;
    case LITMUS_NOT:
        strbuf_add(b, "~");
        print_cond(b, c->lhs, 2, n);
        break;
    default:
        strbuf_addf(b, "%s=%" PRId32, n->name_of(n->ctx, c), c->value);
    }
    strbuf_add(b, parens ? ")" : "");
}

void litmus_print_cond(struct strbuf *b, const struct litmus_cond *c,
                       const char *(*name_of)(void *ctx, const struct litmus_cond *atom), void *ctx)
{
    const struct namer n = {name_of, ctx};
    strbuf_add(b, "(");
    print_cond(b, c, 0, &n);
    strbuf_add(b, ")");
}

static const char *own_name(void *ctx, const struct litmus_cond *atom)
{
    (void)ctx;
    return atom->name;
}

static void print_shown(struct strbuf *b, const struct litmus_test *t)
{
    if (t->locations.len) {
        strbuf_add(b, "locations [");
        vec_foreach (const struct litmus_cond *, c, &t->locations)
            strbuf_addf(b, "%s%s;", c == t->locations.items ? "" : " ", (*c)->name);
        strbuf_add(b, "]\n");
    }
    if (t->filter) {
        strbuf_add(b, "filter ");
        litmus_print_cond(b, t->filter, own_name, NULL);
        strbuf_add(b, "\n");
    }
}

void litmus_print_body(struct strbuf *b, const struct litmus_test *t, bool labels)
{
    print_init(b, t->tree);
    print_table(b, t->tree, labels);
    if (labels)
        vec_foreach (const struct litmus_expect, x, &t->expects)
            strbuf_addf(b, "expect %s%s%s %s ;\n", x->model, x->label ? " -" : "",
                        x->label ? x->label : "", litmus_verdict_name(x->verdict));
    print_shown(b, t);
    strbuf_addf(b, "%s ", litmus_quantifier_name(t->quantifier));
    litmus_print_cond(b, t->cond, own_name, NULL);
    strbuf_add(b, "\n");
}

const char *litmus_print(struct arena *a, const struct litmus_test *t)
{
    struct strbuf b = strbuf_make(a);
    strbuf_addf(&b, "GM %s\n", t->name);
    if (t->doc)
        strbuf_addf(&b, "\"%s\"\n", t->doc);
    litmus_print_body(&b, t, true);
    return b.text;
}
