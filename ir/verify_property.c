/* SPDX-License-Identifier: MIT */
/* Properties of whole programs: communication domains (pypto-facts 4.3) and the contexts of
 * distributed tensors (pypto-facts 1.6). */
#include <string.h>

#include "ir/verify_internal.h"

typedef bool stmt_fn(struct verifier *v, const struct ir_stmt *s, void *ctx);

/* Calls fn for every statement, parents first, null ones included. */
static bool walk_block(struct verifier *v, const ir_block *block, stmt_fn *fn, void *ctx)
{
    vec_foreach (struct ir_stmt *, it, block) {
        const struct ir_stmt *s = *it;
        if (!fn(v, s, ctx))
            return false;
        const ir_block *inner[] = {
            s && s->kind == IR_IF ? &s->if_.then_body : NULL,
            s && s->kind == IR_IF ? &s->if_.else_body : NULL,
            s && s->kind == IR_FOR ? &s->for_.body : NULL,
            s && s->kind == IR_WHILE ? &s->while_.body : NULL,
            s && s->kind == IR_SCOPE ? &s->scope.body : NULL,
        };
        for (size_t i = 0; i < ROWS(inner); i++)
            if (inner[i] && !walk_block(v, inner[i], fn, ctx))
                return false;
    }
    return true;
}

static bool walk_program(struct verifier *v, stmt_fn *fn, void *ctx)
{
    vec_foreach (struct ir_func *, f, &v->prog->funcs) {
        v->func = *f;
        if (!walk_block(v, &(*f)->body, fn, ctx))
            return false;
    }
    return true;
}

/* ---- CommDomainScopesMaterialized ---- */

static bool is_null_scope(const struct ir_stmt *s)
{
    return !s || (s->kind == IR_SCOPE && !s->scope.call);
}

static bool is_domain(const struct ir_stmt *s)
{
    return !is_null_scope(s) && ir_is_comm_domain(s);
}

static bool no_domain(struct verifier *v, const struct ir_stmt *s, void *ctx)
{
    (void)v;
    (void)ctx;
    return !is_null_scope(s) && !is_domain(s);
}

bool verify_has_domains(const struct ir_program *p)
{
    struct verifier v = {.prog = p};
    return !walk_program(&v, no_domain, NULL);
}

static const char *domain_name(const struct ir_stmt *s)
{
    const struct ir_expr *name = ir_kwarg_find(&s->scope.call->call.kwargs, "name");
    return name && name->kind == IR_STRING ? name->string : "without a name";
}

/* The window of a slot, or NULL for what is no slot. */
static const struct ir_window_buffer *slot_window(const struct ir_expr *e)
{
    bool slot = e && e->kind == IR_CALL && strcmp(e->call.name, IR_WINDOW_SLOT) == 0;
    return slot && e->type ? e->type->window : NULL;
}

/* No device at all stands for every device (pypto-facts 1.1). */
static bool check_devices(struct verifier *v, const struct ir_stmt *s)
{
    const struct ir_expr *devices = ir_kwarg_find(&s->scope.call->call.kwargs, "devices");
    const ir_exprs *items = verify_tuple(devices);
    int64_t last = -1, device;
    for (size_t i = 0; items && i < items->len; i++) {
        const struct ir_expr *e = items->items[i];
        if (!ir_const_int(e, &device) || device <= last)
            return verify_fail(v, IR_RULE_SCOPE_DEVICES, e->span, domain_name(s), NULL);
        last = device;
    }
    return true;
}

/* ctx: map from a window to the scope that has it. */
static bool check_domain(struct verifier *v, const struct ir_stmt *s, void *ctx)
{
    struct map *owners = ctx;
    if (is_null_scope(s))
        return verify_fail(v, IR_RULE_SCOPE_NULL, s ? s->span : v->func->span, NULL);
    if (!is_domain(s))
        return true;
    const ir_exprs *slots = verify_tuple(ir_kwarg_find(&s->scope.call->call.kwargs, "slots"));
    if (!slots || slots->len == 0)
        return verify_fail(v, IR_RULE_SCOPE_EMPTY, s->span, domain_name(s), NULL);
    for (size_t i = 0; i < slots->len; i++) {
        const struct ir_expr *slot = slots->items[i];
        const struct ir_window_buffer *w = slot_window(slot);
        if (!w)
            return verify_fail(v, IR_RULE_SLOT_NULL, slot ? slot->span : s->span,
                               verify_number(v, (int64_t)i), domain_name(s), NULL);
        const struct ir_stmt *owner = map_get(owners, w);
        if (owner)
            return verify_fail(v, IR_RULE_SLOT_SHARED, slot->span, w->name, domain_name(owner),
                               domain_name(s), NULL);
        map_put(owners, w, (void *)s);
    }
    return check_devices(v, s);
}

bool verify_domains(struct verifier *v)
{
    struct map owners = {.arena = &v->arena};
    return walk_program(v, check_domain, &owners);
}

/* ---- references to windows ---- */

static const char *label_of(const struct ir_window_buffer *w)
{
    return w->label ? w->label : w->name;
}

static bool add_slots(struct verifier *v, const struct ir_stmt *s, void *ctx)
{
    (void)ctx;
    const ir_exprs *slots =
        is_domain(s) ? verify_tuple(ir_kwarg_find(&s->scope.call->call.kwargs, "slots")) : NULL;
    for (size_t i = 0; slots && i < slots->len; i++) {
        const struct ir_window_buffer *w = slot_window(slots->items[i]);
        if (!w)
            continue;
        map_put(&v->slots, w, (void *)w);
        vec_push(&v->arena, &v->slot_labels, label_of(w));
    }
    return true;
}

void verify_collect_slots(struct verifier *v)
{
    walk_program(v, add_slots, NULL);
}

bool verify_reference(struct verifier *v, const struct ir_type *t, struct span at)
{
    const struct ir_window_buffer *w = t ? t->window : NULL;
    if (!w || map_get(&v->slots, w))
        return true;
    size_t n = v->slot_labels.len;
    const char *const *labels = v->slot_labels.items,
                      *hint = n == 1 ? diag_hint(&v->arena, labels[0], labels, 1)
                                     : diag_hint(&v->arena, label_of(w), labels, n);
    return verify_fail(v, IR_RULE_WINDOW_REFERENCE, w->span.line ? w->span : at, label_of(w), hint,
                       NULL);
}

/* ---- DistTensorCtxMaterialized ---- */

static bool is_kind(const struct ir_var *var, enum ir_type_kind kind)
{
    return var->type && var->type->kind == kind;
}

static bool check_parameters(struct verifier *v, const struct ir_func *f)
{
    int64_t tensors = 0, contexts = 0;
    vec_foreach (struct ir_param, p, &f->params) {
        contexts += is_kind(p->var, IR_TYPE_COMM_CTX);
        if (!is_kind(p->var, IR_TYPE_DIST_TENSOR))
            continue;
        tensors++;
        if (contexts)
            return verify_fail(v, IR_RULE_CTX_ORDER, p->var->span, p->var->name, f->name, NULL);
    }
    return tensors == contexts ||
           verify_fail(v, IR_RULE_CTX_PARAMETER, f->span, f->name, verify_number(v, tensors),
                       verify_number(v, contexts), NULL);
}

static bool check_context_arguments(struct verifier *v, const struct ir_expr *e)
{
    const struct ir_func *f = ir_find_func(v->prog, e->call.name);
    for (size_t i = 0; f && !verify_is_host(f) && i < f->params.len; i++) {
        const struct ir_expr *arg = i < e->call.args.len ? e->call.args.items[i] : NULL;
        bool given = arg && arg->type && arg->type->kind == IR_TYPE_COMM_CTX;
        if (is_kind(f->params.items[i].var, IR_TYPE_COMM_CTX) && !given)
            return verify_fail(v, IR_RULE_CTX_ARGUMENT, e->span, f->name,
                               f->params.items[i].var->name, NULL);
    }
    return true;
}

static bool check_context_call(const struct ir_expr *e, void *ctx)
{
    struct verifier *v = ctx;
    if (e->kind != IR_CALL)
        return true;
    if (e->call.callee == IR_CALLEE_USER || e->call.callee == IR_CALLEE_SUBMIT)
        return check_context_arguments(v, e);
    bool asks = e->call.op && strcmp(e->call.op->name, "pld.system.get_comm_ctx") == 0 &&
                e->call.args.len == 1 && verify_is_parameter(v->func, e->call.args.items[0]);
    return !asks || verify_is_host(v->func) ||
           verify_fail(v, IR_RULE_CTX_LOCAL, e->span, v->func->name,
                       e->call.args.items[0]->var->name, NULL);
}

static bool walk_values(struct verifier *v, const ir_exprs *values)
{
    vec_foreach (struct ir_expr *, e, values)
        if (!ir_walk_expr(*e, check_context_call, v))
            return false;
    return true;
}

/* The expressions directly in a statement. */
static bool check_contexts_of(struct verifier *v, const struct ir_stmt *s, void *ctx)
{
    (void)ctx;
    if (!s)
        return true;
    switch (s->kind) {
    case IR_ASSIGN:
        return ir_walk_expr(s->assign.value, check_context_call, v);
    case IR_EVAL:
        return ir_walk_expr(s->eval, check_context_call, v);
    case IR_IF:
        return ir_walk_expr(s->if_.cond, check_context_call, v);
    case IR_FOR:
        return walk_values(v, &s->for_.inits);
    case IR_WHILE:
        return ir_walk_expr(s->while_.cond, check_context_call, v) &&
               walk_values(v, &s->while_.inits);
    case IR_YIELD:
        return walk_values(v, &s->yield.values);
    case IR_RETURN:
        return walk_values(v, &s->return_.values);
    case IR_BREAK:
    case IR_CONTINUE:
    case IR_SCOPE:
        return true;
    }
    return true;
}

bool verify_contexts(struct verifier *v)
{
    vec_foreach (struct ir_func *, f, &v->prog->funcs)
        if (!verify_is_host(*f) && !check_parameters(v, *f))
            return false;
    return walk_program(v, check_contexts_of, NULL);
}
