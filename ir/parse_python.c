/* SPDX-License-Identifier: MIT */
/*
 * The Python around a program, evaluated as far as its values are constants (pypto-front-facts 1.4,
 * 2.2): the module, and the functions around the program from their parameters to the line where it
 * stands. What cannot be evaluated binds its names to values that are not known; only a program that
 * uses such a name is in error.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ir/file_internal.h"
#include "ir/parse_internal.h"

/* ---- values ---- */

static bool is_number(const struct ir_expr *e)
{
    return e->kind == IR_INT || e->kind == IR_FLOAT || e->kind == IR_BOOLEAN;
}

static double real_of(const struct ir_expr *e)
{
    return e->kind == IR_FLOAT     ? e->real.value
           : e->kind == IR_BOOLEAN ? (double)e->boolean
                                   : (double)e->integer.value;
}

static int64_t int_of(const struct ir_expr *e)
{
    return e->kind == IR_BOOLEAN ? e->boolean : e->integer.value;
}

static struct ir_expr *make_bool(struct parser *p, bool value, struct span at)
{
    struct ir_expr *e = ir_expr_new(p->arena, IR_BOOLEAN, at);
    e->boolean = value;
    e->type = ir_scalar_type(IR_BOOL);
    return e;
}

static struct ir_expr *make_float(struct parser *p, double value, struct span at)
{
    struct ir_expr *e = ir_expr_new(p->arena, IR_FLOAT, at);
    e->real.value = value;
    e->real.dtype = IR_FP32;
    e->type = ir_scalar_type(IR_FP32);
    return e;
}

static struct ir_expr *make_int(struct parser *p, int64_t value, struct span at)
{
    return ir_int(p->arena, value, IR_INDEX, at);
}

/* Whether Python takes it for true; false when that is not known. */
static bool truth(const struct ir_expr *e, bool *out)
{
    if (is_number(e))
        *out = real_of(e) != 0;
    else if (e->kind == IR_STRING)
        *out = *e->string != 0;
    else if (e->kind == IR_TUPLE || e->kind == IR_LIST)
        *out = e->items.len > 0;
    else if (e->kind == IR_DICT)
        *out = e->dict.len > 0;
    else if (e->kind == IR_NONE || e->kind == IR_NAME)
        *out = e->kind == IR_NAME;
    else
        return false;
    return true;
}

/* 1: equal, 0: different, -1: not known. */
static int equal_values(const struct ir_expr *a, const struct ir_expr *b)
{
    if (is_number(a) && is_number(b))
        return real_of(a) == real_of(b);
    if (a->kind != b->kind)
        return 0;
    if (a->kind == IR_STRING || a->kind == IR_NAME)
        return !strcmp(a->kind == IR_STRING ? a->string : a->name,
                       a->kind == IR_STRING ? b->string : b->name);
    if (a->kind == IR_NONE)
        return 1;
    if (a->kind != IR_TUPLE && a->kind != IR_LIST)
        return -1;
    int same = a->items.len == b->items.len;
    for (size_t i = 0; same == 1 && i < a->items.len; i++)
        same = equal_values(a->items.items[i], b->items.items[i]);
    return same;
}

/* ---- operators ---- */

static struct ir_expr *fold_floor(struct parser *p, enum ir_binary_op op, int64_t x, int64_t y,
                                  struct span at)
{
    if (y == 0 || (x == INT64_MIN && y == -1))
        return NULL;
    int64_t q = x / y, r = x % y;
    bool lower = r != 0 && (r < 0) != (y < 0);
    return make_int(p, op == IR_FLOORDIV ? q - lower : r + (lower ? y : 0), at);
}

static struct ir_expr *fold_power(struct parser *p, int64_t x, int64_t y, struct span at)
{
    int64_t v = 1;
    if (y < 0)
        return x ? make_float(p, pow((double)x, (double)y), at) : NULL;
    if (y > 63 && x != 0 && x != 1 && x != -1)
        return NULL;
    for (int64_t i = 0; i < (y > 63 ? 2 + y % 2 : y); i++)
        if (__builtin_mul_overflow(v, x, &v))
            return NULL;
    return make_int(p, v, at);
}

static struct ir_expr *fold_ints(struct parser *p, enum ir_binary_op op, int64_t x, int64_t y,
                                 struct span at)
{
    int64_t v = 0;
    bool bad = false;
    switch (op) {
    case IR_ADD:
        bad = __builtin_add_overflow(x, y, &v);
        break;
    case IR_SUB:
        bad = __builtin_sub_overflow(x, y, &v);
        break;
    case IR_MUL:
        bad = __builtin_mul_overflow(x, y, &v);
        break;
    case IR_FLOORDIV:
    case IR_MOD:
        return fold_floor(p, op, x, y, at);
    case IR_TRUEDIV:
        return y ? make_float(p, (double)x / (double)y, at) : NULL;
    case IR_POW:
        return fold_power(p, x, y, at);
    case IR_BITAND:
        v = x & y;
        break;
    case IR_BITOR:
        v = x | y;
        break;
    case IR_BITXOR:
        v = x ^ y;
        break;
    case IR_SHL:
        bad = y < 0 || y > 62 || x > INT64_MAX >> y || x < INT64_MIN >> y;
        v = bad ? 0 : x * ((int64_t)1 << y);
        break;
    case IR_SHR:
        bad = y < 0;
        v = bad ? 0 : x >> (y > 63 ? 63 : y);
        break;
    default:
        return NULL;
    }
    return bad ? NULL : make_int(p, v, at);
}

static struct ir_expr *fold_reals(struct parser *p, enum ir_binary_op op, double x, double y,
                                  struct span at)
{
    switch (op) {
    case IR_ADD:
        return make_float(p, x + y, at);
    case IR_SUB:
        return make_float(p, x - y, at);
    case IR_MUL:
        return make_float(p, x * y, at);
    case IR_TRUEDIV:
        return y != 0 ? make_float(p, x / y, at) : NULL;
    case IR_FLOORDIV:
        return y != 0 ? make_float(p, floor(x / y), at) : NULL;
    case IR_MOD:
        return y != 0 ? make_float(p, x - floor(x / y) * y, at) : NULL;
    case IR_POW:
        return x > 0 ? make_float(p, pow(x, y), at) : NULL;
    default:
        return NULL;
    }
}

/* The number that an expression of literals is, or NULL. */
static const struct ir_expr *number_of(struct parser *p, const struct ir_expr *e)
{
    if (e->kind == IR_BINARY)
        return parse_fold_binary(p, e->binary.op, e->binary.lhs, e->binary.rhs);
    if (e->kind == IR_UNARY && e->unary.op == IR_NEG) {
        const struct ir_expr *x = number_of(p, e->unary.operand);
        return x ? parse_fold_negative(p, x) : NULL;
    }
    return is_number(e) ? e : NULL;
}

struct ir_expr *parse_fold_binary(struct parser *p, enum ir_binary_op op, const struct ir_expr *x,
                                  const struct ir_expr *y)
{
    x = number_of(p, x);
    y = number_of(p, y);
    if (!x || !y)
        return NULL;
    if (x->kind == IR_FLOAT || y->kind == IR_FLOAT)
        return fold_reals(p, op, real_of(x), real_of(y), x->span);
    return fold_ints(p, op, int_of(x), int_of(y), x->span);
}

struct ir_expr *parse_fold_negative(struct parser *p, const struct ir_expr *x)
{
    if (x->kind == IR_FLOAT) {
        struct ir_expr *e = make_float(p, -x->real.value, x->span);
        e->real.dtype = x->real.dtype;
        e->type = x->type;
        return e;
    }
    return x->kind == IR_INT && x->integer.value != INT64_MIN
               ? ir_int(p->arena, -x->integer.value, x->integer.dtype, x->span)
               : NULL;
}

static bool compare_numbers(enum ir_binary_op op, double x, double y)
{
    return op == IR_LT ? x < y : op == IR_LE ? x <= y : op == IR_GT ? x > y : x >= y;
}

static struct ir_expr *evaluate_comparison(struct parser *p, enum ir_binary_op op,
                                           const struct ir_expr *x, const struct ir_expr *y)
{
    if (op == IR_EQ || op == IR_NE) {
        int same = equal_values(x, y);
        return same < 0 ? NULL : make_bool(p, same == (op == IR_EQ), x->span);
    }
    if (!is_number(x) || !is_number(y))
        return NULL;
    return make_bool(p, compare_numbers(op, real_of(x), real_of(y)), x->span);
}

/* (1, 2) + (3,), [0] * n, "a" + "b" */
static struct ir_expr *evaluate_sequences(struct parser *p, enum ir_binary_op op, struct ir_expr *x,
                                          struct ir_expr *y)
{
    bool list = x->kind == IR_LIST || x->kind == IR_TUPLE;
    if (op == IR_ADD && x->kind == IR_STRING && y->kind == IR_STRING) {
        struct ir_expr *e = ir_expr_new(p->arena, IR_STRING, x->span);
        e->string = arena_printf(p->arena, "%s%s", x->string, y->string);
        return e;
    }
    bool joins = op == IR_ADD && x->kind == y->kind,
         repeats = op == IR_MUL && y->kind == IR_INT &&
                   y->integer.value * (int64_t)x->items.len <= MAX_CONSTANT_PARTS;
    if (!list || (!joins && !repeats))
        return NULL;
    struct ir_expr *e = ir_expr_new(p->arena, x->kind, x->span);
    for (int64_t n = 0; n < (joins ? 1 : y->integer.value); n++)
        vec_foreach (struct ir_expr *, item, &x->items)
            vec_push(p->arena, &e->items, *item);
    for (size_t i = 0; joins && i < y->items.len; i++)
        vec_push(p->arena, &e->items, y->items.items[i]);
    return e;
}

struct ir_expr *parse_evaluate_binary(struct parser *p, enum ir_binary_op op, struct ir_expr *x,
                                      struct ir_expr *y)
{
    bool known;
    if (op == IR_AND || op == IR_OR)
        return truth(x, &known) ? known == (op == IR_AND) ? y : x : NULL;
    if (ir_binary_compares(op))
        return evaluate_comparison(p, op, x, y);
    struct ir_expr *e = parse_fold_binary(p, op, x, y);
    return e ? e : evaluate_sequences(p, op, x, y);
}

struct ir_expr *parse_evaluate_not(struct parser *p, const struct ir_expr *x)
{
    bool known;
    return truth(x, &known) ? make_bool(p, !known, x->span) : NULL;
}

struct ir_expr *parse_evaluate_is(struct parser *p, const struct ir_expr *x,
                                  const struct ir_expr *y)
{
    int same = equal_values(x, y);
    return same < 0 ? NULL : make_bool(p, same, x->span);
}

struct ir_expr *parse_evaluate_in(struct parser *p, const struct ir_expr *x,
                                  const struct ir_expr *y)
{
    if (y->kind != IR_TUPLE && y->kind != IR_LIST)
        return NULL;
    vec_foreach (struct ir_expr *, item, &y->items) {
        int same = equal_values(x, *item);
        if (same)
            return same < 0 ? NULL : make_bool(p, true, x->span);
    }
    return make_bool(p, false, x->span);
}

struct ir_expr *parse_evaluate_choice(struct ir_expr *yes, const struct ir_expr *cond,
                                      struct ir_expr *no)
{
    bool known;
    return truth(cond, &known) ? known ? yes : no : NULL;
}

/* x[i] of a tuple, list or dict that is a value. */
struct ir_expr *parse_evaluate_item(const struct ir_expr *x, const struct ir_expr *index)
{
    if (x->kind == IR_DICT && index->kind == IR_STRING)
        return ir_kwarg_find(&x->dict, index->string);
    if ((x->kind != IR_TUPLE && x->kind != IR_LIST) || index->kind != IR_INT)
        return NULL;
    int64_t n = (int64_t)x->items.len, i = index->integer.value;
    i += i < 0 ? n : 0;
    return i >= 0 && i < n ? x->items.items[i] : NULL;
}

/* ---- functions of Python ---- */

static struct ir_expr *call_len(struct parser *p, const ir_exprs *args)
{
    const struct ir_expr *x = args->items[0];
    if (x->kind == IR_TUPLE || x->kind == IR_LIST)
        return make_int(p, (int64_t)x->items.len, x->span);
    return x->kind == IR_STRING ? make_int(p, (int64_t)strlen(x->string), x->span) : NULL;
}

/* The numbers of f(a, b) or f([a, b]), or NULL. */
static const ir_exprs *numbers_of(const ir_exprs *args)
{
    const struct ir_expr *x = args->items[0];
    bool list = args->len == 1 && (x->kind == IR_TUPLE || x->kind == IR_LIST);
    const ir_exprs *all = list ? &x->items : args;
    vec_foreach (struct ir_expr *, e, all)
        if (!is_number(*e))
            return NULL;
    return all;
}

static struct ir_expr *extreme(const ir_exprs *args, bool most)
{
    const ir_exprs *all = numbers_of(args);
    struct ir_expr *best = NULL;
    for (size_t i = 0; all && i < all->len; i++)
        if (!best || (most ? real_of(all->items[i]) > real_of(best)
                           : real_of(all->items[i]) < real_of(best)))
            best = all->items[i];
    return best;
}

static struct ir_expr *call_max(struct parser *p, const ir_exprs *args)
{
    (void)p;
    return extreme(args, true);
}

static struct ir_expr *call_min(struct parser *p, const ir_exprs *args)
{
    (void)p;
    return extreme(args, false);
}

static struct ir_expr *call_abs(struct parser *p, const ir_exprs *args)
{
    struct ir_expr *x = args->items[0];
    return is_number(x) && real_of(x) < 0 ? parse_fold_negative(p, x) : is_number(x) ? x : NULL;
}

static struct ir_expr *call_sum(struct parser *p, const ir_exprs *args)
{
    const ir_exprs *all = args->len == 1 ? numbers_of(args) : NULL;
    struct ir_expr *sum = make_int(p, 0, args->items[0]->span);
    for (size_t i = 0; all && sum && i < all->len; i++)
        sum = parse_fold_binary(p, IR_ADD, sum, all->items[i]);
    return all ? sum : NULL;
}

static struct ir_expr *to_int(struct parser *p, const struct ir_expr *x, double value)
{
    return fabs(value) < 9e15 ? make_int(p, (int64_t)value, x->span) : NULL;
}

static struct ir_expr *call_int(struct parser *p, const ir_exprs *args)
{
    struct ir_expr *x = args->items[0];
    if (x->kind == IR_STRING) {
        char *end;
        double value = (double)strtoll(x->string, &end, 10);
        return *x->string && !*end ? to_int(p, x, value) : NULL;
    }
    if (!is_number(x))
        return NULL;
    return x->kind == IR_FLOAT ? to_int(p, x, trunc(x->real.value))
                               : make_int(p, int_of(x), x->span);
}

static struct ir_expr *call_round(struct parser *p, const ir_exprs *args)
{
    struct ir_expr *x = args->items[0];
    if (!is_number(x) || args->len != 1)
        return NULL;
    return x->kind == IR_FLOAT ? to_int(p, x, nearbyint(x->real.value)) : x;
}

static struct ir_expr *call_float(struct parser *p, const ir_exprs *args)
{
    const struct ir_expr *x = args->items[0];
    return is_number(x) ? make_float(p, real_of(x), x->span) : NULL;
}

static struct ir_expr *call_bool(struct parser *p, const ir_exprs *args)
{
    bool known;
    return truth(args->items[0], &known) ? make_bool(p, known, args->items[0]->span) : NULL;
}

static struct ir_expr *as_kind(struct parser *p, const ir_exprs *args, enum ir_expr_kind kind)
{
    const struct ir_expr *x = args->items[0];
    if (x->kind != IR_TUPLE && x->kind != IR_LIST)
        return NULL;
    struct ir_expr *e = ir_expr_new(p->arena, kind, x->span);
    e->items = x->items;
    return e;
}

static struct ir_expr *call_tuple(struct parser *p, const ir_exprs *args)
{
    return as_kind(p, args, IR_TUPLE);
}

static struct ir_expr *call_list(struct parser *p, const ir_exprs *args)
{
    return as_kind(p, args, IR_LIST);
}

/* range(n), range(a, b), range(a, b, step) as the list of its numbers. */
static struct ir_expr *call_range(struct parser *p, const ir_exprs *args)
{
    int64_t bounds[3] = {0, 0, 1};
    for (size_t i = 0; i < args->len; i++)
        if (i >= 3 || args->items[i]->kind != IR_INT)
            return NULL;
        else
            bounds[i] = args->items[i]->integer.value;
    if (args->len == 1) {
        bounds[1] = bounds[0];
        bounds[0] = 0;
    }
    struct ir_expr *e = ir_expr_new(p->arena, IR_LIST, args->items[0]->span);
    int64_t step = bounds[2], at = bounds[0];
    while (step && (step > 0 ? at < bounds[1] : at > bounds[1])) {
        if (e->items.len == MAX_CONSTANT_PARTS * 10)
            return NULL;
        vec_push(p->arena, &e->items, make_int(p, at, e->span));
        if (__builtin_add_overflow(at, step, &at))
            break;
    }
    return step ? e : NULL;
}

/* Of nothing, which is all that a loop of a function may go over. */
static struct ir_expr *call_enumerate(struct parser *p, const ir_exprs *args)
{
    struct ir_expr *x = as_kind(p, args, IR_LIST);
    return x && !x->items.len ? x : NULL;
}

struct ir_expr *parse_evaluate_call(struct parser *p, const char *name, const ir_exprs *args)
{
    static const struct {
        const char *name;
        struct ir_expr *(*call)(struct parser *p, const ir_exprs *args);
    } rows[] = {
        {"len", call_len},
        {"max", call_max},
        {"min", call_min},
        {"abs", call_abs},
        {"sum", call_sum},
        {"round", call_round},
        {"int", call_int},
        {"float", call_float},
        {"bool", call_bool},
        {"tuple", call_tuple},
        {"list", call_list},
        {"range", call_range},
        {"enumerate", call_enumerate},
    };
    for (size_t i = 0; args->len && i < sizeof rows / sizeof *rows; i++)
        if (!strcmp(rows[i].name, name))
            return rows[i].call(p, args);
    return NULL;
}

/* ---- module math ---- */

static const struct {
    const char *name;
    double value;
} math_constants[] = {
    {"inf", INFINITY}, {"nan", NAN}, {"pi", M_PI}, {"e", M_E}, {"tau", 2 * M_PI},
};

static const struct {
    const char *name;
    double (*call)(double x);
    bool integer; /* what it gives */
} math_calls[] = {
    {"sqrt", sqrt, false},   {"exp", exp, false},  {"log", log, false},    {"log2", log2, false},
    {"log10", log10, false}, {"ceil", ceil, true}, {"floor", floor, true},
};

static struct ir_expr *call_math(struct parser *p, const char *name, const struct token *at)
{
    p->pos++;
    bool outer = p->evaluating;
    p->evaluating = true;
    ir_exprs args = parse_items(p, ")");
    p->evaluating = outer;
    for (size_t i = 0; i < sizeof math_calls / sizeof *math_calls; i++)
        if (!strcmp(math_calls[i].name, name) && args.len == 1 && is_number(args.items[0])) {
            double value = math_calls[i].call(real_of(args.items[0]));
            struct ir_expr *e = !math_calls[i].integer ? make_float(p, value, at->span)
                                                       : to_int(p, args.items[0], value);
            if (e)
                return e;
        }
    parse_fail(p, at->span, "math.%s of this is not computed here", name);
}

struct ir_expr *parse_math(struct parser *p)
{
    const struct token *first = peek(p), *name = first + 2;
    p->pos += 3;
    if (parse_at_op(p, "("))
        return call_math(p, name->text, first);
    for (size_t i = 0; i < sizeof math_constants / sizeof *math_constants; i++)
        if (token_is_word(name, math_constants[i].name))
            return make_float(p, math_constants[i].value, first->span);
    parse_fail(p, first->span, "math.%s is not known here", name->text);
}

/* ---- the command and its environment ---- */

/* Where a file is read, no command has started it and its environment is empty: sys.argv has no
 * elements, and os.environ.get(NAME, DEFAULT) is the default. NULL with p where it was for any other
 * member of these modules. */
struct ir_expr *parse_environment(struct parser *p)
{
    const struct token *t = peek(p);
    bool os = token_is_word(t, "os"), environ = os && token_is_word(t + 2, "environ");
    if (token_is_word(t, "sys") && token_is_word(t + 2, "argv")) {
        bool rest = token_is_op(t + 3, "[") && t[4].kind == TOK_INT && token_is_op(t + 5, ":") &&
                    token_is_op(t + 6, "]"); /* sys.argv[1:] */
        p->pos += rest ? 7 : 3;
        return ir_expr_new(p->arena, IR_LIST, t->span);
    }
    const struct token *get = environ && token_is_op(t + 3, ".") ? t + 4 : t + 2;
    bool asks = token_is_op(get + 1, "(") &&
                (environ ? token_is_word(get, "get") : os && token_is_word(get, "getenv"));
    if (!asks)
        return NULL;
    p->pos = (size_t)(get + 2 - p->toks);
    ir_exprs args = parse_items(p, ")");
    return args.len == 2 ? args.items[1] : ir_expr_new(p->arena, IR_NONE, t->span);
}

/* ---- evaluating ---- */

/* Runs fn; false, and p where it was, when that fails. */
static bool try_parse(struct parser *p, void (*fn)(struct parser *p))
{
    jmp_buf out;
    const size_t pos = p->pos, calls = p->keyword_calls.len;
    const int depth = p->depth, types = p->types, dicts = p->dicts;
    const bool evaluating = p->evaluating;
    jmp_buf *outer = p->trial;
    p->trial = &out;
    p->evaluating = true;
    bool failed = setjmp(out);
    if (!failed)
        fn(p);
    p->trial = outer;
    p->evaluating = evaluating;
    if (failed) {
        p->pos = pos;
        p->keyword_calls.len = calls;
        p->depth = depth;
        p->types = types;
        p->dicts = dicts;
    }
    return !failed;
}

static void parse_one(struct parser *p)
{
    p->tried = parse_expr(p);
}

static void parse_all(struct parser *p)
{
    p->tried = parse_expr_list(p);
}

/* The value from here on, of one expression or of a list without brackets; or NULL with p where it
 * was. */
static struct ir_expr *try_value(struct parser *p, void (*parse)(struct parser *p))
{
    p->operators = 0;
    p->lacks = NULL;
    if (!try_parse(p, parse))
        return NULL;
    size_t most = p->tried->kind == IR_DICT ? MAX_OBJECT_PARTS : MAX_CONSTANT_PARTS;
    return parse_count_parts(p->tried, most + 1) > most ? NULL : p->tried;
}

/* ---- values from outside ---- */

static const struct ir_given *given_for(const struct parser *p, const char *name)
{
    for (size_t i = 0; p->outside && i < p->outside->n; i++)
        if (!strcmp(p->outside->given[i].name, name))
            return &p->outside->given[i];
    return NULL;
}

/* A word that is no value of Python: an element type, or a string. */
static struct ir_expr *value_of_word(struct parser *p, const char *word)
{
    bool type = ir_dtype_parse(word) != IR_DTYPE_NONE;
    struct ir_expr *e = ir_expr_new(p->arena, type ? IR_NAME : IR_STRING, (struct span){0});
    if (type)
        e->name = arena_printf(p->arena, "pl.%s", word);
    else
        e->string = word;
    return e;
}

static bool is_word(const struct lexed *text)
{
    const struct token *t = text->toks.items;
    return t->kind == TOK_NAME && !t->name->is_keyword && t[1].kind == TOK_NEWLINE;
}

static void bind_ranks(struct parser *p, const struct lexed *text)
{
    vec_foreach (struct name *, n, &text->names)
        if (!strcmp((*n)->text, "nranks") && p->outside->nranks) {
            (*n)->constant = make_int(p, p->outside->nranks, (struct span){0});
            p->prog->counts_ranks = true;
        }
}

static bool reads_rank(const struct lexed *text)
{
    vec_foreach (struct name *, n, &text->names)
        if (!strcmp((*n)->text, "rank"))
            return true;
    return false;
}

static struct ir_expr *given_value(struct parser *p, const struct ir_given *g)
{
    struct lexed text = ir_lex(p->arena, source_from_string(p->arena, g->name, g->value));
    struct token *toks = p->toks;
    size_t pos = p->pos;
    bind_ranks(p, &text);
    if (is_word(&text) && !text.toks.items->name->constant)
        return value_of_word(p, text.toks.items->text);
    p->toks = text.toks.items;
    p->pos = 0;
    struct ir_expr *e = try_value(p, parse_one);
    bool whole = e && peek(p)->kind == TOK_NEWLINE;
    p->toks = toks;
    p->pos = pos;
    if (!whole && reads_rank(&text))
        parse_fail_in(p, g->source, g->at,
                      "'%s' is a constant of the program: it must be the same on every rank",
                      g->name);
    if (!whole)
        parse_fail_in(p, g->source, g->at,
                      "'%s' belongs to the program: expected a number, True, False, a string, an "
                      "element type or an expression over nranks",
                      g->name);
    return e;
}

struct ir_expr *parse_try_at(struct parser *p, size_t pos)
{
    size_t here = p->pos;
    p->pos = pos;
    struct ir_expr *e = try_value(p, parse_one);
    p->pos = here;
    return e;
}

/* FP32[16, 64] as a list of extents behind an element type. */
struct ir_type *parse_given_tensor(struct parser *p, const char *name)
{
    const struct ir_given *g = given_for(p, name);
    if (!g)
        return NULL;
    struct lexed text = ir_lex(p->arena, source_from_string(p->arena, g->name, g->value));
    struct token *toks = p->toks;
    struct ir_type *t = ir_type_new(p->arena, IR_TYPE_TENSOR);
    bind_ranks(p, &text);
    p->toks = text.toks.items;
    t->dtype = p->toks->kind == TOK_NAME ? ir_dtype_parse(p->toks->text) : IR_DTYPE_NONE;
    const struct ir_expr *extents = t->dtype == IR_DTYPE_NONE ? NULL : parse_try_at(p, 1);
    p->toks = toks;
    bool list = extents && extents->kind == IR_LIST && extents->items.len;
    for (size_t i = 0; list && i < extents->items.len; i++)
        list = extents->items.items[i]->kind == IR_INT;
    if (!list)
        parse_fail_in(p, g->source, g->at,
                      "'%s' is a tensor: expected an element type and its extents, as in "
                      "FP32[16,64]",
                      g->name);
    t->shape = extents->items;
    return t;
}

/* ---- binding ---- */

void parse_bind_python(struct parser *p, struct name *n, struct ir_expr *value)
{
    const struct ir_given *g = given_for(p, n->text);
    if (g)
        value = given_value(p, g);
    n->constant = value;
    n->is_outside = !value;
    n->lacks = p->lacks && strcmp(p->lacks, n->text) ? p->lacks : NULL;
    if (value)
        ir_add_constant(p->prog, n->text, value);
}

/* NAME = value of a file without decorators. */
void parse_global(struct parser *p)
{
    const struct token *name = parse_expect_name(p, "a name");
    p->operators = 0;
    if (name->name->module || name->name->constant || name->name->is_function)
        parse_fail(p, name->span, "'%s' is defined twice", name->text);
    if (parse_accept_op(p, ":"))
        parse_type(p);
    parse_expect_op(p, "=");
    p->evaluating = true;
    struct ir_expr *e = parse_expr(p);
    p->evaluating = false;
    if (!parse_is_dynamic(e) && (e->kind == IR_CALL || e->kind == IR_VAR))
        parse_fail(p, e->span, "expected a constant or pl.dynamic(\"%s\")", name->text);
    if (parse_count_parts(e, MAX_CONSTANT_PARTS + 1) > MAX_CONSTANT_PARTS)
        parse_fail(p, e->span, "a module-level constant of more than %d parts", MAX_CONSTANT_PARTS);
    parse_bind_python(p, name->name, e);
    parse_expect_newline(p);
}

static bool is_binding(const struct token *t)
{
    return t->kind == TOK_NAME && !t->name->is_keyword;
}

/* The `=` or `+=` of a statement that binds names, or NULL. */
static const struct token *find_assignment(const struct token *t)
{
    for (int open = 0; t->kind != TOK_NEWLINE && t->kind != TOK_END; t++) {
        size_t len = t->kind == TOK_OP ? strlen(t->text) : 0;
        bool compares = len == 2 && strchr("=!<>", t->text[0]);
        if (open == 0 && len && t->text[len - 1] == '=' && !compares)
            return t;
        open += token_opens(t) - token_closes(t);
    }
    return NULL;
}

/* The names between two tokens are bound to what is not known. */
static void leave_outside(struct parser *p, const struct token *from, const struct token *to)
{
    for (const struct token *t = from; t < to; t++)
        if (is_binding(t) && !t->name->is_function && !(t > p->toks && token_is_op(t - 1, ".")) &&
            !token_is_op(t + 1, ".") && !token_is_op(t + 1, "(") && !token_is_op(t + 1, "["))
            parse_bind_python(p, t->name, NULL);
}

static const struct token *end_of_line(const struct token *t)
{
    while (t->kind != TOK_NEWLINE && t->kind != TOK_END)
        t++;
    return t;
}

/* What one line of a statement that is not run may bind. */
static void leave_line(struct parser *p, const struct token *t)
{
    const struct token *end = end_of_line(t), *assigns = find_assignment(t);
    if (token_is_word(t, "for"))
        for (end = t;
             !token_is_word(end, "in") && end->kind != TOK_NEWLINE && end->kind != TOK_END;)
            end++;
    else if (token_is_word(t, "with"))
        while (t < end && !token_is_word(t, "as"))
            t++;
    else if (!token_is_word(t, "import") && !token_is_word(t, "from"))
        end = assigns ? assigns : t;
    leave_outside(p, t, end);
}

static void leave_lines(struct parser *p, size_t from, size_t to)
{
    bool starts = true;
    for (size_t i = from; i < to; i++) {
        const struct token *t = &p->toks[i];
        bool layout = t->kind == TOK_NEWLINE || t->kind == TOK_INDENT || t->kind == TOK_DEDENT;
        if (starts && !layout)
            leave_line(p, t);
        starts = layout;
    }
}

/* Behind the target at t: a name, or something in brackets. */
static const struct token *behind_target(const struct token *t, const struct token *to)
{
    for (int open = 0; t < to; t++) {
        if (open == 0 && token_is_op(t, ","))
            break;
        open += token_opens(t) - token_closes(t);
    }
    return t;
}

/* a, (b, c) = value */
/* module.NAME between two tokens: the name in that file. */
static struct name *module_member(const struct token *from, const struct token *to)
{
    const struct token *last;
    struct name *n = is_binding(from) && to > from + 1 ? ir_imported(from, &last) : NULL;
    return n && last + 1 == to && !n->is_function ? n : NULL;
}

static void bind_targets(struct parser *p, const struct token *from, const struct token *to,
                         struct ir_expr *value)
{
    struct name *member = module_member(from, to);
    if (member) {
        parse_bind_python(p, member, value);
        return;
    }
    const struct token *first_end = behind_target(from, to);
    size_t n = 0, i = 0;
    for (const struct token *t = from; t < to; t = behind_target(t, to) + 1)
        n++;
    if (to == from + 1 && is_binding(from) && !from->name->is_function) {
        parse_bind_python(p, from->name, value);
        return;
    }
    if (first_end == to && (token_is_op(from, "(") || token_is_op(from, "["))) {
        bind_targets(p, from + 1, to - 1, value);
        return;
    }
    bool list = value->kind == IR_TUPLE || value->kind == IR_LIST;
    if (first_end == to || !list || value->items.len != n) {
        leave_outside(p, from, to);
        return;
    }
    for (const struct token *t = from; t < to; t = behind_target(t, to) + 1)
        bind_targets(p, t, behind_target(t, to), value->items.items[i++]);
}

/* The names of an annotated target end at the colon. */
static const struct token *end_of_target(const struct token *from, const struct token *to)
{
    const struct token *t = from;
    while (t < to && !token_is_op(t, ":"))
        t++;
    return t;
}

/* x = value, x: T = value, x = y = value, x += value. */
static void run_binding(struct parser *p)
{
    const struct token *first = peek(p), *assigns = find_assignment(first);
    if (!assigns)
        return;
    const struct token *next = find_assignment(assigns + 1), *last = next ? next : assigns;
    while (next && (next = find_assignment(next + 1)))
        last = next;
    p->pos = (size_t)(last + 1 - p->toks);
    struct ir_expr *value = token_is_op(last, "=") ? try_value(p, parse_all) : NULL;
    if (value && peek(p)->kind != TOK_NEWLINE)
        value = NULL;
    for (const struct token *from = first, *at = assigns;;
         from = at + 1, at = find_assignment(from)) {
        const struct token *to = end_of_target(from, at);
        if (value || module_member(from, to))
            bind_targets(p, from, to, value);
        else
            leave_outside(p, from, to);
        if (at == last)
            break;
    }
}

/* ---- objects ---- */

static void set_member(struct parser *p, struct ir_expr *object, const struct token *name,
                       struct ir_expr *value)
{
    struct ir_kwarg k = {name->text, value, name->span};
    vec_foreach (struct ir_kwarg, known, &object->dict)
        if (!strcmp(known->name, k.name)) {
            known->value = value;
            return;
        }
    vec_push(p->arena, &object->dict, k);
}

/* The value at pos, or NULL when it is not known; p stays where it was. */
static struct ir_expr *value_at(struct parser *p, size_t pos)
{
    struct ir_expr *tried = p->tried, *e = parse_try_at(p, pos);
    p->tried = tried;
    return e;
}

/* x: T = value of a class's body, at x. */
static void add_default(struct parser *p, struct ir_expr *object, size_t pos)
{
    const struct token *assigns = find_assignment(&p->toks[pos]);
    struct ir_expr *value =
        assigns && is_binding(&p->toks[pos]) ? value_at(p, (size_t)(assigns + 1 - p->toks)) : NULL;
    if (value)
        set_member(p, object, &p->toks[pos], value);
}

/* @property def x(self): return value, at `def`, when that is all of it. */
static void add_property(struct parser *p, struct ir_expr *object, size_t pos)
{
    size_t body = (size_t)(end_of_line(&p->toks[pos]) - p->toks) + 2;
    while (p->toks[body].kind == TOK_STRING || p->toks[body].kind == TOK_NEWLINE)
        body++;
    struct ir_expr *outer = p->object;
    p->object = object;
    struct ir_expr *value = token_is_word(&p->toks[body], "return") ? value_at(p, body + 1) : NULL;
    p->object = outer;
    if (value)
        set_member(p, object, &p->toks[pos + 1], value);
}

/* The members that the class at pos gives: defaults, or what its properties compute. */
static void add_members(struct parser *p, struct ir_expr *object, size_t pos, bool properties)
{
    size_t end = ir_behind_item(p->toks, pos),
           at = (size_t)(end_of_line(&p->toks[pos]) - p->toks) + 2;
    while (at < end && p->toks[at].kind != TOK_DEDENT) {
        size_t item = at;
        bool property =
            token_is_op(&p->toks[at], "@") && token_is_word(&p->toks[at + 1], "property");
        while (token_is_op(&p->toks[item], "@"))
            item = ir_behind_item(p->toks, item);
        if (properties && property)
            add_property(p, object, item);
        else if (!properties && item == at)
            add_default(p, object, at);
        at = ir_behind_decorated(p->toks, at);
    }
}

struct ir_expr *parse_object(struct parser *p)
{
    const struct token *name = peek(p);
    struct ir_expr *object = ir_expr_new(p->arena, IR_DICT, name->span);
    if (p->object) /* it might be one of the same class, without end */
        parse_fail(p, name->span, "a property that makes an object has no value");
    parse_enter(p);
    add_members(p, object, name->name->class_at, false);
    p->pos += 2;
    while (!parse_at_op(p, ")")) {
        const struct token *member = peek(p);
        if (!parse_at_keyword(p))
            parse_fail(p, member->span, "members are given by their names");
        p->pos += 2;
        set_member(p, object, member, parse_expr(p));
        if (!parse_accept_op(p, ","))
            break;
    }
    parse_expect_op(p, ")");
    add_members(p, object, name->name->class_at, true);
    parse_leave(p);
    return object;
}

/* ---- statements ---- */

enum flow { FLOW_ON, FLOW_THERE, FLOW_LEFT };

static enum flow run_items(struct parser *p, size_t from, size_t to, size_t target);

/* The block of the statement at pos. */
static enum flow run_block(struct parser *p, size_t pos, size_t end, size_t target)
{
    size_t body = (size_t)(end_of_line(&p->toks[pos]) - p->toks) + 1;
    return p->toks[body].kind == TOK_INDENT ? run_items(p, body + 1, end - 1, target) : FLOW_ON;
}

static bool is_clause(const struct token *t)
{
    return token_is_word(t, "elif") || token_is_word(t, "else");
}

/* 1, 0, or -1 when not known: the condition behind the word at pos. */
static int condition(struct parser *p, size_t pos)
{
    bool known;
    if (token_is_word(&p->toks[pos], "else"))
        return 1;
    p->pos = pos + 1;
    const struct ir_expr *e = try_value(p, parse_one);
    return e && truth(e, &known) ? known : -1;
}

/* An if with its elif and else: the clause that is taken. A program in another one is not there with
 * these values. */
static enum flow run_if(struct parser *p, size_t pos, size_t *end, size_t target)
{
    enum flow flow = FLOW_ON;
    bool decided = false, open = false;
    do {
        *end = ir_behind_item(p->toks, pos);
        bool holds = pos <= target && target < *end;
        int taken = decided ? 0 : open && !holds ? -1 : condition(p, pos);
        if (holds && taken == 0)
            parse_fail(p, p->toks[pos].span,
                       "with these values this branch, and the program in it, is not taken");
        if (holds || taken == 1)
            flow = run_block(p, pos, *end, target);
        else if (taken < 0)
            leave_lines(p, pos, *end);
        decided |= taken == 1 || holds;
        open |= taken < 0;
        pos = *end;
    } while (flow != FLOW_THERE && is_clause(&p->toks[pos]));
    return flow;
}

static bool is_compound(const struct token *t)
{
    static const char *const words[] = {"for", "while", "with", "try", "except", "finally", "else"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (token_is_word(t, words[i]))
            return true;
    return false;
}

static enum flow run_compound(struct parser *p, size_t pos, size_t end, size_t target)
{
    bool holds = pos <= target && target < end;
    leave_line(p, &p->toks[pos]);
    if (holds || token_is_word(&p->toks[pos], "with"))
        return run_block(p, pos, end, target);
    leave_lines(p, pos, end);
    return FLOW_ON;
}

/* What no file beside this one gives is not known. */
static void run_import(struct parser *p, size_t pos)
{
    if (!parse_import(p, pos))
        leave_line(p, &p->toks[pos]);
}

static enum flow run_item(struct parser *p, size_t pos, size_t *end, size_t target)
{
    const struct token *t = &p->toks[pos];
    p->lacks = NULL;
    if (token_is_word(t, "raise"))
        parse_fail(p, t->span, "with these values the file raises this before it makes a program");
    if (token_is_word(t, "return"))
        return FLOW_LEFT;
    if (token_is_word(t, "if"))
        return run_if(p, pos, end, target);
    if (is_compound(t))
        return run_compound(p, pos, *end, target);
    p->pos = pos;
    if (token_is_word(t, "import") || token_is_word(t, "from"))
        run_import(p, pos);
    else if (is_binding(t) || token_is_op(t, "("))
        run_binding(p);
    else if ((token_is_word(t, "def") || token_is_word(t, "class")) && is_binding(t + 1) &&
             !t[1].name->is_function) {
        parse_bind_python(p, t[1].name, NULL);
        t[1].name->class_at = token_is_word(t, "class") ? pos : 0;
        t[1].name->def_at = token_is_word(t, "def") ? pos : 0;
    }
    return FLOW_ON;
}

/* Items in text order, as far as the one that holds the target. */
static enum flow run_items(struct parser *p, size_t from, size_t to, size_t target)
{
    for (size_t pos = from, end; pos < to && p->toks[pos].kind != TOK_END; pos = end) {
        end = ir_behind_decorated(p->toks, pos);
        size_t item = pos;
        while (token_is_op(&p->toks[item], "@"))
            item = ir_behind_item(p->toks, item);
        bool defines = item > pos || token_is_word(&p->toks[item], "def") ||
                       token_is_word(&p->toks[item], "class");
        if (defines && pos <= target && target < end)
            return FLOW_THERE;
        enum flow flow = run_item(p, item, &end, target);
        if (flow != FLOW_ON)
            return flow;
    }
    return FLOW_ON;
}

/* ---- functions that the file calls ---- */

/* One in the other, and all together: each may hold several. */
enum { MAX_PYTHON_DEPTH = 16, MAX_PYTHON_CALLS = 1000 };

/* Names that a call binds, with what they stood for before. */
struct held {
    struct name *name;
    struct ir_expr *constant;
    bool outside;
};
typedef VEC(struct held) helds;

/* What the statements of a function come to: its value, or that it is not known. */
struct call {
    helds held;
    struct ir_expr *value;
    bool unknown;
};

static void bind_local(struct parser *p, struct call *c, struct name *n, struct ir_expr *value)
{
    const struct held before = {n, n->constant, n->is_outside};
    vec_push(p->arena, &c->held, before);
    n->constant = value;
    n->is_outside = !value;
}

static void call_block(struct parser *p, struct call *c, size_t pos);

/* The clauses of an if; returns behind them. */
static size_t call_if(struct parser *p, struct call *c, size_t pos)
{
    bool decided = false;
    do {
        int taken = decided ? 0 : condition(p, pos);
        c->unknown |= taken < 0;
        if (taken == 1)
            call_block(p, c, pos);
        decided |= taken == 1;
        pos = ir_behind_item(p->toks, pos);
    } while (!c->unknown && is_clause(&p->toks[pos]));
    return pos;
}

/* for x in SEQUENCE, of a sequence without elements. */
static void call_for(struct parser *p, struct call *c, size_t pos)
{
    while (!token_is_word(&p->toks[pos], "in") && p->toks[pos].kind != TOK_NEWLINE)
        pos++;
    const struct ir_expr *e = parse_try_at(p, pos + 1);
    bool sequence = e && (e->kind == IR_LIST || e->kind == IR_TUPLE);
    c->unknown |= !sequence || e->items.len > 0;
}

static void call_binding(struct parser *p, struct call *c, size_t pos)
{
    const struct token *t = &p->toks[pos], *assigns = find_assignment(t);
    bool one = is_binding(t) && assigns && token_is_op(assigns, "=") &&
               (assigns == t + 1 || token_is_op(t + 1, ":")) && !find_assignment(assigns + 1);
    c->unknown |= !one;
    if (one)
        bind_local(p, c, t->name, parse_try_at(p, (size_t)(assigns + 1 - p->toks)));
}

static size_t call_statement(struct parser *p, struct call *c, size_t pos)
{
    const struct token *t = &p->toks[pos];
    size_t end = ir_behind_item(p->toks, pos);
    if (token_is_word(t, "return")) {
        c->value = t[1].kind == TOK_NEWLINE ? value_of_word(p, "None") : parse_try_at(p, pos + 1);
        c->unknown |= !c->value;
    } else if (token_is_word(t, "if")) {
        end = call_if(p, c, pos);
    } else if (token_is_word(t, "for")) {
        call_for(p, c, pos);
    } else if (t->kind != TOK_STRING && t->kind != TOK_NEWLINE && !token_is_word(t, "pass")) {
        call_binding(p, c, pos);
    }
    return end;
}

/* The block of the statement at pos, as far as a return. */
static void call_block(struct parser *p, struct call *c, size_t pos)
{
    size_t end = ir_behind_item(p->toks, pos),
           at = (size_t)(end_of_line(&p->toks[pos]) - p->toks) + 1;
    c->unknown |= p->toks[at].kind != TOK_INDENT;
    for (at++; !c->unknown && !c->value && at + 1 < end;)
        at = call_statement(p, c, at);
}

/* From a parameter at *t to the comma or parenthesis behind it; its '=', or NULL. */
static const struct token *skip_parameter(const struct token **t, const struct token *end)
{
    const struct token *assigns = NULL;
    for (int open = 0; *t < end; ++*t) {
        if (open == 0 && (token_is_op(*t, ",") || token_is_op(*t, ")")))
            break;
        if (open == 0 && token_is_op(*t, "="))
            assigns = *t;
        open += token_opens(*t) - token_closes(*t);
    }
    return assigns;
}

/* Parameters have the arguments, or else their defaults. */
static void call_parameters(struct parser *p, struct call *c, size_t pos, const ir_exprs *args)
{
    const struct token *end = end_of_line(&p->toks[pos]);
    size_t n = 0;
    for (const struct token *t = &p->toks[pos + 3]; t < end && !token_is_op(t, ")");) {
        const struct token *name = t, *assigns = skip_parameter(&t, end);
        struct ir_expr *value = n < args->len ? args->items[n]
                                : assigns     ? parse_try_at(p, (size_t)(assigns + 1 - p->toks))
                                              : NULL;
        c->unknown |= !is_binding(name) || !value;
        if (!c->unknown)
            bind_local(p, c, name->name, value);
        n++;
        t += token_is_op(t, ",");
    }
    c->unknown |= args->len > n;
}

struct ir_expr *parse_evaluate_function(struct parser *p, const struct name *f,
                                        const ir_exprs *args)
{
    struct call c = {0};
    const size_t pos = p->pos;
    struct ir_expr *tried = p->tried;
    if (p->python_depth == MAX_PYTHON_DEPTH || p->python_calls == MAX_PYTHON_CALLS)
        return NULL;
    p->python_calls++;
    p->python_depth++;
    call_parameters(p, &c, f->def_at, args);
    if (!c.unknown)
        call_block(p, &c, f->def_at);
    for (size_t i = c.held.len; i-- > 0;) {
        c.held.items[i].name->constant = c.held.items[i].constant;
        c.held.items[i].name->is_outside = c.held.items[i].outside;
    }
    p->python_depth--;
    p->tried = tried;
    p->pos = pos;
    if (c.unknown)
        return NULL;
    return c.value ? c.value : value_of_word(p, "None");
}

/* ---- functions around the program ---- */

/* The value of a parameter: what is given, its default, or the number of ranks. */
static void bind_parameter(struct parser *p, struct name *n, struct ir_expr *value)
{
    bool ranks = !value && p->outside && p->outside->nranks && ir_name_counts_ranks(n->text) &&
                 !given_for(p, n->text);
    p->prog->counts_ranks |= ranks;
    parse_bind_python(p, n, ranks ? make_int(p, p->outside->nranks, (struct span){0}) : value);
}

static void bind_parameters(struct parser *p, size_t pos)
{
    const struct token *end = end_of_line(&p->toks[pos]);
    for (const struct token *t = &p->toks[pos + 3]; t < end && !token_is_op(t, ")");) {
        const struct token *name = is_binding(t) ? t : NULL, *assigns = skip_parameter(&t, end);
        if (assigns)
            p->pos = (size_t)(assigns + 1 - p->toks);
        if (name)
            bind_parameter(p, name->name, assigns ? try_value(p, parse_one) : NULL);
        t += token_is_op(t, ",");
    }
}

void parse_whole_module(struct parser *p, size_t from)
{
    run_items(p, from, SIZE_MAX, SIZE_MAX);
}

void parse_surroundings(struct parser *p, const struct ir_source_part *part)
{
    size_t pos = p->pos;
    bool before = part->around.len == 0 && !part->late;
    vec_foreach (struct name *, n, p->names)
        if (!strcmp((*n)->text, "__name__"))
            (*n)->constant = value_of_word(p, "");
    run_items(p, pos, SIZE_MAX, before ? part->pos : SIZE_MAX);
    vec_foreach (struct ir_around, around, &part->around) {
        if (around->is_class)
            continue;
        bool last = around == &part->around.items[part->around.len - 1];
        bind_parameters(p, around->pos);
        if (run_block(p, around->pos, around->end, last ? part->pos : around[1].pos) == FLOW_LEFT)
            parse_fail(p, p->toks[around->pos + 1].span,
                       "with these values '%s' returns before it makes the program",
                       p->toks[around->pos + 1].text);
    }
    p->pos = pos;
}
