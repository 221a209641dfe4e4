/* SPDX-License-Identifier: MIT */
/* Functions and names, and the ground that the other files of the parser stand
 * on. */
#include "ir/parse.h"

#include <string.h>

#include "ir/infer.h"
#include "ir/ops.h"
#include "ir/parse_internal.h"
#include "ir/print.h"

/* ---- tokens ---- */

static void close_function(struct parser *p);
static void parse_ready_bodies(struct parser *p);

/* Headers are parsed before bodies, but what is wrong first in the text is reported: a body that
 * stands before the place has its turn. */
_Noreturn static void give_up(struct parser *p, struct span at, const char *message)
{
    if (p->trial)
        longjmp(*p->trial, 1);
    if (!p->in_bodies) {
        p->types = p->dicts = 0;
        close_function(p);
        parse_ready_bodies(p);
    }
    diag_error(p->diag, p->src, at, "%s", message);
    longjmp(p->out, 1);
}

void parse_fail(struct parser *p, struct span at, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    const char *message = arena_vprintf(p->diag->arena, fmt, ap);
    va_end(ap);
    give_up(p, at, message);
}

void parse_fail_in(struct parser *p, const struct source *src, struct span at, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    const char *message = arena_vprintf(p->diag->arena, fmt, ap);
    va_end(ap);
    p->src = src;
    give_up(p, at, message);
}

void parse_breach(struct parser *p, enum ir_rule rule, struct span at, ...)
{
    va_list ap;
    va_start(ap, at);
    const char *message = ir_rule_text(p->diag->arena, rule, ap);
    va_end(ap);
    give_up(p, at, message);
}

void parse_expected(struct parser *p, const char *what)
{
    const struct token *t = peek(p);
    switch (t->kind) {
    case TOK_ERROR:
    case TOK_FORMATTED:
        parse_fail(p, t->span, "%s", t->text);
    case TOK_STRING:
        parse_fail(p, t->span, "expected %s, found a string", what);
    case TOK_NAME:
    case TOK_INT:
    case TOK_FLOAT:
    case TOK_OP:
        parse_fail(p, t->span, "expected %s, found '%s'", what, t->text);
    default:
        parse_fail(p, t->span, "expected %s, found %s", what, t->text);
    }
}

/* Most tokens that are asked for differ in their first byte. */
static bool is_text(const struct token *t, const char *text)
{
    return t->text[0] == text[0] && strcmp(t->text, text) == 0;
}

bool parse_at_op(const struct parser *p, const char *op)
{
    return peek(p)->kind == TOK_OP && is_text(peek(p), op);
}

bool parse_at_word(const struct parser *p, const char *word)
{
    return peek(p)->kind == TOK_NAME && is_text(peek(p), word);
}

bool parse_accept_op(struct parser *p, const char *op)
{
    bool yes = parse_at_op(p, op);
    p->pos += yes;
    return yes;
}

bool parse_accept_word(struct parser *p, const char *word)
{
    bool yes = parse_at_word(p, word);
    p->pos += yes;
    return yes;
}

void parse_expect_op(struct parser *p, const char *op)
{
    if (!parse_accept_op(p, op))
        parse_expected(p, arena_printf(p->arena, "'%s'", op));
}

void parse_expect_word(struct parser *p, const char *word)
{
    if (!parse_accept_word(p, word))
        parse_expected(p, arena_printf(p->arena, "'%s'", word));
}

void parse_expect_newline(struct parser *p)
{
    if (peek(p)->kind != TOK_NEWLINE)
        parse_expected(p, "the end of the line");
    p->pos++;
}

const struct token *parse_expect_name(struct parser *p, const char *what)
{
    const struct token *t = peek(p);
    if (t->kind != TOK_NAME)
        parse_expected(p, what);
    if (t->name->is_keyword)
        parse_fail(p, t->span, "expected %s, and '%s' is a word of the language", what, t->text);
    p->pos++;
    return t;
}

struct span parse_span_from(const struct parser *p, const struct token *first)
{
    struct span at = first->span;
    const struct token *last = &p->toks[p->pos > 0 ? p->pos - 1 : 0];
    if (last->span.line == at.line && last->span.col >= at.col)
        at.len = last->span.col + last->span.len - at.col;
    return at;
}

void parse_enter(struct parser *p)
{
    if (++p->depth > IR_MAX_NESTING)
        parse_fail(p, peek(p)->span, "nested deeper than %d levels", IR_MAX_NESTING);
}

void parse_leave(struct parser *p)
{
    p->depth--;
}

/* ---- names ---- */

struct ir_var *parse_new_var(struct parser *p, const struct token *name, struct ir_type *type)
{
    return ir_var_new(p->arena, name->text, type, name->span);
}

struct ir_var *parse_bind_fresh(struct parser *p, const struct token *name, struct ir_type *type)
{
    struct name *n = name->name;
    n->local = parse_new_var(p, name, type);
    vec_push(p->arena, &p->locals, n);
    return n->local;
}

static bool note_extent(const struct ir_expr *e, void *ctx)
{
    struct parser *p = ctx;
    if (e->kind == IR_VAR)
        map_put(&p->extents, e->var, e->var);
    return true;
}

void parse_note_extents(struct parser *p, const struct ir_type *type)
{
    for (size_t i = 0; type && i < type->shape.len; i++)
        ir_walk_expr(type->shape.items[i], note_extent, p);
}

/* True when the types differ in what a text says of them. */
static bool types_differ(const struct ir_type *x, const struct ir_type *y)
{
    if (!x || !y || x->kind == IR_TYPE_UNKNOWN || y->kind == IR_TYPE_UNKNOWN)
        return false;
    bool scalars = x->kind == IR_TYPE_SCALAR && y->kind == IR_TYPE_SCALAR;
    return x->kind != y->kind || (scalars && x->dtype != y->dtype) || ir_types_clash(x, y);
}

/*
 * Assigning to a variable again is the same variable, and its type stays (pypto-front-facts 2.6); a
 * jit function's names are made anew when they are assigned again.
 * The name changes its meaning where a type reads the variable and every path takes the
 * assignment: the type means the value that was there, as SSA form has it. A loop with init_values
 * and without a yield carries nothing: what its body assigns to the name is another variable
 * (pypto-front-facts 2.6).
 */
struct ir_var *parse_bind_assigned(struct parser *p, const struct token *name, struct ir_type *type)
{
    struct ir_var *v = name->name->local;
    if (name->name->uncarried) {
        name->name->uncarried = false;
        return parse_bind_fresh(p, name, type);
    }
    bool differs = v && types_differ(v->type, type);
    if (differs && !p->func->jit)
        parse_fail(p, name->span,
                   "'%s' is assigned again with another type: it is %s, and this is %s; use "
                   "another name",
                   name->text, ir_print_type(p->arena, v->type), ir_print_type(p->arena, type));
    bool kept = v && p->branches == 0 && !p->loop_start && map_get(&p->extents, v);
    return v && !kept && !differs ? v : parse_bind_fresh(p, name, type);
}

bool parse_is_fresh_view(const struct parser *p, const struct token *name,
                         const struct ir_expr *value)
{
    bool view = value->kind == IR_CALL && value->type && value->call.op &&
                value->call.op->result == IR_RESULT_WINDOW;
    return view && p->branches == 0 && (!p->loop_start || name->name->last_read < p->loop_start);
}

void parse_bind_value(struct parser *p, struct name *name, struct ir_expr *value)
{
    struct own_value v = {name, name->constant};
    vec_push(p->arena, &p->own_values, v);
    name->local = NULL;
    name->constant = value;
    name->is_argument = false;
}

void parse_bind_argument(struct parser *p, struct name *name, struct ir_expr *value)
{
    if (value->kind == IR_VAR) {
        name->local = value->var;
        vec_push(p->arena, &p->locals, name);
        return;
    }
    parse_bind_value(p, name, value);
    name->is_argument = true;
}

void parse_shadow(struct parser *p, shadows *s, const struct token *name, struct ir_type *type)
{
    struct shadowed entry = {name->name, name->name->local};
    vec_push(p->arena, s, entry);
    parse_bind_fresh(p, name, type);
}

void parse_unshadow(shadows *s)
{
    for (size_t i = s->len; i-- > 0;)
        s->items[i].name->local = s->items[i].outer;
    s->len = 0;
}

static struct ir_var *implicit_symbol(struct parser *p, const struct token *name)
{
    struct ir_var *v = parse_new_var(p, name, ir_scalar_type(IR_INDEX));
    name->name->module = v;
    ir_add_symbol(p->prog, v);
    return v;
}

bool parse_is_dynamic(const struct ir_expr *e)
{
    return e->kind == IR_CALL && strcmp(e->call.name, "dynamic") == 0 && e->call.args.len == 1 &&
           e->call.kwargs.len == 0 && e->call.args.items[0]->kind == IR_STRING;
}

struct ir_var *parse_symbol(struct parser *p, const char *name, struct span at)
{
    vec_foreach (struct ir_global, g, &p->prog->globals)
        if (strcmp(g->var->name, name) == 0)
            return g->var;
    size_t len = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
    if (!len || name[len] || strchr("0123456789", *name))
        parse_fail(p, at, "'%s' is no name for a dimension", name);
    struct ir_var *v = ir_var_new(p->arena, name, ir_scalar_type(IR_INDEX), at);
    ir_add_global(p->prog, v);
    return v;
}

/* A name that says of itself that nothing defines it, or NULL. */
static struct ir_var *free_variable(struct parser *p, const struct token *name)
{
    const struct ir_var named = {.name = name->text};
    return p->func && ir_is_free_var(&named) ? parse_bind_fresh(p, name, NULL) : NULL;
}

struct ir_var *parse_lookup(struct parser *p, const struct token *name)
{
    struct name *n = name->name;
    if (!p->types) /* headers come first, and types read no view */
        n->last_read = p->inlined_at ? p->inlined_at : p->pos;
    if (n->local)
        return n->local;
    if (n->constant)
        return parse_is_dynamic(n->constant)
                   ? parse_symbol(p, n->constant->call.args.items[0]->string, n->constant->span)
                   : NULL;
    if (n->module)
        return n->module;
    if (p->types && !p->evaluating && !n->is_outside && !n->is_keyword && !n->is_function)
        return implicit_symbol(p, name);
    return free_variable(p, name);
}

_Noreturn static void parse_no_value(struct parser *p, const struct token *name)
{
    const char *lacks = name->name->lacks, *which = lacks ? lacks : name->text;
    if (!token_is_op(name + 1, ".")) /* nobody gives an object from outside: what is made of it */
        p->lacks = which;
    if (name[1].kind == TOK_OP && !strcmp(name[1].text, "."))
        parse_fail(p, name->span, "'%s' is Python around the program, which is not run",
                   name->text);
    parse_fail(p, name->span,
               "'%s' has no value here%s; give it with --arg %s=VALUE or a line '# fencebench: arg "
               "%s=VALUE'",
               name->text, lacks ? arena_printf(p->arena, ", it is made of '%s'", lacks) : "",
               which, which);
}

void parse_undefined_name(struct parser *p, const struct token *name)
{
    VEC(const char *) known = {0};
    if (name->name->is_outside)
        parse_no_value(p, name);
    vec_foreach (struct name *, n, &p->locals)
        if ((*n)->local)
            vec_push(p->arena, &known, (*n)->text);
    vec_foreach (struct ir_global, g, &p->prog->globals)
        vec_push(p->arena, &known, g->var->name);
    parse_fail(p, name->span, "undefined name '%s'%s", name->text,
               diag_hint(p->arena, name->text, known.items, known.len));
}

/* ---- functions ---- */

static void close_function(struct parser *p)
{
    vec_foreach (struct name *, n, &p->locals)
        (*n)->local = NULL;
    while (p->own_values.len) {
        struct own_value v = p->own_values.items[--p->own_values.len];
        v.name->constant = v.outer;
        v.name->is_argument = false;
    }
    p->locals.len = 0;
    p->func = NULL;
    p->branches = 0;
    p->loop_start = 0;
}

/* Parameters may name each other in their types, in any order: all are
 * bound before the first type. */
static void bind_params(struct parser *p, struct ir_func *f)
{
    int open = 0;
    for (const struct token *t = peek(p); t->kind != TOK_END && t->kind != TOK_ERROR; t++) {
        bool op = t->kind == TOK_OP && !t->text[1];
        if (op && strchr("([{", t->text[0]))
            open++;
        if (op && strchr(")]}", t->text[0]) && open-- == 0)
            return;
        bool param = open == 0 && t->kind == TOK_NAME && !t->name->is_keyword &&
                     t[1].kind == TOK_OP && strcmp(t[1].text, ":") == 0;
        if (!param)
            continue;
        if (t->name->local)
            parse_fail(p, t->span, "two parameters are named '%s'", t->text);
        struct ir_param one = {parse_bind_fresh(p, t, NULL), IR_IN};
        vec_push(p->arena, &f->params, one);
    }
}

static const struct {
    const char *path;
    enum ir_direction direction;
} directions[] = {{"In", IR_IN}, {"Out", IR_OUT}, {"InOut", IR_INOUT}};

static void parse_param_type(struct parser *p, struct ir_param *param)
{
    const struct token *t = peek(p);
    bool dotted = parse_at_word(p, "pl") && t[1].kind == TOK_OP && strcmp(t[1].text, ".") == 0 &&
                  t[2].kind == TOK_NAME && t[3].kind == TOK_OP && strcmp(t[3].text, "[") == 0;
    for (size_t i = 0; dotted && i < sizeof directions / sizeof *directions; i++) {
        if (strcmp(t[2].text, directions[i].path) != 0)
            continue;
        p->pos += 4;
        param->direction = directions[i].direction;
        param->var->type = parse_type(p);
        parse_expect_op(p, "]");
        return;
    }
    param->var->type = parse_type(p);
}

static bool is_other_var(const struct ir_expr *e, void *var)
{
    return e->kind != IR_VAR || e->var != var;
}

static bool type_reads(const struct ir_type *t, struct ir_var *v)
{
    vec_foreach (struct ir_expr *, e, &t->shape)
        if (!ir_walk_expr(*e, is_other_var, v))
            return true;
    vec_foreach (struct ir_expr *, e, &t->annots)
        if (!ir_walk_expr(*e, is_other_var, v))
            return true;
    return false;
}

/* A parameter that is a pl.dynamic of the module stands before the types that read it: those before
 * it would mean the module's. */
static void check_order(struct parser *p, const struct ir_func *f, size_t n,
                        const struct token *name)
{
    struct ir_var *v = f->params.items[n].var;
    bool dynamic = name->name->constant && parse_is_dynamic(name->name->constant);
    if (!dynamic || v->type->kind != IR_TYPE_SCALAR || v->type->dtype != IR_INDEX)
        return;
    for (size_t i = 0; i < n; i++)
        if (type_reads(f->params.items[i].var->type, v))
            parse_fail(p, name->span,
                       "parameter '%s' is read by the type of an earlier parameter, '%s'", v->name,
                       f->params.items[i].var->name);
}

static void parse_params(struct parser *p, struct ir_func *f)
{
    size_t n = 0;
    parse_expect_op(p, "(");
    bind_params(p, f);
    if (parse_accept_word(p, "self")) {
        f->has_self = true;
        if (!parse_accept_op(p, ",") && !parse_at_op(p, ")"))
            parse_expected(p, "',' or ')'");
    }
    while (!parse_at_op(p, ")")) {
        p->operators = 0;
        const struct token *name = parse_expect_name(p, "a parameter");
        if (!parse_at_op(p, ":"))
            parse_fail(p, name->span, "parameter '%s' needs a type", name->text);
        p->pos++;
        if (n == f->params.len) /* brackets that do not match hid it from the scan */
            parse_expected(p, "matching brackets");
        parse_param_type(p, &f->params.items[n]);
        check_order(p, f, n++, name);
        if (!parse_accept_op(p, ","))
            break;
    }
    if (!parse_accept_op(p, ")"))
        parse_expected(p, "',' or ')'");
}

static enum ir_func_type func_type(struct parser *p, const struct ir_expr *e)
{
    static const char prefix[] = "pl.FunctionType.";
    const char *names[IR_FUNC_TYPE_COUNT];
    if (e->kind != IR_NAME)
        parse_fail(p, e->span, "expected a function type such as pl.FunctionType.InCore");
    for (int t = 0; t < IR_FUNC_TYPE_COUNT; t++) {
        names[t] = arena_printf(p->arena, "%s%s", prefix, ir_func_type_name((enum ir_func_type)t));
        if (strcmp(names[t], e->name) == 0)
            return (enum ir_func_type)t;
    }
    const char *hint = diag_hint(p->arena, e->name, names, IR_FUNC_TYPE_COUNT);
    parse_fail(p, e->span, "unknown function type '%s'%s", e->name,
               *hint ? hint : ", expected one such as pl.FunctionType.InCore");
}

/* What is read before a body is read: keywords of @pl.function, also where attrs= says them. */
static bool is_own_keyword(const struct ir_kwarg *attr)
{
    return strcmp(attr->name, "auto_scope") == 0 || strcmp(attr->name, "external_source") == 0;
}

/* A list holds variables or directions of arguments; integers are those that name arguments, and a
 * type stands for no value (pypto-front-facts 2.1). */
static void check_attr_value(struct parser *p, const struct ir_kwarg *attr)
{
    const struct ir_expr *e = attr->value;
    bool list = e->kind == IR_LIST || e->kind == IR_TUPLE;
    if (e->kind == IR_NAME && e->type)
        parse_fail(p, e->span, "the attribute '%s' is a type and no value", attr->name);
    for (size_t i = 0; list && i < e->items.len; i++) {
        const struct ir_expr *item = e->items.items[i];
        bool number = strcmp(attr->name, "arg_direction_overrides") == 0 && item->kind == IR_INT;
        if (item->kind != IR_VAR && item->kind != IR_NAME && !number)
            parse_fail(p, item->span,
                       "the attribute '%s' lists variables or directions such as pl.adir.input",
                       attr->name);
    }
}

/* An attribute of a function. No splitting is said by saying nothing (pypto-front-facts 2.1). */
static void add_func_attr(struct parser *p, struct ir_func *f, const struct ir_kwarg *attr)
{
    if (ir_kwarg_find(&f->attrs, attr->name))
        parse_fail(p, attr->span, "the attribute '%s' is given twice", attr->name);
    check_attr_value(p, attr);
    bool none = strcmp(attr->name, "split") == 0 && attr->value->kind == IR_NAME &&
                strcmp(attr->value->name, "pl.SplitMode.NONE") == 0;
    if (!none)
        vec_push(p->arena, &f->attrs, *attr);
}

static void check_dict(struct parser *p, const struct ir_expr *e)
{
    if (e->kind != IR_DICT)
        parse_fail(p, e->span, "attributes are a dict such as {\"key\": value}");
}

void parse_add_func_attrs(struct parser *p, struct ir_func *f, const struct ir_expr *dict)
{
    check_dict(p, dict);
    vec_foreach (struct ir_kwarg, attr, &dict->dict) {
        if (is_own_keyword(attr))
            parse_fail(p, attr->span, "'%s' is a keyword of @pl.function, no attribute",
                       attr->name);
        add_func_attr(p, f, attr);
    }
}

static void add_decorator_attrs(struct parser *p, struct ir_func *f, const struct ir_expr *dict)
{
    check_dict(p, dict);
    vec_foreach (struct ir_kwarg, attr, &dict->dict) {
        if (!is_own_keyword(attr))
            add_func_attr(p, f, attr);
        else if (!ir_kwarg_find(&f->decorator, attr->name))
            vec_push(p->arena, &f->decorator, *attr);
    }
}

static void parse_decorator_keywords(struct parser *p, struct ir_func *f)
{
    while (!parse_at_op(p, ")")) {
        const struct token *name = peek(p);
        if (name->kind != TOK_NAME)
            parse_expected(p, "a keyword such as type=");
        p->pos++;
        parse_expect_op(p, "=");
        if (ir_kwarg_find(&f->decorator, name->text))
            parse_fail(p, name->span, "'%s' is given twice", name->text);
        struct ir_kwarg k = {name->text, parse_expr(p), name->span};
        if (strcmp(k.name, "attrs") == 0)
            add_decorator_attrs(p, f, k.value);
        else
            vec_push(p->arena, &f->decorator, k);
        if (strcmp(k.name, "type") == 0)
            f->type = func_type(p, k.value);
        if (!parse_accept_op(p, ","))
            break;
    }
    if (!parse_accept_op(p, ")"))
        parse_expected(p, "',' or ')'");
}

/* Which function a decorator makes (pypto-front-facts 1.1). */
static const struct {
    const char *path;
    const char *type, *level, *role; /* keywords of the @pl.function that it stands for, or NULL */
} decorators[] = {
    {"pl.function", NULL, NULL, NULL},
    {"pl.jit", "pl.FunctionType.Orchestration", NULL, NULL},
    {"pl.jit.host", NULL, "pl.Level.HOST", "pl.Role.Orchestrator"},
    {"pl.jit.incore", "pl.FunctionType.InCore", NULL, NULL},
    {"pl.jit.inline", "pl.FunctionType.Inline", NULL, NULL},
    {"pl.jit.opaque", NULL, NULL, NULL},
    {"pl.jit.extern", NULL, NULL, NULL},
};

static void add_implied(struct parser *p, struct ir_func *f, const char *name, const char *value,
                        struct span at)
{
    if (!value || ir_kwarg_find(&f->decorator, name))
        return;
    struct ir_kwarg k = {name, ir_expr_new(p->arena, IR_NAME, at), at};
    k.value->name = value;
    vec_push(p->arena, &f->decorator, k);
    if (!strcmp(name, "type"))
        f->type = func_type(p, k.value);
}

static void parse_decorator(struct parser *p, struct ir_func *f)
{
    while (parse_at_op(p, "@") && !p->strict && !ir_at_kept_decorator(peek(p)))
        p->pos = ir_behind_item(p->toks, p->pos);
    const struct token *first = peek(p);
    if (!parse_accept_op(p, "@"))
        return;
    const char *path = parse_path(p);
    size_t n = sizeof decorators / sizeof *decorators, i = 0;
    while (i < n && strcmp(decorators[i].path, path))
        i++;
    if (i == n)
        parse_fail(p, parse_span_from(p, first), "unknown decorator '@%s', expected @pl.function",
                   path);
    struct span at = parse_span_from(p, first);
    f->jit = strncmp(path, "pl.jit", strlen("pl.jit")) == 0;
    if (!strcmp(path, "pl.jit.extern"))
        parse_extern_keywords(p, f);
    else if (parse_accept_op(p, "("))
        parse_decorator_keywords(p, f);
    add_implied(p, f, "type", decorators[i].type, at);
    add_implied(p, f, "level", decorators[i].level, at);
    add_implied(p, f, "role", decorators[i].role, at);
    parse_expect_newline(p);
}

static void parse_body(struct parser *p, const struct pending_body *body)
{
    p->func = body->func;
    p->pending = body->windows;
    p->pos = body->pos;
    p->depth = body->depth;
    p->operators = 0;
    vec_foreach (struct shadowed, param, &body->params) {
        parse_note_extents(p, param->outer->type);
        param->name->local = param->outer;
        vec_push(p->arena, &p->locals, param->name);
    }
    parse_function_body(p, body->func);
    parse_extern_body(p, body->func);
    parse_resolve_windows(p);
    parse_resolve_parts(p, body->func);
    close_function(p);
}

/* A body that may be read now: its parameters have types. A jit function may wait for the call that
 * gives them. */
static struct pending_body *next_body(struct parser *p)
{
    vec_foreach (struct pending_body, body, &p->bodies)
        if (!body->done && !parse_has_open_params(body->func))
            return body;
    return NULL;
}

static void parse_ready_bodies(struct parser *p)
{
    size_t end = p->pos;
    struct pending_body *body;
    p->in_bodies = true;
    while ((body = next_body(p))) {
        body->done = true;
        parse_body(p, body);
    }
    p->in_bodies = false;
    p->pos = end;
}

void parse_bodies(struct parser *p)
{
    parse_ready_bodies(p);
    p->in_bodies = true;
    vec_foreach (struct pending_body, body, &p->bodies)
        parse_check_settled(p, body->func);
    p->in_bodies = false;
    p->bodies.len = 0;
}

/* To the end of a function, whose body is parsed when all headers are known. What no token can be
 * ends the headers: the bodies before it have their errors first. */
static void skip_body(struct parser *p)
{
    for (int open = 0;; p->pos++) {
        enum token_kind kind = peek(p)->kind;
        if (kind == TOK_ERROR || kind == TOK_END) {
            parse_ready_bodies(p);
            return;
        }
        open += (kind == TOK_INDENT) - (kind == TOK_DEDENT);
        bool line = kind == TOK_NEWLINE && p->toks[p->pos + 1].kind != TOK_INDENT;
        if (open <= 0 && (line || kind == TOK_DEDENT))
            break;
    }
    p->pos++;
}

static void postpone_body(struct parser *p, struct ir_func *f)
{
    struct pending_body body = {.func = f, .windows = p->pending, .pos = p->pos, .depth = p->depth};
    vec_foreach (struct name *, n, &p->locals) {
        struct shadowed param = {*n, (*n)->local};
        vec_push(p->arena, &body.params, param);
    }
    vec_push(p->arena, &p->bodies, body);
    p->pending = (pending_windows){0};
    close_function(p);
    skip_body(p);
}

/* @pl.function(strict_ssa=True) */
static bool is_strict(const struct ir_func *f)
{
    const struct ir_expr *strict = ir_kwarg_find(&f->decorator, "strict_ssa");
    return strict && strict->kind == IR_BOOLEAN && strict->boolean;
}

void parse_function(struct parser *p)
{
    struct ir_func *f = arena_new(p->arena, struct ir_func);
    bool starts = p->pos == p->start;
    p->operators = 0;
    p->func = f;
    parse_decorator(p, f);
    f->strict_ssa = is_strict(f);
    parse_expect_word(p, "def");
    const struct token *name = parse_expect_name(p, "the name of a function");
    f->name = parse_name_in_program(name->name);
    f->span = name->span;
    if (map_get_text(&p->functions, f->name))
        parse_fail(p, name->span, "two functions are named '%s'", f->name);
    parse_params(p, f);
    if (parse_accept_op(p, "->") && !parse_accept_word(p, "None"))
        f->return_type = parse_type(p);
    ir_add_func(p->prog, f);
    map_put_text(&p->functions, f->name, f);
    if (f->jit)
        parse_settle_header(p, f, starts);
    postpone_body(p, f);
}

/* What is no Python, or no decorator of the language, around the program. */
_Noreturn static void parse_bad(struct parser *p, const struct token *bad)
{
    p->pos = (size_t)(bad - p->toks);
    if (parse_at_op(p, "@")) {
        struct ir_func none = {0};
        parse_decorator(p, &none);
    }
    parse_expected(p, "a statement");
}

/* What names stand for belongs to one program. */
static void forget_names(const name_vec *names)
{
    vec_foreach (struct name *, n, names)
        **n = (struct name){.text = (*n)->text,
                            .is_keyword = (*n)->is_keyword,
                            .means = (*n)->means,
                            .members = (*n)->members};
}

struct ir_program *ir_parse_unit(struct arena *a, struct ir_file *f, const struct ir_unit *u,
                                 const struct ir_outside *outside, struct diag *d)
{
    struct parser *p = arena_new(a, struct parser);
    const struct lexed *lexed = &f->text->lexed;
    p->arena = p->extents.arena = p->windows.arena = p->functions.arena = p->slots.arena =
        p->spelled.arena = a;
    p->evaluated = arena_new(a, struct map);
    p->evaluated->arena = a;
    p->text = f->text;
    p->path = f->source->name;
    p->src = f->source;
    p->diag = d;
    p->outside = outside;
    p->names = &lexed->names;
    p->toks = lexed->toks.items;
    p->prog = arena_new(a, struct ir_program);
    p->prog->arena = a;
    p->prog->source = f->source;
    p->prog->header = lexed->header;
    forget_names(p->names);
    vec_foreach (struct ir_module *, m, &f->text->modules)
        forget_names(&(*m)->lexed.names);
    if (setjmp(p->out))
        return NULL;
    parse_module(p, u->part);
    if (f->text->bad)
        parse_bad(p, f->text->bad);
    return p->prog;
}
