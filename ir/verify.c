/* SPDX-License-Identifier: MIT */
/* The walk over a program, and the checks that an operator's registry row states. */
#include "ir/verify.h"

#include <string.h>

#include "ir/print.h"
#include "ir/verify_internal.h"

bool verify_fail(struct verifier *v, struct span at, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    const char *message = arena_vprintf(&v->arena, fmt, ap);
    va_end(ap);
    return diag_error(v->diag, v->prog->source, at, "%s", message);
}

bool verify_is_shaped(const struct ir_type *t)
{
    return t && (ir_type_is_tensor_like(t) || t->kind == IR_TYPE_TILE);
}

const struct ir_expr *verify_arg(const struct ir_call *call, const char *param)
{
    size_t given[IR_MAX_PARAMS];
    int at = ir_op_param(call->op, param);
    if (at < 0 || !ir_op_layout(call->op, call->args.len, given))
        return NULL;
    for (size_t i = 0; i < call->args.len; i++)
        if (given[i] == (size_t)at)
            return call->args.items[i];
    return NULL;
}

const ir_exprs *verify_tuple(const struct ir_expr *e)
{
    return e && (e->kind == IR_TUPLE || e->kind == IR_LIST) ? &e->items : NULL;
}

bool verify_const(const struct verifier *v, const struct ir_expr *e, int64_t *out)
{
    return ir_const_int(v->prog, e, out);
}

/* ---- argument kinds ---- */

static const char *found(struct verifier *v, const struct ir_expr *e)
{
    static const char *const literal[] = {
        [IR_STRING] = "a string", [IR_NONE] = "None",   [IR_TUPLE] = "a tuple",
        [IR_LIST] = "a list",     [IR_DICT] = "a dict", [IR_NAME] = "a constant name",
    };
    if (e->kind < sizeof literal / sizeof *literal && literal[e->kind])
        return literal[e->kind];
    return e->type ? ir_print_type(&v->arena, e->type) : "a value of unknown type";
}

static bool is_kind(const struct ir_type *t, enum ir_type_kind kind)
{
    return t && t->kind == kind;
}

static bool is_integer(const struct ir_type *t)
{
    return is_kind(t, IR_TYPE_SCALAR) && !ir_dtype_is_float(t->dtype);
}

/* Literals without a type that can stand for no value of an operator. */
static bool is_shapeless(const struct ir_expr *e)
{
    return e->kind == IR_STRING || e->kind == IR_NONE || e->kind == IR_TUPLE ||
           e->kind == IR_LIST || e->kind == IR_DICT || e->kind == IR_NAME;
}

static bool check_tuple(struct verifier *v, const struct ir_call *call, const char *name,
                        const struct ir_expr *e)
{
    const ir_exprs *items = verify_tuple(e);
    if (!items)
        return verify_fail(
            v, e->span, "argument '%s' of %s must be a tuple of integers such as [0, 0], found %s",
            name, call->op->name, found(v, e));
    vec_foreach (struct ir_expr *, item, items)
        if (is_shapeless(*item) || ((*item)->type && !is_integer((*item)->type)))
            return verify_fail(v, (*item)->span, "argument '%s' of %s must hold integers, found %s",
                               name, call->op->name, found(v, *item));
    return true;
}

/* What a kind letter asks of a typed argument (ir/ops.h). */
static bool fits(char kind, const struct ir_type *t)
{
    switch (kind) {
    case 'T':
        return ir_type_is_tensor_like(t);
    case 'D':
        return t->kind == IR_TYPE_DIST_TENSOR;
    case 'P':
        return t->kind == IR_TYPE_TENSOR;
    case 't':
        return t->kind == IR_TYPE_TILE;
    case 's':
        return t->kind == IR_TYPE_SCALAR;
    case 'i':
        return is_integer(t);
    case 'c':
        return t->kind == IR_TYPE_COMM_CTX;
    case 'p':
        return t->kind == IR_TYPE_PTR;
    case 'x':
        return t->kind == IR_TYPE_SCALAR || verify_is_shaped(t);
    case 'm':
        return verify_is_shaped(t);
    default:
        return true;
    }
}

static const char *wanted(char kind)
{
    switch (kind) {
    case 'T':
        return "a Tensor or DistributedTensor";
    case 'D':
        return "a DistributedTensor";
    case 'P':
        return "a plain Tensor";
    case 't':
        return "a Tile";
    case 's':
        return "a scalar";
    case 'i':
        return "an integer scalar";
    case 'c':
        return "a CommCtx";
    case 'p':
        return "a Ptr";
    case 'x':
        return "a scalar, a Tile or a Tensor";
    default:
        return "a Tensor or a Tile";
    }
}

static bool check_argument(struct verifier *v, const struct ir_call *call, size_t i)
{
    const struct ir_expr *e = call->args.items[i];
    char kind = ir_op_arg_kind(call->op, call->args.len, i);
    const char *name = ir_op_arg_name(&v->arena, call->op, call->args.len, i);
    if (kind == '*')
        return true;
    if (kind == 'u' || (kind == 'v' && !is_integer(e->type)))
        return check_tuple(v, call, name, e);
    if (kind == 'v' || (!e->type && !is_shapeless(e)) ||
        (e->type && !is_shapeless(e) && fits(kind, e->type)))
        return true;
    return verify_fail(v, e->span, "argument '%s' of %s must be %s, found %s", name, call->op->name,
                       wanted(kind), found(v, e));
}

/* ---- keywords ---- */

static const struct ir_op_kwarg *kwarg_row(const struct ir_op *op, const char *name)
{
    for (int i = 0; i < IR_MAX_KWARGS && op->kwargs[i].name; i++)
        if (strcmp(op->kwargs[i].name, name) == 0)
            return &op->kwargs[i];
    return NULL;
}

static bool unknown_keyword(struct verifier *v, const struct ir_op *op, const struct ir_kwarg *k)
{
    const char *names[IR_MAX_KWARGS];
    size_t n = 0;
    while (n < IR_MAX_KWARGS && op->kwargs[n].name) {
        names[n] = op->kwargs[n].name;
        n++;
    }
    const char *near = diag_nearest(k->name, names, n);
    if (near)
        return verify_fail(v, k->span, "%s has no keyword '%s'; did you mean '%s'?", op->name,
                           k->name, near);
    return verify_fail(v, k->span, "%s has no keyword '%s'", op->name, k->name);
}

static bool enum_has(const char *enum_name, int64_t value)
{
    size_t len = strlen(enum_name);
    for (size_t i = 0; i < ir_enum_count; i++)
        if (strncmp(ir_enums[i].name, enum_name, len) == 0 && ir_enums[i].name[len] == '.' &&
            ir_enums[i].value == value)
            return true;
    return false;
}

/* "0 (pld.NotifyOp.AtomicAdd) or 1 (pld.NotifyOp.Set)" */
static const char *enum_members(struct verifier *v, const char *enum_name)
{
    const char *text = "";
    size_t len = strlen(enum_name);
    for (size_t i = 0; i < ir_enum_count; i++)
        if (strncmp(ir_enums[i].name, enum_name, len) == 0 && ir_enums[i].name[len] == '.')
            text = arena_printf(&v->arena, "%s%s%ld (%s)", text, *text ? " or " : "",
                                (long)ir_enums[i].value, ir_enums[i].name);
    return text;
}

static bool is_dtype(const struct ir_expr *e)
{
    return e->kind == IR_NAME && strncmp(e->name, "pl.", 3) == 0 &&
           ir_dtype_parse(e->name + 3) != IR_DTYPE_NONE;
}

static bool check_keyword(struct verifier *v, const struct ir_op *op, const struct ir_kwarg *k)
{
    const struct ir_op_kwarg *row = kwarg_row(op, k->name);
    const struct ir_expr *e = k->value;
    int64_t value;
    if (!row)
        return unknown_keyword(v, op, k);
    const char *want = NULL;
    if (row->kind == 'e' && !(verify_const(v, e, &value) && enum_has(row->enum_name, value)))
        want = enum_members(v, row->enum_name);
    else if (row->kind == 'i' && (is_shapeless(e) || (e->type && !is_integer(e->type))))
        want = "an integer";
    else if (row->kind == 'b' && e->kind != IR_BOOLEAN &&
             !(verify_const(v, e, &value) && (value == 0 || value == 1)))
        want = "True or False";
    else if (row->kind == 's' && e->kind != IR_STRING)
        want = "a string";
    else if (row->kind == 'd' && !is_dtype(e))
        want = "an element type such as pl.FP32";
    return !want ||
           verify_fail(v, e->span, "keyword '%s' of %s must be %s", k->name, op->name, want);
}

static bool check_keywords(struct verifier *v, const struct ir_expr *e)
{
    const struct ir_call *call = &e->call;
    vec_foreach (struct ir_kwarg, k, &call->kwargs)
        if (!check_keyword(v, call->op, k))
            return false;
    for (int i = 0; i < IR_MAX_KWARGS && call->op->kwargs[i].name; i++)
        if (call->op->kwargs[i].required && !ir_kwarg_find(&call->kwargs, call->op->kwargs[i].name))
            return verify_fail(v, e->span, "%s needs the keyword '%s'", call->op->name,
                               call->op->kwargs[i].name);
    return true;
}

/* ---- calls ---- */

static bool is_host(const struct ir_func *f)
{
    const struct ir_expr *level = ir_kwarg_find(&f->decorator, "level");
    return level && level->kind == IR_NAME && strcmp(level->name, "pl.Level.HOST") == 0;
}

static bool check_op(struct verifier *v, const struct ir_expr *e)
{
    const struct ir_call *call = &e->call;
    if (!call->op->incore && !is_host(v->func))
        return verify_fail(
            v, e->span, "%s is for functions of level=pl.Level.HOST, not for the %s function '%s'",
            call->op->name, ir_func_type_name(v->func->type), v->func->name);
    if (call->args.len > IR_MAX_PARAMS || !(call->op->arities >> call->args.len & 1))
        return verify_fail(v, e->span, "%s expects %s arguments, found %zu", call->op->name,
                           ir_op_arities(&v->arena, call->op), call->args.len);
    for (size_t i = 0; i < call->args.len; i++)
        if (!check_argument(v, call, i))
            return false;
    return check_keywords(v, e) && verify_op_rules(v, e);
}

static bool check_user(struct verifier *v, const struct ir_expr *e)
{
    const struct ir_call *call = &e->call;
    const struct ir_func *f = ir_find_func(v->prog, call->name);
    if (!f) {
        VEC(const char *) names = {0};
        vec_foreach (struct ir_func *, other, &v->prog->funcs)
            vec_push(&v->arena, &names, (*other)->name);
        const char *near = diag_nearest(call->name, names.items, names.len);
        if (near)
            return verify_fail(v, e->span, "no function '%s' in this program; did you mean '%s'?",
                               call->name, near);
        return verify_fail(v, e->span, "no function '%s' in this program", call->name);
    }
    if (call->args.len > f->params.len)
        return verify_fail(v, e->span, "'%s' has %zu parameters, found %zu arguments", call->name,
                           f->params.len, call->args.len);
    return true;
}

static bool check_expr(const struct ir_expr *e, void *ctx)
{
    struct verifier *v = ctx;
    if (e->kind == IR_GETITEM) {
        const struct ir_type *t = e->getitem.base->type;
        bool known = is_kind(t, IR_TYPE_TUPLE);
        if (known && (e->getitem.index < 0 || (size_t)e->getitem.index >= t->elems.len))
            return verify_fail(v, e->span, "index %ld is outside a tuple of %zu",
                               (long)e->getitem.index, t->elems.len);
    }
    if (e->kind != IR_CALL || e->call.callee == IR_CALLEE_UNKNOWN)
        return true;
    return e->call.callee == IR_CALLEE_OP ? check_op(v, e) : check_user(v, e);
}

static bool check_exprs(struct verifier *v, const ir_exprs *items)
{
    vec_foreach (struct ir_expr *, e, items)
        if (!ir_walk_expr(*e, check_expr, v))
            return false;
    return true;
}

/* ---- statements ---- */

static bool check_block(struct verifier *v, const ir_block *block);

static bool check_loop_body(struct verifier *v, const ir_block *body)
{
    v->loops++;
    bool ok = check_block(v, body);
    v->loops--;
    return ok;
}

static bool check_stmt(struct verifier *v, const struct ir_stmt *s)
{
    switch (s->kind) {
    case IR_ASSIGN:
        return ir_walk_expr(s->assign.value, check_expr, v);
    case IR_EVAL:
        return ir_walk_expr(s->eval, check_expr, v);
    case IR_IF:
        return ir_walk_expr(s->if_.cond, check_expr, v) && check_block(v, &s->if_.then_body) &&
               check_block(v, &s->if_.else_body);
    case IR_FOR:
        return ir_walk_expr(s->for_.start, check_expr, v) &&
               ir_walk_expr(s->for_.stop, check_expr, v) &&
               ir_walk_expr(s->for_.step, check_expr, v) && check_exprs(v, &s->for_.inits) &&
               check_loop_body(v, &s->for_.body);
    case IR_WHILE:
        return check_exprs(v, &s->while_.inits) && ir_walk_expr(s->while_.cond, check_expr, v) &&
               check_loop_body(v, &s->while_.body);
    case IR_YIELD:
        return check_exprs(v, &s->yield.values);
    case IR_RETURN:
        return check_exprs(v, &s->return_.values);
    case IR_BREAK:
    case IR_CONTINUE:
        return v->loops > 0 || verify_fail(v, s->span, "%s outside a loop",
                                           s->kind == IR_BREAK ? "break" : "continue");
    case IR_SCOPE:
        return ir_walk_expr(s->scope.call, check_expr, v) && check_block(v, &s->scope.body);
    }
    return true;
}

static bool check_block(struct verifier *v, const ir_block *block)
{
    vec_foreach (struct ir_stmt *, s, block)
        if (!check_stmt(v, *s))
            return false;
    return true;
}

/* ---- functions ---- */

static bool check_param(struct verifier *v, const struct ir_param *p)
{
    const struct ir_type *t = p->var->type;
    int64_t extent;
    if (p->direction != IR_IN && is_kind(t, IR_TYPE_SCALAR))
        return verify_fail(v, p->var->span, "scalar parameter '%s' cannot be an output",
                           p->var->name);
    for (size_t i = 0; verify_is_shaped(t) && i < t->shape.len; i++)
        if (verify_const(v, t->shape.items[i], &extent) && extent <= 0)
            return verify_fail(v, t->shape.items[i]->span,
                               "dimension %zu of '%s' is %ld, expected at least 1", i, p->var->name,
                               (long)extent);
    return true;
}

static bool check_func(struct verifier *v, const struct ir_func *f)
{
    v->func = f;
    vec_foreach (struct ir_param, p, &f->params)
        if (!check_param(v, p))
            return false;
    return check_block(v, &f->body);
}

bool ir_verify(const struct ir_program *p, struct diag *d)
{
    struct verifier v = {.prog = p, .diag = d};
    bool ok = true;
    for (size_t i = 0; ok && i < p->funcs.len; i++)
        ok = check_func(&v, p->funcs.items[i]);
    arena_free(&v.arena);
    return ok;
}
