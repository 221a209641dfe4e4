/* SPDX-License-Identifier: MIT */
#include "bench/campaign/remedy_compiled.h"

#include <string.h>

#include "bench/campaign/compiled.h"

/* ---- operations ---- */

typedef bool test(const struct pto_op *op, const void *ctx);

/* The innermost operation that passes the test. */
static const struct pto_op *find(const struct pto_block *b, test *fits, const void *ctx)
{
    vec_foreach (struct pto_op *, op, &b->ops) {
        const struct pto_op *inner = NULL;
        vec_foreach (struct pto_region *, r, &(*op)->regions)
            vec_foreach (struct pto_block *, in, &(*r)->blocks)
                inner = inner ? inner : find(*in, fits, ctx);
        if (inner || fits(*op, ctx))
            return inner ? inner : *op;
    }
    return NULL;
}

static bool is_at(const struct pto_op *op, const void *ctx)
{
    const struct span *at = ctx;
    return op->span.line == at->line && op->span.col == at->col;
}

static bool is_function(const struct pto_op *op, const void *ctx)
{
    return !strcmp(op->name, "func.func") && op->symbol && !strcmp(op->symbol, ctx) &&
           op->regions.len;
}

static bool is_loop_around(const struct pto_op *op, const void *ctx)
{
    const struct remedy_call *c = ctx;
    bool loop = !strcmp(op->name, "scf.for") || !strcmp(op->name, "scf.while");
    return loop && op->span.line < c->line && c->line < op->last_line;
}

static const struct pto_op *op_at(const struct kernel *k, struct span at)
{
    return at.line ? find(&compiled_file(k)->top, is_at, &at) : NULL;
}

static int column(const struct kernel *k, int line)
{
    const char *text = k->source->text;
    for (int n = 1; n < line && text; n++) {
        text = strchr(text, '\n');
        text = text ? text + 1 : NULL;
    }
    return text ? 1 + (int)strspn(text, " ") : 1;
}

static struct remedy_spot spot_at(const struct kernel *k, int line, bool after, int like)
{
    return (struct remedy_spot){line, column(k, like), after};
}

/* ---- places ---- */

/* Nothing stands behind what ends a region. */
static bool ends_region(const struct pto_op *op)
{
    return !strcmp(op->name, "return") || !strcmp(op->name, "scf.yield") ||
           !strcmp(op->name, "scf.condition");
}

bool compiled_beside(const struct kernel *k, struct span at, bool behind, struct remedy_spot *out)
{
    const struct pto_op *op = op_at(k, at);
    if (!op || (behind && ends_region(op)))
        return false;
    *out = spot_at(k, behind ? op->last_line : op->span.line, behind, op->span.line);
    return true;
}

bool compiled_task_end(const struct kernel *k, const char *function, struct remedy_spot *out)
{
    const struct pto_op *f = find(&compiled_file(k)->top, is_function, function);
    const struct pto_block *b = f ? f->regions.items[0]->blocks.items[0] : NULL;
    if (!b || !b->ops.len)
        return false;
    const struct pto_op *last = b->ops.items[b->ops.len - 1];
    bool behind = !ends_region(last);
    *out = spot_at(k, behind ? last->last_line : last->span.line, behind, last->span.line);
    return true;
}

bool compiled_outward(const struct kernel *k, const struct remedy_call *c, struct remedy_call *out)
{
    const struct pto_op *loop = find(&compiled_file(k)->top, is_loop_around, c);
    if (!loop)
        return false;
    *out = *c;
    out->line = c->after ? loop->last_line : loop->span.line;
    out->col = column(k, loop->span.line);
    return true;
}

/* ---- one line ---- */

/* The address of an element is a value of its own, unless it is the first one. */
const char *compiled_line(struct arena *a, const struct kernel *k, struct span at)
{
    const struct pto_op *op = op_at(k, at);
    bool store = op && !strcmp(op->name, "pto.store_scalar");
    if (!store && (!op || strcmp(op->name, "pto.load_scalar")))
        return NULL;
    const struct pto_operand *p = pto_find_operand(op, "", store),
                             *i = pto_find_operand(op, "index", 0);
    if (!p || !p->value)
        return NULL;
    const char *type = p->value->type->text, *name = p->value->name;
    if (!i || !i->value)
        return arena_printf(a, "pto.cmo.cacheinvalid %s single_cache_line : %s", name, type);
    const char *element = arena_printf(a, "%s.%s.line%d", name, i->value->name + 1, op->span.line);
    return arena_printf(a,
                        "%s = pto.addptr %s, %s : %s -> %s pto.cmo.cacheinvalid %s "
                        "single_cache_line : %s",
                        element, name, i->value->name, type, type, element, type);
}
