/* SPDX-License-Identifier: MIT */
/* Statements and blocks (pypto-facts 1.1, 1.3, 1.6). */
#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"
#include "ir/canon.h"
#include "ir/infer.h"
#include "ir/ops.h"
#include "ir/parse_internal.h"

typedef VEC(const struct token *) name_list;

/* What the yield at the end of a block hands to the statement that owns the block. */
struct yield {
    struct ir_stmt *stmt; /* NULL: the block has none */
    name_list names;
    struct ir_type *type; /* of a single annotated name */
};

static void parse_block(struct parser *p, ir_block *out, struct yield *end);
static bool open_block(struct parser *p);
static void finish_block(struct parser *p, ir_block *out, struct yield *end);

static bool is_token(const struct token *t, enum token_kind kind, const char *text)
{
    return t->kind == kind && strcmp(t->text, text) == 0;
}

static bool is_call(const struct token *t, const char *first, const char *second)
{
    return is_token(t, TOK_NAME, first) && is_token(t + 1, TOK_OP, ".") &&
           is_token(t + 2, TOK_NAME, second) && is_token(t + 3, TOK_OP, "(");
}

static bool at_call(const struct parser *p, const char *first, const char *second)
{
    return is_call(peek(p), first, second);
}

/* At a yield, in any number of parentheses: how many, or -1. */
static int at_yield(const struct parser *p)
{
    int n = 0;
    while (is_token(peek(p) + n, TOK_OP, "("))
        n++;
    return is_call(peek(p) + n, "pl", "yield_") ? n : -1;
}

static struct ir_stmt *new_stmt(struct parser *p, enum ir_stmt_kind kind, const struct token *first)
{
    return ir_stmt_new(p->arena, kind, first->span);
}

static struct ir_type *type_of(const ir_exprs *values, size_t i)
{
    return i < values->len ? values->items[i]->type : NULL;
}

/* ---- yields ---- */

/* Behind the names and the `=`; `pl.yield_(` is next, behind parentheses, which change nothing. */
static struct ir_stmt *parse_yield(struct parser *p, struct yield *end, name_list names,
                                   struct ir_type *type)
{
    int parentheses = at_yield(p);
    p->pos += (size_t)parentheses;
    const struct token *first = peek(p);
    struct ir_stmt *s = new_stmt(p, IR_YIELD, first);
    p->pos += 4;
    s->yield.values = parse_items(p, ")");
    while (parentheses-- > 0)
        parse_expect_op(p, ")");
    if (!end)
        parse_fail(p, first->span, "pl.yield_ stands at the end of a loop body or a branch only");
    if (names.len == 0 && s->yield.values.len)
        parse_breach(p, IR_RULE_YIELD_NAMES, first->span, NULL);
    if (names.len != s->yield.values.len)
        parse_fail(p, first->span, "%zu names on the left of pl.yield_, but %zu values", names.len,
                   s->yield.values.len);
    *end = (struct yield){s, names, type};
    return s;
}

/* Binds the names that a yield gives to the values of its branch, or of its loop: carried. */
static ir_vars bind_results(struct parser *p, const struct yield *end, const ir_vars *carried)
{
    ir_vars results = {0};
    for (size_t i = 0; i < end->names.len; i++) {
        struct ir_type *t = end->type;
        if (!t && carried && i < carried->len)
            t = carried->items[i]->type;
        if (!t)
            t = type_of(&end->stmt->yield.values, i);
        vec_push(p->arena, &results, parse_bind_fresh(p, end->names.items[i], t));
    }
    return results;
}

/* ---- assignments ---- */

static bool at_end_of_target(const struct token *t)
{
    return t->kind == TOK_OP && (strcmp(t->text, "=") == 0 || strcmp(t->text, ":") == 0);
}

/* Behind the names that t starts with and the commas between and behind them. */
static const struct token *behind_names(const struct token *t)
{
    while (t->kind == TOK_NAME) {
        t++;
        if (t->kind != TOK_OP || strcmp(t->text, ",") != 0)
            break;
        t++;
    }
    return t;
}

/* True at `x =`, `x: T =`, `a, b =`, `(a, b) =`, `(a, b), c =`. */
static bool at_assignment(const struct parser *p)
{
    const struct token *first = peek(p);
    if (!parse_at_op(p, "("))
        return behind_names(first) > first && at_end_of_target(behind_names(first));
    const struct token *t = behind_names(first + 1);
    if (t == first + 1 || t->kind != TOK_OP || strcmp(t->text, ")") != 0)
        return false;
    t++;
    if (t->kind == TOK_OP && strcmp(t->text, ",") == 0)
        t = behind_names(t + 1);
    return at_end_of_target(t);
}

static void parse_names(struct parser *p, name_list *names)
{
    do {
        vec_push(p->arena, names, parse_expect_name(p, "a variable"));
    } while (parse_accept_op(p, ",") && peek(p)->kind == TOK_NAME);
}

/* `(a, b), c` are the results of a launch and its task: *nested. */
static name_list parse_targets(struct parser *p, bool *nested)
{
    name_list names = {0};
    *nested = false;
    if (!parse_accept_op(p, "(")) {
        parse_names(p, &names);
        return names;
    }
    parse_names(p, &names);
    parse_expect_op(p, ")");
    if (parse_accept_op(p, ",") && peek(p)->kind == TOK_NAME) {
        *nested = true;
        parse_names(p, &names);
    }
    return names;
}

static bool is_integer(const struct ir_type *t)
{
    return t && t->kind == IR_TYPE_SCALAR && ir_promoted(t, t) && !ir_dtype_is_float(t->dtype);
}

/* x: T = f(...): a tensor's view is the value's where T says none (pypto-front-facts 2.8). INDEX
 * goes with every integer, and the other of the two is the variable's type; but INDEX beside INT64,
 * which Simplify exchanges for each other, stays what the text says. */
static struct ir_type *declared_type(struct parser *p, struct ir_type *declared,
                                     struct ir_type *given)
{
    if (is_integer(declared) && declared->dtype == IR_INDEX && is_integer(given) &&
        !ir_is_machine_word(given->dtype))
        return given;
    bool open = given && ir_type_is_tensor_like(given) && declared->kind == given->kind &&
                declared->annots.len == 0 && ir_view_keyword(given, "stride") &&
                !ir_types_clash(declared, given);
    if (!open)
        return declared;
    struct ir_type *t = arena_dup(p->arena, declared, sizeof *declared);
    t->annots = given->annots;
    return t;
}

static void bind_targets(struct parser *p, struct ir_stmt *s, const name_list *names,
                         struct ir_type *annotation, bool recorded)
{
    struct ir_expr *value = s->assign.value;
    const struct ir_type *tuple =
        value->type && value->type->kind == IR_TYPE_TUPLE ? value->type : NULL;
    if (names->len > 1 && tuple && tuple->elems.len != names->len)
        parse_fail(p, s->span, "%zu names on the left, but %zu values on the right", names->len,
                   tuple->elems.len);
    for (size_t i = 0; i < names->len; i++) {
        struct ir_type *t = annotation ? annotation : value->type;
        if (names->len > 1)
            t = tuple ? tuple->elems.items[i] : NULL;
        parse_note_extents(p, t);
        bool fresh = !recorded && parse_is_fresh_view(p, names->items[i], value);
        vec_push(p->arena, &s->assign.targets,
                 fresh ? parse_bind_fresh(p, names->items[i], t)
                       : parse_bind_assigned(p, names->items[i], t));
    }
}

static struct ir_stmt *parse_assignment(struct parser *p, struct yield *end)
{
    const struct token *first = peek(p);
    bool nested;
    name_list names = parse_targets(p, &nested);
    struct ir_type *annotation = NULL;
    struct span annotation_span = {0};
    bool annotated = names.len == 1 && parse_accept_op(p, ":");
    if (annotated) {
        const struct token *type = peek(p);
        annotation = parse_type(p);
        annotation_span = parse_span_from(p, type);
    }
    parse_expect_op(p, "=");
    if (parse_at_keyword(p))
        parse_fail(p, p->toks[p->pos + 1].span, "chained assignment is no part of the language");
    if (at_yield(p) >= 0)
        return parse_yield(p, end, names, annotation);
    struct ir_stmt *s = new_stmt(p, IR_ASSIGN, first);
    s->assign.annotated = annotated;
    s->assign.annotation = annotation_span;
    bool recorded = parse_at_dump_form(p, "call");
    s->assign.value = parse_expr_list(p);
    if (nested &&
        (s->assign.value->kind != IR_CALL || s->assign.value->call.callee != IR_CALLEE_SUBMIT))
        parse_fail(p, first->span, "names nest only left of pl.submit: (a, b), task = ...");
    if (annotation && s->assign.value->kind == IR_INT && is_integer(annotation) &&
        s->assign.value->integer.dtype == IR_INDEX)
        s->assign.value = ir_int(p->arena, s->assign.value->integer.value, annotation->dtype,
                                 s->assign.value->span);
    if (annotation)
        annotation = declared_type(p, annotation, s->assign.value->type);
    if (!recorded)
        parse_adopt_window(p, s->assign.value, annotation);
    s->span = parse_span_from(p, first);
    bind_targets(p, s, &names, annotation, recorded);
    return s;
}

/* x += e is Python's, and x = y = e; the compiler takes neither (pypto-front-facts 2.1). */
static void refuse_other_assignment(struct parser *p)
{
    const struct token *t = peek(p);
    size_t len = t->kind == TOK_OP ? strlen(t->text) : 0;
    bool compares = len == 2 && strchr("=!<>", t->text[0]);
    if (len > 1 && t->text[len - 1] == '=' && !compares)
        parse_fail(p, t->span,
                   "augmented assignment is no part of the language: write x = x %.*s ...",
                   (int)len - 1, t->text);
}

/* ---- what only the reader hears ---- */

/* At f"n is {n}": a value is shown as it is, without a conversion or a format. */
static struct ir_expr *parse_formatted(struct parser *p)
{
    const struct token *t = peek(p);
    const char *text = p->src->text + t->offset, *end = p->src->text + t->end;
    int open = 0;
    for (; text < end; text++) {
        open += *text == '{';
        open -= *text == '}';
        if (open == 1 && (*text == ':' || (*text == '!' && text[1] != '=')))
            parse_fail(p, t->span, "a value in a string takes no conversion or format");
    }
    p->pos++;
    return ir_expr_new(p->arena, IR_STRING, t->span);
}

/* Behind the opening parenthesis. */
static ir_exprs parse_static_arguments(struct parser *p)
{
    ir_exprs args = {0};
    while (!parse_at_op(p, ")")) {
        vec_push(p->arena, &args,
                 peek(p)->kind == TOK_FORMATTED ? parse_formatted(p) : parse_expr(p));
        if (!parse_accept_op(p, ","))
            break;
    }
    if (!parse_accept_op(p, ")"))
        parse_expected(p, "',' or ')'");
    return args;
}

/* A value of the running program. */
static bool is_static(const struct ir_expr *e, void *ctx)
{
    const struct parser *p = ctx;
    return e->kind != IR_CALL && (e->kind != IR_VAR || ir_is_module_var(p->prog, e->var));
}

/* Names that Python gives from outside are not judged. */
static void check_static_assert(struct parser *p, const ir_exprs *args)
{
    const struct ir_expr *cond = args->items[0], *text = args->len > 1 ? args->items[1] : NULL;
    int64_t value = 1;
    if (text && text->kind != IR_STRING)
        parse_breach(p, IR_RULE_STATIC_ASSERT, text->span, "takes a string as its message", "",
                     NULL);
    if (!ir_walk_expr(cond, is_static, p))
        parse_breach(p, IR_RULE_STATIC_ASSERT, cond->span,
                     "asks for what is not known while the text is read", "", NULL);
    if (cond->kind == IR_FLOAT)
        value = cond->real.value != 0;
    if (cond->kind != IR_FLOAT && !ir_const_int(cond, &value))
        return;
    if (!value)
        parse_breach(p, IR_RULE_STATIC_ASSERT, cond->span, "does not hold",
                     text && text->string ? arena_printf(p->arena, ": %s", text->string) : "",
                     NULL);
}

/* pl.static_print(...) and pl.static_assert(cond[, message]) are no statements of the program
 * (pypto-front-facts 2.1). False when neither stands here. */
static bool parse_static(struct parser *p)
{
    const struct token *first = peek(p);
    bool print = at_call(p, "pl", "static_print");
    if (!print && !at_call(p, "pl", "static_assert"))
        return false;
    p->pos += 4;
    ir_exprs args = parse_static_arguments(p);
    struct span at = parse_span_from(p, first);
    char found[24];
    snprintf(found, sizeof found, "%zu", args.len);
    if (args.len == 0 || (!print && args.len > 2))
        parse_breach(p, IR_RULE_FORM_ARITY, at, print ? "pl.static_print" : "pl.static_assert",
                     print ? "1 or more" : "1 or 2", found, NULL);
    if (!print)
        check_static_assert(p, &args);
    return true;
}

static struct ir_stmt *parse_expression_statement(struct parser *p, struct yield *end)
{
    const struct token *first = peek(p);
    if (at_yield(p) >= 0)
        return parse_yield(p, end, (name_list){0}, NULL);
    if (parse_at_part_assignment(p))
        return parse_part_assignment(p);
    const struct token *last;
    const struct name *called = parse_called(p, &last);
    bool inlined = called && called->inline_at;
    struct ir_expr *e = parse_expr_list(p);
    refuse_other_assignment(p);
    if (parse_at_op(p, "="))
        parse_fail(p, peek(p)->span,
                   "only a variable can be assigned to; elements are set with pl.write(...)");
    if (inlined && e->kind != IR_CALL) /* the body has done all */
        return NULL;
    struct ir_stmt *s = new_stmt(p, IR_EVAL, first);
    s->eval = e;
    s->span = parse_span_from(p, first);
    return s;
}

/* ---- if ---- */

static void check_branch_yields(struct parser *p, const struct ir_stmt *s, const struct yield *a,
                                const struct yield *b)
{
    size_t n = a->names.len, m = b->names.len;
    if (n == 0 && m == 0)
        return;
    const struct yield *one = n ? a : b;
    if (n == 0 || m == 0)
        parse_fail(p, one->stmt->span,
                   s->if_.has_else ? "only one branch yields '%s'; both branches must yield it"
                                   : "a branch that yields '%s' needs an else that yields it too",
                   one->names.items[0]->text);
    if (n != m)
        parse_fail(p, b->stmt->span, "the branches yield %zu and %zu names", n, m);
    for (size_t i = 0; i < n; i++)
        if (a->names.items[i]->name != b->names.items[i]->name)
            parse_fail(p, b->names.items[i]->span,
                       "this branch yields '%s', the first one yields '%s'",
                       b->names.items[i]->text, a->names.items[i]->text);
}

/*
 * The if of an elif is all that its block holds: what it yields, under variables of its own, the
 * block yields on.
 */
static void yield_on(struct parser *p, ir_block *block, struct ir_stmt *inner,
                     const struct yield *last, struct yield *end)
{
    if (last->names.len == 0)
        return;
    struct ir_stmt *s = ir_stmt_new(p->arena, IR_YIELD, last->stmt->span);
    shadows outer = {0};
    for (size_t i = 0; i < last->names.len; i++) {
        const struct token *name = last->names.items[i];
        struct ir_type *t = last->type ? last->type : type_of(&last->stmt->yield.values, i);
        parse_shadow(p, &outer, name, t);
        vec_push(p->arena, &inner->if_.results, name->name->local);
        vec_push(p->arena, &s->yield.values, ir_var_ref(p->arena, name->name->local, name->span));
    }
    parse_unshadow(&outer);
    vec_push(p->arena, block, s);
    *end = (struct yield){s, last->names, last->type};
}

/* The caller binds what the branches yield. */
static struct ir_stmt *parse_branches(struct parser *p, struct yield *a)
{
    const struct token *first = peek(p);
    struct ir_stmt *s = new_stmt(p, IR_IF, first);
    struct yield b = {0}, chained = {0};
    p->pos++;
    s->if_.cond = parse_expr(p);
    s->span = parse_span_from(p, first);
    parse_block(p, &s->if_.then_body, a);
    s->if_.has_else = parse_at_word(p, "elif") || parse_at_word(p, "else");
    if (parse_at_word(p, "elif")) {
        parse_enter(p);
        ir_block *outer = p->block;
        p->block = &s->if_.else_body;
        struct ir_stmt *inner = parse_branches(p, &chained);
        p->block = outer;
        vec_push(p->arena, &s->if_.else_body, inner);
        yield_on(p, &s->if_.else_body, inner, &chained, &b);
        parse_leave(p);
    } else if (parse_accept_word(p, "else")) {
        parse_block(p, &s->if_.else_body, &b);
    }
    check_branch_yields(p, s, a, &b);
    return s;
}

static struct ir_stmt *parse_if(struct parser *p)
{
    struct yield end = {0};
    struct ir_stmt *s = parse_branches(p, &end);
    s->if_.results = bind_results(p, &end, NULL);
    return s;
}

/* ---- loops ---- */

static const struct {
    const char *path;
    enum ir_loop_kind kind;
} loops[] = {
    {"pl.range", IR_RANGE},
    {"pl.parallel", IR_PARALLEL},
    {"pl.unroll", IR_UNROLL},
    {"pl.pipeline", IR_PIPELINE},
};
enum { LOOPS = sizeof loops / sizeof *loops };

/* The initial values, taken out of the keywords. */
static ir_exprs take_inits(struct parser *p, ir_kwargs *kw)
{
    ir_exprs none = {0};
    for (size_t i = 0; i < kw->len; i++) {
        if (strcmp(kw->items[i].name, "init_values") != 0)
            continue;
        struct ir_expr *e = kw->items[i].value;
        if (e->kind != IR_TUPLE && e->kind != IR_LIST)
            parse_fail(p, e->span, "init_values expects a tuple such as (x,)");
        memmove(&kw->items[i], &kw->items[i + 1], (kw->len - i - 1) * sizeof *kw->items);
        kw->len--;
        return e->items;
    }
    return none;
}

/* `(` positional and keyword arguments `)`. */
static void parse_range_arguments(struct parser *p, ir_exprs *args, ir_kwargs *kw)
{
    parse_expect_op(p, "(");
    while (!parse_at_op(p, ")")) {
        const struct token *t = peek(p);
        if (t->kind == TOK_NAME && t[1].kind == TOK_OP && strcmp(t[1].text, "=") == 0) {
            p->pos += 2;
            if (ir_kwarg_find(kw, t->text))
                parse_fail(p, t->span, "'%s' is given twice", t->text);
            struct ir_kwarg k = {t->text, parse_expr(p), t->span};
            vec_push(p->arena, kw, k);
        } else if (kw->len) {
            parse_fail(p, t->span, "a positional argument cannot follow a keyword argument");
        } else {
            vec_push(p->arena, args, parse_expr(p));
        }
        if (!parse_accept_op(p, ","))
            break;
    }
    if (!parse_accept_op(p, ")"))
        parse_expected(p, "',' or ')'");
}

/* `(a, b)`, or `a, b` without parentheses in front of `in`. */
static name_list parse_iter_names(struct parser *p)
{
    name_list names = {0};
    bool closed = parse_accept_op(p, "(");
    while (!parse_at_op(p, ")") && !parse_at_word(p, "in")) {
        vec_push(p->arena, &names, parse_expect_name(p, "an iteration variable"));
        if (!parse_accept_op(p, ","))
            break;
    }
    if (closed)
        parse_expect_op(p, ")");
    return names;
}

static ir_vars bind_iter_args(struct parser *p, shadows *outer, const name_list *names,
                              const ir_exprs *inits, struct span at)
{
    ir_vars vars = {0};
    if (names->len != inits->len)
        parse_fail(p, at, "%zu iteration variables, but %zu init_values", names->len, inits->len);
    for (size_t i = 0; i < names->len; i++) {
        parse_shadow(p, outer, names->items[i], inits->items[i]->type);
        vec_push(p->arena, &vars, names->items[i]->name->local);
    }
    return vars;
}

static bool ends_line(const struct token *t)
{
    return t->kind == TOK_NEWLINE || t->kind == TOK_INDENT || t->kind == TOK_DEDENT;
}

/* Behind the block that t, an indentation, opens. */
static const struct token *behind_block(const struct token *t)
{
    int depth = 0;
    do {
        depth += t->kind == TOK_INDENT;
        depth -= t->kind == TOK_DEDENT;
        t++;
    } while (depth > 0 && t->kind != TOK_END);
    return t;
}

/* At the colon of a loop: a yield stands in its body, or in a scope around all of that. */
static bool body_yields(const struct parser *p)
{
    const struct token *t = peek(p) + 1, *first = t;
    if (t->kind != TOK_NEWLINE)
        return true;
    const struct token *end = behind_block(t + 1);
    for (t += 2; t < end; t++) {
        first = ends_line(t - 1) ? t : first;
        if (is_call(t, "pl", "yield_"))
            return true;
        if (t->kind == TOK_INDENT && !is_token(first, TOK_NAME, "with"))
            t = behind_block(t) - 1;
    }
    return false;
}

/* At the colon: without a yield the names are variables of the body that nothing carries on. */
static void mark_uncarried(struct parser *p, const name_list *names)
{
    bool bare = names->len && !body_yields(p);
    for (size_t i = 0; bare && i < names->len; i++)
        names->items[i]->name->uncarried = true;
}

/* The results of a loop are bound outside it, with the types of what it carries. */
static ir_vars loop_results(struct parser *p, const struct yield *end, const name_list *names,
                            const ir_vars *carried, shadows *outer)
{
    if (end->stmt && end->names.len != names->len)
        parse_fail(p, end->stmt->span, "the loop carries %zu values, but its body yields %zu",
                   names->len, end->names.len);
    for (size_t i = 0; i < names->len; i++)
        names->items[i]->name->uncarried = false;
    parse_unshadow(outer);
    return bind_results(p, end, carried);
}

static void set_bounds(struct parser *p, struct ir_stmt *s, const ir_exprs *args, struct span at)
{
    if (args->len < 1 || args->len > 3)
        parse_fail(p, at, "a range expects 1 to 3 bounds, found %zu", args->len);
    s->for_.start = args->len > 1 ? args->items[0] : ir_int(p->arena, 0, IR_INDEX, at);
    s->for_.stop = args->items[args->len > 1];
    s->for_.step = args->len > 2 ? args->items[2] : ir_int(p->arena, 1, IR_INDEX, at);
}

/* A loop counts in INDEX unless its start is an integer of another type. */
static struct ir_type *counter_type(const struct ir_stmt *s)
{
    const struct ir_expr *start = s->for_.start;
    return start->kind == IR_INT ? ir_scalar_type(start->integer.dtype) : ir_scalar_type(IR_INDEX);
}

/* Loops over the lanes of a launch or of a split core are scopes: each lane runs the body. */
static const char *const lane_loops[] = {"spmd", "split_aiv"};

static bool at_lanes(const struct parser *p)
{
    for (size_t i = 0; i < sizeof lane_loops / sizeof *lane_loops; i++)
        if (at_call(p, "pl", lane_loops[i]))
            return true;
    return false;
}

static bool is_scope_call(const struct ir_expr *e, const char *name)
{
    return e->kind == IR_CALL && !e->call.op && strcmp(e->call.name, name) == 0;
}

/* Does a scope become a kernel, by itself or with the launch that it stands for? */
static bool is_kernel_scope(const struct ir_expr *call)
{
    return is_scope_call(call, "spmd") ||
           (is_scope_call(call, "at") && canon_at_core_group(&call->call));
}

/* A region of the vector lanes outside of kernels is one (pypto-front-facts 2.11): pl.at around it. */
static struct ir_stmt *in_kernel(struct parser *p, struct ir_stmt *region)
{
    struct span at = region->scope.call->span;
    struct ir_stmt *kernel = ir_stmt_new(p->arena, IR_SCOPE, region->span);
    struct ir_expr *call = ir_expr_new(p->arena, IR_CALL, at),
                   *group = ir_expr_new(p->arena, IR_NAME, at);
    group->name = "pl.Level.CORE_GROUP";
    call->call.callee = region->scope.call->call.callee;
    call->call.name = call->call.written = "at";
    const struct ir_kwarg level = {"level", group, at};
    vec_push(p->arena, &call->call.kwargs, level);
    kernel->scope.call = call;
    vec_push(p->arena, &kernel->scope.body, region);
    return kernel;
}

/* for i in pl.spmd(...): from the call on. */
static struct ir_stmt *parse_lanes(struct parser *p, const struct token *first,
                                   const struct token *lane)
{
    struct ir_stmt *s = new_stmt(p, IR_SCOPE, first);
    s->scope.call = parse_dotted(p);
    s->scope.lanes = true;
    s->span = parse_span_from(p, first);
    shadows outer = {0};
    parse_shadow(p, &outer, lane, ir_scalar_type(IR_INDEX));
    s->scope.var = lane->name->local;
    const struct ir_expr *halves = p->halves;
    bool region = is_scope_call(s->scope.call, "split_aiv");
    if (region)
        p->halves = ir_kwarg_find(&s->scope.call->call.kwargs, "mode");
    p->kernels += is_kernel_scope(s->scope.call);
    parse_block(p, &s->scope.body, NULL);
    p->kernels -= is_kernel_scope(s->scope.call);
    p->halves = halves;
    parse_unshadow(&outer);
    return region && !p->kernels && !ir_func_is_incore(p->func) ? in_kernel(p, s) : s;
}

static enum ir_loop_kind parse_loop_kind(struct parser *p)
{
    const struct token *first = peek(p);
    const char *path = first->kind == TOK_NAME ? parse_path(p) : NULL;
    const char *known[LOOPS + 1];
    for (int i = 0; i < LOOPS; i++) {
        if (path && strcmp(path, loops[i].path) == 0)
            return loops[i].kind;
        known[i] = loops[i].path;
    }
    known[LOOPS] = "pl.while_";
    if (!path)
        parse_expected(p, "pl.range(...)");
    const char *hint = diag_hint(p->arena, path, known, LOOPS + 1);
    parse_fail(p, parse_span_from(p, first), "unknown loop '%s'%s", path,
               *hint ? hint : ", expected pl.range(...)");
}

/* for i in ..., for i, (acc,) in ... */
static struct ir_stmt *parse_counted_loop(struct parser *p, const struct token *first)
{
    bool closed = parse_accept_op(p, "(");
    const struct token *counter = parse_expect_name(p, "a loop variable");
    name_list names = {0};
    bool state = parse_accept_op(p, ",");
    if (state && !parse_at_op(p, "("))
        parse_expected(p, "'('");
    if (state)
        names = parse_iter_names(p);
    if (closed)
        parse_expect_op(p, ")");
    parse_expect_word(p, "in");
    if (!state && at_lanes(p))
        return parse_lanes(p, first, counter);
    struct ir_stmt *s = new_stmt(p, IR_FOR, first);
    ir_exprs bounds = {0};
    const struct token *range = peek(p);
    s->for_.kind = parse_loop_kind(p);
    parse_range_arguments(p, &bounds, &s->for_.kwargs);
    struct span at = parse_span_from(p, range);
    s->span = parse_span_from(p, first);
    s->for_.inits = take_inits(p, &s->for_.kwargs);
    if (s->for_.kind == IR_UNROLL && s->for_.inits.len)
        parse_fail(p, at,
                   "pl.unroll carries nothing from round to round; pl.range has init_values");
    set_bounds(p, s, &bounds, at);
    shadows outer = {0};
    parse_shadow(p, &outer, counter, counter_type(s));
    s->for_.var = counter->name->local;
    s->for_.iter_args = bind_iter_args(p, &outer, &names, &s->for_.inits, at);
    struct yield end = {0};
    mark_uncarried(p, &names);
    parse_block(p, &s->for_.body, &end);
    s->for_.results = loop_results(p, &end, &names, &s->for_.iter_args, &outer);
    return s;
}

/* The condition of a pl.while_ loop is the first line of its body. */
static struct ir_expr *parse_cond(struct parser *p)
{
    if (!at_call(p, "pl", "cond"))
        parse_expected(p, "pl.cond(...) as the first line of a pl.while_ loop");
    p->pos += 3;
    parse_expect_op(p, "(");
    ir_block *outer = p->block;
    p->block = NULL; /* it is evaluated in each round, and nothing in front of it */
    struct ir_expr *cond = parse_expr(p);
    p->block = outer;
    parse_expect_op(p, ")");
    parse_expect_newline(p);
    return cond;
}

/* for (x,) in pl.while_(init_values=(x0,)): */
static struct ir_stmt *parse_carried_while(struct parser *p, const struct token *first)
{
    struct ir_stmt *s = new_stmt(p, IR_WHILE, first);
    name_list names = parse_iter_names(p);
    parse_expect_word(p, "in");
    const struct token *call = peek(p);
    if (!at_call(p, "pl", "while_"))
        parse_expected(p, "pl.while_(...)");
    p->pos += 3;
    ir_exprs args = {0};
    ir_kwargs kw = {0};
    parse_range_arguments(p, &args, &kw);
    struct span at = parse_span_from(p, call);
    s->span = parse_span_from(p, first);
    s->while_.inits = take_inits(p, &kw);
    if (args.len || kw.len)
        parse_fail(p, at, "pl.while_ expects init_values=(...) and nothing else");
    shadows outer = {0};
    s->while_.iter_args = bind_iter_args(p, &outer, &names, &s->while_.inits, at);
    struct yield end = {0};
    mark_uncarried(p, &names);
    if (!open_block(p))
        parse_expected(p, "an indented block");
    s->while_.cond = parse_cond(p);
    finish_block(p, &s->while_.body, &end);
    s->while_.results = loop_results(p, &end, &names, &s->while_.iter_args, &outer);
    return s;
}

/* At `(i, (a, b))`. */
static bool at_closed_state(const struct parser *p)
{
    const struct token *t = peek(p);
    return parse_at_op(p, "(") && t[1].kind == TOK_NAME && is_token(t + 2, TOK_OP, ",") &&
           is_token(t + 3, TOK_OP, "(");
}

static struct ir_stmt *parse_for(struct parser *p)
{
    const struct token *first = peek(p);
    p->pos++;
    const struct token *names = behind_names(peek(p));
    bool carried = names > peek(p) + 1 && is_token(names, TOK_NAME, "in") &&
                   is_call(names + 1, "pl", "while_");
    if (carried || (parse_at_op(p, "(") && !at_closed_state(p)))
        return parse_carried_while(p, first);
    return parse_counted_loop(p, first);
}

static struct ir_stmt *parse_while(struct parser *p)
{
    const struct token *first = peek(p);
    struct ir_stmt *s = new_stmt(p, IR_WHILE, first);
    p->pos++;
    s->while_.cond = parse_expr(p);
    s->span = parse_span_from(p, first);
    parse_block(p, &s->while_.body, NULL);
    return s;
}

/* ---- other statements ---- */

/* A scope around the whole body of a loop or branch holds its yield (pypto-facts 1.1). */
/* The compiler's printer shows a scope without statements as nothing at all, not as `pass`. */
static bool accept_empty_body(struct parser *p)
{
    bool empty = parse_at_op(p, ":") && p->toks[p->pos + 1].kind == TOK_NEWLINE &&
                 p->toks[p->pos + 2].kind != TOK_INDENT;
    p->pos += empty ? 2 : 0;
    return empty;
}

static struct ir_stmt *parse_with(struct parser *p, struct yield *end)
{
    const struct token *first = peek(p);
    struct ir_stmt *s = new_stmt(p, IR_SCOPE, first);
    p->pos++;
    s->scope.call = parse_expr(p);
    if (s->scope.call->kind != IR_CALL)
        parse_fail(p, s->scope.call->span, "expected a scope such as pl.cluster()");
    if (parse_accept_word(p, "as")) {
        const struct token *task = parse_expect_name(p, "the name of the task");
        s->scope.var = parse_bind_assigned(p, task, ir_scalar_type(IR_TASK_ID));
    }
    s->span = parse_span_from(p, first);
    p->kernels += is_kernel_scope(s->scope.call);
    if (!accept_empty_body(p))
        parse_block(p, &s->scope.body, end);
    p->kernels -= is_kernel_scope(s->scope.call);
    return s;
}

static struct ir_stmt *parse_return(struct parser *p)
{
    const struct token *first = peek(p);
    struct ir_stmt *s = new_stmt(p, IR_RETURN, first);
    p->pos++;
    if (peek(p)->kind != TOK_NEWLINE) {
        struct ir_expr *e = parse_expr_list(p);
        if (e->kind == IR_TUPLE)
            s->return_.values = e->items;
        else
            vec_push(p->arena, &s->return_.values, e);
    }
    s->span = parse_span_from(p, first);
    return s;
}

static struct ir_stmt *parse_word(struct parser *p, enum ir_stmt_kind kind)
{
    struct ir_stmt *s = new_stmt(p, kind, peek(p));
    p->pos++;
    return s;
}

/* NULL: there is nothing left to do. */
static struct ir_stmt *parse_simple(struct parser *p, struct yield *end)
{
    if (parse_at_word(p, "return"))
        return parse_return(p);
    if (parse_at_word(p, "break"))
        return parse_word(p, IR_BREAK);
    if (parse_at_word(p, "continue"))
        return parse_word(p, IR_CONTINUE);
    return at_assignment(p) ? parse_assignment(p, end) : parse_expression_statement(p, end);
}

static const struct {
    const char *word;
    struct ir_stmt *(*parse)(struct parser *p);
} compound[] = {{"if", parse_if}, {"for", parse_for}, {"while", parse_while}};

/* A statement that a word begins, or NULL with nothing read. */
static struct ir_stmt *parse_compound(struct parser *p, struct yield *end)
{
    if (parse_at_word(p, "with"))
        return parse_with(p, end);
    for (size_t i = 0; i < sizeof compound / sizeof *compound; i++) {
        if (!parse_at_word(p, compound[i].word))
            continue;
        size_t outer = p->loop_start;
        bool loop = strcmp(compound[i].word, "if") != 0,
             branch = strcmp(compound[i].word, "for") != 0;
        p->loop_start = loop && !outer ? p->pos : outer;
        p->branches += branch;
        struct ir_stmt *s = compound[i].parse(p);
        p->branches -= branch;
        p->loop_start = outer;
        return s;
    }
    return NULL;
}

/* Reading it may put others in front of it: those of an inline function that it calls. */
static void parse_one_statement(struct parser *p, ir_block *out, struct yield *end)
{
    p->operators = 0;
    if (peek(p)->kind == TOK_INDENT)
        parse_fail(p, peek(p)->span, "unexpected indentation");
    if (end && end->stmt)
        parse_fail(p, peek(p)->span, "pl.yield_ must be the last statement of its block");
    struct ir_stmt *s = parse_compound(p, end);
    if (!s && parse_docstring(p)) /* a string that is a statement is a comment */
        return;
    if (!s) {
        bool none = parse_accept_word(p, "pass") || parse_static(p) || parse_jit_binding(p, out);
        s = none ? NULL : parse_simple(p, end);
        parse_expect_newline(p);
    }
    if (s)
        vec_push(p->arena, out, s);
}

static void parse_statement(struct parser *p, ir_block *out, struct yield *end)
{
    ir_block *outer = p->block;
    p->block = out;
    parse_one_statement(p, out, end);
    p->block = outer;
}

/* ---- bodies in the place of calls ---- */

/* Names of the parameters of the function whose `def` stands at pos; behind them. */
static size_t inline_parameters(const struct parser *p, size_t pos, name_list *names,
                                struct arena *a)
{
    const struct token *t = &p->toks[pos + 3];
    while (t->kind == TOK_NAME) {
        vec_push(a, names, t);
        for (int open = 0; t->kind != TOK_NEWLINE && t->kind != TOK_END; t++) {
            if (open == 0 && (is_token(t, TOK_OP, ",") || is_token(t, TOK_OP, ")")))
                break;
            open += token_opens(t) - token_closes(t);
        }
        t += is_token(t, TOK_OP, ",");
    }
    return (size_t)(t - p->toks) + 1;
}

/* From the colon: statements go to the block of the call, the last one says the value. */
static struct ir_expr *parse_inline_body(struct parser *p, const struct token *name)
{
    struct ir_expr *value = NULL;
    bool block = open_block(p);
    if (block)
        parse_docstring(p);
    while (!value && peek(p)->kind != TOK_DEDENT) {
        if (parse_accept_word(p, "return"))
            value = parse_expr_list(p);
        else
            parse_statement(p, p->block, NULL);
        if (!block)
            break;
    }
    parse_leave(p);
    if (!value)
        parse_fail(p, name->span, "'%s' returns nothing: it cannot take the place of a call",
                   name->text);
    parse_expect_newline(p);
    if (block && peek(p)->kind != TOK_DEDENT)
        parse_fail(p, peek(p)->span, "the return of an inline function is its last statement");
    return value;
}

/* The names of the file that a token belongs to. */
static const name_vec *names_at(const struct parser *p, size_t pos)
{
    const name_vec *names = p->names;
    vec_foreach (struct ir_module *, m, &p->text->modules)
        if ((*m)->from <= pos)
            names = &(*m)->lexed.names;
    return names;
}

/* to stands for what from stands for in this function. */
static void share_name(struct parser *p, struct name *from, struct name *to)
{
    if (from->is_argument && from->constant)
        parse_bind_argument(p, to, from->constant);
    if (from->local && from->local != to->local) {
        to->local = from->local;
        vec_push(p->arena, &p->locals, to);
    }
}

/* A body in the place of a call and what is around it have their variables in common, by their names
 * (pypto-front-facts 2.9): those of a body of another file, before and behind it. */
static void share_names(struct parser *p, size_t body, size_t call, bool behind)
{
    const name_vec *names = names_at(p, call);
    if (names == names_at(p, body))
        return;
    for (size_t i = body, end = ir_behind_item(p->toks, body); i < end; i++) {
        const struct token *t = &p->toks[i];
        struct name *inner = t->kind == TOK_NAME && !t->name->is_keyword ? t->name : NULL,
                    *outer = inner ? ir_find_name(names, t->text) : NULL;
        if (outer && behind)
            share_name(p, inner, outer);
        else if (outer)
            share_name(p, outer, inner);
    }
}

struct ir_expr *parse_inline_call(struct parser *p, const struct name *called,
                                  const struct token *last)
{
    const struct token *name = peek(p);
    size_t call = p->pos;
    name_list params = {0};
    size_t colon = inline_parameters(p, called->inline_at, &params, p->arena);
    if (!p->block)
        parse_fail(p, name->span, "'%s' is inlined: it cannot be called here", name->text);
    if (++p->inlined > MAX_INLINED)
        parse_fail(p, name->span, "more than %d calls to inline", MAX_INLINED);
    p->pos = (size_t)(last + 2 - p->toks);
    if (parse_at_keyword(p))
        parse_fail(p, peek(p)->span, "an inline function takes no keywords");
    ir_exprs args = parse_items(p, ")");
    if (args.len != params.len)
        parse_fail(p, name->span, "'%s' expects %zu argument%s, found %zu", name->text, params.len,
                   params.len == 1 ? "" : "s", args.len);
    share_names(p, called->inline_at, call, false);
    for (size_t i = 0; i < args.len; i++)
        parse_bind_argument(p, params.items[i]->name, args.items[i]);
    size_t behind = p->pos, outer = p->inlined_at;
    int operators = p->operators;
    p->inlined_at = outer ? outer : behind;
    parse_enter(p);
    p->pos = colon;
    if (parse_accept_op(p, "->"))
        parse_type(p);
    struct ir_expr *value = parse_inline_body(p, name);
    share_names(p, called->inline_at, call, true);
    parse_leave(p);
    p->pos = behind;
    p->inlined_at = outer;
    p->operators = operators;
    return value;
}

/* ---- blocks ---- */

/* `:` and what follows it up to the first statement; false for a statement on the same line. */
static bool open_block(struct parser *p)
{
    parse_expect_op(p, ":");
    parse_enter(p);
    if (peek(p)->kind != TOK_NEWLINE)
        return false;
    p->pos++;
    if (peek(p)->kind != TOK_INDENT)
        parse_expected(p, "an indented block");
    p->pos++;
    return true;
}

static void finish_block(struct parser *p, ir_block *out, struct yield *end)
{
    while (peek(p)->kind != TOK_DEDENT)
        parse_statement(p, out, end);
    p->pos++;
    parse_leave(p);
}

static void parse_block(struct parser *p, ir_block *out, struct yield *end)
{
    if (open_block(p)) {
        finish_block(p, out, end);
        return;
    }
    parse_statement(p, out, end);
    parse_leave(p);
}

const char *parse_docstring(struct parser *p)
{
    size_t end = p->pos;
    while (p->toks[end].kind == TOK_STRING)
        end++;
    if (end == p->pos || p->toks[end].kind != TOK_NEWLINE)
        return NULL;
    struct strbuf b = strbuf_make(p->arena);
    for (; p->pos < end; p->pos++)
        strbuf_add(&b, peek(p)->text);
    p->pos++;
    return b.text;
}

/* pl.func_attr({...}) in front of all statements of a function. */
static void parse_func_attrs(struct parser *p, struct ir_func *f)
{
    while (at_call(p, "pl", "func_attr")) {
        p->pos += 3;
        p->operators = 0;
        parse_expect_op(p, "(");
        parse_add_func_attrs(p, f, parse_expr(p));
        parse_expect_op(p, ")");
        parse_expect_newline(p);
    }
}

/* The body of a worker on the host is Python, which nobody here runs (pypto-front-facts 1.1); a body
 * that only passes does not need it. */
static bool at_python_body(const struct parser *p, const struct ir_func *f)
{
    return ir_func_is_host_worker(f) && !parse_at_word(p, "pass") && !parse_at_op(p, "...");
}

/* From here to the end of the block: its lines without the indentation of the first one. */
static const char *python_text(struct parser *p, size_t end)
{
    struct strbuf b = strbuf_make(p->arena);
    size_t last = end, margin = (size_t)peek(p)->span.col - 1;
    while (last > p->pos + 1 && ends_line(&p->toks[last - 1]))
        last--;
    const char *text = p->src->text + peek(p)->offset, *stop = p->src->text + p->toks[last - 1].end;
    while (text < stop) {
        size_t len = strcspn(text, "\n"), left = (size_t)(stop - text);
        strbuf_addn(&b, text, len < left ? len : left);
        strbuf_add(&b, "\n");
        text += len < left ? len + 1 : left;
        size_t spaces = strspn(text, " ");
        text += spaces < margin ? spaces : margin;
    }
    return b.text;
}

void parse_function_body(struct parser *p, struct ir_func *f)
{
    size_t end = ir_behind_item(p->toks, p->pos);
    bool block = open_block(p);
    if (block) {
        f->doc = parse_docstring(p);
        parse_func_attrs(p, f);
    }
    if (at_python_body(p, f)) {
        f->python = python_text(p, end);
        p->pos = end;
        parse_leave(p);
        return;
    }
    f->is_abstract = parse_accept_op(p, "...");
    if (f->is_abstract)
        parse_expect_newline(p);
    if (f->is_abstract && block && peek(p)->kind != TOK_DEDENT)
        parse_expected(p, "the end of a body that is '...'");
    if (block) {
        finish_block(p, &f->body, NULL);
        return;
    }
    if (f->is_abstract) {
        parse_leave(p);
        return;
    }
    parse_statement(p, &f->body, NULL);
    parse_leave(p);
}
