/* SPDX-License-Identifier: MIT */
/* Launches: what becomes of their results, the predicates that decide them, and the attributes of
 * calls (pypto-front-facts 2.7). */
#include <string.h>

#include "ir/verify_internal.h"

/* ---- which task makes what ---- */

/* A variable of a launch's results: the task that it is of, and which launch that name stood for. */
struct producer {
    const struct ir_var *task;
    const void *launch;
};

static void made_by(struct verifier *v, const struct ir_var *var, const struct ir_var *task)
{
    struct producer *p = arena_new(&v->arena, struct producer);
    *p = (struct producer){task, map_get(&v->launches, task)};
    map_put(&v->producers, var, p);
}

static bool is_submit(const struct ir_expr *e)
{
    return e && e->kind == IR_CALL && e->call.callee == IR_CALLEE_SUBMIT;
}

void verify_launch_results(struct verifier *v, const struct ir_stmt *s)
{
    if (s->kind != IR_ASSIGN || !is_submit(s->assign.value) || s->assign.targets.len < 2)
        return;
    const ir_vars *targets = &s->assign.targets;
    const struct ir_var *task = targets->items[targets->len - 1];
    map_put(&v->launches, task, (void *)s);
    for (size_t i = 0; i + 1 < targets->len; i++)
        made_by(v, targets->items[i], task);
}

void verify_scope_results(struct verifier *v, const struct ir_stmt *s)
{
    if (!s->scope.var || s->scope.lanes)
        return;
    map_put(&v->launches, s->scope.var, (void *)s);
    vec_foreach (struct ir_stmt *, in, &s->scope.body)
        for (size_t i = 0; *in && (*in)->kind == IR_ASSIGN && i < (*in)->assign.targets.len; i++)
            made_by(v, (*in)->assign.targets.items[i], s->scope.var);
}

/* ---- predicates ---- */

static const struct ir_expr *without_casts(const struct ir_expr *e)
{
    while (e->kind == IR_CAST)
        e = e->cast.operand;
    return e;
}

static bool reads(const struct ir_expr *e)
{
    bool subscript = e->kind == IR_CALL && e->call.args.len > 1 && strcmp(e->call.name, "[]") == 0;
    return subscript || (e->kind == IR_CALL && e->call.op && e->call.args.len > 1 &&
                         strcmp(e->call.op->name, "tensor.read") == 0);
}

static bool is_literal(const struct ir_expr *e)
{
    return e->kind == IR_INT ||
           (e->kind == IR_UNARY && e->unary.op == IR_NEG && e->unary.operand->kind == IR_INT);
}

/* The read of the one element that a predicate compares with a number, or NULL. */
static const struct ir_expr *read_of(const struct ir_expr *e)
{
    if (e->kind != IR_BINARY || !ir_binary_compares(e->binary.op))
        return NULL;
    const struct ir_expr *x = without_casts(e->binary.lhs), *y = without_casts(e->binary.rhs);
    if (reads(x) && is_literal(y))
        return x;
    return reads(y) && is_literal(x) ? y : NULL;
}

/* The indices of a read: those of a subscript, or of the tuple, or the one index. */
static ir_exprs indices_of(const struct ir_expr *read)
{
    ir_exprs rest = read->call.args;
    rest.items++;
    rest.len--;
    const ir_exprs *tuple = rest.len == 1 ? verify_tuple(rest.items[0]) : NULL;
    return tuple ? *tuple : rest;
}

static bool is_readable(enum ir_dtype t)
{
    return ir_dtype_is_signed(t) && !ir_dtype_is_float(t) && ir_dtype_bits(t) >= 8 &&
           t != IR_BOOL && t != IR_INDEX && t != IR_TASK_ID;
}

/* The runtime keeps a non-negative index for each dimension. */
static bool are_indices(const ir_exprs *indices)
{
    int64_t value;
    vec_foreach (struct ir_expr *, i, indices)
        if (((*i)->type ? !verify_is_integer((*i)->type) : verify_is_shapeless(*i)) ||
            (ir_const_int(*i, &value) && value < 0))
            return false;
    return true;
}

bool verify_predicate(struct verifier *v, const char *form, const struct ir_expr *e)
{
    const struct ir_expr *read = read_of(e);
    if (!read)
        return verify_fail(v, IR_RULE_PREDICATE, e->span, form,
                           "one comparison of an element of a tensor with a literal integer", NULL);
    const struct ir_type *t = read->call.args.items[0]->type;
    ir_exprs indices = indices_of(read);
    if (t && (!ir_type_is_tensor_like(t) || !is_readable(t->dtype)))
        return verify_fail(v, IR_RULE_PREDICATE, e->span, form,
                           "of a tensor of signed integers of 8 bits or more", NULL);
    if (!are_indices(&indices) || (t && t->shape.len != indices.len))
        return verify_fail(v, IR_RULE_PREDICATE, e->span, form,
                           "of one element: an index from 0 on for each dimension", NULL);
    return true;
}

/* The list names the task; a whole array of tasks may hold it. */
static bool names_task(const ir_exprs *deps, const struct ir_var *task)
{
    for (size_t i = 0; deps && i < deps->len; i++) {
        const struct ir_expr *e = deps->items[i];
        bool several = e->type && e->type->kind != IR_TYPE_SCALAR;
        if (e->kind == IR_VAR && (e->var == task || several))
            return true;
    }
    return false;
}

bool verify_predicate_deps(struct verifier *v, const char *form, const ir_kwargs *kwargs)
{
    const struct ir_expr *e = ir_kwarg_find(kwargs, "predicate"), *read = e ? read_of(e) : NULL,
                         *deps = ir_kwarg_find(kwargs, "deps");
    const struct ir_expr *tensor = read ? read->call.args.items[0] : NULL;
    const struct producer *p =
        tensor && tensor->kind == IR_VAR ? map_get(&v->producers, tensor->var) : NULL;
    if (!p)
        return true;
    bool same = map_get(&v->launches, p->task) == p->launch;
    if (same && names_task(deps ? verify_tuple(deps) : NULL, p->task))
        return true;
    return verify_fail(v, IR_RULE_PREDICATE_DEPS, e->span, form, tensor->var->name, p->task->name,
                       NULL);
}

/* ---- attributes ---- */

static bool is_direction(const struct ir_expr *e)
{
    static const char *const names[] = {"input", "output", "output_existing",
                                        "inout", "no_dep", "scalar"};
    static const char prefix[] = "pl.adir.";
    if (e->kind != IR_NAME || strncmp(e->name, prefix, sizeof prefix - 1) != 0)
        return false;
    for (size_t i = 0; i < ROWS(names); i++)
        if (strcmp(e->name + sizeof prefix - 1, names[i]) == 0)
            return true;
    return false;
}

static bool check_directions(struct verifier *v, const struct ir_expr *e,
                             const struct ir_expr *list)
{
    const ir_exprs *items = verify_tuple(list);
    bool fits = items && (items->len == 0 || items->len == e->call.args.len);
    for (size_t i = 0; fits && i < items->len; i++)
        fits = is_direction(items->items[i]);
    return fits || verify_fail(v, IR_RULE_CALL_ATTRIBUTE, list->span, "arg_directions",
                               e->call.name, "a list of one pl.adir for each argument", NULL);
}

bool verify_call_attrs(struct verifier *v, const struct ir_expr *e)
{
    const struct ir_expr *directions = ir_kwarg_find(&e->call.attrs, "arg_directions"),
                         *edges = ir_kwarg_find(&e->call.attrs, "manual_dep_edges");
    if (edges)
        return verify_fail(v, IR_RULE_CALL_ATTRIBUTE, edges->span, "manual_dep_edges", e->call.name,
                           "left to deps= of a launch", NULL);
    return !directions || check_directions(v, e, directions);
}
