/* SPDX-License-Identifier: MIT */
/* Conditions over final states: ~ binds tighter than /\, that tighter than \/. */
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "litmus/parse_internal.h"
#include "litmus/print.h"

struct cond_parser {
    struct litmus_parser *p;
    int depth, atoms;
};

static struct litmus_cond *parse_or(struct cond_parser *c);

static struct litmus_cond *new_cond(struct cond_parser *c, enum litmus_cond_kind kind,
                                    const struct litmus_cond *lhs, const struct litmus_cond *rhs)
{
    struct litmus_cond *n = arena_new(c->p->arena, struct litmus_cond);
    *n = (struct litmus_cond){.kind = kind, .lhs = lhs, .rhs = rhs};
    return n;
}

static struct litmus_cond *fail(struct cond_parser *c, struct span at, const char *message)
{
    diag_error(c->p->d, c->p->src, at, "%s", message);
    return NULL;
}

/* ---- atoms ---- */

static bool parse_value(struct litmus_parser *p, int32_t *value)
{
    return lp_expect(p, "=", "and the final value") && lp_integer(p, "an int32", value);
}

static int find_column(const struct litmus_tree *t, const struct litmus_column *c)
{
    for (size_t i = 0; i < t->columns.len; i++)
        if (t->columns.items[i].rank == c->rank && t->columns.items[i].core == c->core &&
            t->columns.items[i].lane == c->lane)
            return (int)i;
    return -1;
}

/* RANK[.CORE]:REGISTER=VALUE, or RANK[.CLUSTER].LANE:... */
static bool parse_register(struct litmus_parser *p, struct litmus_cond *n)
{
    const struct litmus_token *first = lp_peek(p);
    struct litmus_column named = {0};
    int number;
    bool tile;
    if (!lp_core_name(first->text, &named))
        return lp_expected(p, "a core such as 1, 1.0 or 1.aiv0 before ':'");
    n->core = find_column(p->tree, &named);
    const struct core_desc core = litmus_core(&named);
    const char *cell = core_desc_name(&core, p->arena);
    if (n->core < 0)
        return diag_error(p->d, p->src, first->span, "the table has no column P%s", cell);
    p->at += 2;
    const struct litmus_token *t = lp_peek(p);
    if (t->kind != LT_WORD || !lp_is_register(t->text, &tile, &number) || number < 0)
        return lp_expected(p, "a register (r0 to r63, t0 to t63)");
    const struct litmus_column *column = &p->tree->columns.items[n->core];
    if (!((tile ? column->tile_used : column->reg_used) >> number & 1))
        return diag_error(p->d, p->src, t->span, "no instruction of P%s uses %s", cell, t->text);
    p->at++;
    n->kind = tile ? LITMUS_TILE : LITMUS_REG;
    n->reg = number;
    n->name = arena_printf(p->arena, "%s:%s", cell, t->text);
    return true;
}

static bool parse_memory(struct litmus_parser *p, struct litmus_cond *n)
{
    struct litmus_loc loc;
    if (!lp_location(p, &loc))
        return false;
    n->kind = LITMUS_MEM;
    n->addr = litmus_loc_addr(p->tree, &loc, 0);
    n->name = litmus_loc_text(p->arena, p->tree, &loc);
    return true;
}

/* What a state can show: a register or a word of memory. */
static bool parse_place(struct litmus_parser *p, struct litmus_cond *n)
{
    const struct litmus_token *t = lp_peek(p);
    bool colon = t[1].kind == LT_MARK && !strcmp(t[1].text, ":");
    return colon ? parse_register(p, n) : parse_memory(p, n);
}

static bool parse_deadlock(struct litmus_parser *p, struct litmus_cond *n)
{
    const struct litmus_token *t = lp_next(p);
    n->kind = LITMUS_DEADLOCK;
    n->name = "deadlock";
    if (!parse_value(p, &n->value))
        return false;
    return n->value == 0 || n->value == 1 ||
           diag_error(p->d, p->src, lp_span_from(p, t), "deadlock is 0 or 1");
}

static struct litmus_cond *parse_atom(struct cond_parser *c)
{
    struct litmus_parser *p = c->p;
    const struct litmus_token *t = lp_peek(p);
    if (t->kind != LT_WORD) {
        lp_expected(p, "a condition such as 1:r0=0, x[3]@1=7, deadlock=1 or true");
        return NULL;
    }
    if (++c->atoms > LITMUS_ATOMS)
        return fail(c, t->span,
                    arena_printf(p->arena, "a condition has at most %d atoms", LITMUS_ATOMS));
    struct litmus_cond *n = new_cond(c, LITMUS_TRUE, NULL, NULL);
    if (lp_accept(p, "true"))
        return n;
    bool ok = !strcmp(t->text, "deadlock") ? parse_deadlock(p, n)
                                           : parse_place(p, n) && parse_value(p, &n->value);
    return ok ? n : NULL;
}

/* ---- connectives ---- */

static struct litmus_cond *parse_unary(struct cond_parser *c)
{
    struct litmus_parser *p = c->p;
    const struct litmus_token *t = lp_peek(p);
    bool negated = lp_accept(p, "~"), group = !negated && lp_accept(p, "(");
    if (!negated && !group)
        return parse_atom(c);
    if (++c->depth > LITMUS_NESTING)
        return fail(c, t->span,
                    arena_printf(p->arena, "a condition nests at most %d deep", LITMUS_NESTING));
    struct litmus_cond *n = group ? parse_or(c) : parse_unary(c);
    c->depth--;
    if (!n)
        return NULL;
    if (negated)
        return new_cond(c, LITMUS_NOT, n, NULL);
    return lp_expect(p, ")", "or a connective (/\\, \\/)") ? n : NULL;
}

static struct litmus_cond *parse_and(struct cond_parser *c)
{
    struct litmus_cond *n = parse_unary(c);
    while (n && lp_accept(c->p, "/\\")) {
        struct litmus_cond *rhs = parse_unary(c);
        n = rhs ? new_cond(c, LITMUS_AND, n, rhs) : NULL;
    }
    return n;
}

static struct litmus_cond *parse_or(struct cond_parser *c)
{
    struct litmus_cond *n = parse_and(c);
    while (n && lp_accept(c->p, "\\/")) {
        struct litmus_cond *rhs = parse_and(c);
        n = rhs ? new_cond(c, LITMUS_OR, n, rhs) : NULL;
    }
    return n;
}

/* ---- what a state shows ---- */

static bool same_place(const struct litmus_cond *x, const struct litmus_cond *y)
{
    return x->kind == y->kind && x->core == y->core && x->reg == y->reg && x->addr == y->addr;
}

static void add_atoms(struct arena *a, struct litmus_test *t, const struct litmus_cond *c)
{
    if (c->lhs)
        add_atoms(a, t, c->lhs);
    if (c->rhs)
        add_atoms(a, t, c->rhs);
    if (c->kind != LITMUS_REG && c->kind != LITMUS_TILE && c->kind != LITMUS_MEM)
        return;
    vec_foreach (const struct litmus_cond *, seen, &t->observed)
        if (same_place(*seen, c))
            return;
    vec_push(a, &t->observed, c);
}

static int by_name(const void *x, const void *y)
{
    return strcmp((*(const struct litmus_cond *const *)x)->name,
                  (*(const struct litmus_cond *const *)y)->name);
}

void litmus_observe(struct arena *a, struct litmus_test *t, const struct litmus_cond *c)
{
    add_atoms(a, t, c);
    if (t->observed.len)
        qsort(t->observed.items, t->observed.len, sizeof *t->observed.items, by_name);
}

/* ---- locations and filter ---- */

bool lp_locations(struct litmus_parser *p)
{
    if (!lp_expect(p, "[", "after 'locations'"))
        return false;
    do {
        if (lp_peek(p)->kind != LT_WORD)
            return lp_expected(p, "a location or register to show, such as x@1 or 1:r0");
        struct litmus_cond *n = arena_new(p->arena, struct litmus_cond);
        if (!parse_place(p, n))
            return false;
        vec_push(p->arena, &p->test->locations, n);
        litmus_observe(p->arena, p->test, n);
    } while (lp_accept(p, ";") && !lp_at(p, "]"));
    return lp_expect(p, "]", "or ';' after a location to show");
}

bool lp_filter(struct litmus_parser *p)
{
    struct cond_parser c = {.p = p};
    p->condition = true;
    p->test->filter = parse_or(&c);
    p->condition = false;
    return p->test->filter;
}

/* Tokens from one on, with single blanks where the source had some. */
static const char *text_since(const struct litmus_parser *p, size_t from)
{
    struct strbuf b = strbuf_make(p->arena);
    for (size_t i = from; i < p->at; i++) {
        const struct litmus_token *t = &p->toks[i];
        strbuf_add(&b, i > from && t[-1].end < t->offset ? " " : "");
        strbuf_addn(&b, p->src->text + t->offset, t->end - t->offset);
    }
    return b.text;
}

bool lp_condition(struct litmus_parser *p)
{
    struct litmus_test *t = p->test;
    t->cond_from = lp_peek(p)->offset;
    if (lp_accept(p, "exists"))
        t->quantifier = LITMUS_EXISTS;
    else if (lp_accept(p, "forall"))
        t->quantifier = LITMUS_FORALL;
    else if (!lp_accept(p, "~"))
        return lp_expected(p, "a condition: 'exists', '~exists' or 'forall'");
    else if (lp_accept(p, "exists"))
        t->quantifier = LITMUS_NOT_EXISTS;
    else
        return lp_expected(p, "'exists' after '~'");
    size_t from = p->at;
    struct cond_parser c = {.p = p};
    p->condition = true;
    t->cond = parse_or(&c);
    if (!t->cond)
        return false;
    t->cond_text = text_since(p, from);
    litmus_observe(p->arena, t, t->cond);
    return true;
}
