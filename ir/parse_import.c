/* SPDX-License-Identifier: MIT */
/*
 * Values that a program takes from other files: `from config import BATCH`, `import config`.
 *
 * A module is looked for where Python would find it for this file: beside it, by dots from its own
 * package, and from the folder that holds its outermost package. What it binds to constants at
 * module level has its value; functions and classes of other files are not read.
 */
#include <string.h>
#include <unistd.h>

#include "ir/parse_internal.h"

enum { MAX_IMPORT_DEPTH = 16, MAX_PACKAGES = 16 };

/* ---- files ---- */

static const char *folder_of(struct arena *a, const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? arena_strndup(a, path, (size_t)(slash - path)) : ".";
}

static bool exists(const char *path)
{
    return access(path, R_OK) == 0;
}

/* The file of a module in a folder, or NULL. name: a path with slashes, or "" for the package. */
static const char *module_in(struct arena *a, const char *folder, const char *name)
{
    const char *file = arena_printf(a, "%s/%s.py", folder, name),
               *package = arena_printf(a, "%s/%s%s__init__.py", folder, name, *name ? "/" : "");
    return *name && exists(file) ? file : exists(package) ? package : NULL;
}

/* Behind `from` or `import`: the file that the dotted name means, or NULL; *pos behind the name,
 * *inside the folder of the modules below it. */
static const char *find_module(struct parser *p, size_t *pos, const char **inside)
{
    const char *folder = folder_of(p->arena, p->src->name), *name = "", *found;
    size_t i = *pos, dots = 0;
    for (; token_is_op(&p->toks[i], ".") || token_is_op(&p->toks[i], "..."); i++)
        dots += strlen(p->toks[i].text);
    for (; p->toks[i].kind == TOK_NAME && !token_is_word(&p->toks[i], "import"); i++) {
        name = arena_printf(p->arena, "%s%s%s", name, *name ? "/" : "", p->toks[i].text);
        if (!token_is_op(&p->toks[i + 1], "."))
            break;
        i++;
    }
    *pos = i + (p->toks[i].kind == TOK_NAME && !token_is_word(&p->toks[i], "import"));
    for (size_t up = 1; up < dots; up++)
        folder = arena_printf(p->arena, "%s/..", folder);
    found = module_in(p->arena, folder, name);
    for (int n = 0; !found && !dots && n < MAX_PACKAGES && module_in(p->arena, folder, ""); n++) {
        folder = arena_printf(p->arena, "%s/..", folder);
        found = module_in(p->arena, folder, name);
    }
    *inside = *name ? arena_printf(p->arena, "%s/%s", folder, name) : folder;
    return found;
}

/* ---- modules ---- */

/* What the file binds, or NULL when it cannot be read: a file that is being read has what it has
 * bound so far. */
static const name_vec *module_of(struct parser *p, const char *path)
{
    struct imported *known = map_get_text(p->imported, path);
    struct diag d = {.arena = p->arena};
    if (known)
        return &known->text.names;
    const struct source *src =
        p->import_depth < MAX_IMPORT_DEPTH ? source_read(p->arena, path, &d) : NULL;
    if (!src)
        return NULL;
    known = arena_new(p->arena, struct imported);
    known->text = ir_lex(p->arena, src);
    map_put_text(p->imported, path, known);
    struct parser *q = arena_new(p->arena, struct parser);
    q->arena = q->extents.arena = q->windows.arena = q->functions.arena = q->slots.arena =
        q->spelled.arena = p->arena;
    q->src = src;
    q->diag = arena_dup(p->arena, &d, sizeof d);
    q->outside = p->outside;
    q->names = &known->text.names;
    q->toks = known->text.toks.items;
    q->imported = p->imported;
    q->import_depth = p->import_depth + 1;
    q->in_bodies = true;
    q->prog = arena_new(p->arena, struct ir_program);
    q->prog->arena = p->arena;
    q->prog->source = src;
    if (!setjmp(q->out))
        parse_whole_module(q);
    p->prog->counts_ranks |= q->prog->counts_ranks;
    return &known->text.names;
}

static const struct name *find_name(const name_vec *names, const char *text)
{
    vec_foreach (struct name *, n, names)
        if (!strcmp((*n)->text, text))
            return *n;
    return NULL;
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
    const struct name *n = names ? find_name(names, what) : NULL;
    const char *below = n && n->constant ? NULL : module_in(p->arena, inside, what);
    const name_vec *module = below ? module_of(p, below) : NULL;
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
            const struct name *own = (*n)->constant ? find_name(p->names, (*n)->text) : NULL;
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

bool parse_import(struct parser *p, size_t pos)
{
    bool from = token_is_word(&p->toks[pos], "from");
    size_t first = ++pos;
    const char *inside, *path = find_module(p, &pos, &inside);
    const name_vec *names = path ? module_of(p, path) : NULL;
    if (from) {
        bool known = token_is_word(&p->toks[pos], "import") && (names || exists(inside));
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
