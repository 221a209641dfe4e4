/* SPDX-License-Identifier: MIT */
/* Cells of the table. What an instruction takes stands in its row of litmus/ops.c. */
#include <string.h>

#include "litmus/parse_internal.h"

/* ---- operands ---- */

static bool at_pipe(const struct litmus_parser *p, int kinds, struct litmus_operand *o)
{
    for (int pipe = 0; pipe <= PIPE_S; pipe++) {
        int kind = pipe == PIPE_S ? LK_S : LK_PIPE;
        if ((kinds & kind) && lp_at(p, pipe_name((enum pipe)pipe))) {
            *o = (struct litmus_operand){.kind = kind, .value = pipe};
            return true;
        }
    }
    return false;
}

static bool at_meeting(const struct litmus_parser *p, int kinds, struct litmus_operand *o)
{
    for (int k = 0; (kinds & LK_MEETING) && k < SYNCALL_KIND_COUNT; k++)
        if (lp_at(p, syncall_name((enum syncall_kind)k))) {
            *o = (struct litmus_operand){.kind = LK_MEETING, .value = k};
            return true;
        }
    return false;
}

static bool at_mode(const struct litmus_parser *p, int kinds, struct litmus_operand *o)
{
    if (!(kinds & LK_MODE) || (!lp_at(p, "add") && !lp_at(p, "none")))
        return false;
    *o = (struct litmus_operand){.kind = LK_MODE, .value = lp_at(p, "add")};
    return true;
}

/* The kind of a word where some kinds are wanted: "s" may be a pipe or
 * a name. 0: it is an error. */
static int kind_of(struct litmus_parser *p, int kinds, struct litmus_operand *o)
{
    const struct litmus_token *t = lp_peek(p);
    bool tile;
    int number;
    if (t->kind != LT_WORD)
        return 0;
    if (at_pipe(p, kinds, o) || at_meeting(p, kinds, o) || at_mode(p, kinds, o))
        return o->kind;
    if ((kinds & LK_ALL) && !strcmp(t->text, "all"))
        return LK_ALL;
    if (lp_int32(t->text, &o->value))
        return LK_INT;
    if (!lp_is_register(t->text, &tile, &number))
        return LK_LOC;
    o->value = number;
    return number < 0 ? 0 : tile ? LK_TILE : LK_SCALAR;
}

/* With the pipe or other word that was meant, when one was misspelt. */
static bool unknown_operand(struct litmus_parser *p, const struct litmus_want_row *row)
{
    VEC(const char *) names = {0};
    if (strlen(lp_peek(p)->text) < 3) /* a letter or two are near to everything */
        return lp_expected(p, row->text);
    for (int pipe = 0; (row->kinds & LK_PIPE) && pipe < PIPE_S; pipe++)
        vec_push(p->arena, &names, pipe_name((enum pipe)pipe));
    for (int k = 0; (row->kinds & LK_MEETING) && k < SYNCALL_KIND_COUNT; k++)
        vec_push(p->arena, &names, syncall_name((enum syncall_kind)k));
    if (row->kinds & LK_MODE) {
        vec_push(p->arena, &names, "add");
        vec_push(p->arena, &names, "none");
    }
    if (row->kinds & LK_ALL)
        vec_push(p->arena, &names, "all");
    return lp_expected_word(p, row->text, names.items, names.len);
}

static void note_register(struct litmus_column *c, const struct litmus_operand *o)
{
    int *top = o->kind == LK_TILE ? &c->tiles : &c->regs;
    uint64_t *used = o->kind == LK_TILE ? &c->tile_used : &c->reg_used;
    *used |= (uint64_t)1 << o->value;
    if (o->value >= *top)
        *top = o->value + 1;
}

static bool parse_operand(struct litmus_parser *p, struct litmus_column *c, enum litmus_want want,
                          struct litmus_operand *o)
{
    const struct litmus_want_row *row = &litmus_wants[want];
    const struct litmus_token *first = lp_peek(p);
    *o = (struct litmus_operand){0};
    int kind = kind_of(p, row->kinds, o);
    bool fits =
        kind != LK_INT || row->low == row->high || (o->value >= row->low && o->value <= row->high);
    if (!(kind & row->kinds) || !fits)
        return unknown_operand(p, row);
    o->kind = kind;
    if (kind == LK_LOC) {
        if (!lp_location(p, &o->loc))
            return false;
    } else {
        p->at++;
    }
    o->span = lp_span_from(p, first);
    if (kind & (LK_SCALAR | LK_TILE))
        note_register(c, o);
    return true;
}

static bool parse_comparison(struct litmus_parser *p, enum cmp *cmp)
{
    bool no_sign = lp_accept(p, "u");
    *cmp = no_sign ? CMP_GEU : lp_at(p, ">=") ? CMP_GE : CMP_EQ;
    if (no_sign)
        return lp_expect(p, ">=", "behind 'u'");
    return lp_accept(p, ">=") || lp_accept(p, "==") ||
           lp_expected(p, "'>=' or '==' after the signal");
}

static bool parse_operands(struct litmus_parser *p, struct litmus_column *c, struct litmus_insn *i)
{
    for (int n = 0; n < LITMUS_OPERANDS && i->op->wants[n] != WANT_NOTHING; n++) {
        enum cmp cmp = CMP_EQ;
        if (i->op->wants[n] == WANT_COMPARISON ? !parse_comparison(p, &cmp)
                                               : n && !lp_expect(p, ",", "before the next operand"))
            return false;
        if (!parse_operand(p, c, i->op->wants[n], &i->args[n]))
            return false;
        i->args[n].cmp = cmp;
    }
    return true;
}

/* ---- instructions ---- */

static bool parse_label(struct litmus_parser *p, struct litmus_insn *i)
{
    const struct litmus_token *t = lp_peek(p);
    if (t->kind != LT_WORD || t[1].kind != LT_MARK || strcmp(t[1].text, ":"))
        return true;
    if (!lp_is_identifier(t->text))
        return lp_expected(p, "a label that starts with a letter");
    vec_foreach (const struct litmus_label, l, &p->test->labels)
        if (!strcmp(l->name, t->text))
            return diag_error(p->d, p->src, t->span, "the label '%s' stands on line %d already",
                              l->name, l->span.line);
    i->label = t->text;
    vec_push(p->arena, &p->test->labels, (struct litmus_label){.name = t->text, .span = t->span});
    p->at += 2;
    return true;
}

static bool check_flag(struct litmus_parser *p, const struct litmus_insn *i)
{
    bool flag = i->op->insn == I_SET_FLAG || i->op->insn == I_WAIT_FLAG;
    if (!flag || i->args[0].value != i->args[1].value)
        return true;
    return diag_error(p->d, p->src, i->args[1].span, "a flag goes from one pipe to another one");
}

/* A misspelt 'exists' or 'expect' looks like a row. */
static bool unknown_instruction(struct litmus_parser *p, const struct litmus_token *t)
{
    VEC(const char *) names = {0};
    for (size_t i = 0; litmus_op_name(i); i++)
        vec_push(p->arena, &names, litmus_op_name(i));
    for (size_t i = 0; i + 1 < LP_TAIL_WORDS; i++)
        vec_push(p->arena, &names, lp_tail_words[i]);
    return diag_error(p->d, p->src, t->span, "unknown instruction '%s'%s", t->text,
                      diag_hint(p->arena, t->text, names.items, names.len));
}

bool lp_cell(struct litmus_parser *p, struct litmus_column *c)
{
    struct litmus_insn i = {0};
    if (lp_at(p, "|") || lp_at(p, ";"))
        return true;
    if (!parse_label(p, &i))
        return false;
    const struct litmus_token *t = lp_peek(p);
    i.op = t->kind == LT_WORD ? litmus_op_find(t->text) : NULL;
    if (!i.op && t->kind == LT_WORD)
        return unknown_instruction(p, t);
    if (!i.op)
        return lp_expected(p, i.label ? "an instruction after the label" : "an instruction");
    p->at++;
    if (!parse_operands(p, c, &i) || !check_flag(p, &i))
        return false;
    i.span = lp_span_from(p, t);
    vec_push(p->arena, &c->insns, i);
    return true;
}
