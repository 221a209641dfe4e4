/* SPDX-License-Identifier: MIT */
/*
 * Module level: what of a file is program, and what is the Python around it (pypto-front-facts
 * 1.4).
 *
 * A file whose functions or program have decorators may hold anything else besides: golden
 * functions, a main, helper classes, values that only Python can compute. That is passed over. A
 * name that is bound there counts as a symbol, whose value whoever runs the program gives. A
 * function around a program is a factory: its parameters and the constants of its body are bound as
 * at module level. A file without any decorator is a program from its first line to its last.
 */
#include <string.h>

#include "ir/ops.h"
#include "ir/parse_internal.h"

/* ---- what is passed over ---- */

static bool is_op(const struct token *t, const char *op)
{
    return t->kind == TOK_OP && strcmp(t->text, op) == 0;
}

static bool is_word(const struct token *t, const char *word)
{
    return t->kind == TOK_NAME && strcmp(t->text, word) == 0;
}

/* At `@pl.`, but for what decorates nothing of a program. */
static bool is_kept_decorator(const struct token *t)
{
    return is_op(t, "@") && is_word(t + 1, "pl") && is_op(t + 2, ".");
}

/* The token behind a logical line, and behind the block that it opens. A line without a colon opens
 * none: what is indented behind it is no Python, and may be the rest of a function. */
static size_t end_of_item(const struct parser *p, size_t pos)
{
    size_t start = pos;
    while (p->toks[pos].kind != TOK_NEWLINE && p->toks[pos].kind != TOK_END)
        pos++;
    bool opens = pos > start && is_op(&p->toks[pos - 1], ":");
    pos += p->toks[pos].kind == TOK_NEWLINE;
    if (p->toks[pos].kind != TOK_INDENT || !opens)
        return pos;
    for (int open = 0; p->toks[pos].kind != TOK_END; pos++) {
        open += (p->toks[pos].kind == TOK_INDENT) - (p->toks[pos].kind == TOK_DEDENT);
        if (open == 0)
            return pos + 1;
    }
    return pos;
}

/* An item under its decorators. */
static size_t end_of_decorated(const struct parser *p, size_t pos)
{
    while (is_op(&p->toks[pos], "@"))
        pos = end_of_item(p, pos);
    return end_of_item(p, pos);
}

static bool holds_kept(const struct parser *p, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        if (is_kept_decorator(&p->toks[i]))
            return true;
    return false;
}

/* A function without a decorator is one of the program when its header speaks of the language. */
static bool has_kernel_header(const struct parser *p)
{
    for (const struct token *t = peek(p); t->kind != TOK_NEWLINE && t->kind != TOK_END; t++)
        if ((is_word(t, "pl") || is_word(t, "pld")) && is_op(t + 1, "."))
            return true;
    return false;
}

/* ---- names ---- */

/* NAME = value. Without a value it is a symbol. */
struct ir_var *parse_add_module_name(struct parser *p, const struct token *name,
                                     struct ir_expr *value)
{
    name->name->module = parse_new_var(p, name, ir_scalar_type(IR_INDEX));
    ir_add_global(p->prog, name->name->module, value);
    return name->name->module;
}

static bool is_dynamic(const struct ir_expr *e)
{
    return e->kind == IR_CALL && strcmp(e->call.name, "dynamic") == 0 && e->call.args.len == 1 &&
           e->call.kwargs.len == 0 && e->call.args.items[0]->kind == IR_STRING;
}

/* At a value: NAME = 16, NAME = pl.dynamic("NAME"); any other constant is repeated where the name
 * is used. */
static void parse_value(struct parser *p, const struct token *name)
{
    int64_t value;
    struct ir_expr *e = parse_expr(p);
    if (is_dynamic(e))
        parse_add_module_name(p, name, NULL);
    else if (e->kind != IR_BOOLEAN && ir_const_int(p->prog, e, &value))
        parse_add_module_name(
            p, name,
            ir_int(p->arena, value, e->kind == IR_INT ? e->integer.dtype : IR_INDEX, e->span));
    else if (e->kind == IR_CALL || e->kind == IR_VAR)
        parse_fail(p, e->span, "expected a constant or pl.dynamic(\"%s\")", name->text);
    else if (parse_count_parts(e, MAX_CONSTANT_PARTS + 1) > MAX_CONSTANT_PARTS)
        parse_fail(p, e->span, "a module-level constant of more than %d parts", MAX_CONSTANT_PARTS);
    else
        name->name->constant = e;
}

static void parse_global(struct parser *p)
{
    const struct token *name = parse_expect_name(p, "a name");
    p->operators = 0;
    if (name->name->module || name->name->constant || name->name->is_function)
        parse_fail(p, name->span, "'%s' is defined twice", name->text);
    if (parse_accept_op(p, ":"))
        parse_type(p);
    parse_expect_op(p, "=");
    parse_value(p, name);
    parse_expect_newline(p);
}

/* Runs fn; false, and p where it was, when that fails. */
static bool try_parse(struct parser *p, void (*fn)(struct parser *p))
{
    jmp_buf out;
    const size_t pos = p->pos, calls = p->keyword_calls.len;
    const int depth = p->depth, types = p->types, dicts = p->dicts;
    p->trial = &out;
    bool failed = setjmp(out);
    if (!failed)
        fn(p);
    p->trial = NULL;
    if (failed) {
        p->pos = pos;
        p->keyword_calls.len = calls;
        p->depth = depth;
        p->types = types;
        p->dicts = dicts;
    }
    return !failed;
}

static int depth_after(int open, const struct token *t)
{
    if (t->kind != TOK_OP || t->text[1])
        return open;
    return open + (strchr("([{", t->text[0]) != NULL) - (strchr(")]}", t->text[0]) != NULL);
}

/* The `=` or `+=` of a statement that binds names, or NULL. */
static const struct token *find_assignment(const struct parser *p)
{
    int open = 0;
    for (const struct token *t = peek(p); t->kind != TOK_NEWLINE && t->kind != TOK_END; t++) {
        size_t len = t->kind == TOK_OP ? strlen(t->text) : 0;
        bool compares = len == 2 && strchr("=!<>", t->text[0]);
        if (open == 0 && len && t->text[len - 1] == '=' && !compares)
            return t;
        open = depth_after(open, t);
    }
    return NULL;
}

/* The names that a statement binds to what is not computed here: x = ..., x, y = ..., x += ... */
static void leave_outside(struct parser *p)
{
    const struct token *assigns = find_assignment(p);
    for (const struct token *t = peek(p); assigns && t < assigns; t++)
        if (t->kind == TOK_NAME && !t->name->is_keyword && !t->name->is_function &&
            !(t > p->toks && is_op(t - 1, ".")) && !is_op(t + 1, ".") && !is_op(t + 1, "(") &&
            !is_op(t + 1, "["))
            t->name->is_outside = true;
}

/* A binding whose value the parser cannot know is left outside. */
static void read_or_skip_binding(struct parser *p)
{
    if (p->strict) {
        parse_global(p);
        return;
    }
    size_t end = end_of_item(p, p->pos);
    if (try_parse(p, parse_global))
        return;
    leave_outside(p);
    p->pos = end;
}

/* ---- factories ---- */

/* At the default of a parameter. */
static void parse_default(struct parser *p)
{
    parse_value(p, p->default_of);
}

/* To the comma or bracket behind a parameter's annotation or default. */
static void skip_part(struct parser *p, bool to_default)
{
    for (int open = 0; peek(p)->kind != TOK_END; p->pos++) {
        const struct token *t = peek(p);
        if (open == 0 && (is_op(t, ",") || is_op(t, ")") || (to_default && is_op(t, "="))))
            return;
        open = depth_after(open, t);
    }
}

/* (n, mode: str = "mesh", *, deep=False): names that the program below may use. */
static void parse_factory_parameters(struct parser *p)
{
    parse_expect_op(p, "(");
    while (!parse_at_op(p, ")")) {
        if (parse_accept_op(p, "*") || parse_accept_op(p, "**") || parse_accept_op(p, "/")) {
            parse_accept_op(p, ",");
            continue;
        }
        p->default_of = parse_expect_name(p, "a parameter");
        p->default_of->name->is_outside = true;
        if (parse_accept_op(p, ":"))
            skip_part(p, true);
        if (parse_accept_op(p, "=") && !try_parse(p, parse_default))
            skip_part(p, false);
        if (!parse_accept_op(p, ","))
            break;
    }
    parse_expect_op(p, ")");
    while (!parse_at_op(p, ":") && peek(p)->kind != TOK_NEWLINE)
        p->pos++;
}

static void parse_item(struct parser *p);

static void open_block(struct parser *p)
{
    parse_expect_op(p, ":");
    parse_expect_newline(p);
    if (peek(p)->kind != TOK_INDENT)
        parse_expected(p, "an indented block");
    p->pos++;
    parse_enter(p);
}

static void parse_factory(struct parser *p)
{
    parse_expect_word(p, "def");
    parse_expect_name(p, "the name of a function")->name->is_function = false;
    parse_factory_parameters(p);
    open_block(p);
    while (peek(p)->kind != TOK_DEDENT && peek(p)->kind != TOK_END)
        parse_item(p);
    parse_leave(p);
    p->pos++;
}

/* ---- items ---- */

static void parse_class(struct parser *p)
{
    parse_expect_word(p, "class");
    const struct token *name = parse_expect_name(p, "the name of the program");
    if (p->prog->name)
        parse_fail(p, name->span, "a file holds one program, and '%s' is a second one", name->text);
    p->prog->name = name->text;
    open_block(p);
    const char *doc = parse_docstring(p);
    if (doc)
        p->prog->doc = doc;
    while (peek(p)->kind != TOK_DEDENT) {
        if (parse_accept_word(p, "pass"))
            parse_expect_newline(p);
        else if (parse_at_op(p, "@") || parse_at_word(p, "def"))
            parse_function(p);
        else
            parse_expected(p, "a function");
    }
    parse_leave(p);
    p->pos++;
}

static bool accept_program_decorator(struct parser *p)
{
    if (!is_kept_decorator(peek(p)) || !is_word(peek(p) + 3, "program"))
        return false;
    p->pos += 4;
    if (parse_accept_op(p, "(")) {
        if (parse_accept_word(p,
                              "strict_ssa")) { /* what the compiler's parser accepts, no part of the
                                               program (pypto-front-facts 4) */
            parse_expect_op(p, "=");
            if (!parse_accept_word(p, "True"))
                parse_expect_word(p, "False");
        }
        parse_expect_op(p, ")");
    }
    parse_expect_newline(p);
    if (!parse_at_word(p, "class"))
        parse_expected(p, "a class");
    return true;
}

static bool at_binding(const struct parser *p)
{
    return peek(p)->kind == TOK_NAME && !peek(p)->name->is_keyword;
}

static void parse_strict_item(struct parser *p)
{
    if (parse_at_word(p, "class"))
        parse_class(p);
    else if (parse_at_op(p, "@") || parse_at_word(p, "def"))
        parse_function(p);
    else if (at_binding(p))
        parse_global(p);
    else
        parse_expected(p, "a class, a function or NAME = constant");
}

/* Of a file, or of a factory's body. */
static void parse_item(struct parser *p)
{
    size_t end = end_of_decorated(p, p->pos);
    if (parse_at_word(p, "import") || parse_at_word(p, "from"))
        p->pos = end_of_item(p, p->pos);
    else if (accept_program_decorator(p))
        parse_class(p);
    else if (p->strict)
        parse_strict_item(p);
    else if (parse_at_word(p, "class") && holds_kept(p, p->pos, end))
        parse_class(p);
    else if (parse_at_word(p, "def") && holds_kept(p, p->pos, end))
        parse_factory(p);
    else if (is_kept_decorator(peek(p)) || (parse_at_word(p, "def") && has_kernel_header(p)))
        parse_function(p);
    else if (at_binding(p))
        read_or_skip_binding(p);
    else if (peek(p)->kind == TOK_INDENT || peek(p)->kind == TOK_ERROR)
        parse_expected(p, "a statement");
    else
        p->pos = end;
}

/* Calls may come before the function they call. */
static void find_functions(struct parser *p)
{
    for (const struct token *t = p->toks; t->kind != TOK_END; t++)
        if (is_word(t, "def") && t[1].kind == TOK_NAME)
            t[1].name->is_function = true;
}

void parse_module(struct parser *p)
{
    find_functions(p);
    p->prog->doc = parse_docstring(p);
    size_t end = p->pos;
    while (p->toks[end].kind != TOK_END)
        end++;
    p->strict = !holds_kept(p, p->pos, end);
    while (peek(p)->kind != TOK_END)
        parse_item(p);
    parse_bodies(p);
    if (p->prog->funcs.len == 0)
        parse_fail(p, (struct span){0}, "the file holds no function");
    parse_place_keyword_calls(p);
}
