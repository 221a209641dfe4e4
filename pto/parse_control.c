/* SPDX-License-Identifier: MIT */
/* Operations that define arguments where they are written: functions, loops; regions and blocks. */
#include <string.h>

#include "pto/parse_internal.h"

/* ---- regions ---- */

static bool block_args(struct pto_parser *p, struct pto_block *b)
{
    if (!pto_take(p, "("))
        return true;
    while (p->at->kind == PT_VALUE) {
        const struct pto_token *name = p->at++;
        const struct pto_type *t = pto_need(p, ":") ? pto_parse_type(p) : NULL;
        struct pto_value *v = t ? pto_define(p, name->text, t, NULL, name->span) : NULL;
        struct pto_loc unused = {0};
        if (!v || !pto_parse_loc(p, &unused))
            return false;
        vec_push(p->arena, &b->args, v);
        if (!pto_take(p, ","))
            break;
    }
    return pto_need(p, ")");
}

static struct pto_block *add_block(struct pto_parser *p, struct pto_region *r)
{
    struct pto_block *b = arena_new(p->arena, struct pto_block);
    vec_push(p->arena, &r->blocks, b);
    return b;
}

bool pto_at_block(const struct pto_parser *p)
{
    const struct pto_token *t = p->at;
    if (t->kind != PT_LABEL)
        return false;
    if (t[1].kind == PT_MARK && !strcmp(t[1].text, "("))
        for (t++; t->kind != PT_END && t->kind != PT_ERROR; t++)
            if (t->kind == PT_MARK && !strcmp(t->text, ")"))
                break;
    return t->kind != PT_END && t->kind != PT_ERROR && t[1].kind == PT_MARK &&
           !strcmp(t[1].text, ":");
}

static bool body(struct pto_parser *p, struct pto_region *r)
{
    struct pto_block *b = r->blocks.items[0];
    while (!pto_at_mark(p, "}")) {
        if (p->at->kind == PT_LABEL) {
            bool fresh = b->ops.len || b->label || b->args.len;
            b = fresh ? add_block(p, r) : b;
            b->label = p->at++->text;
            if (!block_args(p, b) || !pto_need(p, ":"))
                return false;
            continue;
        }
        if (p->at->kind == PT_END || p->at->kind == PT_ERROR)
            return pto_expected(p, "an operation or '}'");
        struct pto_op *op = pto_parse_op(p);
        if (!op)
            return false;
        vec_push(p->arena, &b->ops, op);
    }
    return pto_need(p, "}");
}

void pto_open_scope(struct pto_parser *p, bool alone)
{
    struct pto_scope *s = arena_new(p->arena, struct pto_scope);
    s->values.arena = p->arena;
    s->outer = p->scope;
    s->alone = alone;
    p->scope = s;
}

void pto_close_scope(struct pto_parser *p)
{
    p->scope = p->scope->outer;
}

bool pto_parse_region(struct pto_parser *p, struct pto_op *op, const pto_value_list *args)
{
    struct pto_region *r = arena_new(p->arena, struct pto_region);
    vec_push(p->arena, &op->regions, r);
    struct pto_block *first = add_block(p, r);
    for (size_t i = 0; args && i < args->len; i++)
        vec_push(p->arena, &first->args, args->items[i]);
    if (!pto_need(p, "{") || !pto_enter(p))
        return false;
    bool alone = !args && (!strcmp(op->name, "func.func") || !strcmp(op->name, "module"));
    pto_open_scope(p, alone);
    bool ok = body(p, r);
    pto_close_scope(p);
    p->depth--;
    return ok;
}

static bool add_region(struct pto_parser *p, struct pto_op *op, const pto_value_list *args)
{
    struct pto_part part = {.kind = PTO_PART_REGION, .first = (int)op->regions.len, .count = 1};
    vec_push(p->arena, &op->parts, part);
    return pto_parse_region(p, op, args);
}

/* ---- modules and functions ---- */

static bool attributes(struct pto_parser *p, struct pto_op *op)
{
    pto_attr_list list = {0};
    bool word = p->at->kind == PT_WORD;
    if (word && diag_is_typo(p->at->text, strlen(p->at->text), "attributes"))
        return pto_expected(p, "'attributes'");
    if (!pto_at_word(p, "attributes"))
        return true;
    pto_add_text(p, op, p->at++->text);
    if (!pto_parse_dict(p, &list))
        return false;
    pto_add_dict(p, op, &list);
    return true;
}

static bool symbol(struct pto_parser *p, struct pto_op *op)
{
    if (p->at->kind != PT_SYMBOL)
        return false;
    op->symbol = p->at->text + 1;
    pto_add_text(p, op, p->at++->text);
    return true;
}

static bool module(struct pto_parser *p, struct pto_op *op)
{
    symbol(p, op);
    return attributes(p, op) && add_region(p, op, NULL);
}

/* An argument as it is printed: name and type; of a declaration the type alone. */
static bool argument(struct pto_parser *p, struct pto_op *op, pto_value_list *args)
{
    const struct pto_token *name = p->at;
    const struct pto_type *t;
    bool named = name->kind == PT_VALUE;
    if (named) {
        pto_add_text(p, op, p->at++->text);
        if (!pto_take_text(p, op, ":"))
            return false;
    }
    if (!pto_add_type(p, op, &t))
        return false;
    pto_attr_list list = {0};
    if (pto_at_mark(p, "{")) {
        if (!pto_parse_dict(p, &list))
            return false;
        pto_add_dict(p, op, &list);
    }
    struct pto_loc unused = {0};
    if (!named)
        return true;
    struct pto_value *v = pto_define(p, name->text, t, NULL, name->span);
    if (!v || !pto_parse_loc(p, &unused))
        return false;
    vec_push(p->arena, args, v);
    return true;
}

static bool arguments(struct pto_parser *p, struct pto_op *op, pto_value_list *args)
{
    if (!pto_take_text(p, op, "("))
        return false;
    while (!pto_at_mark(p, ")")) {
        if (!argument(p, op, args))
            return false;
        if (!pto_at_mark(p, ","))
            break;
        pto_take_text(p, op, ",");
    }
    return pto_take_text(p, op, ")");
}

/* (T, T) */
static bool types(struct pto_parser *p, struct pto_op *op)
{
    const struct pto_type *t;
    if (!pto_take_text(p, op, "("))
        return false;
    while (!pto_at_mark(p, ")")) {
        if (!pto_add_type(p, op, &t))
            return false;
        if (!pto_at_mark(p, ","))
            break;
        pto_take_text(p, op, ",");
    }
    return pto_take_text(p, op, ")");
}

static bool result_types(struct pto_parser *p, struct pto_op *op)
{
    const struct pto_type *t;
    if (!pto_at_mark(p, "->"))
        return true;
    pto_take_text(p, op, "->");
    return pto_at_mark(p, "(") ? types(p, op) : pto_add_type(p, op, &t);
}

static bool function(struct pto_parser *p, struct pto_op *op)
{
    pto_value_list args = {0};
    while (p->at->kind == PT_WORD) { /* private */
        vec_push(p->arena, &op->words, p->at->text);
        pto_add_text(p, op, p->at++->text);
    }
    if (!symbol(p, op))
        return pto_expected(p, "the name of a function, as in @kernel");
    pto_open_scope(p, true);
    bool ok = arguments(p, op, &args) && result_types(p, op) && attributes(p, op) &&
              (!pto_at_mark(p, "{") || add_region(p, op, &args));
    pto_close_scope(p);
    return ok;
}

/* ---- loops ---- */

/* (%x = %a, ...): arguments and what they are at first. */
static bool carried(struct pto_parser *p, struct pto_op *op, pto_value_list *args)
{
    if (!pto_take_text(p, op, "("))
        return false;
    while (p->at->kind == PT_VALUE) {
        const struct pto_token *name = p->at++;
        pto_add_text(p, op, name->text);
        if (!pto_take_text(p, op, "=") || !pto_add_operand(p, op, "init"))
            return false;
        const struct pto_operand *init = &op->operands.items[op->operands.len - 1];
        struct pto_value v = {name->text, init->value ? init->value->type : NULL, NULL, name->span};
        vec_push(p->arena, args, arena_dup(p->arena, &v, sizeof v));
        if (!pto_at_mark(p, ","))
            break;
        pto_take_text(p, op, ",");
    }
    return pto_take_text(p, op, ")");
}

static bool define_all(struct pto_parser *p, pto_value_list *args)
{
    vec_foreach (struct pto_value *, v, args)
        if (!(*v = pto_define(p, (*v)->name, (*v)->type, NULL, (*v)->span)))
            return false;
    return true;
}

static bool take_word(struct pto_parser *p, struct pto_op *op, const char *text)
{
    if (!pto_at_word(p, text))
        return pto_expected(p, arena_printf(p->arena, "'%s'", text));
    pto_add_text(p, op, p->at++->text);
    return true;
}

static bool loop_type(struct pto_parser *p, struct pto_op *op, const struct pto_type **out)
{
    if (!pto_at_mark(p, ":"))
        return true;
    return pto_take_text(p, op, ":") && pto_add_type(p, op, out);
}

static bool trailing_dict(struct pto_parser *p, struct pto_op *op)
{
    pto_attr_list list = {0};
    if (!pto_at_mark(p, "{"))
        return true;
    if (!pto_parse_dict(p, &list))
        return false;
    pto_add_dict(p, op, &list);
    return true;
}

/* scf.for %i = %a to %b step %c [iter_args(...) -> (T)] [: T] {...} */
static bool for_loop(struct pto_parser *p, struct pto_op *op)
{
    pto_value_list args = {0};
    const struct pto_token *name = p->at;
    if (name->kind != PT_VALUE)
        return pto_expected(p, "the variable of the loop");
    pto_add_text(p, op, p->at++->text);
    if (!pto_take_text(p, op, "=") || !pto_add_operand(p, op, "lower") || !take_word(p, op, "to") ||
        !pto_add_operand(p, op, "upper") || !take_word(p, op, "step") ||
        !pto_add_operand(p, op, "step"))
        return false;
    const struct pto_operand *lower = &op->operands.items[0];
    const struct pto_type *type = lower->value ? lower->value->type : NULL;
    struct pto_value v = {name->text, type, NULL, name->span};
    vec_push(p->arena, &args, arena_dup(p->arena, &v, sizeof v));
    if (pto_at_word(p, "iter_args") &&
        (!take_word(p, op, "iter_args") || !carried(p, op, &args) || !result_types(p, op)))
        return false;
    if (!loop_type(p, op, &type))
        return false;
    args.items[0]->type = type;
    pto_open_scope(p, false);
    bool ok = define_all(p, &args) && add_region(p, op, &args);
    pto_close_scope(p);
    return ok && trailing_dict(p, op);
}

/* scf.while (%b = %i) : (T) -> (T) {...} do {^bb0(%a: T): ...} */
static bool while_loop(struct pto_parser *p, struct pto_op *op)
{
    pto_value_list args = {0};
    if (pto_at_mark(p, "(") && !carried(p, op, &args))
        return false;
    if (!pto_take_text(p, op, ":") || !types(p, op) || !result_types(p, op))
        return false;
    pto_open_scope(p, false);
    bool ok = define_all(p, &args) && add_region(p, op, &args);
    pto_close_scope(p);
    return ok && take_word(p, op, "do") && add_region(p, op, NULL) && trailing_dict(p, op);
}

static const struct {
    const char *name;
    bool (*parse)(struct pto_parser *p, struct pto_op *op);
} special[] = {
    {"module", module},
    {"func.func", function},
    {"scf.for", for_loop},
    {"scf.while", while_loop},
};

bool pto_is_special(const char *name)
{
    for (size_t i = 0; i < sizeof special / sizeof *special; i++)
        if (!strcmp(name, special[i].name))
            return true;
    return false;
}

bool pto_parse_special(struct pto_parser *p, struct pto_op *op)
{
    for (size_t i = 0; i < sizeof special / sizeof *special; i++)
        if (!strcmp(op->name, special[i].name))
            return special[i].parse(p, op);
    return false;
}
