/* SPDX-License-Identifier: MIT */
#include "passes/pass.h"

#include <string.h>

#include "ir/ops.h"
#include "passes/insert_comm_fence.h"

static const struct span no_span;

const struct pass passes[] = {
    {
        .name = "InsertCommFence",
        .doc = "insert the cache and fence markers around communication in core functions",
        .requires = "lowered_composites",
        .produces = "comm_fences",
        .inserts_markers = true,
        .run = insert_comm_fence,
    },
};
const size_t pass_count = sizeof passes / sizeof passes[0];

size_t pass_child_blocks(struct ir_stmt *s, ir_block *out[PASS_MAX_BLOCKS])
{
    switch (s->kind) {
    case IR_IF:
        out[0] = &s->if_.then_body;
        out[1] = &s->if_.else_body;
        return 2;
    case IR_FOR:
        out[0] = &s->for_.body;
        return 1;
    case IR_WHILE:
        out[0] = &s->while_.body;
        return 1;
    case IR_SCOPE:
        out[0] = &s->scope.body;
        return 1;
    default:
        return 0;
    }
}

/* ---- properties that a program can have to begin with ---- */

static const struct ir_stmt *first_composite(const ir_block *block)
{
    vec_foreach (struct ir_stmt *, it, block) {
        const struct ir_call *call = ir_leaf_call(*it);
        if (call && call->op && call->op->effect == IR_EFFECT_COLLECTIVE)
            return *it;
        ir_block *inner[PASS_MAX_BLOCKS];
        size_t n = pass_child_blocks(*it, inner);
        for (size_t i = 0; i < n; i++) {
            const struct ir_stmt *found = first_composite(inner[i]);
            if (found)
                return found;
        }
    }
    return NULL;
}

/* Markers go behind the stores and waits that a collective becomes, so none may be left
 * (pypto-facts 1.5). */
static const struct ir_stmt *unlowered_composite(const struct ir_program *p)
{
    vec_foreach (struct ir_func *, f, &p->funcs) {
        const struct ir_stmt *found = ir_func_is_incore(*f) ? first_composite(&(*f)->body) : NULL;
        if (found)
            return found;
    }
    return NULL;
}

/* A property that is not listed here never holds to begin with. */
static const struct property {
    const char *name;
    const char *breach; /* what the statement is that breaks it */
    const struct ir_stmt *(*first_breach)(const struct ir_program *p);
} properties[] = {
    {"lowered_composites", "this collective is not lowered yet", unlowered_composite},
};

static const struct property *find_property(const char *name)
{
    for (size_t i = 0; i < sizeof properties / sizeof properties[0]; i++)
        if (strcmp(properties[i].name, name) == 0)
            return &properties[i];
    return NULL;
}

static bool produced_before(const struct pass *const *sequence, size_t i, const char *property)
{
    for (size_t j = 0; j < i; j++)
        if (sequence[j]->produces && strcmp(sequence[j]->produces, property) == 0)
            return true;
    return false;
}

bool passes_check(const struct pass *const *sequence, size_t len, const struct ir_program *p,
                  struct diag *d)
{
    for (size_t i = 0; i < len; i++) {
        const struct pass *pass = sequence[i];
        if (!pass->requires || produced_before(sequence, i, pass->requires))
            continue;
        const struct property *property = find_property(pass->requires);
        if (!property)
            return diag_error(d, NULL, no_span,
                              "pass '%s' requires '%s', which no earlier pass produces", pass->name,
                              pass->requires);
        const struct ir_stmt *breach = property->first_breach(p);
        if (breach)
            return diag_error(d, p->source, breach->span,
                              "pass '%s' requires '%s', which no earlier pass produces: %s",
                              pass->name, pass->requires, property->breach);
    }
    return true;
}

/* ---- lookup and running ---- */

const struct pass *pass_find(const char *name, struct diag *d)
{
    const char *names[sizeof passes / sizeof passes[0]];
    for (size_t i = 0; i < pass_count; i++) {
        if (strcmp(passes[i].name, name) == 0)
            return &passes[i];
        names[i] = passes[i].name;
    }
    const char *near = diag_nearest(name, names, pass_count);
    diag_error(d, NULL, no_span, "unknown pass '%s'%s%s%s", name, near ? "; did you mean '" : "",
               near ? near : "", near ? "'?" : "");
    return NULL;
}

/* Resolves names into sequence and leaves out what the options switch off; false with d filled. */
static bool resolve(const char *const *names, size_t len, const struct pass_options *o,
                    const struct pass **sequence, size_t *count, struct diag *d)
{
    *count = 0;
    for (size_t i = 0; i < len; i++) {
        const struct pass *pass = names ? pass_find(names[i], d) : &passes[i];
        if (!pass)
            return false;
        if (o->markers || !pass->inserts_markers)
            sequence[(*count)++] = pass;
    }
    return true;
}

const struct ir_program *passes_run(struct arena *a, const struct ir_program *p,
                                    const char *const *names, size_t len,
                                    const struct pass_options *o, const struct pass_hooks *hooks,
                                    struct diag *d)
{
    static const struct pass_hooks quiet;
    const struct pass_hooks *h = hooks ? hooks : &quiet;
    size_t asked = names ? len : pass_count, count;
    const struct pass **sequence = arena_array(a, const struct pass *, asked);
    if (!resolve(names, asked, o, sequence, &count, d) || !passes_check(sequence, count, p, d))
        return NULL;
    for (size_t i = 0; i < count && p; i++) {
        if (h->print_before)
            h->print_before(h->ctx, sequence[i], p);
        p = sequence[i]->run(a, p, o, d);
        if (p && h->print_after)
            h->print_after(h->ctx, sequence[i], p);
    }
    return p;
}
