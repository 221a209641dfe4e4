/* SPDX-License-Identifier: MIT */
/* Expressions with Python's precedence (pypto-facts 1.3). */
#include <string.h>

#include "base/strbuf.h"
#include "ir/infer.h"
#include "ir/parse_internal.h"

enum { LEVEL_OR = 1, LEVEL_NOT = 3, LEVEL_COMPARE = 4 };

static const struct {
    const char *text;
    enum ir_binary_op op;
    int level;
} binaries[] = {
    {"or", IR_OR, LEVEL_OR},
    {"and", IR_AND, 2},
    {"==", IR_EQ, LEVEL_COMPARE},
    {"!=", IR_NE, LEVEL_COMPARE},
    {"<", IR_LT, LEVEL_COMPARE},
    {"<=", IR_LE, LEVEL_COMPARE},
    {">", IR_GT, LEVEL_COMPARE},
    {">=", IR_GE, LEVEL_COMPARE},
    {"|", IR_BITOR, 5},
    {"^", IR_BITXOR, 6},
    {"&", IR_BITAND, 7},
    {"<<", IR_SHL, 8},
    {">>", IR_SHR, 8},
    {"+", IR_ADD, 9},
    {"-", IR_SUB, 9},
    {"*", IR_MUL, 10},
    {"/", IR_TRUEDIV, 10},
    {"//", IR_FLOORDIV, 10},
    {"%", IR_MOD, 10},
};
enum { BINARIES = sizeof binaries / sizeof *binaries };

static void count_operator(struct parser *p)
{
    if (++p->operators > MAX_OPERATORS)
        parse_fail(p, peek(p)->span, "the statement has more than %d operators", MAX_OPERATORS);
}

struct counting {
    size_t n, limit;
};

static bool count_part(const struct ir_expr *e, void *ctx)
{
    (void)e;
    struct counting *c = ctx;
    return ++c->n < c->limit;
}

size_t parse_count_parts(const struct ir_expr *e, size_t limit)
{
    struct counting c = {0, limit};
    ir_walk_expr(e, count_part, &c);
    return c.n;
}

static bool takes_integers(enum ir_binary_op op)
{
    return op == IR_BITAND || op == IR_BITOR || op == IR_BITXOR || op == IR_SHL || op == IR_SHR;
}

static bool is_bool(const struct ir_expr *e)
{
    return e->type && e->type->kind == IR_TYPE_SCALAR && e->type->dtype == IR_BOOL;
}

/* Arithmetic of tensors and tiles has operators of its own names (pypto-front-facts 2.3). */
static void refuse_array(struct parser *p, const struct ir_expr *operand, struct span at)
{
    const struct ir_type *t = operand->type;
    if (t && (t->kind == IR_TYPE_TILE || ir_type_is_tensor_like(t)))
        parse_fail(p, at,
                   "operators of this kind work on scalars: tensors and tiles have pl.add(...) and "
                   "its kin");
}

static bool is_scalar(const struct ir_expr *e)
{
    return e->type && e->type->kind == IR_TYPE_SCALAR;
}

/* Operands have to be numbers of one kind (pypto-front-facts 2.3). */
static void refuse_mixed(struct parser *p, enum ir_binary_op op, const struct ir_expr *lhs,
                         const struct ir_expr *rhs)
{
    if (!is_scalar(lhs) || !is_scalar(rhs))
        return;
    enum ir_dtype promoted = ir_promoted(lhs->type, rhs->type);
    if (!promoted)
        parse_fail(p, lhs->span,
                   "operands of %s and %s: both have to be integers or both floats; pl.cast(...) "
                   "or a literal like 1.0 makes them so",
                   ir_dtype_name(lhs->type->dtype), ir_dtype_name(rhs->type->dtype));
    if (takes_integers(op) && ir_dtype_is_float(promoted))
        parse_fail(p, lhs->span, "operators on bits want integers, found %s",
                   ir_dtype_name(promoted));
}

struct ir_expr *parse_make_binary(struct parser *p, enum ir_binary_op op, struct ir_expr *lhs,
                                  struct ir_expr *rhs)
{
    refuse_array(p, lhs, lhs->span);
    refuse_array(p, rhs, rhs->span);
    /* `^` is logical between truth values (pypto-facts 1.3). */
    if (op == IR_BITXOR && is_bool(lhs) && is_bool(rhs))
        op = IR_XOR;
    if (op != IR_AND && op != IR_OR && op != IR_XOR)
        refuse_mixed(p, op, lhs, rhs);
    return ir_binary(p->arena, op, lhs, rhs, lhs->span);
}

static struct ir_expr *make_unary(struct parser *p, enum ir_unary_op op, struct ir_expr *operand,
                                  struct span at)
{
    struct ir_expr *e = ir_expr_new(p->arena, IR_UNARY, at);
    refuse_array(p, operand, at);
    e->unary.op = op;
    e->unary.operand = operand;
    e->type = ir_infer_expr(p->arena, e);
    return e;
}

/* ---- primary expressions ---- */

ir_exprs parse_items(struct parser *p, const char *close)
{
    ir_exprs items = {0};
    while (!parse_at_op(p, close)) {
        vec_push(p->arena, &items, parse_expr(p));
        if (!parse_accept_op(p, ","))
            break;
    }
    if (!parse_accept_op(p, close))
        parse_expected(p, arena_printf(p->arena, "',' or '%s'", close));
    return items;
}

static struct ir_expr *make_items(struct parser *p, enum ir_expr_kind kind, ir_exprs items,
                                  const struct token *first)
{
    struct ir_expr *e = ir_expr_new(p->arena, kind, parse_span_from(p, first));
    e->items = items;
    e->type = ir_infer_expr(p->arena, e);
    return e;
}

static struct ir_expr *parse_binary(struct parser *p, int level);

static struct ir_expr *parse_parenthesis(struct parser *p)
{
    const struct token *first = peek(p);
    p->pos++;
    if (parse_accept_op(p, ")"))
        return make_items(p, IR_TUPLE, (ir_exprs){0}, first);
    struct ir_expr *e = parse_expr(p);
    if (parse_accept_op(p, ")"))
        return e;
    ir_exprs items = {0};
    vec_push(p->arena, &items, e);
    if (!parse_accept_op(p, ","))
        parse_expected(p, "',' or ')'");
    ir_exprs rest = parse_items(p, ")");
    vec_foreach (struct ir_expr *, item, &rest)
        vec_push(p->arena, &items, *item);
    return make_items(p, IR_TUPLE, items, first);
}

static struct ir_expr *parse_dict(struct parser *p)
{
    const struct token *first = peek(p);
    struct ir_expr *e = ir_expr_new(p->arena, IR_DICT, first->span);
    p->pos++;
    p->dicts++;
    while (!parse_at_op(p, "}")) {
        const struct token *key = peek(p);
        if (key->kind != TOK_STRING)
            parse_expected(p, "a string as key");
        p->pos++;
        parse_expect_op(p, ":");
        struct ir_kwarg entry = {key->text, parse_expr(p), key->span};
        vec_push(p->arena, &e->dict, entry);
        if (!parse_accept_op(p, ","))
            break;
    }
    p->dicts--;
    if (!parse_accept_op(p, "}"))
        parse_expected(p, "',' or '}'");
    e->span = parse_span_from(p, first);
    return e;
}

static struct ir_expr *parse_string(struct parser *p)
{
    struct ir_expr *e = ir_expr_new(p->arena, IR_STRING, peek(p)->span);
    struct strbuf b = strbuf_make(p->arena);
    while (peek(p)->kind == TOK_STRING) {
        strbuf_add(&b, peek(p)->text);
        p->pos++;
    }
    e->string = b.text;
    return e;
}

static struct ir_expr *parse_number(struct parser *p, bool negative)
{
    const struct token *t = peek(p);
    struct span at = t->span;
    if (negative) { /* the sign just before it */
        at.col = p->toks[p->pos - 1].span.col;
        at.len = t->span.col + t->span.len - at.col;
    }
    p->pos++;
    if (t->kind == TOK_INT) {
        if (t->integer > INT64_MAX && !negative)
            parse_fail(p, at, "integer does not fit 64 bits");
        return ir_int(p->arena, (int64_t)(negative ? 0 - t->integer : t->integer), IR_INDEX, at);
    }
    struct ir_expr *e = ir_expr_new(p->arena, IR_FLOAT, at);
    e->real.value = negative ? -t->real : t->real;
    e->real.dtype = IR_FP32;
    e->type = ir_scalar_type(IR_FP32);
    return e;
}

/* abs(x), min(x, y), max(x, y) mean what they mean behind pl. */
static struct ir_expr *parse_builtin(struct parser *p)
{
    const struct token *first = peek(p);
    size_t want = strcmp(first->text, "abs") == 0 ? 1 : 2;
    p->pos += 2;
    struct ir_expr *e = parse_pl_arguments(p, first->text, first);
    size_t n = e->kind == IR_CALL ? e->call.args.len : want;
    if (n != want)
        parse_fail(p, first->span, "%s expects %zu argument%s, found %zu", first->text, want,
                   want == 1 ? "" : "s", n);
    /* The printed form of a scalar's absolute value, whose type may be unknown. */
    if (want == 1 && e->kind == IR_CALL && !e->call.args.items[0]->type)
        return make_unary(p, IR_ABS, e->call.args.items[0], first->span);
    return e;
}

static bool next_is(const struct parser *p, const char *op)
{
    const struct token *t = &p->toks[p->pos + 1];
    return t->kind == TOK_OP && strcmp(t->text, op) == 0;
}

static struct ir_expr *parse_self(struct parser *p)
{
    const struct token *first = peek(p);
    p->pos++;
    if (p->evaluating && p->object)
        return p->object;
    if (p->evaluating)
        parse_fail(p, first->span, "expected a constant, found 'self'");
    parse_expect_op(p, ".");
    const struct token *name = parse_expect_name(p, "the name of a function");
    if (parse_at_op(p, "("))
        return parse_user_call(p, name->text, first);
    struct ir_expr *e = ir_expr_new(p->arena, IR_NAME, parse_span_from(p, first));
    e->name = arena_printf(p->arena, "self.%s", name->text);
    return e;
}

static struct ir_expr *parse_constant_word(struct parser *p)
{
    static const struct {
        const char *word;
        enum ir_expr_kind kind;
        bool value;
    } words[] = {
        {"True", IR_BOOLEAN, true}, {"False", IR_BOOLEAN, false}, {"None", IR_NONE, false}};
    const struct token *t = peek(p);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (!parse_accept_word(p, words[i].word))
            continue;
        struct ir_expr *e = ir_expr_new(p->arena, words[i].kind, t->span);
        e->boolean = words[i].value;
        if (e->kind == IR_BOOLEAN)
            e->type = ir_scalar_type(IR_BOOL);
        return e;
    }
    parse_expected(p, "an expression");
}

/* A value where its name stands. */
static struct ir_expr *value_here(struct parser *p, struct ir_expr *value, struct span at)
{
    bool literal = value->kind == IR_INT || value->kind == IR_FLOAT || value->kind == IR_BOOLEAN;
    p->leaves += !literal;
    p->values += literal;
    struct ir_expr *e = arena_dup(p->arena, value, sizeof *e);
    e->span = at;
    return e;
}

static struct ir_expr *parse_variable(struct parser *p)
{
    const struct token *t = peek(p);
    struct ir_var *v = parse_lookup(p, t);
    if (v) {
        p->pos++;
        p->leaves++;
        return ir_var_ref(p->arena, v, t->span);
    }
    if (t->name->constant) {
        p->pos++;
        p->leaves += t->name->is_argument;
        return t->name->constant->kind == IR_DICT ? t->name->constant
                                                  : value_here(p, t->name->constant, t->span);
    }
    if (!t->name->is_function)
        parse_undefined_name(p, t);
    struct ir_expr *e = ir_expr_new(p->arena, IR_NAME, t->span);
    e->name = t->text;
    p->pos++;
    return e;
}

/* len(SHAPE) in the Python around a program. */
static struct ir_expr *parse_python_call(struct parser *p)
{
    const struct token *t = peek(p);
    if (t->name->class_at)
        return parse_object(p);
    p->pos += 2;
    ir_exprs args = parse_items(p, ")");
    if (t->name->def_at && t->name->is_outside) {
        struct ir_expr *value = parse_evaluate_function(p, t->name, &args);
        if (value)
            return value;
    }
    struct ir_expr *e = parse_evaluate_call(p, t->text, &args);
    if (!e || t->name->constant || t->name->is_outside || t->name->is_function)
        parse_fail(p, t->span, "expected a constant, found a call of '%s'", t->text);
    return e;
}

const struct name *parse_called(const struct parser *p, const struct token **last)
{
    const struct token *t = peek(p);
    *last = t;
    if (t->kind != TOK_NAME || t->name->inline_at || t->name->is_function)
        return t->kind == TOK_NAME ? t->name : NULL;
    const struct name *n = ir_imported(t, last);
    return n && (n->inline_at || n->is_function) ? n : NULL;
}

const char *parse_name_in_program(const struct name *n)
{
    return n->in_program ? n->in_program : n->text;
}

/* At f(...) or module.f(...) of such a function; NULL when there is none. */
static struct ir_expr *parse_known_call(struct parser *p)
{
    const struct token *first = peek(p), *last;
    const struct name *called = parse_called(p, &last);
    if (!called && last > first && token_is_op(last + 1, "("))
        parse_fail(p, first->span, "'%s' of %s is no function of the language", last->text,
                   ir_module_at(p->text, first));
    if (!called || !token_is_op(last + 1, "("))
        return NULL;
    p->leaves++;
    if (called->inline_at)
        return parse_inline_call(p, called, last);
    p->pos = (size_t)(last + 1 - p->toks);
    return parse_user_call(p, parse_name_in_program(called), first);
}

/* At module.NAME: what the module binds it to by now, or NULL. */
static struct ir_expr *parse_module_member(struct parser *p)
{
    const struct token *first = peek(p), *last;
    const struct name *n = first->name->local ? NULL : ir_imported(first, &last);
    if (!n || last == first || !n->constant)
        return NULL;
    p->pos = (size_t)(last + 1 - p->toks);
    if (parse_is_dynamic(n->constant) && !p->evaluating)
        return ir_var_ref(
            p->arena, parse_symbol(p, n->constant->call.args.items[0]->string, n->constant->span),
            parse_span_from(p, first));
    return n->constant->kind == IR_DICT ? n->constant
                                        : value_here(p, n->constant, parse_span_from(p, first));
}

static struct ir_expr *parse_name(struct parser *p)
{
    const struct token *t = peek(p);
    if (t->name->is_keyword && !parse_at_word(p, "True") && !parse_at_word(p, "False"))
        p->leaves++;
    if (parse_at_word(p, "pl") || parse_at_word(p, "pld"))
        return parse_dotted(p);
    if (parse_at_word(p, "self"))
        return parse_self(p);
    if (t->name->is_keyword)
        return parse_constant_word(p);
    if (next_is(p, ".") && t->name->is_outside && parse_at_word(p, "math"))
        return value_here(p, parse_math(p), t->span);
    struct ir_expr *asked =
        p->evaluating && next_is(p, ".") && t->name->is_outside ? parse_environment(p) : NULL;
    if (asked)
        return value_here(p, asked, t->span);
    struct ir_expr *member = next_is(p, ".") ? parse_module_member(p) : NULL;
    if (member)
        return member;
    if (next_is(p, "(") && p->evaluating)
        return parse_python_call(p);
    struct ir_expr *call = p->evaluating ? NULL : parse_known_call(p);
    if (call)
        return call;
    if (next_is(p, "(")) {
        p->leaves++;
        if (strcmp(t->text, "abs") == 0 || strcmp(t->text, "min") == 0 ||
            strcmp(t->text, "max") == 0)
            return parse_builtin(p);
        if (t->name->from_file)
            parse_fail(p, t->span, "'%s' is Python of %s, which is not run", t->text,
                       t->name->from_file);
        if (!parse_lookup(p, t))
            parse_fail(p, t->span,
                       "'%s' is no function of this program; operators are called as pl.%s(...)",
                       t->text, t->text);
    }
    return parse_variable(p);
}

/* Behind `[`: the `for` of a comprehension, or 0. */
static size_t comprehension_at(const struct parser *p)
{
    int open = 0;
    for (size_t i = p->pos; open >= 0 && p->toks[i].kind != TOK_END; i++) {
        const struct token *t = &p->toks[i];
        if (open == 0 && (token_is_op(t, ",") || t->kind == TOK_NEWLINE))
            return 0;
        if (open == 0 && token_is_word(t, "for"))
            return i;
        open += token_opens(t) - token_closes(t);
    }
    return 0;
}

/* What Python makes of the text here, or an error at it. */
static struct ir_expr *parse_value(struct parser *p, const char *what)
{
    const struct token *first = peek(p);
    bool outer = p->evaluating;
    p->evaluating = true;
    struct ir_expr *e = parse_binary(p, LEVEL_OR);
    p->evaluating = outer;
    for (const struct token *t = first; t < peek(p); t++)
        if (t->kind == TOK_NAME && t->name->local)
            parse_fail(p, t->span, "%s of a comprehension has to be known while the text is read",
                       what);
    return e;
}

/* Behind `[`: an element for each value, as the compiler unrolls it (pypto-front-facts 2.1). */
static ir_exprs parse_comprehension(struct parser *p, size_t loop)
{
    size_t element = p->pos, end = p->pos;
    bool outer = p->evaluating;
    ir_exprs items = {0};
    if (!p->deps && !p->evaluating)
        parse_fail(p, p->toks[loop].span, "a comprehension stands in deps=[...] only");
    p->pos = loop + 1;
    const struct token *target = parse_expect_name(p, "a name");
    struct name saved = *target->name;
    parse_expect_word(p, "in");
    const struct token *first = peek(p);
    const struct ir_expr *values = parse_value(p, "the iterable");
    if (values->kind != IR_LIST && values->kind != IR_TUPLE)
        parse_fail(p, first->span, "expected range(...) or a list of known values");
    size_t filter = parse_at_word(p, "if") ? p->pos + 1 : 0;
    end = p->pos;
    target->name->local = NULL;
    vec_foreach (struct ir_expr *, value, &values->items) {
        target->name->constant = *value;
        if (filter) {
            p->pos = filter;
            struct ir_expr *kept = parse_evaluate_not(p, parse_value(p, "the filter"));
            end = p->pos;
            if (!kept || kept->boolean)
                continue;
        }
        p->pos = element;
        p->evaluating = outer;
        vec_push(p->arena, &items, parse_expr(p));
        if (p->pos != loop)
            parse_expected(p, "'for'");
    }
    *target->name = saved;
    p->pos = end;
    parse_expect_op(p, "]");
    return items;
}

static struct ir_expr *parse_primary(struct parser *p)
{
    const struct token *t = peek(p);
    switch (t->kind) {
    case TOK_NAME:
        return parse_name(p);
    case TOK_INT:
    case TOK_FLOAT:
        return parse_number(p, false);
    case TOK_STRING:
        return parse_string(p);
    default:
        break;
    }
    if (parse_at_op(p, "("))
        return parse_parenthesis(p);
    if (parse_at_op(p, "{"))
        return parse_dict(p);
    if (!parse_accept_op(p, "["))
        parse_expected(p, "an expression");
    size_t loop = comprehension_at(p);
    ir_exprs items = loop ? parse_comprehension(p, loop) : parse_items(p, "]");
    return make_items(p, IR_LIST, items, t);
}

/* ---- operators ---- */

/* SHAPE[1] of a value of the Python around the program. */
static struct ir_expr *parse_item_of_value(struct parser *p, const struct ir_expr *value)
{
    const struct token *open = peek(p);
    p->pos++;
    struct ir_expr *e = parse_evaluate_item(value, parse_expr(p));
    if (!e || !parse_accept_op(p, "]"))
        parse_fail(p, open->span, "this value has no such item");
    return value_here(p, e, open->span);
}

/* config.BATCH of a module. */
static struct ir_expr *parse_member_of_value(struct parser *p, const struct ir_expr *value)
{
    p->pos++;
    const struct token *name = parse_expect_name(p, "a name");
    struct ir_expr *e = ir_kwarg_find(&value->dict, name->text);
    if (!e)
        parse_fail(p, name->span, "'%s' has no value that is known here", name->text);
    return e->kind == IR_DICT ? e : value_here(p, e, name->span);
}

static struct ir_expr *parse_postfix(struct parser *p)
{
    const struct name *name = peek(p)->kind == TOK_NAME ? peek(p)->name : NULL;
    bool value = p->evaluating || (name && name->constant && !name->is_argument && !name->local);
    struct ir_expr *e = parse_primary(p);
    for (;; count_operator(p))
        if (e->kind == IR_DICT && parse_at_op(p, "."))
            e = parse_member_of_value(p, e);
        else if (parse_at_op(p, "["))
            e = value && !parse_is_memref(e) ? parse_item_of_value(p, e) : parse_subscript(p, e);
        else
            break;
    if (parse_at_op(p, "("))
        parse_fail(p, peek(p)->span, "this is no function and cannot be called");
    return parse_at_op(p, ".") ? parse_member(p, e) : e;
}

static struct ir_expr *parse_unary(struct parser *p);

static bool is_symbolic(const struct ir_expr *e)
{
    return e->kind == IR_VAR || e->kind == IR_BINARY || e->kind == IR_UNARY;
}

/* What stood in front of an expression. */
struct parts {
    size_t leaves, values;
};

static struct parts parts_so_far(const struct parser *p)
{
    return (struct parts){p->leaves, p->values};
}

/* Behind those parts stand values of names, and else literals at the most. Literals alone stay as
 * they are: the compiler prints such, and reads them as one number. */
static bool is_computed(const struct parser *p, struct parts before)
{
    return p->leaves == before.leaves && p->values > before.values;
}

/* Operators on values from outside are computed here, as the compiler does it (pypto-front-facts
 * 2.2); before: what stood in front of both operands. */
static struct ir_expr *apply_binary(struct parser *p, enum ir_binary_op op, struct ir_expr *lhs,
                                    struct ir_expr *rhs, struct parts before)
{
    struct ir_expr *e = p->evaluating            ? parse_evaluate_binary(p, op, lhs, rhs)
                        : is_computed(p, before) ? parse_fold_binary(p, op, lhs, rhs)
                                                 : NULL;
    if (e)
        return e;
    if (p->evaluating && !is_symbolic(lhs) && !is_symbolic(rhs))
        parse_fail(p, lhs->span, "expected a constant");
    return parse_make_binary(p, op, lhs, rhs);
}

static struct ir_expr *parse_power(struct parser *p)
{
    struct parts before = parts_so_far(p);
    struct ir_expr *base = parse_postfix(p);
    if (!parse_at_op(p, "**"))
        return base;
    count_operator(p);
    p->pos++;
    return apply_binary(p, IR_POW, base, parse_unary(p), before);
}

/* A sign directly before a number makes a negative literal, but for -1 ** 2, which is -(1 ** 2). */
static bool at_negative_literal(const struct parser *p)
{
    const struct token *t = peek(p) + 1;
    return parse_at_op(p, "-") && (t->kind == TOK_INT || t->kind == TOK_FLOAT) &&
           !(t[1].kind == TOK_OP && strcmp(t[1].text, "**") == 0);
}

static struct ir_expr *parse_unary(struct parser *p)
{
    const struct token *first = peek(p);
    if (at_negative_literal(p)) {
        p->pos++;
        struct ir_expr *e = parse_number(p, true);
        for (; parse_at_op(p, "["); e = parse_subscript(p, e))
            count_operator(p);
        return e;
    }
    if (!parse_at_op(p, "-") && !parse_at_op(p, "+") && !parse_at_op(p, "~"))
        return parse_power(p);
    count_operator(p);
    p->pos++;
    struct parts before = parts_so_far(p);
    struct ir_expr *operand = parse_unary(p);
    if (first->text[0] == '+')
        return operand;
    bool computed = first->text[0] == '-' && (p->evaluating || is_computed(p, before));
    struct ir_expr *e = computed ? parse_fold_negative(p, operand) : NULL;
    return e ? e : make_unary(p, first->text[0] == '-' ? IR_NEG : IR_BITNOT, operand, first->span);
}

static int binary_at(const struct parser *p)
{
    const struct token *t = peek(p);
    if (t->kind != TOK_OP && t->kind != TOK_NAME)
        return -1;
    for (int i = 0; i < BINARIES; i++)
        if (strcmp(binaries[i].text, t->text) == 0)
            return i;
    return -1;
}

static struct ir_expr *parse_not(struct parser *p)
{
    const struct token *first = peek(p);
    count_operator(p);
    p->pos++;
    p->leaves++;
    struct ir_expr *x = parse_binary(p, LEVEL_NOT),
                   *e = p->evaluating ? parse_evaluate_not(p, x) : NULL;
    return e ? e : make_unary(p, IR_NOT, x, first->span);
}

/* x is y, x in y and their opposites, behind x, in the Python around a program. */
static struct ir_expr *parse_membership(struct parser *p, struct ir_expr *x)
{
    bool is = parse_at_word(p, "is"), not_in = parse_at_word(p, "not");
    if (!is && !not_in && !parse_at_word(p, "in"))
        return x;
    p->pos += not_in ? 2 : 1;
    bool negated = not_in || (is && parse_accept_word(p, "not"));
    const struct ir_expr *y = parse_binary(p, LEVEL_COMPARE + 1);
    struct ir_expr *e = is ? parse_evaluate_is(p, x, y) : parse_evaluate_in(p, x, y);
    if (e && negated)
        e = parse_evaluate_not(p, e);
    if (!e)
        parse_fail(p, x->span, "expected a constant");
    return e;
}

static struct ir_expr *parse_binary(struct parser *p, int level)
{
    struct parts before = parts_so_far(p);
    struct ir_expr *lhs =
        level <= LEVEL_NOT && parse_at_word(p, "not") ? parse_not(p) : parse_unary(p);
    if (p->evaluating && level <= LEVEL_COMPARE)
        lhs = parse_membership(p, lhs);
    bool compared = false;
    for (int i; (i = binary_at(p)) >= 0 && binaries[i].level >= level;) {
        if (binaries[i].level == LEVEL_COMPARE && compared)
            parse_fail(p, peek(p)->span, "comparisons do not chain: write a < b and b < c");
        compared = binaries[i].level == LEVEL_COMPARE;
        count_operator(p);
        p->pos++;
        struct ir_expr *rhs = parse_binary(p, binaries[i].level + 1);
        lhs = apply_binary(p, binaries[i].op, lhs, rhs, before);
    }
    return lhs;
}

struct ir_expr *parse_expr(struct parser *p)
{
    parse_enter(p);
    struct ir_expr *e = parse_binary(p, LEVEL_OR);
    if (p->evaluating && parse_accept_word(p, "if")) {
        const struct ir_expr *cond = parse_binary(p, LEVEL_OR);
        parse_expect_word(p, "else");
        struct ir_expr *other = parse_expr(p);
        e = parse_evaluate_choice(e, cond, other);
        if (!e)
            parse_fail(p, other->span, "expected a constant");
    }
    if (parse_at_word(p, "if"))
        parse_fail(p, peek(p)->span,
                   "conditional expressions are not part of the language; use an if statement");
    parse_leave(p);
    return e;
}

struct ir_expr *parse_expr_list(struct parser *p)
{
    const struct token *first = peek(p);
    struct ir_expr *e = parse_expr(p);
    if (!parse_at_op(p, ","))
        return e;
    ir_exprs items = {0};
    vec_push(p->arena, &items, e);
    while (parse_accept_op(p, ",") && peek(p)->kind != TOK_NEWLINE)
        vec_push(p->arena, &items, parse_expr(p));
    return make_items(p, IR_TUPLE, items, first);
}
