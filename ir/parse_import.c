/* SPDX-License-Identifier: MIT */
/*
 * What the imports of a file bind: `from config import BATCH`, `import config`.
 *
 * What a module binds to constants at module level has its value; its functions of the language are
 * found by what their names mean (ir_imported), and the rest of it has no value.
 */
#include <string.h>
#include <unistd.h>

#include "ir/parse_internal.h"

/* ---- modules ---- */

/* What the file binds, or NULL when it is not read: a file that is being evaluated has what it has
 * bound so far. */
static const name_vec *module_of(struct parser *p, const char *path)
{
    struct ir_module *m = path ? ir_known_module(p->text, path) : NULL;
    if (!m || map_get_text(p->evaluated, path))
        return m ? &m->lexed.names : NULL;
    struct diag d = {.arena = p->arena};
    map_put_text(p->evaluated, path, m);
    struct parser *q = arena_new(p->arena, struct parser);
    q->arena = q->extents.arena = q->windows.arena = q->functions.arena = q->slots.arena =
        q->spelled.arena = p->arena;
    q->src = p->src;
    q->path = path;
    q->text = p->text;
    q->diag = arena_dup(p->arena, &d, sizeof d);
    q->outside = p->outside;
    q->names = &m->lexed.names;
    q->toks = p->text->lexed.toks.items;
    q->evaluated = p->evaluated;
    q->in_bodies = true;
    q->prog = arena_new(p->arena, struct ir_program);
    q->prog->arena = p->arena;
    q->prog->source = p->src;
    if (!setjmp(q->out))
        parse_whole_module(q, m->from);
    p->prog->counts_ranks |= q->prog->counts_ranks;
    return &m->lexed.names;
}

/* A module as a value: what it binds, by name. */
static struct ir_expr *module_value(struct parser *p, const name_vec *names)
{
    struct ir_expr *e = ir_expr_new(p->arena, IR_DICT, (struct span){0});
    vec_foreach (struct name *, n, names) {
        struct ir_kwarg k = {(*n)->text, (*n)->constant, (struct span){0}};
        if (k.value)
            vec_push(p->arena, &e->dict, k);
    }
    return e;
}

/* ---- statements ---- */

static void bind_imported(struct parser *p, const struct token *as, const name_vec *names,
                          const char *path, const char *inside, const char *what)
{
    const struct name *n = names ? ir_find_name(names, what) : NULL;
    const char *below = n && n->constant ? NULL : ir_module_in(p->arena, inside, what);
    const name_vec *module = module_of(p, below);
    parse_bind_python(p, as->name, module ? module_value(p, module) : n ? n->constant : NULL);
    if (!as->name->constant)
        as->name->from_file = path;
}

/* from MODULE import A, B as C, or *; at the first name or its parenthesis. */
static void import_names(struct parser *p, size_t pos, const char *path, const char *inside,
                         const name_vec *names)
{
    if (names && token_is_op(&p->toks[pos], "*"))
        vec_foreach (struct name *, n, names) {
            const struct name *own = (*n)->constant ? ir_find_name(p->names, (*n)->text) : NULL;
            if (own)
                parse_bind_python(p, (struct name *)own, (*n)->constant);
        }
    pos += token_is_op(&p->toks[pos], "(");
    while (p->toks[pos].kind == TOK_NAME) {
        const struct token *what = &p->toks[pos], *as = what;
        if (token_is_word(what + 1, "as") && what[2].kind == TOK_NAME)
            as = what + 2;
        bind_imported(p, as, names, path, inside, what->text);
        pos = (size_t)(as + 1 - p->toks);
        pos += token_is_op(&p->toks[pos], ",");
    }
}

/* import a.b.c: the Python of each of them, the outermost first. */
static void evaluate_path(struct parser *p, const struct token *t)
{
    const struct name *n = t->name;
    while (n && n->members) {
        vec_foreach (struct ir_module *, m, &p->text->modules)
            if (&(*m)->lexed.names == n->members->names)
                module_of(p, (*m)->source->name);
        t += 2;
        n = token_is_op(t - 1, ".") ? ir_find_name(&n->members->below, t->text) : NULL;
    }
}

bool parse_import(struct parser *p, size_t pos)
{
    bool from = token_is_word(&p->toks[pos], "from");
    size_t first = ++pos;
    const char *inside, *path = ir_find_module(p->arena, p->path, p->toks, &pos, &inside);
    if (!from && p->toks[first].kind == TOK_NAME)
        evaluate_path(p, &p->toks[first]);
    const name_vec *names = module_of(p, path);
    if (from) {
        bool known = token_is_word(&p->toks[pos], "import") && (names || access(inside, R_OK) == 0);
        if (known)
            import_names(p, pos + 1, path, inside, names);
        return known;
    }
    const struct token *as = &p->toks[first];
    if (token_is_word(&p->toks[pos], "as") && p->toks[pos + 1].kind == TOK_NAME)
        as = &p->toks[pos + 1];
    else if (pos > first + 1) /* import a.b binds a, whose members are modules */
        return false;
    if (names)
        parse_bind_python(p, as->name, module_value(p, names));
    return names != NULL;
}
