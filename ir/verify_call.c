/* SPDX-License-Identifier: MIT */
/* Calls: what an operator's registry row states, where it may stand, and calls of functions of the
 * program (pypto-facts 1.3, 2). */
#include <ctype.h>
#include <string.h>

#include "ir/verify_internal.h"

/* ---- placement ---- */

static const char *place_here(struct verifier *v)
{
    if (v->scope)
        return arena_printf(&v->arena, "the body of pl.%s()", v->scope);
    return arena_printf(&v->arena, "the %s function '%s'",
                        v->place == IR_PLACE_HOST ? "HOST" : ir_func_type_name(v->func->type),
                        v->func->name);
}

static bool check_placement(struct verifier *v, const struct ir_expr *e)
{
    enum ir_place places = ir_op_places(e->call.op);
    if (places & v->place)
        return true;
    const char *where = places == IR_PLACE_HOST      ? "functions of level=pl.Level.HOST"
                        : places == IR_PLACE_DEVICE  ? "functions of a device"
                        : places == IR_PLACE_OUTSIDE ? "functions that run on no core"
                                                     : "InCore functions";
    return verify_fail(v, IR_RULE_OP_PLACEMENT, e->span, e->call.op->name, where, place_here(v),
                       NULL);
}

/* ---- argument kinds ---- */

bool verify_integers(struct verifier *v, const struct ir_call *call, const char *name,
                     const struct ir_expr *e)
{
    const ir_exprs *items = verify_tuple(e);
    if (!items)
        return verify_fail(v, IR_RULE_ARGUMENT_TUPLE, e->span, name, call->op->name,
                           verify_found(v, e), NULL);
    vec_foreach (struct ir_expr *, item, items)
        if (verify_is_shapeless(*item) || ((*item)->type && !verify_is_integer((*item)->type)))
            return verify_fail(v, IR_RULE_TUPLE_INTEGERS, (*item)->span, name, call->op->name,
                               verify_found(v, *item), NULL);
    return true;
}

#define KIND(k) (1u << IR_TYPE_##k)

/* What a kind letter asks of a typed argument (ir/ops.h). */
static const struct {
    const char *wanted;
    unsigned kinds;
} letters[128] = {
    ['T'] = {"a Tensor or DistributedTensor", KIND(TENSOR) | KIND(DIST_TENSOR)},
    ['o'] = {"a Tensor or DistributedTensor", KIND(TENSOR) | KIND(DIST_TENSOR)},
    ['D'] = {"a DistributedTensor", KIND(DIST_TENSOR)},
    ['P'] = {"a plain Tensor", KIND(TENSOR)},
    ['t'] = {"a Tile", KIND(TILE)},
    ['s'] = {"a scalar", KIND(SCALAR)},
    ['i'] = {"an integer scalar", KIND(SCALAR)},
    ['c'] = {"a CommCtx", KIND(COMM_CTX)},
    ['p'] = {"a Ptr", KIND(PTR)},
    ['x'] = {"a scalar, a Tile or a Tensor",
             KIND(SCALAR) | KIND(TILE) | KIND(TENSOR) | KIND(DIST_TENSOR)},
    ['m'] = {"a Tensor or a Tile", KIND(TILE) | KIND(TENSOR) | KIND(DIST_TENSOR)},
};

static bool fits(char kind, const struct ir_type *t)
{
    return letters[(unsigned char)kind].kinds >> t->kind & 1 &&
           (kind != 'i' || verify_is_integer(t));
}

/* The operator that does the same for what was found (pypto-facts 2). */
static const struct {
    const char *op, *argument;
    unsigned kinds;
    const char *sibling;
} siblings[] = {
    {"pld.tile.remote_store", "src_tile", KIND(TENSOR), "pld.tensor.remote_store"},
    {"pld.tile.remote_store", "src_tile", KIND(DIST_TENSOR), "pld.tensor.put"},
    {"pld.tensor.remote_store", "src", KIND(TILE), "pld.tile.remote_store"},
    {"pld.tensor.remote_store", "src", KIND(DIST_TENSOR), "pld.tensor.put"},
};

static const char *sibling_hint(struct verifier *v, const struct ir_op *op, const char *argument,
                                const struct ir_type *t)
{
    for (size_t i = 0; t && i < ROWS(siblings); i++)
        if (siblings[i].kinds >> t->kind & 1 && strcmp(siblings[i].op, op->name) == 0 &&
            strcmp(siblings[i].argument, argument) == 0)
            return arena_printf(&v->arena, "; use %s", siblings[i].sibling);
    return "";
}

static bool check_argument(struct verifier *v, const struct ir_call *call, size_t i)
{
    const struct ir_expr *e = call->args.items[i];
    char kind = ir_op_arg_kind(call->op, call->args.len, i);
    const char *name = ir_op_arg_name(&v->arena, call->op, call->args.len, i);
    if (kind == '*' || (kind == 'o' && e->kind == IR_NONE))
        return true;
    if (kind == 'u' || (kind == 'v' && !verify_is_integer(e->type)))
        return verify_integers(v, call, name, e);
    if (kind == 'v' || (!verify_is_shapeless(e) && (!e->type || fits(kind, e->type))))
        return true;
    return verify_fail(v, IR_RULE_ARGUMENT_KIND, e->span, name, call->op->name,
                       letters[(unsigned char)kind].wanted, verify_found(v, e),
                       sibling_hint(v, call->op, name, e->type), NULL);
}

/* ---- keywords ---- */

static bool unknown_keyword(struct verifier *v, const struct ir_op *op, const struct ir_kwarg *k)
{
    const char *names[IR_MAX_KWARGS];
    size_t n = 0;
    while (n < IR_MAX_KWARGS && op->kwargs[n].name) {
        names[n] = op->kwargs[n].name;
        n++;
    }
    return verify_fail(v, IR_RULE_KEYWORD_UNKNOWN, k->span, op->name, k->name,
                       diag_hint(&v->arena, k->name, names, n), NULL);
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

static bool is_flag(const struct ir_expr *e)
{
    int64_t value;
    return ir_const_int(e, &value) && (value == 0 || value == 1);
}

/* What the keyword must be, or NULL when it is. */
static const char *keyword_breach(struct verifier *v, const struct ir_op_kwarg *row,
                                  const struct ir_expr *e)
{
    int64_t value;
    switch (row->kind) {
    case 'e':
        return ir_const_int(e, &value) && enum_has(row->names, value) ? NULL
                                                                      : enum_members(v, row->names);
    case 'i':
        return verify_is_shapeless(e) || (e->type && !verify_is_integer(e->type)) ? "an integer"
                                                                                  : NULL;
    case 'b':
        return is_flag(e) ? NULL : "True or False";
    case 'n':
        return ir_const_int(e, &value) && ir_op_number_name(&v->arena, row, value)
                   ? NULL
                   : arena_printf(&v->arena, "one of %s", row->names);
    case 's':
        return e->kind == IR_STRING ? NULL : "a string";
    case 'd':
        return is_dtype(e) ? NULL : "an element type such as pl.FP32";
    default:
        return NULL;
    }
}

static bool check_keywords(struct verifier *v, const struct ir_expr *e)
{
    const struct ir_op *op = e->call.op;
    vec_foreach (struct ir_kwarg, k, &e->call.kwargs) {
        const struct ir_op_kwarg *row = ir_op_keyword(op, k->name);
        if (!row)
            return unknown_keyword(v, op, k);
        const char *want = keyword_breach(v, row, k->value);
        if (want)
            return verify_fail(v, IR_RULE_KEYWORD_VALUE, k->value->span, k->name, op->name, want,
                               NULL);
    }
    for (int i = 0; i < IR_MAX_KWARGS && op->kwargs[i].name; i++)
        if (op->kwargs[i].required && !ir_kwarg_find(&e->call.kwargs, op->kwargs[i].name))
            return verify_fail(v, IR_RULE_KEYWORD_REQUIRED, e->span, op->name, op->kwargs[i].name,
                               NULL);
    return true;
}

/* ---- operators ---- */

static bool check_op(struct verifier *v, const struct ir_expr *e)
{
    const struct ir_call *call = &e->call;
    v->body.asks_lane |= strcmp(call->op->name, "tile.get_block_idx") == 0 ||
                         strcmp(call->op->name, "tensor.get_block_idx") == 0;
    if (!check_placement(v, e))
        return false;
    if (!ir_op_takes(call->op, call->args.len))
        return verify_fail(v, IR_RULE_OP_ARITY, e->span, call->op->name,
                           ir_op_arities(&v->arena, call->op),
                           verify_number(v, (int64_t)call->args.len), NULL);
    for (size_t i = 0; i < call->args.len; i++)
        if (!check_argument(v, call, i))
            return false;
    if (!check_keywords(v, e) || !verify_op_rules(v, e) || !verify_call_attrs(v, e))
        return false;
    if (verify_is_alloc(e) && e != v->allocation)
        return verify_fail(v, IR_RULE_ALLOC_ASSIGNMENT, e->span, call->op->name, call->op->name,
                           NULL);
    return true;
}

/* ---- functions of the program ---- */

static bool unknown_function(struct verifier *v, const struct ir_expr *e)
{
    VEC(const char *) names = {0};
    vec_foreach (struct ir_func *, f, &v->prog->funcs)
        vec_push(&v->arena, &names, (*f)->name);
    return verify_fail(v, IR_RULE_CALL_FUNCTION, e->span, e->call.name,
                       diag_hint(&v->arena, e->call.name, names.items, names.len), NULL);
}

/* A window is a tensor, but no tensor is a window; types that are not fully known fit. */
static bool passes_as(const struct ir_type *param, const struct ir_expr *e)
{
    static const unsigned judged =
        KIND(SCALAR) | KIND(TENSOR) | KIND(DIST_TENSOR) | KIND(TILE) | KIND(COMM_CTX) | KIND(PTR);
    const struct ir_type *arg = e->type;
    if (!param || !(judged >> param->kind & 1))
        return true;
    if (verify_is_shapeless(e))
        return false;
    if (!arg || !((judged | KIND(TUPLE)) >> arg->kind & 1))
        return true;
    bool window = param->kind == IR_TYPE_TENSOR && arg->kind == IR_TYPE_DIST_TENSOR;
    if (param->kind != arg->kind && !window)
        return false;
    return !verify_is_shaped(param) || param->dtype == arg->dtype;
}

static bool is_orchestrator(const struct ir_func *f)
{
    const struct ir_expr *role = ir_kwarg_find(&f->decorator, "role");
    return f->type == IR_FUNC_ORCHESTRATION || f->type == IR_FUNC_GRAPH ||
           (role && role->kind == IR_NAME && strcmp(role->name, "pl.Role.Orchestrator") == 0);
}

static bool check_device(struct verifier *v, const struct ir_expr *e, const struct ir_func *f)
{
    const struct ir_expr *device = ir_kwarg_find(&e->call.kwargs, "device");
    if (!device)
        device = ir_kwarg_find(&e->call.attrs, "device");
    if (!device || is_orchestrator(f))
        return true;
    bool vowel = strchr("AIO", ir_func_type_name(f->type)[0]) != NULL;
    return verify_fail(
        v, IR_RULE_CALL_DEVICE, device->span, f->name,
        arena_printf(&v->arena, "%s %s", vowel ? "an" : "a", ir_func_type_name(f->type)), NULL);
}

/* A task id, or what may stand for some: types that are not fully known fit. */
static bool is_task(const struct ir_expr *e)
{
    const struct ir_type *t = e->type;
    if (!t)
        return e->kind == IR_NONE || !verify_is_shapeless(e);
    if (t->kind == IR_TYPE_SCALAR)
        return t->dtype == IR_TASK_ID;
    return !verify_is_shaped(t) && t->kind != IR_TYPE_COMM_CTX && t->kind != IR_TYPE_PTR;
}

bool verify_deps(struct verifier *v, const char *form, const struct ir_expr *deps)
{
    const ir_exprs *items = verify_tuple(deps);
    if (!items)
        return verify_fail(v, IR_RULE_SUBMIT_DEPS, deps->span, form, verify_found(v, deps), NULL);
    bool slot = false, array = false;
    vec_foreach (struct ir_expr *, item, items) {
        if (!is_task(*item))
            return verify_fail(v, IR_RULE_SUBMIT_DEPS, (*item)->span, form, verify_found(v, *item),
                               NULL);
        slot |= (*item)->kind == IR_CALL;
        array |= ir_type_is_array((*item)->type);
        if (slot && array)
            return verify_fail(v, IR_RULE_SUBMIT_DEPS, (*item)->span, form,
                               "slots beside a whole array", NULL);
    }
    return true;
}

/* The tensors to dump are arguments of the launch. */
static bool check_dumps(struct verifier *v, const struct ir_expr *e)
{
    const struct ir_expr *dumps = ir_kwarg_find(&e->call.kwargs, "dumps");
    for (size_t i = 0; dumps && i < verify_tuple(dumps)->len; i++) {
        const struct ir_expr *x = verify_tuple(dumps)->items[i];
        bool given = false;
        vec_foreach (struct ir_expr *, arg, &e->call.args)
            given |= (*arg)->kind == IR_VAR && (*arg)->var == x->var;
        if (!given)
            return verify_fail(v, IR_RULE_KEYWORD_VALUE, x->span, "dumps", e->call.written,
                               "a list of arguments of the launch", NULL);
    }
    return true;
}

/* A call of a function has no keyword but the device. */
static bool check_user_keywords(struct verifier *v, const struct ir_expr *e)
{
    if (e->call.callee == IR_CALLEE_SUBMIT)
        return verify_form(v, e->call.written, &e->call.args, &e->call.kwargs, e->span) &&
               check_dumps(v, e) && verify_launch_place(v, e) &&
               verify_predicate_deps(v, e->call.written, &e->call.kwargs);
    static const char *const names[] = {"device"};
    vec_foreach (struct ir_kwarg, k, &e->call.kwargs)
        if (strcmp(k->name, names[0]) != 0)
            return verify_fail(v, IR_RULE_KEYWORD_UNKNOWN, k->span, e->call.name, k->name,
                               diag_hint(&v->arena, k->name, names, ROWS(names)), NULL);
    return true;
}

/* What an argument says of a symbolic extent of the function. */
struct extent {
    const struct ir_var *symbol, *param;
    int64_t value;
};
typedef VEC(struct extent) extents;

static bool bind_extent(struct verifier *v, const struct ir_expr *e, const struct ir_func *f,
                        extents *known, struct extent found)
{
    vec_foreach (struct extent, x, known)
        if (x->symbol == found.symbol && x->value != found.value)
            return verify_fail(v, IR_RULE_CALL_EXTENT, e->span, found.symbol->name, f->name,
                               verify_number(v, x->value), x->param->name,
                               verify_number(v, found.value), found.param->name, NULL);
    vec_push(&v->arena, known, found);
    return true;
}

/* A function that gives something back gets one value for each symbolic extent, of which its
 * result's type is made. A callee that stands behind its caller is not known yet. */
static bool check_extents(struct verifier *v, const struct ir_expr *e, const struct ir_func *f)
{
    extents known = {0};
    for (size_t i = 0; f->return_type && f->span.line < e->span.line && i < f->params.len; i++) {
        const struct ir_var *param = f->params.items[i].var;
        int at = ir_arg_of_param(f, &e->call, i);
        const struct ir_type *arg = at < 0 ? NULL : e->call.args.items[at]->type;
        if (!arg || !verify_is_shaped(arg) || arg->shape.len != param->type->shape.len)
            continue;
        for (size_t k = 0; k < arg->shape.len; k++) {
            const struct ir_expr *extent = param->type->shape.items[k];
            struct extent found = {extent->kind == IR_VAR ? extent->var : NULL, param, 0};
            if (found.symbol && ir_const_int(arg->shape.items[k], &found.value) &&
                !bind_extent(v, e, f, &known, found))
                return false;
        }
    }
    return true;
}

static bool check_user(struct verifier *v, const struct ir_expr *e)
{
    const struct ir_call *call = &e->call;
    const struct ir_func *f = ir_find_func(v->prog, call->name);
    if (!f)
        return unknown_function(v, e);
    if (!ir_call_fits(f, call))
        return verify_fail(v, IR_RULE_CALL_ARITY, e->span, call->name,
                           verify_number(v, (int64_t)f->params.len),
                           verify_number(v, (int64_t)call->args.len), NULL);
    for (size_t i = 0; i < f->params.len; i++) {
        const struct ir_var *param = f->params.items[i].var;
        int at = ir_arg_of_param(f, call, i);
        const struct ir_expr *arg = at < 0 ? NULL : call->args.items[at];
        if (arg && !passes_as(param->type, arg))
            return verify_fail(v, IR_RULE_CALL_ARGUMENT, arg->span, param->name, f->name,
                               verify_type(v, param->type), verify_found(v, arg), NULL);
    }
    v->body.calls += call->callee == IR_CALLEE_USER;
    return check_extents(v, e, f) && check_device(v, e, f) && check_user_keywords(v, e) &&
           verify_call_attrs(v, e);
}

/* Text spells operators by names that exist. One that is registered nowhere is kept only as the
 * compiler prints it, by its category: a newer compiler may have it (pypto-facts 1.3). */
static bool check_category(struct verifier *v, const struct ir_expr *e)
{
    const char *name = e->call.name, *dot = strchr(name, '.');
    if (!isalpha((unsigned char)*name)) /* the tree's own: an element, a domain */
        return true;
    VEC(const char *) known = {0};
    const struct ir_op *op;
    for (size_t i = 0; (op = ir_op_at(i)); i++) {
        if (dot && strncmp(op->name, name, (size_t)(dot - name) + 1) == 0)
            return true;
        vec_push(&v->arena, &known, strrchr(op->name, '.') + 1);
    }
    return verify_fail(v, IR_RULE_UNKNOWN_OPERATOR, e->span, arena_printf(&v->arena, "pl.%s", name),
                       diag_hint(&v->arena, name, known.items, known.len), NULL);
}

/* What is to be dumped is known where tasks are launched (pypto-front-facts 2.1). */
static bool check_hint(struct verifier *v, const struct ir_expr *e)
{
    bool launches = v->func->type == IR_FUNC_ORCHESTRATION || v->func->type == IR_FUNC_INLINE;
    if (!verify_is_form(e->call.name))
        return check_category(v, e);
    if (strcmp(e->call.name, "dump_tag") != 0 || launches)
        return verify_form(v, e->call.name, &e->call.args, &e->call.kwargs, e->span);
    return verify_fail(v, IR_RULE_OP_PLACEMENT, e->span, "pl.dump_tag",
                       "functions of type Orchestration or Inline", place_here(v), NULL);
}

bool verify_call(struct verifier *v, const struct ir_expr *e)
{
    switch (e->call.callee) {
    case IR_CALLEE_OP:
        return check_op(v, e);
    case IR_CALLEE_USER:
    case IR_CALLEE_SUBMIT:
        return check_user(v, e);
    case IR_CALLEE_UNKNOWN:
        return check_hint(v, e);
    }
    return true;
}
