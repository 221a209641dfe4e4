/* SPDX-License-Identifier: MIT */
/*
 * What of a file is program, and what is the Python around it (pypto-front-facts 1.2, 1.4).
 *
 * A file whose functions or classes have decorators of the language may hold anything else besides:
 * golden functions, a main, tests, values that only Python can compute. Every decorated function and
 * class is found, at any nesting; what is left is passed over. A file without any decorator is a
 * program from its first line to its last.
 */
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "ir/file_internal.h"

/* ---- items ---- */

bool ir_at_kept_decorator(const struct token *t)
{
    return token_is_op(t, "@") && token_is_word(t + 1, "pl") && token_is_op(t + 2, ".");
}

size_t ir_behind_item(const struct token *toks, size_t pos)
{
    size_t start = pos;
    while (toks[pos].kind != TOK_NEWLINE && toks[pos].kind != TOK_END)
        pos++;
    bool opens = pos > start && token_is_op(&toks[pos - 1], ":");
    pos += toks[pos].kind == TOK_NEWLINE;
    if (toks[pos].kind != TOK_INDENT || !opens)
        return pos;
    for (int open = 0; toks[pos].kind != TOK_END; pos++) {
        open += (toks[pos].kind == TOK_INDENT) - (toks[pos].kind == TOK_DEDENT);
        if (open == 0)
            return pos + 1;
    }
    return pos;
}

size_t ir_behind_decorated(const struct token *toks, size_t pos)
{
    while (token_is_op(&toks[pos], "@"))
        pos = ir_behind_item(toks, pos);
    return ir_behind_item(toks, pos);
}

static bool holds_kept(const struct token *toks, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        if (ir_at_kept_decorator(&toks[i]))
            return true;
    return false;
}

/* ---- what is found ---- */

/* A function or class that holds programs; the first one is the module. */
struct scope {
    int parent;
    const struct token *name; /* NULL: the module */
    struct ir_around around;
};

enum role {
    ROLE_FUNCTION,
    ROLE_INLINE,
    ROLE_JIT,
    ROLE_JIT_HOST,
    ROLE_JIT_PART,
    ROLE_UNDECORATED, /* its header speaks of the language: a function where all programs are such */
    ROLE_NONE
};

struct found {
    size_t pos, end; /* of the first decorator, and behind the body */
    const struct token *name;
    enum role role;
    int scope;
    bool imported; /* it stands in another file: only what calls it makes it part of a program */
    bool used;     /* another function or a program calls it */
};

struct finder {
    struct arena *arena;
    struct ir_file *file;
    const struct token *toks;
    VEC(struct scope) scopes;
    VEC(struct found) functions;
    VEC(struct found) classes; /* programs of other files */
    bool imported;             /* what is walked is another file */
    struct strbuf passed_over;
    int npassed;
};

/* pl.NAME.NAME of a decorator: whether its path is this one. */
static bool decorates(const struct token *at, const char *first, const char *second)
{
    if (!ir_at_kept_decorator(at) || !token_is_word(at + 3, first))
        return false;
    bool more = token_is_op(at + 4, ".");
    return second ? more && token_is_word(at + 5, second) : !more;
}

/* The decorator of an item that says this, or 0. */
static bool has_decorator(const struct finder *f, size_t pos, const char *first, const char *second)
{
    for (; token_is_op(&f->toks[pos], "@"); pos = ir_behind_item(f->toks, pos))
        if (decorates(&f->toks[pos], first, second))
            return true;
    return false;
}

static bool role_of(const struct finder *f, size_t pos, enum role *role)
{
    static const struct {
        const char *first, *second;
        enum role role;
    } rows[] = {
        {"function", NULL, ROLE_FUNCTION}, {"inline", NULL, ROLE_INLINE},
        {"jit", NULL, ROLE_JIT},           {"jit", "host", ROLE_JIT_HOST},
        {"jit", "incore", ROLE_JIT_PART},  {"jit", "inline", ROLE_JIT_PART},
        {"jit", "opaque", ROLE_JIT_PART},  {"jit", "extern", ROLE_JIT_PART},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (has_decorator(f, pos, rows[i].first, rows[i].second)) {
            *role = rows[i].role;
            return true;
        }
    return false;
}

/* By the language, be it with a name that it does not know. */
static bool is_decorated(const struct finder *f, size_t pos)
{
    for (; token_is_op(&f->toks[pos], "@"); pos = ir_behind_item(f->toks, pos))
        if (ir_at_kept_decorator(&f->toks[pos]))
            return true;
    return false;
}

static size_t behind_decorators(const struct finder *f, size_t pos)
{
    while (token_is_op(&f->toks[pos], "@"))
        pos = ir_behind_item(f->toks, pos);
    return pos;
}

/* ---- programs ---- */

static const char *path_of(struct finder *f, int scope, const char *name)
{
    for (; f->scopes.items[scope].name; scope = f->scopes.items[scope].parent)
        name = arena_printf(f->arena, "%s.%s", f->scopes.items[scope].name->text, name);
    int n = 1;
    vec_foreach (struct ir_unit, u, &f->file->units) {
        size_t len = strlen(name);
        n += !strncmp(u->path, name, len) && (!u->path[len] || u->path[len] == '@');
    }
    return n > 1 ? arena_printf(f->arena, "%s@%d", name, n) : name;
}

static void add_around(struct finder *f, int scope, struct ir_source_part *part)
{
    const struct scope *s = &f->scopes.items[scope];
    if (!s->name)
        return;
    add_around(f, s->parent, part);
    vec_push(f->arena, &part->around, s->around);
}

static struct ir_source_part *add_unit(struct finder *f, int scope, const struct token *name,
                                       size_t end)
{
    struct ir_unit u = {.path = path_of(f, scope, name->text),
                        .span = name->span,
                        .last_line = f->toks[end - 1].span.line,
                        .needs = ""};
    u.part = arena_new(f->arena, struct ir_source_part);
    u.part->end = end;
    while (u.last_line > u.span.line && f->toks[end - 1].kind == TOK_DEDENT)
        u.last_line = f->toks[--end - 1].span.line;
    add_around(f, scope, u.part);
    vec_push(f->arena, &f->file->units, u);
    return u.part;
}

static void pass_over(struct finder *f, const struct token *name)
{
    if (f->npassed++ < 8)
        strbuf_addf(&f->passed_over, "%s%s", f->npassed > 1 ? ", " : "", name->text);
}

/* ---- the walk ---- */

static void walk(struct finder *f, size_t from, size_t to, int scope);

static size_t behind_header(const struct finder *f, size_t pos)
{
    while (f->toks[pos].kind != TOK_NEWLINE && f->toks[pos].kind != TOK_END)
        pos++;
    return pos + (f->toks[pos].kind == TOK_NEWLINE);
}

static void walk_inside(struct finder *f, size_t pos, size_t end, int scope)
{
    size_t body = behind_header(f, pos);
    if (f->toks[body].kind == TOK_INDENT && end > body + 1)
        walk(f, body + 1, end - 1, scope);
}

static void walk_scope(struct finder *f, size_t pos, size_t end, int parent)
{
    struct scope s = {.parent = parent,
                      .name = &f->toks[pos + 1],
                      .around = {token_is_word(&f->toks[pos], "class"), pos, end}};
    vec_push(f->arena, &f->scopes, s);
    walk_inside(f, pos, end, (int)f->scopes.len - 1);
}

/* A class without the decorator of a program is one when functions are its members. */
static bool has_members(const struct finder *f, size_t pos, size_t end)
{
    size_t at = behind_header(f, pos) + 1;
    for (; at < end; at = ir_behind_decorated(f->toks, at))
        if (token_is_op(&f->toks[at], "@") && has_decorator(f, at, "function", NULL))
            return true;
    return false;
}

static bool has_kernel_header(const struct finder *f, size_t pos)
{
    for (const struct token *t = &f->toks[pos]; t->kind != TOK_NEWLINE && t->kind != TOK_END; t++)
        if ((token_is_word(t, "pl") || token_is_word(t, "pld")) && token_is_op(t + 1, "."))
            return true;
    return false;
}

static void walk_definition(struct finder *f, size_t first, size_t pos, size_t end, int scope)
{
    const struct token *name = &f->toks[pos + 1];
    bool is_class = token_is_word(&f->toks[pos], "class");
    struct found found = {
        .pos = first, .end = end, .name = name, .scope = scope, .imported = f->imported};
    if (f->imported && is_class && has_decorator(f, first, "program", NULL))
        vec_push(f->arena, &f->classes, found);
    if (name->kind != TOK_NAME || (f->imported && is_class))
        return;
    if (is_class && (is_decorated(f, first) || has_members(f, pos, end))) {
        struct ir_source_part *part = add_unit(f, scope, name, end);
        part->kind = IR_PART_CLASS;
        part->pos = first;
    } else if (is_decorated(f, first) && !f->imported && !f->scopes.items[scope].name &&
               !role_of(f, first, &found.role)) {
        f->file->text->bad = f->file->text->bad ? f->file->text->bad : &f->toks[first];
    } else if (!is_class && (role_of(f, first, &found.role) || is_decorated(f, first))) {
        vec_push(f->arena, &f->functions, found);
    } else if (f->imported) {
        return;
    } else if (!is_class && !holds_kept(f->toks, pos, end) && has_kernel_header(f, pos)) {
        found.role = ROLE_UNDECORATED;
        vec_push(f->arena, &f->functions, found);
    } else if (holds_kept(f->toks, pos, end)) {
        walk_scope(f, pos, end, scope);
    } else if (!f->scopes.items[scope].name) {
        pass_over(f, name);
    }
}

static void walk(struct finder *f, size_t from, size_t to, int scope)
{
    for (size_t first = from, end; first < to && f->toks[first].kind != TOK_END; first = end) {
        end = ir_behind_decorated(f->toks, first);
        size_t pos = behind_decorators(f, first);
        enum token_kind kind = f->toks[first].kind;
        if ((kind == TOK_INDENT || kind == TOK_ERROR) && !f->imported && !f->file->text->bad)
            f->file->text->bad = &f->toks[first];
        if (token_is_word(&f->toks[pos], "async"))
            pos++;
        if (token_is_word(&f->toks[pos], "def") || token_is_word(&f->toks[pos], "class"))
            walk_definition(f, first, pos, end, scope);
        else if (holds_kept(f->toks, pos, end))
            walk_inside(f, pos, end, scope);
    }
}

/* ---- what a program reaches ---- */

static bool is_visible(const struct finder *f, int from, int scope)
{
    while (from != scope && f->scopes.items[from].name)
        from = f->scopes.items[from].parent;
    return from == scope;
}

static int depth_of(const struct finder *f, int scope)
{
    int n = 0;
    for (; f->scopes.items[scope].name; scope = f->scopes.items[scope].parent)
        n++;
    return n;
}

/* What a name stands for at a place: of the innermost scope; the last before the place, or else the
 * first behind it. */
static struct found *resolve(struct finder *f, const struct token *name, int scope, size_t at)
{
    struct found *best = NULL;
    vec_foreach (struct found, g, &f->functions) {
        if (g->role == ROLE_NONE || g->name->name != name->name ||
            !is_visible(f, scope, g->scope) || (g->pos < at && at < g->end))
            continue;
        int closer = best ? depth_of(f, g->scope) - depth_of(f, best->scope) : 1;
        if (closer > 0 || (closer == 0 && g->pos < at))
            best = g;
    }
    return best;
}

/* The function of another name, be it in another file, that the names from t to last mean: the last
 * of that name. */
static struct found *resolve_imported(struct finder *f, const struct token *t,
                                      const struct token **last)
{
    const struct name *meant = ir_imported(t, last);
    struct found *best = NULL;
    if (meant && meant != t->name)
        vec_foreach (struct found, g, &f->functions)
            if (g->name->name == meant && g->role != ROLE_NONE)
                best = g;
    return best;
}

/* f(...), or the f of pl.submit(f, ...), from t to last. */
static bool is_called(const struct token *t, const struct token *last)
{
    bool member = token_is_op(t - 1, "."), defined = token_is_word(t - 1, "def"),
         launched = token_is_op(t - 1, "(") &&
                    (token_is_word(t - 2, "submit") || token_is_word(t - 2, "spmd_submit"));
    return !member && !defined && (token_is_op(last + 1, "(") || launched);
}

/* The function that is called at t, or NULL. */
static struct found *called_at(struct finder *f, const struct token *t, int scope)
{
    const struct token *last = t;
    struct found *own = is_called(t, t) ? resolve(f, t, scope, (size_t)(t - f->toks)) : NULL;
    struct found *other = own ? NULL : resolve_imported(f, t, &last);
    return other && is_called(t, last) ? other : own;
}

struct reach {
    VEC(struct found *) found;
    bool host; /* what starts here is a host: it may call orchestrations */
};

static void reach_from(struct finder *f, struct reach *r, size_t from, size_t to, int scope)
{
    for (size_t i = from + 2; i + 1 < to; i++) {
        const struct token *t = &f->toks[i];
        if (t->kind != TOK_NAME || t->name->is_keyword)
            continue;
        struct found *g = called_at(f, t, scope);
        bool admitted = g && g->role != ROLE_JIT_HOST && (g->role != ROLE_JIT || r->host),
             known = false;
        vec_foreach (struct found *, other, &r->found)
            known |= *other == g;
        if (!admitted || known)
            continue;
        vec_push(f->arena, &r->found, g);
        g->used = true;
        reach_from(f, r, g->pos, g->end, g->scope);
    }
}

/* In the order of the text. */
static void add_functions(struct finder *f, struct ir_source_part *part, const struct reach *r)
{
    vec_foreach (struct found, g, &f->functions)
        vec_foreach (struct found *, one, &r->found)
            if (*one == g)
                vec_push(f->arena, &part->functions, g->pos);
}

static void add_entry(struct finder *f, struct found *entry)
{
    struct reach r = {.host = entry->role == ROLE_JIT_HOST};
    struct ir_source_part *part = add_unit(f, entry->scope, entry->name, entry->end);
    part->kind = IR_PART_FUNCTIONS;
    part->pos = entry->pos;
    part->late = entry->role != ROLE_FUNCTION;
    vec_push(f->arena, &r.found, entry);
    reach_from(f, &r, entry->pos, entry->end, entry->scope);
    add_functions(f, part, &r);
}

static void add_entries(struct finder *f, enum role role)
{
    vec_foreach (struct found, g, &f->functions)
        if (g->role == role && !g->used && !g->imported)
            add_entry(f, g);
}

static void reach_classes(struct finder *f)
{
    vec_foreach (struct ir_unit, u, &f->file->units) {
        int scope = 0;
        for (size_t i = 1; i < f->scopes.len; i++)
            if (u->part->around.len &&
                f->scopes.items[i].around.pos == u->part->around.items[u->part->around.len - 1].pos)
                scope = (int)i;
        struct reach r = {0};
        reach_from(f, &r, u->part->pos, ir_behind_decorated(f->toks, u->part->pos), scope);
        add_functions(f, u->part, &r);
    }
}

/* Bare functions of the module are one program, with what has no decorator of its own. */
static void add_module_functions(struct finder *f)
{
    struct ir_source_part *part = NULL;
    vec_foreach (struct found, g, &f->functions) {
        bool bare = (g->role == ROLE_FUNCTION || g->role == ROLE_INLINE) && g->scope == 0;
        if (!bare || g->used)
            continue;
        if (!part) {
            part = add_unit(f, 0, g->name, g->end);
            part->kind = IR_PART_FUNCTIONS;
            part->pos = g->pos;
            part->late = true;
        }
    }
    struct reach r = {0};
    vec_foreach (struct found, g, &f->functions)
        if (part && g->scope == 0 && (g->role == ROLE_FUNCTION || g->role == ROLE_INLINE)) {
            vec_push(f->arena, &r.found, g);
            g->used = true;
        }
    if (part)
        add_functions(f, part, &r);
}

/* In a file of bare functions one may lack its decorator; elsewhere it is a function of Python. */
static void settle_undecorated(struct finder *f)
{
    bool bare = f->file->units.len == 0;
    vec_foreach (struct found, g, &f->functions)
        bare &= g->imported || g->role == ROLE_FUNCTION ||
                (g->role == ROLE_UNDECORATED && g->scope == 0);
    vec_foreach (struct found, g, &f->functions) {
        if (g->role != ROLE_UNDECORATED)
            continue;
        g->role = bare ? ROLE_FUNCTION : ROLE_NONE;
        if (!bare && g->scope == 0)
            pass_over(f, g->name);
    }
}

static int by_line(const void *x, const void *y)
{
    const struct ir_unit *a = x, *b = y;
    return (a->span.line > b->span.line) - (a->span.line < b->span.line);
}

/* ---- parameters that have no value ---- */

static bool occurs(const struct finder *f, const struct token *name, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        if (f->toks[i].kind == TOK_NAME && f->toks[i].name == name->name)
            return true;
    return false;
}

/* Names of the parameters in the header at pos that have no default, and that the text up to end
 * reads. */
static void add_needs(const struct finder *f, size_t pos, size_t end, struct strbuf *b)
{
    size_t i = pos + 3, header = behind_header(f, pos);
    while (i < header && !token_is_op(&f->toks[i], ")")) {
        const struct token *name = &f->toks[i];
        bool bound = name->kind != TOK_NAME || name->name->is_keyword;
        for (int open = 0; i < header; i++) {
            const struct token *t = &f->toks[i];
            if (open == 0 && (token_is_op(t, ",") || token_is_op(t, ")")))
                break;
            bound |= open == 0 && token_is_op(t, "=");
            open += token_opens(t) - token_closes(t);
        }
        if (!bound && occurs(f, name, header, end))
            strbuf_addf(b, "%s%s", b->len ? ", " : "", name->text);
        i += token_is_op(&f->toks[i], ",");
    }
}

static const char *needs_of(const struct finder *f, const struct ir_source_part *part)
{
    struct strbuf b = strbuf_make(f->arena);
    vec_foreach (struct ir_around, around, &part->around)
        if (!around->is_class)
            add_needs(f, around->pos, part->end, &b);
    return b.text;
}

/* ---- what looks like program and is none ---- */

static bool is_taken(const struct finder *f, const struct found *g)
{
    vec_foreach (struct ir_unit, u, &f->file->units)
        vec_foreach (size_t, at, &u->part->functions)
            if (*at == g->pos)
                return true;
    return false;
}

/* Functions of the language that no program reaches, and others whose headers speak of it. */
static void note_left_out(struct finder *f)
{
    struct strbuf b = strbuf_make(f->arena);
    size_t n = 0;
    vec_foreach (struct found, g, &f->functions) {
        if (g->imported || is_taken(f, g) || n++ >= 4)
            continue;
        strbuf_addf(&b, "%s'%s' (line %d: %s)", n > 1 ? ", " : "", g->name->text,
                    g->name->span.line, g->role == ROLE_NONE ? "no decorator" : "nothing calls it");
    }
    if (n > 4)
        strbuf_addf(&b, " and %zu more", n - 4);
    f->file->left_out = b.text;
}

/* ---- files ---- */

/* Functions of other files at their module level: what else there is, no import brings. */
static void walk_modules(struct finder *f)
{
    f->imported = true;
    vec_foreach (struct ir_module *, m, &f->file->text->modules) {
        struct scope module = {0};
        vec_push(f->arena, &f->scopes, module);
        walk(f, (*m)->from, (*m)->from + (*m)->lexed.toks.len - 1, (int)f->scopes.len - 1);
    }
    f->imported = false;
}

static void find_units(struct finder *f, size_t n)
{
    walk(f, 0, n, 0);
    settle_undecorated(f);
    reach_classes(f);
    add_entries(f, ROLE_JIT_HOST);
    add_entries(f, ROLE_JIT);
    add_module_functions(f);
    vec_foreach (struct found, g, &f->functions)
        if (g->role == ROLE_FUNCTION && !g->used && g->scope && !g->imported) {
            struct reach r = {0};
            reach_from(f, &r, g->pos, g->end, g->scope);
        }
    add_entries(f, ROLE_FUNCTION);
    if (f->file->units.len == 0)
        add_entries(f, ROLE_JIT_PART);
    if (f->file->units.len)
        qsort(f->file->units.items, f->file->units.len, sizeof *f->file->units.items, by_line);
    vec_foreach (struct ir_unit, u, &f->file->units)
        u->needs = needs_of(f, u->part);
    if (f->npassed > 8)
        strbuf_addf(&f->passed_over, " and %d more", f->npassed - 8);
    f->file->passed_over = f->passed_over.text;
    note_left_out(f);
}

static void add_imported_class(struct finder *f, const struct name *as, const struct found *g)
{
    struct reach r = {0};
    struct token name = *g->name;
    name.text = as->text;
    struct ir_source_part *part = add_unit(f, 0, &name, g->end);
    part->kind = IR_PART_CLASS;
    part->pos = g->pos;
    part->late = true;
    reach_from(f, &r, g->pos, g->end, g->scope);
    add_functions(f, part, &r);
}

/* A file without a program of its own has those that it imports by name, as the names say. */
static void add_imported_programs(struct finder *f)
{
    vec_foreach (struct name *, n, &f->file->text->lexed.names) {
        const struct name *meant = ir_meant(*n);
        if (meant == *n || meant->members)
            continue;
        vec_foreach (struct found, g, &f->classes)
            if (g->name->name == meant)
                add_imported_class(f, *n, g);
        vec_foreach (struct found, g, &f->functions)
            if (g->name->name == meant && (g->role == ROLE_JIT_HOST || g->role == ROLE_JIT))
                add_entry(f, g);
    }
    f->file->passed_over = f->file->left_out = "";
}

/* Up to token n, with the functions of other files that it calls. */
static void whole_file(struct finder *f, size_t n)
{
    struct ir_unit u = {.path = "", .needs = ""};
    struct reach r = {0};
    u.part = arena_new(f->arena, struct ir_source_part);
    u.part->end = n;
    reach_from(f, &r, 0, n, 0);
    add_functions(f, u.part, &r);
    vec_push(f->arena, &f->file->units, u);
    f->file->passed_over = f->file->left_out = "";
}

struct ir_file *ir_file_read(struct arena *a, const struct source *src, struct diag *d)
{
    struct ir_file *file = arena_new(a, struct ir_file);
    file->text = arena_new(a, struct ir_file_text);
    file->source = source_main(a, src);
    file->text->lexed = ir_lex(a, file->source);
    size_t n = file->text->lexed.toks.len - 1;
    ir_read_imports(a, file, src);
    struct finder f = {.arena = a, .file = file, .toks = file->text->lexed.toks.items};
    struct scope module = {0};
    vec_push(a, &f.scopes, module);
    f.passed_over = strbuf_make(a);
    if (file->text->lexed.failed)
        file->text->bad = &f.toks[n - 1];
    while (file->text->bad && file->text->bad->kind != TOK_ERROR)
        file->text->bad--;
    walk_modules(&f);
    if (holds_kept(f.toks, 0, n))
        find_units(&f, n);
    else
        add_imported_programs(&f);
    if (file->units.len == 0 && !holds_kept(f.toks, 0, n))
        whole_file(&f, n);
    if (file->units.len == 0 && file->text->bad)
        whole_file(&f, n); /* whose parser says what is wrong */
    if (file->units.len == 0) {
        diag_error(d, src, (struct span){0}, "the file holds no program");
        return NULL;
    }
    return file;
}

/* ---- choosing ---- */

/* name is all of the path, or the last names of it. */
static bool ends_path(const char *path, const char *name)
{
    size_t n = strlen(path), len = strlen(name);
    return n >= len && !strcmp(path + n - len, name) && (n == len || path[n - len - 1] == '.');
}

static const char *paths_of(struct arena *a, const struct ir_file *f, const char *name)
{
    struct strbuf b = strbuf_make(a);
    vec_foreach (struct ir_unit, u, &f->units)
        if (!name || ends_path(u->path, name))
            strbuf_addf(&b, "%s%s", b.len ? ", " : "", u->path);
    return b.text;
}

bool ir_file_choose(struct arena *a, const struct ir_file *f, const char *name, ir_units *out,
                    struct diag *d)
{
    const struct ir_unit *found = NULL;
    size_t n = 0;
    vec_foreach (struct ir_unit, u, &f->units) {
        if (!strcmp(u->path, name)) {
            vec_push(a, out, *u);
            return true;
        }
        if (ends_path(u->path, name)) {
            found = u;
            n++;
        }
    }
    if (n == 0)
        return diag_error(d, f->source, (struct span){0}, "no program '%s'; the file holds %s",
                          name, paths_of(a, f, NULL));
    if (n > 1)
        return diag_error(d, f->source, (struct span){0}, "'%s' may be %s", name,
                          paths_of(a, f, name));
    vec_push(a, out, *found);
    return true;
}

const struct ir_unit *ir_file_only(struct arena *a, const struct ir_file *f, struct diag *d)
{
    if (f->units.len == 1)
        return &f->units.items[0];
    diag_error(d, f->source, (struct span){0},
               "the file holds %zu programs, choose one with --program=NAME: %s", f->units.len,
               paths_of(a, f, NULL));
    return NULL;
}

struct ir_program *ir_parse(struct arena *a, const struct source *src, struct diag *d)
{
    struct ir_file *f = ir_file_read(a, src, d);
    const struct ir_unit *u = f ? ir_file_only(a, f, d) : NULL;
    return u ? ir_parse_unit(a, f, u, NULL, d) : NULL;
}
