/* SPDX-License-Identifier: MIT */
/* Calls: which operator or function is meant, and which argument is which parameter
 * (pypto-facts 1.3, 2). */
#include <stddef.h>
#include <string.h>

#include "ir/infer.h"
#include "ir/ops.h"
#include "ir/parse_internal.h"

static bool is_scalar(const struct ir_expr *e)
{
    return e->type && e->type->kind == IR_TYPE_SCALAR;
}

static bool is_tile(const struct ir_expr *e)
{
    return e->type && e->type->kind == IR_TYPE_TILE;
}

static bool is_array(const struct ir_expr *e)
{
    return is_tile(e) || ir_type_is_tensor_like(e->type);
}

struct ir_expr *parse_new_call(struct parser *p, enum ir_callee callee, const char *name,
                               const struct token *first)
{
    struct ir_expr *e = ir_expr_new(p->arena, IR_CALL, first->span);
    e->call.callee = callee;
    e->call.name = e->call.written = name;
    return e;
}

/* ---- arguments ---- */

bool parse_at_keyword(const struct parser *p)
{
    const struct token *t = peek(p);
    return t->kind == TOK_NAME && t[1].kind == TOK_OP && strcmp(t[1].text, "=") == 0;
}

static void parse_keyword(struct parser *p, struct ir_call *call)
{
    const struct token *name = peek(p);
    p->pos += 2;
    if (ir_kwarg_find(&call->kwargs, name->text) ||
        (strcmp(name->text, "attrs") == 0 && call->attrs.len))
        parse_fail(p, name->span, "'%s' is given twice", name->text);
    if (call->kwargs.len == MAX_KEYWORDS)
        parse_fail(p, name->span, "a call of more than %d keywords", MAX_KEYWORDS);
    int deps = strcmp(name->text, "deps") == 0;
    p->deps += deps;
    struct ir_expr *value = parse_expr(p);
    p->deps -= deps;
    if (strcmp(name->text, "attrs") == 0) {
        if (value->kind != IR_DICT)
            parse_fail(p, value->span, "attrs expects a dict such as {\"key\": value}");
        call->attrs = value->dict;
        return;
    }
    struct ir_kwarg k = {name->text, value, name->span};
    vec_push(p->arena, &call->kwargs, k);
}

/* Up to and with the closing parenthesis. */
static void parse_arguments(struct parser *p, struct ir_call *call)
{
    while (!parse_at_op(p, ")")) {
        if (parse_at_keyword(p))
            parse_keyword(p, call);
        else if (call->kwargs.len || call->attrs.len)
            parse_fail(p, peek(p)->span, "a positional argument cannot follow a keyword argument");
        else
            vec_push(p->arena, &call->args, parse_expr(p));
        if (!parse_accept_op(p, ","))
            break;
    }
    if (!parse_accept_op(p, ")"))
        parse_expected(p, "',' or ')'");
}

/* Removes and returns the named keyword's value, or NULL. */
static struct ir_expr *take_keyword(ir_kwargs *kw, const char *name)
{
    for (size_t i = 0; i < kw->len; i++) {
        if (strcmp(kw->items[i].name, name) != 0)
            continue;
        struct ir_expr *value = kw->items[i].value;
        memmove(&kw->items[i], &kw->items[i + 1], (kw->len - i - 1) * sizeof *kw->items);
        kw->len--;
        return value;
    }
    return NULL;
}

/* ---- user functions and launches ---- */

struct ir_expr *parse_user_call(struct parser *p, const char *callee, const struct token *first)
{
    struct ir_expr *e = parse_new_call(p, IR_CALLEE_USER, callee, first);
    parse_expect_op(p, "(");
    parse_arguments(p, &e->call);
    e->span = parse_span_from(p, first);
    struct ir_func *f = map_get_text(&p->functions, callee);
    parse_settle_called(p, f, &e->call);
    e->type = ir_infer_returned(p->arena, f, &e->call);
    if (e->call.kwargs.len)
        vec_push(p->arena, &p->keyword_calls, &e->call);
    return e;
}

/* Keywords that are parameters of the called function become arguments, now that all functions are
 * known. */
static void place_user_keywords(struct parser *p, struct ir_call *call)
{
    const struct ir_func *f = map_get_text(&p->functions, call->name);
    while (f && call->args.len < f->params.len) {
        struct ir_expr *value =
            take_keyword(&call->kwargs, f->params.items[call->args.len].var->name);
        if (!value)
            return;
        vec_push(p->arena, &call->args, value);
    }
}

void parse_place_keyword_calls(struct parser *p)
{
    vec_foreach (struct ir_call *, call, &p->keyword_calls)
        place_user_keywords(p, *call);
}

/* What a launch gives: the values of the function, then the id of the task (pypto-facts 1.1). No
 * text records it, and a pass may rewrite arguments: it is unknown when it depends on them. */
static struct ir_type *launch_type(struct parser *p, const struct ir_call *call)
{
    const struct ir_func *f = map_get_text(&p->functions, call->name);
    struct ir_type *values = ir_infer_returned(p->arena, f, call);
    if (!values || values != f->return_type)
        return NULL;
    struct ir_type *t = ir_type_new(p->arena, IR_TYPE_TUPLE);
    if (values->kind != IR_TYPE_TUPLE)
        vec_push(p->arena, &t->elems, values);
    for (size_t i = 0; values->kind == IR_TYPE_TUPLE && i < values->elems.len; i++)
        vec_push(p->arena, &t->elems, values->elems.items[i]);
    vec_push(p->arena, &t->elems, ir_scalar_type(IR_TASK_ID));
    return t;
}

/* pl.submit(self.f, args, deps=[...]): the launched function is no value. */
static struct ir_expr *parse_submit(struct parser *p, const char *path, const struct token *first)
{
    bool member = parse_accept_word(p, "self");
    if (member)
        parse_expect_op(p, ".");
    const struct token *last = peek(p);
    const struct name *called = member ? NULL : parse_called(p, &last);
    const struct token *name = parse_expect_name(p, "the function to launch");
    const char *callee = called ? parse_name_in_program(called) : name->text;
    struct ir_expr *e = parse_new_call(p, IR_CALLEE_SUBMIT, callee, first);
    if (called)
        p->pos = (size_t)(last + 1 - p->toks);
    e->call.written = path;
    if (!parse_accept_op(p, ",") && !parse_at_op(p, ")"))
        parse_expected(p, "',' or ')'");
    parse_arguments(p, &e->call);
    parse_settle_called(p, map_get_text(&p->functions, callee), &e->call);
    e->span = parse_span_from(p, first);
    e->type = launch_type(p, &e->call);
    if (e->call.kwargs.len)
        vec_push(p->arena, &p->keyword_calls, &e->call);
    return e;
}

/* ---- constants, casts, scalar arithmetic ---- */

static enum ir_dtype dtype_of(struct parser *p, const struct ir_expr *e)
{
    enum ir_dtype t = IR_DTYPE_NONE;
    if (e->kind == IR_NAME && strncmp(e->name, "pl.", 3) == 0)
        t = ir_dtype_parse(e->name + 3);
    if (t == IR_DTYPE_NONE)
        parse_fail(p, e->span, "expected an element type such as pl.INT32");
    return t;
}

/* Value and element type of pl.const(v, D) and pl.cast(v, D), D by position or by keyword. */
static bool value_and_dtype(struct parser *p, const struct ir_call *call, enum ir_dtype *dtype)
{
    const struct ir_expr *given = NULL;
    if (call->args.len == 2 && call->kwargs.len == 0)
        given = call->args.items[1];
    else if (call->args.len == 1 && call->kwargs.len == 1)
        given = strcmp(call->kwargs.items[0].name, "dtype") == 0 ||
                        strcmp(call->kwargs.items[0].name, "target_type") == 0
                    ? call->kwargs.items[0].value
                    : NULL;
    if (given)
        *dtype = dtype_of(p, given);
    return given != NULL;
}

static struct ir_expr *make_const(struct parser *p, struct ir_expr *call)
{
    enum ir_dtype dtype;
    if (!value_and_dtype(p, &call->call, &dtype))
        parse_fail(p, call->span, "pl.const expects a value and an element type");
    const struct ir_expr *v = call->call.args.items[0];
    if (v->kind == IR_BOOLEAN && dtype == IR_BOOL)
        return call->call.args.items[0];
    if (v->kind != IR_INT && v->kind != IR_FLOAT)
        parse_fail(p, v->span, "pl.const expects a literal number");
    /* Inside a dict a plain number is metadata and pl.const(v, pl.INDEX) an expression
     * (pypto-facts 1.4). */
    if (v->kind == IR_INT && dtype == IR_INDEX && p->dicts)
        return call;
    if (v->kind == IR_INT && !ir_dtype_is_float(dtype))
        return ir_int(p->arena, v->integer.value, dtype, call->span);
    if (!ir_dtype_is_float(dtype))
        parse_fail(p, v->span, "pl.const expects an integer for pl.%s", ir_dtype_name(dtype));
    struct ir_expr *e = ir_expr_new(p->arena, IR_FLOAT, call->span);
    e->real.value = v->kind == IR_INT ? (double)v->integer.value : v->real.value;
    e->real.dtype = dtype;
    e->type = ir_scalar_type(dtype);
    return e;
}

/* A cast of a scalar, or NULL when the call is the operator on tiles or tensors or has further
 * keywords. */
static struct ir_expr *make_cast(struct parser *p, struct ir_expr *call)
{
    enum ir_dtype dtype;
    if (call->call.args.len == 0 || is_array(call->call.args.items[0]) ||
        !value_and_dtype(p, &call->call, &dtype))
        return NULL;
    struct ir_expr *e = ir_expr_new(p->arena, IR_CAST, call->span);
    e->cast.operand = call->call.args.items[0];
    e->cast.dtype = dtype;
    e->type = ir_infer_expr(p->arena, e);
    return e;
}

/* pl.add(x, y) and its like between scalars are plain arithmetic. */
static const struct {
    const char *name;
    enum ir_binary_op op;
    /* no operator on tiles has this name: an operand of unknown type is a scalar */
    bool scalar_only;
} scalar_ops[] = {
    {"min", IR_MIN, true},  {"max", IR_MAX, true},  {"add", IR_ADD, false},
    {"sub", IR_SUB, false}, {"mul", IR_MUL, false}, {"div", IR_TRUEDIV, false},
};

static struct ir_expr *make_scalar_op(struct parser *p, const char *name,
                                      const struct ir_call *call)
{
    if (call->kwargs.len || call->args.len == 0)
        return NULL;
    struct ir_expr *x = call->args.items[0];
    if (call->args.len == 1 && strcmp(name, "abs") == 0 && is_scalar(x)) {
        struct ir_expr *e = ir_expr_new(p->arena, IR_UNARY, x->span);
        e->unary.op = IR_ABS;
        e->unary.operand = x;
        e->type = x->type;
        return e;
    }
    for (size_t i = 0; call->args.len == 2 && i < sizeof scalar_ops / sizeof *scalar_ops; i++) {
        struct ir_expr *y = call->args.items[1];
        bool scalars =
            scalar_ops[i].scalar_only ? !is_array(x) && !is_array(y) : is_scalar(x) && is_scalar(y);
        if (strcmp(scalar_ops[i].name, name) == 0 && scalars)
            return parse_make_binary(p, scalar_ops[i].op, x, y);
    }
    return NULL;
}

/* ---- which operator ---- */

struct spelled {
    const struct ir_op *op;                /* or NULL */
    const struct ir_op_spelling *spelling; /* NULL: the path is the operator's name */
};

/* The operator that a path spells, or NULL; *spelling when that is not its name. A program names
 * few operators, and each of them often. */
static const struct ir_op *find_spelled(struct parser *p, const char *written,
                                        const struct ir_op_spelling **spelling)
{
    const struct spelled *known = map_get_text(&p->spelled, written);
    if (!known) {
        struct spelled *s = arena_new(p->arena, struct spelled);
        s->op = ir_op_find(written);
        for (size_t i = 0; !s->op && i < ir_op_spelling_count; i++)
            if (strcmp(ir_op_spellings[i].written, written) == 0) {
                s->spelling = &ir_op_spellings[i];
                s->op = ir_op_find(s->spelling->name);
            }
        map_put_text(&p->spelled, written, s);
        known = s;
    }
    if (known->spelling)
        *spelling = known->spelling;
    return known->op;
}

static const struct ir_op *find_joined(struct parser *p, const char *prefix, const char *name,
                                       const char *suffix)
{
    const struct ir_op_spelling *ignored = NULL;
    return find_spelled(p, arena_printf(p->arena, "%s%s%s", prefix, name, suffix), &ignored);
}

/* pl.tile.mrgsort(...) stands for several operators: a keyword says which (ir/ops.h). */
static const struct ir_op *find_overloaded(struct parser *p, const char *prefix, const char *name,
                                           const struct ir_call *call)
{
    const char *written = arena_printf(p->arena, "%s%s", prefix, name);
    for (size_t i = 0; i < ir_op_overload_count; i++) {
        const struct ir_op_overload *o = &ir_op_overloads[i];
        if (strcmp(o->written, written) == 0 &&
            (!o->keyword || ir_kwarg_find(&call->kwargs, o->keyword)))
            return ir_op_find(o->name);
    }
    return NULL;
}

static const struct ir_op *find_member(struct parser *p, const char *prefix, const char *name,
                                       const struct ir_call *call)
{
    const struct ir_op *op = find_overloaded(p, prefix, name, call);
    return op ? op : find_joined(p, prefix, name, "");
}

/* The first argument, by position or as the first keyword. */
static const struct ir_expr *first_operand(const struct ir_call *call)
{
    if (call->args.len)
        return call->args.items[0];
    return call->kwargs.len ? call->kwargs.items[0].value : NULL;
}

/* An operator on two tiles or tensors whose second operand is a scalar: tile.add is tile.adds. */
static const struct ir_op *for_scalar(struct parser *p, const struct ir_op *op,
                                      const struct ir_call *call)
{
    bool scalar = op && call->args.len >= 2 && is_scalar(call->args.items[1]) &&
                  strchr("tT", op->args[0]) && strchr("tTx", op->args[1]);
    const struct ir_op *found = scalar ? find_joined(p, "", op->name, "s") : NULL;
    return found ? found : op;
}

/* pl.add(x, y): the operand's type chooses between tile.add, tile.adds and tensor.add. */
static const struct ir_op *find_unified(struct parser *p, const char *name,
                                        const struct ir_call *call)
{
    const struct ir_op *tile = find_member(p, "tile.", name, call),
                       *tensor = find_member(p, "tensor.", name, call);
    const struct ir_expr *x = first_operand(call);
    bool use_tensor = !tile;
    if (tile && tensor && x)
        use_tensor = is_array(x) ? !is_tile(x) : !(p->func && ir_func_is_incore(p->func));
    return for_scalar(p, use_tensor ? tensor : tile, call);
}

/* An operator as pl.name names it. */
static const struct ir_op *find_named(struct parser *p, const char *name,
                                      const struct ir_call *call,
                                      const struct ir_op_spelling **spelling)
{
    const struct ir_op *op = find_overloaded(p, "", name, call);
    if (!op)
        op = find_spelled(p, name, spelling);
    if (!op && !strchr(name, '.'))
        return find_unified(p, name, call);
    return for_scalar(p, op, call);
}

static _Noreturn void unknown_pld(struct parser *p, const char *path, struct span at)
{
    VEC(const char *) known = {0};
    const struct ir_op *op;
    for (size_t i = 0; (op = ir_op_at(i)); i++)
        if (strncmp(op->name, "pld.", 4) == 0)
            vec_push(p->arena, &known, op->name);
    for (size_t i = 0; i < ir_op_spelling_count; i++)
        if (strncmp(ir_op_spellings[i].written, "pld.", 4) == 0)
            vec_push(p->arena, &known, ir_op_spellings[i].written);
    const char *hint = diag_hint(p->arena, path, known.items, known.len);
    const char *last = strrchr(path, '.') + 1;
    /* The right name in the wrong place is nearer than a misspelling. */
    for (size_t i = 0; i < known.len; i++)
        if (strcmp(strrchr(known.items[i], '.') + 1, last) == 0)
            hint = diag_hint(p->arena, known.items[i], &known.items[i], 1);
    if (!*hint)
        hint = "; communication operators are pld.system.*, pld.tile.* and pld.tensor.*";
    parse_breach(p, IR_RULE_UNKNOWN_OPERATOR, at, path, hint, NULL);
}

/* ---- registered operators ---- */

/* The i-th name in the order of text, without its `=`; NULL behind the last one. */
static const char *name_in_text(struct parser *p, const struct ir_op *op, size_t i)
{
    const char *name = ir_op_text_order(op);
    while (name && i--)
        name = strchr(name, ',') ? strchr(name, ',') + 1 : NULL;
    return name ? arena_strndup(p->arena, name, strcspn(name, ",=")) : NULL;
}

/* What the name of a keyword stands for when it is given by position: `event_id` that is no
 * constant is the parameter `event_id_dyn`. */
static const char *keyword_or_dynamic(struct parser *p, const struct ir_op *op, const char *name,
                                      const struct ir_expr *value)
{
    const char *dynamic = arena_printf(p->arena, "%s_dyn", name);
    return value->kind != IR_INT && ir_op_param(op, dynamic) >= 0 ? dynamic : name;
}

/* Where text orders its arguments in its own way, those from the first keyword on get their names.
 * A keyword that is given by its name is passed over. */
static void name_positional(struct parser *p, struct ir_call *call)
{
    const struct ir_op *op = call->op;
    size_t at = 0, first = 0;
    const char *name = name_in_text(p, op, 0);
    while (name && ir_op_param(op, name) == (int)first)
        name = name_in_text(p, op, ++first);
    if (!ir_op_text_order(op) || call->args.len <= first)
        return;
    for (size_t i = first; i < call->args.len; i++) {
        struct ir_expr *value = call->args.items[i];
        do {
            name = name_in_text(p, op, first + at++);
        } while (name && ir_op_keyword(op, name) && ir_kwarg_find(&call->kwargs, name));
        if (!name)
            parse_fail(p, value->span, "%s takes no more arguments by position", op->name);
        struct ir_kwarg k = {keyword_or_dynamic(p, op, name, value), value, value->span};
        vec_push(p->arena, &call->kwargs, k);
    }
    call->args.len = first;
}

/* scatter_update(input, dim, index, src), beside scatter_update(input, index, src, dim=)
 * (pypto-ops-facts 1.2): a number stands for the keyword. */
static void place_dimension(struct parser *p, struct ir_call *call)
{
    static const char *const ops[] = {"tensor.scatter_update", "tile.scatter_update"};
    bool takes = !strcmp(call->op->name, ops[0]) || !strcmp(call->op->name, ops[1]);
    struct ir_expr *value = takes && call->args.len > 1 ? call->args.items[1] : NULL;
    if (!value || (value->kind != IR_INT && value->kind != IR_UNARY))
        return;
    struct ir_kwarg k = {"dim", value, value->span};
    vec_push(p->arena, &call->kwargs, k);
    memmove(&call->args.items[1], &call->args.items[2],
            (call->args.len - 2) * sizeof *call->args.items);
    call->args.len--;
}

/* Arguments behind the last parameter are keywords that the authoring DSL takes by position. */
static void place_excess(struct parser *p, struct ir_call *call)
{
    size_t limit = strlen(call->op->args);
    for (int k = 0; k < IR_MAX_KWARGS && call->op->kwargs[k].name && call->args.len > limit; k++) {
        const struct ir_op_kwarg *row = &call->op->kwargs[k];
        if (!row->positional || ir_kwarg_find(&call->kwargs, row->name))
            continue;
        struct ir_expr *value = call->args.items[limit];
        struct ir_kwarg kw = {row->name, value, value->span};
        vec_push(p->arena, &call->kwargs, kw);
        memmove(&call->args.items[limit], &call->args.items[limit + 1],
                (call->args.len - limit - 1) * sizeof *call->args.items);
        call->args.len--;
    }
}

/* The arguments, or too few of them, stand in order without gaps; otherwise one is missing. */
static void check_gaps(struct parser *p, const struct ir_expr *e,
                       struct ir_expr *const slots[IR_MAX_PARAMS])
{
    const struct ir_op *op = e->call.op;
    size_t given[IR_MAX_PARAMS], n = 0, total = strlen(op->args);
    for (size_t i = 0; i < total; i++)
        n += slots[i] != NULL;
    if (ir_op_layout(op, n, given)) {
        bool fits = true;
        for (size_t i = 0; i < n; i++)
            fits &= slots[given[i]] != NULL;
        if (fits)
            return;
    }
    size_t gap = 0;
    while (gap < total && slots[gap])
        gap++;
    parse_fail(p, e->span, "%s lacks its argument '%s'", op->name,
               ir_op_arg_name(p->arena, op, total, gap));
}

/* Fills the parameters that text left out and that something stands for; true when it did. */
static bool fill_defaults(struct parser *p, const struct ir_expr *e,
                          struct ir_expr *slots[IR_MAX_PARAMS])
{
    const struct ir_op *op = e->call.op;
    bool any = false;
    for (size_t i = 0; op->args[i]; i++) {
        int repeated;
        int64_t value;
        if (slots[i] || !ir_op_default(op, i, &repeated, &value))
            continue;
        slots[i] = repeated < 0 ? ir_int(p->arena, value, IR_INT32, e->span) : slots[repeated];
        any |= slots[i] != NULL;
        if (repeated < 0 || !slots[i])
            continue;
        p->operators += (int)parse_count_parts(slots[i], MAX_OPERATORS);
        if (p->operators > MAX_OPERATORS)
            parse_fail(p, e->span, "the statement has more than %d operators", MAX_OPERATORS);
    }
    return any;
}

/* What follows an optional tensor is given: None stands for the tensor. */
static void fill_tensors(struct parser *p, const struct ir_expr *e,
                         struct ir_expr *slots[IR_MAX_PARAMS])
{
    const char *args = e->call.op->args;
    for (size_t i = 0; args[i]; i++)
        if (args[i] == 'o' && !slots[i] && args[i + 1] && slots[i + 1])
            slots[i] = ir_expr_new(p->arena, IR_NONE, e->span);
}

/* drop_dims= without a valid_shape: an empty one says nothing (pypto-front-facts 2.4). */
static void fill_valid_shape(struct parser *p, const struct ir_expr *e,
                             struct ir_expr *slots[IR_MAX_PARAMS])
{
    int valid = ir_op_param(e->call.op, "valid_shape"), drop = ir_op_param(e->call.op, "drop_dims");
    if (valid < 0 || drop < 0 || slots[valid] || !slots[drop])
        return;
    slots[valid] = ir_tuple(p->arena, (ir_exprs){0}, e->span);
    slots[valid]->type = ir_infer_expr(p->arena, slots[valid]);
}

/* Keywords that name parameters become arguments. */
static void place_keywords(struct parser *p, struct ir_expr *e)
{
    struct ir_call *call = &e->call;
    struct ir_expr *slots[IR_MAX_PARAMS] = {0};
    size_t total = strlen(call->op->args);
    bool any = false;
    ir_kwargs rest = {0};
    if (call->args.len > total)
        return;
    for (size_t i = 0; i < call->args.len; i++)
        slots[i] = call->args.items[i];
    vec_foreach (struct ir_kwarg, k, &call->kwargs) {
        int at = ir_op_param(call->op, k->name);
        if (at < 0) {
            vec_push(p->arena, &rest, *k);
            continue;
        }
        if (slots[at])
            parse_fail(p, k->span, "'%s' of %s is given twice", k->name, call->op->name);
        slots[at] = k->value;
        any = true;
    }
    bool complete = any || !ir_op_takes(call->op, call->args.len);
    if (!(complete && fill_defaults(p, e, slots)) && !any)
        return;
    fill_valid_shape(p, e, slots);
    fill_tensors(p, e, slots);
    check_gaps(p, e, slots);
    call->kwargs = rest;
    call->args = (ir_exprs){0};
    for (size_t i = 0; i < total; i++)
        if (slots[i])
            vec_push(p->arena, &call->args, slots[i]);
}

/* Tuples of integers may be written as lists (pypto-facts 1.3). */
static void tuples_from_lists(struct parser *p, struct ir_call *call)
{
    for (size_t i = 0; i < call->args.len; i++) {
        char kind = ir_op_arg_kind(call->op, call->args.len, i);
        if ((kind == 'u' || kind == 'v') && call->args.items[i]->kind == IR_LIST)
            call->args.items[i] =
                ir_tuple(p->arena, call->args.items[i]->items, call->args.items[i]->span);
    }
}

static _Noreturn void bad_member(struct parser *p, const struct ir_expr *e, const char *enum_name)
{
    VEC(const char *) members = {0};
    size_t len = strlen(enum_name);
    for (size_t i = 0; i < ir_enum_count; i++)
        if (strncmp(ir_enums[i].name, enum_name, len) == 0 && ir_enums[i].name[len] == '.')
            vec_push(p->arena, &members, ir_enums[i].name);
    const char *hint = diag_hint(p->arena, e->name, members.items, members.len);
    if (!*hint)
        hint = arena_printf(p->arena, ", expected one such as %s", members.items[0]);
    parse_breach(p, IR_RULE_ENUM_MEMBER, e->span, e->name, enum_name, hint, NULL);
}

/* The same enum may be written with pl. and with pld.: compares what follows the prefix. */
static bool member_of(const char *name, const char *enum_name)
{
    const char *tail = strchr(name, '.'), *want = strchr(enum_name, '.');
    size_t len = strlen(want);
    return tail && strncmp(tail, want, len) == 0 && tail[len] == '.';
}

/* A number that names of the module spell is that number (pypto-front-facts 2.2). */
static void constant_to_int(struct parser *p, const struct ir_op_kwarg *row, struct ir_kwarg *k)
{
    int64_t value;
    bool literal = k->value->kind == IR_INT || k->value->kind == IR_BOOLEAN;
    if (literal || !strchr("iben", row->kind) || !ir_const_int(k->value, &value))
        return;
    struct ir_expr *e = ir_int(p->arena, value, IR_INDEX, k->value->span);
    if (row->kind == 'b' && (value == 0 || value == 1)) {
        e = ir_expr_new(p->arena, IR_BOOLEAN, k->value->span);
        e->boolean = value;
        e->type = ir_scalar_type(IR_BOOL);
    }
    k->value = e;
}

static void name_to_int(struct parser *p, const struct ir_op_kwarg *row, struct ir_kwarg *k)
{
    int64_t value = -1;
    bool automatic = k->value->kind == IR_NAME && strcmp(k->value->name, "pl.AUTO") == 0;
    if (row->kind == 'i' && automatic) {
        k->value = ir_int(p->arena, row->default_value, IR_INDEX, k->value->span);
        return;
    }
    constant_to_int(p, row, k);
    if (row->kind == 'e' && k->value->kind == IR_NAME) {
        const struct ir_enum_member *m = ir_enum_find(k->value->name);
        if (!m || !member_of(m->name, row->names))
            bad_member(p, k->value, row->names);
        value = m->value;
    } else if (row->kind == 'n' && k->value->kind == IR_STRING) {
        value = ir_op_named_number(row, k->value->string);
        if (value < 0)
            parse_fail(p, k->value->span, "expected one of %s", row->names);
    } else {
        return;
    }
    k->value = ir_int(p->arena, value, IR_INDEX, k->value->span);
}

/* Enum keywords are integers in the tree. */
static void enums_to_ints(struct parser *p, struct ir_call *call)
{
    vec_foreach (struct ir_kwarg, k, &call->kwargs) {
        const struct ir_op_kwarg *row = ir_op_keyword(call->op, k->name);
        if (row)
            name_to_int(p, row, k);
    }
}

static ptrdiff_t keyword_place(const struct ir_call *call, const struct ir_kwarg *k)
{
    const struct ir_op_kwarg *row = ir_op_keyword(call->op, k->name);
    return row ? row - call->op->kwargs : IR_MAX_KWARGS;
}

/* Keywords stand in the order of the row, whatever the order of the text. */
static void sort_keywords(struct ir_call *call)
{
    struct ir_kwarg *k = call->kwargs.items;
    for (size_t i = 1; i < call->kwargs.len; i++)
        for (size_t j = i; j > 0 && keyword_place(call, &k[j]) < keyword_place(call, &k[j - 1]);
             j--) {
            struct ir_kwarg moved = k[j];
            k[j] = k[j - 1];
            k[j - 1] = moved;
        }
}

void parse_canonical_arguments(struct parser *p, struct ir_call *call)
{
    sort_keywords(call);
    tuples_from_lists(p, call);
    enums_to_ints(p, call);
}

/* What crosses between the cores in a region of vector lanes is halved as the region says
 * (pypto-ops-facts 3.2). */
static void take_mode(struct parser *p, struct ir_expr *e)
{
    static const char *const modes[] = {"pl.SplitMode.NONE", "pl.SplitMode.UP_DOWN",
                                        "pl.SplitMode.LEFT_RIGHT"};
    struct ir_call *call = &e->call;
    const struct ir_expr *mode = p->halves;
    if (!mode || !ir_op_is_halving(call->op) || ir_kwarg_find(&call->kwargs, "split"))
        return;
    for (int code = 0; mode->kind == IR_NAME && code < 3; code++) {
        if (strcmp(mode->name, modes[code]) != 0)
            continue;
        struct ir_kwarg k = {"split", ir_int(p->arena, code, IR_INDEX, e->span), e->span};
        vec_push(p->arena, &call->kwargs, k);
    }
}

static struct ir_expr *finish_op(struct parser *p, struct ir_expr *e, const struct ir_op *op,
                                 const struct ir_op_spelling *spelling)
{
    struct ir_call *call = &e->call;
    call->callee = IR_CALLEE_OP;
    call->op = op;
    call->name = call->written = op->name;
    name_positional(p, call);
    place_dimension(p, call);
    place_excess(p, call);
    place_keywords(p, e);
    parse_canonical_arguments(p, call);
    if (spelling && spelling->implied) {
        struct ir_kwarg k = {spelling->kwarg, ir_expr_new(p->arena, IR_BOOLEAN, e->span), e->span};
        k.value->boolean = true;
        k.value->type = ir_scalar_type(IR_BOOL);
        vec_push(p->arena, &call->kwargs, k);
    }
    take_mode(p, e);
    e->type = ir_infer_call(p->arena, call);
    return e;
}

/* pl.FP32.get_byte() and get_bit(): sizes of element types, which sizes of windows are made of. */
static struct ir_expr *make_dtype_size(struct parser *p, struct ir_expr *e, const char *name)
{
    const char *dot = strchr(name, '.');
    if (!dot || e->call.args.len || e->call.kwargs.len)
        return NULL;
    bool bytes = strcmp(dot, ".get_byte") == 0;
    enum ir_dtype t = ir_dtype_parse(arena_strndup(p->arena, name, (size_t)(dot - name)));
    if (t == IR_DTYPE_NONE || (!bytes && strcmp(dot, ".get_bit") != 0))
        return NULL;
    int bits = ir_dtype_bits(t);
    return ir_int(p->arena, bytes ? (bits + 7) / 8 : bits, IR_INDEX, e->span);
}

/* What pl.matmul and pl.matmul_acc say of tensors says nothing of tiles where it is what holds of
 * tiles anyway: the accumulator's element type, no transposition (pypto-ops-facts 1.2). */
static void drop_implied(struct parser *p, struct ir_call *call, const struct ir_op *op)
{
    static const char *const flags[] = {"a_trans", "b_trans", "c_matrix_nz"};
    const struct ir_expr *lhs = first_operand(call);
    if (strcmp(op->name, "tile.matmul") != 0 && strcmp(op->name, "tile.matmul_acc") != 0)
        return;
    bool real = lhs && lhs->type && ir_dtype_is_float(lhs->type->dtype);
    ir_kwargs kept = {0};
    vec_foreach (struct ir_kwarg, k, &call->kwargs) {
        const struct ir_expr *v = k->value;
        bool none = v->kind == IR_NONE, flag = false;
        for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
            flag |= strcmp(k->name, flags[i]) == 0;
        bool agrees = strcmp(k->name, "out_dtype") == 0 && v->kind == IR_NAME &&
                      strcmp(v->name, real ? "pl.FP32" : "pl.INT32") == 0;
        bool off = flag && v->kind == IR_BOOLEAN && !v->boolean;
        if (!agrees && !off && !(none && strcmp(k->name, "out_dtype") == 0))
            vec_push(p->arena, &kept, *k);
    }
    call->kwargs = kept;
}

static struct ir_expr *finish_pl(struct parser *p, struct ir_expr *e, const char *name)
{
    const struct ir_op_spelling *spelling = NULL;
    struct ir_expr *scalar = NULL;
    if (strcmp(name, "const") == 0)
        scalar = make_const(p, e);
    else if (strcmp(name, "cast") == 0)
        scalar = make_cast(p, e);
    else if (strstr(name, ".get_b"))
        scalar = make_dtype_size(p, e, name);
    else
        scalar = make_scalar_op(p, name, &e->call);
    if (scalar)
        return scalar;
    const struct ir_op *op = find_named(p, name, &e->call, &spelling);
    if (op && !strchr(name, '.'))
        drop_implied(p, &e->call, op);
    return op ? finish_op(p, e, op, spelling) : e;
}

struct ir_expr *parse_pl_arguments(struct parser *p, const char *name, const struct token *first)
{
    struct ir_expr *e = parse_new_call(p, IR_CALLEE_UNKNOWN, name, first);
    e->span = parse_span_from(p, first);
    if (e->span.len > 1)
        e->span.len--; /* without the parenthesis */
    parse_arguments(p, &e->call);
    return finish_pl(p, e, name);
}

/* The logical name of an allocation is that of its variable; only the dump form records another
 * (pypto-facts 1.3, 1.4). */
static void check_no_name(struct parser *p, const struct ir_call *call, const struct ir_op *op)
{
    if (strcmp(op->name, "pld.tensor.alloc_window_buffer") != 0)
        return;
    vec_foreach (struct ir_kwarg, k, &call->kwargs)
        if (strcmp(k->name, "name") == 0)
            parse_breach(p, IR_RULE_ALLOC_EXPLICIT_NAME, k->span, op->name, NULL);
}

static struct ir_expr *finish_pld(struct parser *p, struct ir_expr *e, const char *path)
{
    const struct ir_op_spelling *spelling = NULL;
    const struct ir_op *op = find_spelled(p, path, &spelling);
    check_no_name(p, &e->call, op);
    /* pld.remote_store is the one short form that dispatches on its operand. */
    const struct ir_expr *x = first_operand(&e->call);
    if (spelling && op->args[0] == 't' && x && ir_type_is_tensor_like(x->type))
        op = find_joined(p, "pld.tensor.", strrchr(path, '.') + 1, "");
    return finish_op(p, e, op, spelling);
}

/* ---- dotted names ---- */

/* Forms that are statements or loop headers and no values. */
static const char *const misplaced[] = {"pl.yield_", "pl.cond",     "pl.range",  "pl.parallel",
                                        "pl.unroll", "pl.pipeline", "pl.while_", "pl.func_attr"};

/* pl.dynamic("NR") where an extent stands: every one of that name is one symbol of the module. */
static struct ir_expr *parse_dynamic(struct parser *p, const char *path, const struct token *first)
{
    const struct token *name = peek(p);
    if (name->kind != TOK_STRING)
        parse_expected(p, arena_printf(p->arena, "the name that %s gives, as a string", path));
    p->pos++;
    parse_accept_op(p, ",");
    parse_expect_op(p, ")");
    struct ir_var *symbol = parse_symbol(p, name->text, name->span);
    return ir_var_ref(p->arena, symbol, parse_span_from(p, first));
}

/* Calls whose arguments are no plain list of expressions. Each starts behind the parenthesis. */
static const struct {
    const char *path;
    struct ir_expr *(*parse)(struct parser *p, const char *path, const struct token *first);
} special[] = {
    {"pl.submit", parse_submit},
    {"pl.spmd_submit", parse_submit},
    {"pl." IR_WINDOW_SLOT, parse_window_buffer},
    {"pl._dump.call", parse_recorded_call},
    {"pl._dump.logical_xor", parse_logical_xor},
    {"pl._dump.float64", parse_float_bits},
};

/* Members that are plain numbers in Python. */
static const struct {
    const char *name;
    int64_t value;
} numbers[] = {
    {"pl.AUTO", -1}, /* an address that the compiler chooses */
    {"pl.tile.MaskPattern.P0101", 1},
    {"pl.tile.MaskPattern.P1010", 2},
    {"pl.tile.MaskPattern.P0001", 3},
    {"pl.tile.MaskPattern.P0010", 4},
    {"pl.tile.MaskPattern.P0100", 5},
    {"pl.tile.MaskPattern.P1000", 6},
    {"pl.tile.MaskPattern.P1111", 7},
};

static struct ir_expr *make_constant(struct parser *p, const char *path, const struct token *first)
{
    static const char memory[] = "pl.MemorySpace.";
    struct ir_expr *e = ir_expr_new(p->arena, IR_NAME, parse_span_from(p, first));
    e->name = path;
    if (strncmp(path, memory, sizeof memory - 1) == 0) /* the printed form is the short one */
        e->name = arena_printf(p->arena, "pl.Mem.%s", path + sizeof memory - 1);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (strcmp(path, numbers[i].name) == 0)
            return ir_int(p->arena, numbers[i].value, IR_INDEX, e->span);
    for (size_t i = 0; i < ir_enum_count; i++) {
        size_t len = (size_t)(strrchr(ir_enums[i].name, '.') - ir_enums[i].name);
        if (strncmp(path, ir_enums[i].name, len) == 0 && path[len] == '.' && !ir_enum_find(path))
            bad_member(p, e, arena_strndup(p->arena, path, len));
    }
    return e;
}

struct ir_expr *parse_dotted(struct parser *p)
{
    const struct token *first = peek(p);
    if (parse_at_type(p)) {
        struct ir_expr *e = ir_expr_new(p->arena, IR_NAME, first->span);
        e->type = parse_type(p);
        e->name = "type";
        e->span = parse_span_from(p, first);
        return e;
    }
    const char *path = parse_path(p);
    if (!strchr(path, '.'))
        parse_expected(p, "'.'");
    if (!parse_at_op(p, "("))
        return make_constant(p, path, first);
    struct span callee = parse_span_from(p, first);
    for (size_t i = 0; i < sizeof misplaced / sizeof *misplaced; i++)
        if (strcmp(path, misplaced[i]) == 0)
            parse_fail(p, callee, "%s cannot stand here", path);
    const struct ir_op_spelling *ignored = NULL;
    bool distributed = strncmp(path, "pld.", 4) == 0;
    const char *communication = distributed                        ? path
                                : strncmp(path, "pl.pld.", 7) == 0 ? path + 3
                                                                   : NULL;
    if (communication && !find_spelled(p, communication, &ignored))
        unknown_pld(p, communication, callee);
    p->pos++;
    if (p->types && strcmp(path, "pl.dynamic") == 0)
        return parse_dynamic(p, path, first);
    for (size_t i = 0; i < sizeof special / sizeof *special; i++)
        if (strcmp(path, special[i].path) == 0)
            return special[i].parse(p, path, first);
    if (!distributed)
        return parse_pl_arguments(p, path + 3, first);
    struct ir_expr *e = parse_new_call(p, IR_CALLEE_UNKNOWN, path, first);
    e->span = callee;
    parse_arguments(p, &e->call);
    return finish_pld(p, e, path);
}
