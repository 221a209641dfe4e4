/* SPDX-License-Identifier: MIT */
/*
 * Allocations that an author declares: pl.MemRef("scratch") in the type of a tile, or a value of the
 * Python around the program that is one, `ping = pl.MemRef(slots=2)`, of which ping[i] is a slot. One
 * without a name of its own has that of its variable.
 */
#include <string.h>

#include "ir/parse_internal.h"
#include "ir/space.h"

/* A MemRef(...), or the one of which e is a slot, MemRef(...)[i]; else NULL. */
static struct ir_expr *memref_of(struct ir_expr *e)
{
    if (e->kind == IR_GETITEM)
        e = e->getitem.base;
    else if (e->kind == IR_CALL && strcmp(e->call.name, "[]") == 0 && e->call.args.len)
        e = e->call.args.items[0];
    return parse_is_memref(e) ? e : NULL;
}

bool parse_is_memref(const struct ir_expr *e)
{
    return e->kind == IR_CALL && strcmp(e->call.name, "MemRef") == 0;
}

/* It says no address: the compiler finds one. */
static bool is_declared(const struct ir_expr *memref)
{
    const ir_exprs *args = &memref->call.args;
    return args->len == 0 || (args->len == 1 && args->items[0]->kind == IR_STRING);
}

static void check_slot(struct parser *p, const struct ir_expr *e, const struct ir_expr *memref)
{
    const struct ir_expr *given = ir_kwarg_find(&memref->call.kwargs, "slots");
    int64_t slots = given && given->kind == IR_INT ? given->integer.value : 1;
    if (slots == 1)
        parse_fail(p, e->span, "this pl.MemRef has one slot and takes no subscript");
    if (e->kind == IR_GETITEM && (e->getitem.index < 0 || e->getitem.index >= slots))
        parse_fail(p, e->span, "slot %lld of a pl.MemRef that has %lld",
                   (long long)e->getitem.index, (long long)slots);
}

/* The value of that variable has one name in a function, and no other value has it. What a value is
 * made by is told by the place of its text, which copies keep. */
static void note_declaration(struct parser *p, const struct token *variable, const char *name,
                             const char *made)
{
    if (p->declared_in != p->func) {
        p->declared_in = p->func;
        p->declared.len = 0;
    }
    vec_foreach (const struct declared, d, &p->declared) {
        if (d->made == made && strcmp(d->name, name) != 0)
            parse_fail(p, variable->span, "this pl.MemRef is '%s' elsewhere in the function",
                       d->name);
        if (d->made != made && strcmp(d->name, name) == 0)
            parse_fail(p, variable->span, "another pl.MemRef of the function is '%s'", name);
    }
    vec_push(p->arena, &p->declared, ((struct declared){name, made}));
}

void parse_place(struct parser *p, const struct token *first, struct ir_expr *e)
{
    struct ir_expr *memref = memref_of(e);
    if (!memref || !is_declared(memref))
        return;
    if (e != memref)
        check_slot(p, e, memref);
    bool variable = first->name->constant != NULL, named = memref->call.args.len > 0;
    if (!variable && named && first[4].kind == TOK_NAME)
        parse_fail(p, first[4].span, "the name of a pl.MemRef is a string as it stands");
    if (!variable)
        return;
    const char *name = named ? memref->call.args.items[0]->string : first->text;
    note_declaration(p, first, name, memref->call.written);
    if (named)
        return;
    struct ir_expr *text = ir_expr_new(p->arena, IR_STRING, first->span);
    text->string = name;
    vec_push(p->arena, &memref->call.args, text);
}

void parse_check_place(struct parser *p, const struct ir_type *t)
{
    if (t->kind != IR_TYPE_TILE || ir_space_of_type(t) != IR_SPACE_NONE)
        return;
    vec_foreach (struct ir_expr *, e, &t->annots) {
        const struct ir_expr *memref = memref_of(*e);
        if (memref && is_declared(memref))
            parse_fail(p, (*e)->span,
                       "a tile in a pl.MemRef says in which memory it lies, as in pl.Mem.Vec");
    }
}
