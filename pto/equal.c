/* SPDX-License-Identifier: MIT */
/* Are two files the same but for names of values, spelling and locations? */
#include <stdarg.h>
#include <string.h>

#include "pto/tree.h"

struct comparer {
    struct pto_difference *d;
    struct map names; /* values of the first file to those of the second */
};

static bool differ(struct comparer *c, struct span a, struct span b, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    c->d->words = arena_vprintf(c->d->arena, fmt, ap);
    c->d->at_a = a;
    c->d->at_b = b;
    va_end(ap);
    return false;
}

static const char *type_text(const struct pto_value *v)
{
    return v->type ? v->type->text : "none";
}

static bool define(struct comparer *c, const struct pto_value *a, const struct pto_value *b)
{
    if (strcmp(type_text(a), type_text(b)))
        return differ(c, a->span, b->span, "the type of %s is %s and %s", a->name, type_text(a),
                      type_text(b));
    map_put(&c->names, a, (void *)b);
    return true;
}

static bool operands(struct comparer *c, const struct pto_op *a, const struct pto_op *b)
{
    if (a->operands.len != b->operands.len)
        return differ(c, a->span, b->span, "'%s' has %zu operands and %zu", a->name,
                      a->operands.len, b->operands.len);
    for (size_t i = 0; i < a->operands.len; i++) {
        const struct pto_operand *x = &a->operands.items[i], *y = &b->operands.items[i];
        if (strcmp(x->group, y->group))
            return differ(c, x->span, y->span, "an operand of '%s' is in the group '%s' and '%s'",
                          a->name, x->group, y->group);
        if (!x->value != !y->value || x->number != y->number ||
            (x->value && map_get(&c->names, x->value) != y->value))
            return differ(c, x->span, y->span, "operand %zu of '%s' is another value", i + 1,
                          a->name);
    }
    return true;
}

/* What only the generic form says of what the pretty one says by its shape. */
static bool is_shape(const struct pto_attr *a)
{
    static const char *const names[] = {"operandSegmentSizes", "sym_name", "function_type"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(a->name, names[i]))
            return true;
    return false;
}

static bool same_attr(const struct pto_attr *a, const struct pto_attr *b)
{
    bool unnamed = !*a->name || !*b->name;
    if (!unnamed && strcmp(a->name, b->name))
        return false;
    if (a->kind == PTO_ENUM && b->kind == PTO_ENUM)
        return !strcmp(a->word, b->word) && (!a->sort || !b->sort || !strcmp(a->sort, b->sort));
    if (a->kind != b->kind)
        return false;
    bool number = a->kind == PTO_INT || a->kind == PTO_FLOAT;
    if (number) /* an integer without a type is of 64 bits */
        return a->number == b->number &&
               !strcmp(a->type ? a->type->text : "i64", b->type ? b->type->text : "i64");
    return a->kind == PTO_UNIT || !strcmp(a->text, b->text);
}

/* Each of a's has a partner among b's that no other has taken. */
static const struct pto_attr *without_partner(struct arena *arena, const struct pto_op *a,
                                              const struct pto_op *b)
{
    bool *taken = arena_array(arena, bool, b->attrs.len + 1);
    vec_foreach (const struct pto_attr, x, &a->attrs) {
        bool found = is_shape(x);
        for (size_t i = 0; !found && i < b->attrs.len; i++) {
            found = !taken[i] && same_attr(x, &b->attrs.items[i]);
            taken[i] |= found;
        }
        if (!found)
            return x;
    }
    return NULL;
}

static const char *attr_words(struct arena *a, const struct pto_attr *x)
{
    return arena_printf(a, "%s%s%s", x->name, *x->name && x->kind != PTO_UNIT ? " = " : "",
                        x->kind == PTO_UNIT ? "" : x->text);
}

static bool attributes(struct comparer *c, const struct pto_op *a, const struct pto_op *b)
{
    const struct pto_attr *x = without_partner(c->d->arena, a, b);
    if (x)
        return differ(c, x->span, b->span, "'%s' has the attribute %s only here", a->name,
                      attr_words(c->d->arena, x));
    x = without_partner(c->d->arena, b, a);
    if (x)
        return differ(c, a->span, x->span, "'%s' has the attribute %s only there", a->name,
                      attr_words(c->d->arena, x));
    if (a->words.len != b->words.len)
        return differ(c, a->span, b->span, "'%s' has %zu keywords and %zu", a->name, a->words.len,
                      b->words.len);
    for (size_t i = 0; i < a->words.len; i++)
        if (strcmp(a->words.items[i], b->words.items[i]))
            return differ(c, a->span, b->span, "'%s' says '%s' and '%s'", a->name,
                          a->words.items[i], b->words.items[i]);
    return true;
}

static bool operation(struct comparer *c, const struct pto_op *a, const struct pto_op *b);

static bool values(struct comparer *c, struct span at_a, struct span at_b,
                   struct pto_value *const *a, size_t na, struct pto_value *const *b, size_t nb)
{
    if (na != nb)
        return differ(c, at_a, at_b, "%zu values are defined here and %zu there", na, nb);
    for (size_t i = 0; i < na; i++)
        if (!define(c, a[i], b[i]))
            return false;
    return true;
}

static struct span end_of(const struct pto_block *b, size_t i, struct span otherwise)
{
    return i < b->ops.len ? b->ops.items[i]->span : otherwise;
}

static bool block(struct comparer *c, const struct pto_block *a, const struct pto_block *b,
                  struct span at_a, struct span at_b)
{
    if (!values(c, at_a, at_b, a->args.items, a->args.len, b->args.items, b->args.len))
        return false;
    for (size_t i = 0; i < a->ops.len || i < b->ops.len; i++) {
        if (i >= a->ops.len || i >= b->ops.len)
            return differ(c, end_of(a, i, at_a), end_of(b, i, at_b),
                          "%s has an operation more: '%s'",
                          i >= a->ops.len ? "the second" : "the first",
                          (i >= a->ops.len ? b : a)->ops.items[i]->name);
        if (!operation(c, a->ops.items[i], b->ops.items[i]))
            return false;
    }
    return true;
}

static bool regions(struct comparer *c, const struct pto_op *a, const struct pto_op *b)
{
    if (a->regions.len != b->regions.len)
        return differ(c, a->span, b->span, "'%s' has %zu regions and %zu", a->name, a->regions.len,
                      b->regions.len);
    for (size_t i = 0; i < a->regions.len; i++) {
        const struct pto_region *x = a->regions.items[i], *y = b->regions.items[i];
        if (x->blocks.len != y->blocks.len)
            return differ(c, a->span, b->span, "'%s' has %zu blocks and %zu", a->name,
                          x->blocks.len, y->blocks.len);
        for (size_t k = 0; k < x->blocks.len; k++)
            if (!block(c, x->blocks.items[k], y->blocks.items[k], a->span, b->span))
                return false;
    }
    return true;
}

static bool operation(struct comparer *c, const struct pto_op *a, const struct pto_op *b)
{
    if (strcmp(a->name, b->name))
        return differ(c, a->span, b->span, "'%s' here, '%s' there", a->name, b->name);
    if (strcmp(a->symbol ? a->symbol : "", b->symbol ? b->symbol : ""))
        return differ(c, a->span, b->span, "'%s' names '%s' and '%s'", a->name,
                      a->symbol ? a->symbol : "", b->symbol ? b->symbol : "");
    return operands(c, a, b) && attributes(c, a, b) && regions(c, a, b) &&
           values(c, a->span, b->span, a->results.items, a->results.len, b->results.items,
                  b->results.len);
}

bool pto_equal(const struct pto_file *a, const struct pto_file *b, struct pto_difference *d)
{
    struct comparer c = {.d = d, .names = {.arena = d->arena}};
    struct span first = {1, 1, 1};
    return block(&c, &a->top, &b->top, first, first);
}
