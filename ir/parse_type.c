/* SPDX-License-Identifier: MIT */
/* Types (pypto-facts 1.2, 1.6). */
#include <string.h>

#include "base/strbuf.h"
#include "ir/parse_internal.h"

/* Types that stand without brackets. */
static const struct {
    const char *path;
    enum ir_type_kind kind;
} plain_types[] = {
    {"pl.Ptr", IR_TYPE_PTR},
    {"pl.MemRefType", IR_TYPE_MEMREF},
    {"pl.UnknownType", IR_TYPE_UNKNOWN},
    {"pl._dump.Unknown", IR_TYPE_UNKNOWN},
    {"pld.WindowBufferType", IR_TYPE_WINDOW_BUFFER},
    {"pl._dump.WindowBuffer", IR_TYPE_WINDOW_BUFFER},
    {"pld.CommCtx", IR_TYPE_COMM_CTX},
    {"pld.CommCtxType", IR_TYPE_COMM_CTX},
};

static const struct {
    const char *path;
    enum ir_type_kind kind;
} shaped_types[] = {
    {"pl.Tensor", IR_TYPE_TENSOR},
    {"pld.DistributedTensor", IR_TYPE_DIST_TENSOR},
    {"pl.Tile", IR_TYPE_TILE},
};

static const char legacy_marker[] = "window_buffer=";

const char *parse_path(struct parser *p)
{
    struct strbuf b = strbuf_make(p->arena);
    for (;;) {
        if (peek(p)->kind != TOK_NAME)
            parse_expected(p, "a name");
        strbuf_add(&b, peek(p)->text);
        p->pos++;
        if (!parse_accept_op(p, "."))
            return b.text;
        strbuf_add(&b, ".");
    }
}

bool parse_at_type(const struct parser *p)
{
    size_t i = p->pos;
    if (!parse_at_word(p, "pl") && !parse_at_word(p, "pld"))
        return false;
    while (p->toks[i + 1].kind == TOK_OP && strcmp(p->toks[i + 1].text, ".") == 0 &&
           p->toks[i + 2].kind == TOK_NAME)
        i += 2;
    return p->toks[i + 1].kind == TOK_OP && strcmp(p->toks[i + 1].text, "[") == 0;
}

static enum ir_dtype parse_dtype(struct parser *p)
{
    const struct token *first = peek(p);
    const char *path;
    if (first->kind == TOK_NAME && first->name->constant &&
        first->name->constant->kind == IR_NAME) {
        path = first->name->constant->name;
        p->pos++;
    } else if (parse_at_word(p, "pl")) {
        path = parse_path(p);
    } else {
        if (first->kind == TOK_NAME && first->name->is_outside)
            parse_undefined_name(p, first);
        parse_expected(p, "an element type such as pl.FP32");
    }
    enum ir_dtype t = strncmp(path, "pl.", 3) == 0 ? ir_dtype_parse(path + 3) : IR_DTYPE_NONE;
    if (t != IR_DTYPE_NONE)
        return t;
    const char *names[IR_DTYPE_COUNT];
    for (int i = 1; i < IR_DTYPE_COUNT; i++)
        names[i - 1] = arena_printf(p->arena, "pl.%s", ir_dtype_name((enum ir_dtype)i));
    const char *hint = diag_hint(p->arena, path, names, IR_DTYPE_COUNT - 1);
    parse_fail(p, parse_span_from(p, first), "unknown element type '%s'%s", path,
               *hint ? hint : ", expected one such as pl.FP32");
}

/* What follows the element type: memory, views, and the window that a
 * distributed tensor lies in. */
static void parse_annotation(struct parser *p, struct ir_type *t)
{
    bool distributed = t->kind == IR_TYPE_DIST_TENSOR;
    if (distributed && parse_at_dump_form(p, "window_ref")) {
        p->pos += 6;
        t->window = parse_window_label(p);
        parse_expect_op(p, ")");
        return;
    }
    const struct token *first = peek(p);
    struct ir_expr *e = parse_expr(p);
    if (t->kind == IR_TYPE_TILE && first->kind == TOK_NAME)
        parse_place(p, first, e);
    if (t->kind != IR_TYPE_TILE && e->kind == IR_NAME && strcmp(e->name, "pl.DN") == 0)
        parse_fail(
            p, e->span,
            "pl.DN alone says no strides: pl.TensorView(stride=, layout=pl.TensorLayout.DN)");
    if (distributed && e->kind == IR_STRING &&
        strncmp(e->string, legacy_marker, sizeof legacy_marker - 1) == 0)
        return;
    vec_push(p->arena, &t->annots, e);
}

/* [1, 64], (1, 64), or the name of such a value. */
static ir_exprs parse_shape(struct parser *p)
{
    const struct token *first = peek(p);
    const char *close = parse_at_op(p, "(") ? ")" : "]";
    if (first->kind == TOK_NAME && !first->name->is_keyword) {
        const struct ir_expr *e = parse_expr(p);
        if (e->kind != IR_TUPLE && e->kind != IR_LIST)
            parse_fail(p, first->span, "expected a shape such as [1, 64]");
        return e->items;
    }
    if (!parse_accept_op(p, "[") && !parse_accept_op(p, "("))
        parse_expected(p, "a shape such as [1, 64]");
    return parse_items(p, close);
}

/* Behind `pl.Tensor[`. */
static struct ir_type *parse_shaped(struct parser *p, enum ir_type_kind kind)
{
    struct ir_type *t = ir_type_new(p->arena, kind);
    t->shape = parse_shape(p);
    parse_expect_op(p, ",");
    t->dtype = parse_dtype(p);
    while (parse_accept_op(p, ",") && !parse_at_op(p, "]"))
        parse_annotation(p, t);
    parse_expect_op(p, "]");
    parse_check_place(p, t);
    return t;
}

static struct ir_type *parse_tuple_type(struct parser *p)
{
    struct ir_type *t = ir_type_new(p->arena, IR_TYPE_TUPLE);
    if (parse_accept_op(p, "(")) {
        parse_expect_op(p, ")");
    } else {
        while (!parse_at_op(p, "]")) {
            vec_push(p->arena, &t->elems, parse_type(p));
            if (!parse_accept_op(p, ","))
                break;
        }
    }
    parse_expect_op(p, "]");
    return t;
}

static bool is_open(const struct token *t)
{
    return t->kind == TOK_OP && strchr("([{", t->text[0]) && !t->text[1];
}

static bool is_close(const struct token *t)
{
    return t->kind == TOK_OP && strchr(")]}", t->text[0]) && !t->text[1];
}

/* A type with brackets that is nearly one of these is that one, misspelt. */
static void check_spelling(struct parser *p, const char *path, const struct token *first)
{
    static const char *const types[] = {"pl.Tensor", "pl.Tile", "pl.Scalar",
                                        "pld.DistributedTensor"};
    static const char *const directions[] = {"pl.Out", "pl.InOut"};
    enum { TYPES = sizeof types / sizeof *types };
    const struct token *inner = peek(p) + 1;
    bool wraps = token_is_word(inner, "pl") || token_is_word(inner, "pld");
    const char *hint = diag_hint(p->arena, path, types, TYPES);
    if (!*hint && wraps)
        hint = diag_hint(p->arena, path, directions, 2);
    if (parse_at_op(p, "[") && *hint)
        parse_fail(p, parse_span_from(p, first), "unknown type '%s'%s", path, hint);
}

/* A type this language does not know: its text, with spaces as the printer puts them. */
static struct ir_type *parse_other(struct parser *p, const char *path)
{
    struct ir_type *t = ir_type_new(p->arena, IR_TYPE_OTHER);
    struct strbuf b = strbuf_make(p->arena);
    strbuf_add(&b, path);
    int open = 0;
    while ((open || parse_at_op(p, "[")) && peek(p)->kind != TOK_END &&
           peek(p)->kind != TOK_ERROR) {
        const struct token *tok = peek(p);
        open += is_open(tok) - is_close(tok);
        strbuf_addn(&b, p->src->text + tok->offset, tok->end - tok->offset);
        if (tok->kind == TOK_OP && strcmp(tok->text, ",") == 0)
            strbuf_add(&b, " ");
        p->pos++;
        if (open == 0)
            break;
    }
    if (open)
        parse_expected(p, "']'");
    t->text = b.text;
    return t;
}

/* A bare pl.Tensor: in the header of a jit function it has the shape of what is passed, and
 * elsewhere it is no type (pypto-front-facts 1.2). */
static struct ir_type *parse_open(struct parser *p, enum ir_type_kind kind,
                                  const struct token *first)
{
    struct ir_type *t = ir_type_new(p->arena, kind);
    if (kind == IR_TYPE_TILE || p->in_bodies || !p->func || !p->func->jit)
        parse_fail(p, parse_span_from(p, first),
                   "this type lacks its shape and element type: %s[[16, 64], pl.FP32]",
                   shaped_types[kind == IR_TYPE_TENSOR ? 0
                                : kind == IR_TYPE_TILE ? 2
                                                       : 1]
                       .path);
    return t;
}

static struct ir_type *parse_named(struct parser *p)
{
    const struct token *first = peek(p);
    const char *path = parse_path(p);
    for (size_t i = 0; i < sizeof plain_types / sizeof *plain_types; i++)
        if (strcmp(path, plain_types[i].path) == 0)
            return ir_type_new(p->arena, plain_types[i].kind);
    if (parse_at_op(p, "[")) {
        for (size_t i = 0; i < sizeof shaped_types / sizeof *shaped_types; i++) {
            if (strcmp(path, shaped_types[i].path) == 0) {
                p->pos++;
                return parse_shaped(p, shaped_types[i].kind);
            }
        }
    }
    for (size_t i = 0; i < sizeof shaped_types / sizeof *shaped_types; i++)
        if (strcmp(path, shaped_types[i].path) == 0)
            return parse_open(p, shaped_types[i].kind, first);
    if (strcmp(path, "pl.Scalar") == 0 && parse_accept_op(p, "[")) {
        enum ir_dtype dtype = parse_dtype(p);
        parse_expect_op(p, "]");
        return ir_scalar_type(dtype);
    }
    if (strcmp(path, "pl.Scalar") == 0)
        parse_fail(p, parse_span_from(p, first),
                   "this type lacks its element type: pl.Scalar[pl.INT32]");
    enum ir_dtype bare = strncmp(path, "pl.", 3) ? IR_DTYPE_NONE : ir_dtype_parse(path + 3);
    if (bare != IR_DTYPE_NONE) /* pypto-front-facts 1.2 */
        return ir_scalar_type(bare);
    bool tuple = strcmp(path, "pl.Tuple") == 0 || strcmp(path, "tuple") == 0;
    if (tuple && parse_accept_op(p, "["))
        return parse_tuple_type(p);
    check_spelling(p, path, first);
    return parse_other(p, path);
}

struct ir_type *parse_type(struct parser *p)
{
    if (peek(p)->kind != TOK_NAME ||
        (peek(p)->name->is_keyword && !parse_at_word(p, "pl") && !parse_at_word(p, "pld")))
        parse_expected(p, "a type");
    parse_enter(p);
    p->types++;
    struct ir_type *t = parse_named(p);
    p->types--;
    parse_leave(p);
    return t;
}
