/* SPDX-License-Identifier: MIT */
/*
 * The files that a file imports, read with it.
 *
 * A module is looked for where Python would find it for this file: beside it, by dots from its own
 * package, and from the folder that holds its outermost package. Its tokens follow those of the
 * file, its text follows the file's text, and a name that an import binds says what it means there.
 * Whether that is a function of the language, a value or nothing known is seen later.
 */
#include <string.h>
#include <unistd.h>

#include "base/map.h"
#include "base/strbuf.h"
#include "ir/file_internal.h"

enum {
    MAX_IMPORT_DEPTH = 16,
    MAX_PACKAGES = 16,
    MAX_MODULES = 256,
    MAX_HOPS = 16 /* from file to file that hand a name on */
};

/* ---- files ---- */

static const char *folder_of(struct arena *a, const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? arena_strndup(a, path, (size_t)(slash - path)) : ".";
}

/* The folder that holds this one. */
static const char *folder_above(struct arena *a, const char *folder)
{
    const char *slash = strrchr(folder, '/'), *last = slash ? slash + 1 : folder;
    if (!strcmp(folder, "."))
        return "..";
    if (!strcmp(last, ".."))
        return arena_printf(a, "%s/..", folder);
    return slash ? arena_strndup(a, folder, (size_t)(slash - folder)) : ".";
}

static const char *joined(struct arena *a, const char *folder, const char *name)
{
    return strcmp(folder, ".") ? arena_printf(a, "%s/%s", folder, name) : name;
}

const char *ir_module_in(struct arena *a, const char *folder, const char *name)
{
    const char *file = joined(a, folder, arena_printf(a, "%s.py", name)),
               *package =
                   joined(a, folder, arena_printf(a, "%s%s__init__.py", name, *name ? "/" : ""));
    return *name && access(file, R_OK) == 0 ? file : access(package, R_OK) == 0 ? package : NULL;
}

const char *ir_find_module(struct arena *a, const char *path, const struct token *toks, size_t *pos,
                           const char **inside)
{
    const char *folder = folder_of(a, path), *name = "", *found;
    size_t i = *pos, dots = 0;
    for (; token_is_op(&toks[i], ".") || token_is_op(&toks[i], "..."); i++)
        dots += strlen(toks[i].text);
    for (; toks[i].kind == TOK_NAME && !token_is_word(&toks[i], "import"); i++) {
        name = arena_printf(a, "%s%s%s", name, *name ? "/" : "", toks[i].text);
        if (!token_is_op(&toks[i + 1], "."))
            break;
        i++;
    }
    *pos = i + (toks[i].kind == TOK_NAME && !token_is_word(&toks[i], "import"));
    for (size_t up = 1; up < dots; up++)
        folder = folder_above(a, folder);
    found = ir_module_in(a, folder, name);
    for (int n = 0; !found && !dots && n < MAX_PACKAGES && ir_module_in(a, folder, ""); n++) {
        folder = folder_above(a, folder);
        found = ir_module_in(a, folder, name);
    }
    *inside = *name ? joined(a, folder, name) : folder;
    return found;
}

struct ir_module *ir_known_module(const struct ir_file_text *text, const char *path)
{
    vec_foreach (struct ir_module *, m, &text->modules)
        if (!strcmp((*m)->source->name, path))
            return *m;
    return NULL;
}

struct name *ir_find_name(const name_vec *names, const char *text)
{
    for (size_t i = 0; names && i < names->len; i++)
        if (!strcmp(names->items[i]->text, text))
            return names->items[i];
    return NULL;
}

/* ---- what names mean ---- */

struct name *ir_meant(struct name *n)
{
    for (int hops = 0; n && n->means && !n->members && hops < MAX_HOPS; hops++)
        n = n->means;
    return n;
}

/* What the member behind the module n at *t means; *t at the member. NULL for no such member. */
static struct name *member_of(const struct name *n, const struct token **t)
{
    const struct members *m = n->members;
    *t += 2;
    struct name *member = ir_find_name(&m->below, (*t)->text);
    return ir_meant(member ? member : ir_find_name(m->names, (*t)->text));
}

static bool has_member(const struct name *n, const struct token *t)
{
    return n && n->members && token_is_op(t + 1, ".") && t[2].kind == TOK_NAME;
}

struct name *ir_imported(const struct token *t, const struct token **last)
{
    struct name *n = t->kind == TOK_NAME ? ir_meant(t->name) : NULL;
    while (has_member(n, t))
        n = member_of(n, &t);
    *last = t;
    return n;
}

const char *ir_module_at(const struct ir_file_text *text, const struct token *t)
{
    const char *file = t->text;
    for (struct name *n = ir_meant(t->name); has_member(n, t); n = member_of(n, &t))
        vec_foreach (struct ir_module *, m, &text->modules)
            if (&(*m)->lexed.names == n->members->names)
                file = (*m)->source->name;
    return file;
}

/* ---- reading ---- */

struct loader {
    struct arena *arena;
    struct ir_file *file;
    const struct source *given; /* with the texts of further files that stand for those on disk */
    int depth;
};

static void scan(struct loader *l, const char *path, const struct lexed *text);

/* The text of a file: as it is given, or from the disk. NULL when it cannot be read. */
static const struct source *text_of(struct loader *l, const char *path)
{
    for (size_t i = 0; i < l->given->nparts; i++) {
        const struct source_part *part = &l->given->parts[i];
        size_t end = i + 1 < l->given->nparts ? part[1].offset : l->given->len;
        if (!strcmp(part->name, path))
            return source_from_string(
                l->arena, path,
                arena_strndup(l->arena, l->given->text + part->offset, end - part->offset));
    }
    struct diag d = {.arena = l->arena};
    return source_read(l->arena, path, &d);
}

/* A module with all that it imports; what is being read already is what it is so far. */
static struct ir_module *load(struct loader *l, const char *path)
{
    struct ir_module *m = ir_known_module(l->file->text, path);
    if (m || l->depth >= MAX_IMPORT_DEPTH || l->file->text->modules.len >= MAX_MODULES)
        return m;
    const struct source *source = text_of(l, path);
    if (!source)
        return NULL;
    m = arena_new(l->arena, struct ir_module);
    m->source = source;
    m->lexed = ir_lex(l->arena, source);
    vec_push(l->arena, &l->file->text->modules, m);
    l->depth++;
    scan(l, path, &m->lexed);
    l->depth--;
    return m;
}

/* ---- imports ---- */

static void become_module(struct loader *l, struct name *n, const struct ir_module *m)
{
    if (!n->members)
        n->members = arena_new(l->arena, struct members);
    n->members->names = m ? &m->lexed.names : n->members->names;
}

static bool is_defined(const struct token *t)
{
    return token_is_word(t, "def") || token_is_word(t, "class");
}

/* A function or class of the file has this name. */
static bool defines(const struct lexed *text, const struct name *n)
{
    for (size_t i = 1; i < text->toks.len; i++) {
        const struct token *t = &text->toks.items[i];
        if (t->kind == TOK_NAME && t->name == n && is_defined(t - 1))
            return true;
    }
    return false;
}

/* A function, a class or an import of the file gives the name its meaning. */
static bool makes(const struct ir_module *m, const struct name *n)
{
    return n->means || n->members || defines(&m->lexed, n);
}

static void bind_name(struct loader *l, const struct token *as, const struct ir_module *m,
                      const char *inside, const char *what)
{
    struct name *n = m ? ir_find_name(&m->lexed.names, what) : NULL;
    bool made = n && makes(m, n);
    const char *below = made ? NULL : ir_module_in(l->arena, inside, what);
    as->name->members = NULL;
    as->name->means = n == as->name ? NULL : n;
    if (below)
        become_module(l, as->name, load(l, below));
}

static void bind_all(const name_vec *names, const struct ir_module *m)
{
    vec_foreach (struct name *, n, &m->lexed.names) {
        struct name *own = makes(m, *n) ? ir_find_name(names, (*n)->text) : NULL;
        if (own && own != *n && !own->is_keyword)
            own->means = *n;
    }
}

/* from MODULE import A, B as C, or *; at the first name or its parenthesis. */
static void scan_names(struct loader *l, const struct lexed *text, size_t pos,
                       const struct ir_module *m, const char *inside)
{
    const struct token *toks = text->toks.items;
    if (m && token_is_op(&toks[pos], "*"))
        bind_all(&text->names, m);
    pos += token_is_op(&toks[pos], "(");
    while (toks[pos].kind == TOK_NAME) {
        const struct token *as = &toks[pos];
        if (token_is_word(as + 1, "as") && as[2].kind == TOK_NAME)
            as += 2;
        if (!as->name->is_keyword)
            bind_name(l, as, m, inside, toks[pos].text);
        pos = (size_t)(as + 1 - toks);
        pos += token_is_op(&toks[pos], ",");
    }
}

/* import a.b.c binds a, whose members are modules; pos: of a. */
static void scan_path(struct loader *l, const char *path, const struct lexed *text, size_t pos)
{
    const struct token *t = &text->toks.items[pos];
    struct name *n = t->name;
    for (const char *folder = folder_of(l->arena, path); n; t += 2) {
        const char *file = ir_module_in(l->arena, folder, t->text);
        become_module(l, n, file ? load(l, file) : NULL);
        if (!token_is_op(t + 1, ".") || t[2].kind != TOK_NAME)
            break;
        folder = joined(l->arena, folder, t->text);
        struct name *below = ir_find_name(&n->members->below, t[2].text);
        if (!below) {
            below = arena_new(l->arena, struct name);
            below->text = t[2].text;
            vec_push(l->arena, &n->members->below, below);
        }
        n = below;
    }
}

/* At `from` or `import`. */
static void scan_import(struct loader *l, const char *path, const struct lexed *text, size_t pos)
{
    const struct token *toks = text->toks.items;
    bool from = token_is_word(&toks[pos], "from");
    size_t first = ++pos;
    const char *inside, *file;
    if (token_is_word(&toks[first], "pypto")) /* the language itself */
        return;
    file = ir_find_module(l->arena, path, toks, &pos, &inside);
    const struct token *as = &toks[pos + 1];
    bool renamed = token_is_word(&toks[pos], "as") && as->kind == TOK_NAME;
    if (from && token_is_word(&toks[pos], "import"))
        scan_names(l, text, pos + 1, file ? load(l, file) : NULL, inside);
    else if (!from && file && renamed && !as->name->is_keyword)
        become_module(l, as->name, load(l, file));
    else if (!from && file && !renamed && toks[first].kind == TOK_NAME)
        scan_path(l, path, text, first);
}

/* At `again = f` of one of these functions. */
static bool at_alias(const struct map *functions, const struct token *t)
{
    return t->kind == TOK_NAME && !t->name->is_keyword && token_is_op(t + 1, "=") &&
           t[2].kind == TOK_NAME && t[2].name != t->name && t[3].kind == TOK_NEWLINE &&
           map_get(functions, t[2].name);
}

static void scan(struct loader *l, const char *path, const struct lexed *text)
{
    bool starts = true;
    struct map functions = {.arena = l->arena};
    for (size_t i = 0; i < text->toks.len; i++) {
        const struct token *t = &text->toks.items[i];
        if (starts && (token_is_word(t, "import") || token_is_word(t, "from")))
            scan_import(l, path, text, i);
        else if (is_defined(t) && t[1].kind == TOK_NAME)
            map_put(&functions, t[1].name, t[1].name);
        else if (starts && at_alias(&functions, t))
            t->name->means = t[2].name;
        starts = t->kind == TOK_NEWLINE || t->kind == TOK_INDENT || t->kind == TOK_DEDENT;
    }
}

/* ---- one text, one list of tokens ---- */

/* The tokens of a module, whose text begins at this place of the whole. */
static void append_tokens(struct arena *a, struct ir_file_text *text, struct ir_module *m,
                          const struct source_part *part)
{
    m->from = text->lexed.toks.len;
    vec_foreach (struct token, t, &m->lexed.toks) {
        struct token moved = *t;
        moved.span.line += part->first_line - 1;
        moved.offset += part->offset;
        moved.end += part->offset;
        vec_push(a, &text->lexed.toks, moved);
    }
}

static void join(struct arena *a, struct ir_file *file)
{
    struct ir_file_text *text = file->text;
    const struct source **files = arena_array(a, const struct source *, text->modules.len + 1);
    files[0] = file->source;
    for (size_t i = 0; i < text->modules.len; i++)
        files[1 + i] = text->modules.items[i]->source;
    const struct source *whole = source_join(a, files, text->modules.len + 1);
    for (size_t i = 0; i < text->modules.len; i++)
        append_tokens(a, text, text->modules.items[i], &whole->parts[i]);
    file->source = whole;
}

void ir_read_imports(struct arena *a, struct ir_file *file, const struct source *given)
{
    struct loader l = {.arena = a, .file = file, .given = given};
    scan(&l, file->source->name, &file->text->lexed);
    if (file->text->modules.len)
        join(a, file);
}
