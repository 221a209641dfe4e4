/* SPDX-License-Identifier: MIT */
/* One program of a file: its functions, with what the Python around it binds (ir/file.h,
 * ir/parse_python.c). */
#include <string.h>

#include "ir/file_internal.h"
#include "ir/ops.h"
#include "ir/parse_internal.h"

static void open_block(struct parser *p)
{
    parse_expect_op(p, ":");
    parse_expect_newline(p);
    if (peek(p)->kind != TOK_INDENT)
        parse_expected(p, "an indented block");
    p->pos++;
    parse_enter(p);
}

/* ---- classes ---- */

/* @l.function: a function that would silently be none of the program. */
static void check_decorator(struct parser *p)
{
    const struct token *at = peek(p);
    if (!ir_at_kept_decorator(at) && at[1].kind == TOK_NAME && token_is_op(at + 2, ".") &&
        token_is_word(at + 3, "function"))
        parse_fail(p, at[1].span, "unknown decorator '@%s.function', expected @pl.function",
                   at[1].text);
}

/* A member of a class that is no function of the program says nothing here. A class that lacks its
 * decorator may hold functions that lack theirs. */
static void parse_class_item(struct parser *p, bool decorated)
{
    size_t end = ir_behind_decorated(p->toks, p->pos);
    if (decorated && parse_at_op(p, "@"))
        check_decorator(p);
    if (parse_at_op(p, "@") && !ir_at_kept_decorator(peek(p)))
        p->pos = ir_behind_item(p->toks, p->pos);
    else if (parse_at_op(p, "@") || (!decorated && parse_at_word(p, "def")))
        parse_function(p);
    else if (p->strict && !parse_at_word(p, "pass"))
        parse_expected(p, "a function");
    else if (peek(p)->kind == TOK_INDENT || peek(p)->kind == TOK_ERROR)
        parse_expected(p, "a function");
    else
        p->pos = end;
}

static void parse_class(struct parser *p, bool decorated)
{
    parse_expect_word(p, "class");
    const struct token *name = parse_expect_name(p, "the name of the program");
    if (p->prog->name)
        parse_fail(p, name->span, "a file holds one program, and '%s' is a second one", name->text);
    p->prog->name = name->text;
    if (parse_accept_op(p, "(")) /* bases mean nothing */
        while (!parse_accept_op(p, ")"))
            p->pos++;
    open_block(p);
    const char *doc = parse_docstring(p);
    if (doc)
        p->prog->doc = doc;
    size_t first = p->prog->funcs.len;
    while (peek(p)->kind != TOK_DEDENT)
        parse_class_item(p, decorated);
    for (size_t i = first; i < p->prog->funcs.len; i++)
        p->prog->funcs.items[i]->strict_ssa = p->strict_ssa;
    parse_leave(p);
    p->pos++;
}

/* @pl.program, @pl.program(strict_ssa=True): what the compiler's parser accepts and no part of the
 * program (pypto-front-facts 4). */
static void parse_program_decorator(struct parser *p)
{
    const struct token *first = peek(p);
    p->pos++;
    if (strcmp(parse_path(p), "pl.program"))
        parse_fail(p, parse_span_from(p, first), "a class has the decorator @pl.program");
    if (parse_accept_op(p, "(")) {
        if (parse_accept_word(p, "strict_ssa")) {
            parse_expect_op(p, "=");
            p->strict_ssa = parse_accept_word(p, "True");
            if (!p->strict_ssa)
                parse_expect_word(p, "False");
        }
        parse_expect_op(p, ")");
    }
    parse_expect_newline(p);
}

/* ---- files that are a program from end to end ---- */

static void parse_strict_item(struct parser *p)
{
    if (parse_at_word(p, "import") || parse_at_word(p, "from")) {
        parse_import(p, p->pos);
        p->pos = ir_behind_item(p->toks, p->pos);
    } else if (parse_at_word(p, "class"))
        parse_class(p, false);
    else if (parse_at_op(p, "@") || parse_at_word(p, "def"))
        parse_function(p);
    else if (peek(p)->kind == TOK_NAME && !peek(p)->name->is_keyword)
        parse_global(p);
    else
        parse_expected(p, "a class, a function or NAME = constant");
}

static void parse_strict(struct parser *p)
{
    p->strict = true;
    while (peek(p)->kind != TOK_END)
        parse_strict_item(p);
}

/* ---- programs ---- */

/* Calls may come before the function they call. */
static void find_functions(struct parser *p, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        if (token_is_word(&p->toks[i], "def") && p->toks[i + 1].kind == TOK_NAME)
            p->toks[i + 1].name->is_function = true;
}

/* A function of @pl.inline is no function of the program: its text waits for its calls. */
static bool note_inline(struct parser *p, size_t at)
{
    bool inlined = false;
    for (; token_is_op(&p->toks[at], "@"); at = ir_behind_item(p->toks, at))
        inlined |= ir_at_kept_decorator(&p->toks[at]) && token_is_word(&p->toks[at + 3], "inline");
    if (inlined && p->toks[at + 1].kind == TOK_NAME)
        p->toks[at + 1].name->inline_at = at;
    return inlined;
}

/* The name in the `def` of the item at pos. */
static const struct token *defined_at(const struct parser *p, size_t pos)
{
    while (token_is_op(&p->toks[pos], "@"))
        pos = ir_behind_item(p->toks, pos);
    return &p->toks[pos + 1];
}

static bool is_imported(const struct parser *p, size_t pos)
{
    return p->text->modules.len && pos >= p->text->modules.items[0]->from;
}

/* A name that no function has yet: that of an import of the file, or one with a number. */
static const char *free_function_name(struct parser *p, const struct map *used,
                                      const struct name *of)
{
    vec_foreach (struct name *, n, p->names)
        if (*n != of && ir_meant(*n) == of && !map_get_text(used, (*n)->text))
            return (*n)->text;
    const char *name = of->text;
    for (int i = 2; map_get_text(used, name); i++)
        name = arena_printf(p->arena, "%s_%d", of->text, i);
    return name;
}

/* A function outside of a class that the class calls joins its functions, and their names are of one
 * program (pypto-front-facts 2.7). */
static void check_joined(struct parser *p, const struct ir_source_part *part, const struct map *own)
{
    vec_foreach (size_t, at, &part->functions) {
        const struct token *name = defined_at(p, *at);
        if (map_get_text(own, name->text) && !is_imported(p, *at))
            parse_fail(p, name->span, "the program calls this function, and has one named '%s'",
                       name->text);
    }
}

/* Functions of several files may have one name; those of this file keep theirs. */
static void name_imported(struct parser *p, const struct ir_source_part *part)
{
    struct map used = {.arena = p->arena};
    for (size_t i = part->pos; part->kind != IR_PART_FUNCTIONS && i < part->end; i++)
        if (token_is_word(&p->toks[i], "def"))
            map_put_text(&used, p->toks[i + 1].text, p);
    check_joined(p, part, &used);
    vec_foreach (size_t, at, &part->functions)
        if (!is_imported(p, *at))
            map_put_text(&used, defined_at(p, *at)->text, p);
    vec_foreach (size_t, at, &part->functions) {
        struct name *n = is_imported(p, *at) ? defined_at(p, *at)->name : NULL;
        if (n && map_get_text(&used, n->text))
            n->in_program = free_function_name(p, &used, n);
        if (n)
            map_put_text(&used, parse_name_in_program(n), p);
    }
}

/* All names are known before the first header is read. */
static void note_functions(struct parser *p, const struct ir_source_part *part)
{
    vec_foreach (size_t, at, &part->functions) {
        find_functions(p, *at, ir_behind_decorated(p->toks, *at));
        note_inline(p, *at);
    }
    if (part->kind != IR_PART_FUNCTIONS)
        find_functions(p, part->pos, part->end);
    name_imported(p, part);
}

static void parse_functions(struct parser *p, const struct ir_source_part *part)
{
    vec_foreach (size_t, at, &part->functions) {
        p->pos = *at;
        if (!note_inline(p, *at))
            parse_function(p);
    }
}

static void parse_part(struct parser *p, const struct ir_source_part *part)
{
    note_functions(p, part);
    p->start = part->pos;
    parse_functions(p, part);
    p->pos = part->pos;
    bool decorated = false;
    while (part->kind == IR_PART_CLASS && parse_at_op(p, "@"))
        if (ir_at_kept_decorator(peek(p))) {
            parse_program_decorator(p);
            decorated = true;
        } else {
            p->pos = ir_behind_item(p->toks, p->pos);
        }
    if (part->kind == IR_PART_CLASS)
        parse_class(p, decorated);
}

void parse_module(struct parser *p, const struct ir_source_part *part)
{
    p->prog->doc = parse_docstring(p);
    if (part->kind == IR_PART_FILE) {
        note_functions(p, part);
        parse_strict(p);
        p->strict = false;
        parse_functions(p, part); /* those of other files, whose values are known by now */
    } else {
        parse_surroundings(p, part);
        parse_part(p, part);
    }
    parse_bodies(p);
    if (p->prog->funcs.len == 0)
        parse_fail(p, (struct span){0}, "the file holds no function");
    parse_place_keyword_calls(p);
}
