/* SPDX-License-Identifier: MIT */
/* What only dumps spell: windows of a scope, calls with a recorded type, values without a literal
 * (pypto-facts 1.4). */
#include <stdlib.h>
#include <string.h>

#include "ir/equal.h"
#include "ir/infer.h"
#include "ir/ops.h"
#include "ir/parse_internal.h"

static const char *parse_text(struct parser *p)
{
    if (peek(p)->kind != TOK_STRING)
        parse_expected(p, "a string");
    return p->toks[p->pos++].text;
}

static void close_form(struct parser *p)
{
    if (!parse_accept_op(p, ")"))
        parse_expected(p, "',' or ')'");
}

bool parse_at_dump_form(const struct parser *p, const char *name)
{
    const char *const texts[] = {"pl", ".", "_dump", ".", name, "("};
    const struct token *t = peek(p);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++, t++)
        if ((t->kind != TOK_NAME && t->kind != TOK_OP) || strcmp(t->text, texts[i]) != 0)
            return false;
    return true;
}

/* ---- windows ---- */

static struct ir_window_buffer *new_window(struct parser *p, const struct token *label)
{
    struct ir_window_buffer *w = arena_new(p->arena, struct ir_window_buffer);
    w->name = w->label = label->text;
    w->span = label->span;
    map_put_text(&p->windows, label->text, w);
    return w;
}

struct ir_window_buffer *parse_window_label(struct parser *p)
{
    if (peek(p)->kind != TOK_STRING && peek(p)->kind != TOK_INT)
        parse_expected(p, "the label of a window");
    const struct token *label = &p->toks[p->pos++];
    struct ir_window_buffer *w = map_get_text(&p->windows, label->text);
    return w ? w : new_window(p, label);
}

/* The window of a slot. Labels are of the whole program; older numeric ids start anew in each
 * function. */
static struct ir_window_buffer *parse_slot_label(struct parser *p)
{
    const struct token *label = peek(p);
    struct ir_window_buffer *w = parse_window_label(p);
    const struct ir_func *definer = map_get(&p->slots, w);
    if (definer && definer == p->func)
        parse_fail(p, label->span, "window buffer \"%s\" is defined twice", label->text);
    if (definer && label->kind == TOK_INT)
        w = new_window(p, label);
    map_put(&p->slots, w, p->func);
    return w;
}

static void skip_expression(struct parser *p)
{
    for (int open = 0;; p->pos++) {
        const struct token *t = peek(p);
        if (t->kind == TOK_ERROR || t->kind == TOK_END)
            parse_expected(p, "')'");
        if (t->kind != TOK_OP)
            continue;
        if (open == 0 && (strcmp(t->text, ",") == 0 || strcmp(t->text, ")") == 0))
            return;
        if (strchr("([{", t->text[0]))
            open++;
        if (strchr(")]}", t->text[0]))
            open--;
    }
}

static bool parse_flag(struct parser *p)
{
    if (parse_accept_word(p, "True"))
        return true;
    parse_expect_word(p, "False");
    return false;
}

static void parse_window_field(struct parser *p, struct pending_window *w)
{
    const char *field = parse_at_keyword(p) ? peek(p)->text : "";
    if (parse_at_keyword(p))
        p->pos += 2;
    if (strcmp(field, "base") == 0) {
        w->base_span = peek(p)->span;
        w->base = parse_text(p);
    } else if (strcmp(field, "size") == 0) {
        w->size_pos = p->pos;
        skip_expression(p);
    } else if (strcmp(field, "load_from_host") == 0) {
        w->window->load_from_host = parse_flag(p);
    } else if (strcmp(field, "store_to_host") == 0) {
        w->window->store_to_host = parse_flag(p);
    } else {
        parse_expected(p, "base=, size=, load_from_host= or store_to_host=");
    }
}

struct ir_expr *parse_window_buffer(struct parser *p, const char *path, const struct token *first)
{
    (void)path;
    struct pending_window w = {.window = parse_slot_label(p)};
    while (parse_accept_op(p, ",") && !parse_at_op(p, ")"))
        parse_window_field(p, &w);
    parse_expect_op(p, ")");
    vec_push(p->arena, &p->pending, w);
    return ir_window_slot(p->arena, w.window, parse_span_from(p, first));
}

static void resolve_base(struct parser *p, const struct pending_window *w, const struct map *locals)
{
    w->window->base = map_get_text(locals, w->base);
    if (!w->window->base)
        parse_fail(p, w->base_span, "no variable '%s' in this function", w->base);
    w->window->name = w->window->base->name;
}

void parse_resolve_windows(struct parser *p)
{
    size_t end = p->pos;
    struct map locals = {.arena = p->arena};
    if (p->pending.len)
        vec_foreach (struct name *, n, &p->locals)
            map_put_text(&locals, (*n)->text, (*n)->local);
    vec_foreach (struct pending_window, w, &p->pending) {
        if (w->base)
            resolve_base(p, w, &locals);
        if (!w->size_pos)
            continue;
        p->pos = w->size_pos;
        p->operators = 0;
        w->window->size = parse_expr(p);
        if (!parse_at_op(p, ",") && !parse_at_op(p, ")"))
            parse_expected(p, "',' or ')'");
    }
    p->pos = end;
    p->pending.len = 0;
}

/* ---- calls with a recorded result type ---- */

static bool is_dotted_name(const char *s)
{
    for (; *s; s++) {
        size_t len = strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
        s += len;
        if (len == 0 || (*s && *s != '.') || (*s && !s[1]))
            return false;
        if (!*s)
            return true;
    }
    return false;
}

/* 'tensor.view' for an operator, self.f for a function of the program. */
static struct ir_expr *parse_callee(struct parser *p, const struct token *first)
{
    if (peek(p)->kind == TOK_STRING) {
        const struct token *t = peek(p);
        const char *name = parse_text(p);
        if (!is_dotted_name(name) || strncmp(name, "_dump.", 6) == 0)
            parse_fail(p, t->span, "expected the name of an operator such as 'tensor.view'");
        struct ir_expr *e = parse_new_call(p, IR_CALLEE_UNKNOWN, name, first);
        e->call.op = ir_op_find(name);
        if (e->call.op) {
            e->call.callee = IR_CALLEE_OP;
            e->call.name = e->call.written = e->call.op->name;
        }
        return e;
    }
    if (parse_accept_word(p, "self"))
        parse_expect_op(p, ".");
    const struct token *name =
        parse_expect_name(p, "the name of an operator as a string, or a function");
    return parse_new_call(p, IR_CALLEE_USER, name->text, first);
}

static ir_kwargs parse_dict_field(struct parser *p)
{
    const struct token *t = peek(p);
    struct ir_expr *e = parse_expr(p);
    if (e->kind != IR_DICT)
        parse_fail(p, t->span, "expected a dict such as {\"key\": value}");
    return e->dict;
}

/* pl._dump.call('tensor.view', [x], pl.Tensor[[4], pl.FP32], kwargs={...}, attrs={...}) */
struct ir_expr *parse_recorded_call(struct parser *p, const char *path, const struct token *first)
{
    (void)path;
    struct ir_expr *e = parse_callee(p, first);
    parse_expect_op(p, ",");
    const struct token *open = peek(p);
    if (!parse_accept_op(p, "["))
        parse_expected(p, "the list of arguments");
    e->call.args = parse_items(p, "]");
    parse_expect_op(p, ",");
    struct ir_type *type = parse_type(p);
    while (parse_accept_op(p, ",") && parse_at_keyword(p)) {
        bool attrs = strcmp(peek(p)->text, "attrs") == 0;
        if (!attrs && strcmp(peek(p)->text, "kwargs") != 0)
            parse_expected(p, "kwargs= or attrs=");
        p->pos += 2;
        *(attrs ? &e->call.attrs : &e->call.kwargs) = parse_dict_field(p);
    }
    close_form(p);
    if (e->call.op && e->call.args.len > IR_MAX_PARAMS)
        parse_fail(p, open->span, "%s takes no more than %d arguments, found %zu", e->call.name,
                   IR_MAX_PARAMS, e->call.args.len);
    if (e->call.op)
        parse_canonical_arguments(p, &e->call);
    e->type = type;
    e->span = parse_span_from(p, first);
    return e;
}

/* The annotation of an assignment decides in which window its distributed tensor lies. */
void parse_adopt_window(struct parser *p, struct ir_expr *value, struct ir_type *annotation)
{
    bool distributed = value->kind == IR_CALL && value->type && annotation &&
                       value->type->kind == IR_TYPE_DIST_TENSOR;
    if (!distributed || value->type->window == annotation->window)
        return;
    struct ir_type *moved = arena_dup(p->arena, value->type, sizeof *moved);
    moved->window = annotation->window;
    if (ir_type_same(moved, annotation))
        value->type = annotation;
}

/* ---- values without a literal ---- */

/* pl._dump.logical_xor(x, y), for operands that `^` would take bit by bit. */
struct ir_expr *parse_logical_xor(struct parser *p, const char *path, const struct token *first)
{
    ir_exprs items = parse_items(p, ")");
    if (items.len != 2)
        parse_fail(p, first->span, "%s expects 2 arguments, found %zu", path, items.len);
    return parse_make_binary(p, IR_XOR, items.items[0], items.items[1]);
}

/* pl._dump.float64("7ff8000000000000"): a number by its bits. */
struct ir_expr *parse_float_bits(struct parser *p, const char *path, const struct token *first)
{
    const struct token *t = peek(p);
    const char *digits = parse_text(p);
    if (strlen(digits) != 16 || strspn(digits, "0123456789abcdefABCDEF") != 16)
        parse_fail(p, t->span, "%s expects 16 hexadecimal digits in a string", path);
    close_form(p);
    uint64_t bits = strtoull(digits, NULL, 16);
    struct ir_expr *e = ir_expr_new(p->arena, IR_FLOAT, parse_span_from(p, first));
    memcpy(&e->real.value, &bits, sizeof bits);
    e->real.dtype = IR_FP32;
    e->type = ir_scalar_type(IR_FP32);
    return e;
}
