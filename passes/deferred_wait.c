/* SPDX-License-Identifier: MIT */
#include "passes/deferred_wait.h"

#include <inttypes.h>
#include <string.h>

#include "ir/ops.h"
#include "passes/core_affinity.h"
#include "passes/refusals.h"
#include "passes/rewrite.h"

enum { MOST_CONDITIONS = 64 }; /* of one task (pypto-facts 5.1) */

struct waiter {
    const struct ir_program *prog;
    struct diag *diag;
};

/* What a part of a body does. */
struct effect {
    int64_t conditions; /* that it registers at the most */
    bool reads;         /* it reads memory, which must not follow a registration */
};

static bool is_registration(const struct ir_call *c)
{
    return c && c->op && !strcmp(c->op->name, "pld.system.defer_wait");
}

static enum walk find_registration(const struct ir_stmt *s, void *ctx)
{
    (void)ctx;
    return is_registration(ir_leaf_call(s)) ? WALK_FOUND : WALK_INTO;
}

bool deferred_wait_in(const ir_block *body)
{
    return pass_find_stmt(body, find_registration, NULL) != NULL;
}

/* ---- what the body does ---- */

static bool refuse_body(const struct waiter *w, struct span at, const char *what)
{
    return pass_refuse(w->diag, w->prog, REFUSE_WAITER_BODY, at, what, NULL);
}

struct scalar_search {
    const struct ir_expr *call; /* the first that is no read */
    bool reads;
};

static bool note_call(const struct ir_expr *e, void *ctx)
{
    struct scalar_search *s = ctx;
    if (e->kind != IR_CALL)
        return true;
    bool read = e->call.op && !strcmp(e->call.op->name, "tensor.read");
    s->reads |= read;
    s->call = read ? NULL : e;
    return read;
}

/* A scalar: computed, or where `reads` is not NULL also read from memory. */
static bool check_scalar(const struct waiter *w, const struct ir_expr *e, bool *reads)
{
    struct scalar_search s = {0};
    if (!e)
        return true;
    ir_walk_expr(e, note_call, &s);
    if (s.call)
        return refuse_body(w, s.call->span, s.call->call.name);
    if (e->type && ir_type_is_tensor_like(e->type))
        return refuse_body(w, e->span, "a tensor");
    if (s.reads && !reads)
        return refuse_body(w, e->span, "a read inside of an expression");
    if (reads)
        *reads |= s.reads;
    return true;
}

static bool check_scalars(const struct waiter *w, const ir_exprs *list)
{
    vec_foreach (struct ir_expr *, e, list)
        if (!check_scalar(w, *e, NULL))
            return false;
    return true;
}

static bool check_block(const struct waiter *w, const ir_block *b, struct effect *out);

/* How often a loop runs its body; 0 when that is not known. */
static int64_t rounds(const struct ir_stmt *s)
{
    int64_t start, stop, step, span;
    if (!ir_const_int(s->for_.start, &start) || !ir_const_int(s->for_.stop, &stop) ||
        !ir_const_int(s->for_.step, &step) || step == 0 ||
        __builtin_sub_overflow(stop, start, &span) || (span > 0) != (step > 0) || span == 0)
        return 0;
    return (span - (step > 0 ? 1 : -1)) / step + 1;
}

static bool check_loop(const struct waiter *w, const struct ir_stmt *s, struct effect *out)
{
    if (s->for_.kind != IR_RANGE && s->for_.kind != IR_UNROLL)
        return refuse_body(w, s->span, ir_loop_name(s->for_.kind));
    if (!check_scalar(w, s->for_.start, NULL) || !check_scalar(w, s->for_.stop, NULL) ||
        !check_scalar(w, s->for_.step, NULL) || !check_scalars(w, &s->for_.inits) ||
        !check_block(w, &s->for_.body, out))
        return false;
    if (!out->conditions)
        return true;
    int64_t n = rounds(s);
    if (!n)
        return pass_refuse(w->diag, w->prog, REFUSE_WAITER_ROUNDS, s->span, NULL);
    if (n > 1 && out->reads)
        return pass_refuse(w->diag, w->prog, REFUSE_WAITER_AFTER, s->span, NULL);
    if (__builtin_mul_overflow(out->conditions, n, &out->conditions))
        out->conditions = INT64_MAX;
    return true;
}

static bool check_branches(const struct waiter *w, const struct ir_stmt *s, struct effect *out)
{
    struct effect other = {0};
    if (!check_scalar(w, s->if_.cond, NULL) || !check_block(w, &s->if_.then_body, out) ||
        !check_block(w, &s->if_.else_body, &other))
        return false;
    out->conditions = out->conditions > other.conditions ? out->conditions : other.conditions;
    out->reads |= other.reads;
    return true;
}

static bool check_registration(const struct waiter *w, const struct ir_call *c, struct effect *out)
{
    out->conditions = 1;
    return check_scalar(w, ir_call_arg(c, "offsets"), NULL) &&
           check_scalar(w, ir_call_arg(c, "expected"), NULL);
}

static bool check_stmt(const struct waiter *w, const struct ir_stmt *s, struct effect *out)
{
    const struct ir_call *c = ir_leaf_call(s);
    switch (s->kind) {
    case IR_ASSIGN:
        return check_scalar(w, s->assign.value, &out->reads);
    case IR_EVAL:
        if (is_registration(c))
            return check_registration(w, c, out);
        return c ? refuse_body(w, s->span, c->name) : check_scalar(w, s->eval, NULL);
    case IR_RETURN:
        return !s->return_.values.len || refuse_body(w, s->span, "a returned value");
    case IR_FOR:
        return check_loop(w, s, out);
    case IR_IF:
        return check_branches(w, s, out);
    case IR_YIELD:
        return check_scalars(w, &s->yield.values);
    default:
        return refuse_body(w, s->span, "another statement");
    }
}

static bool check_block(const struct waiter *w, const ir_block *b, struct effect *out)
{
    vec_foreach (struct ir_stmt *, s, b) {
        struct effect e = {0};
        if (!check_stmt(w, *s, &e))
            return false;
        if (out->conditions && e.reads)
            return pass_refuse(w->diag, w->prog, REFUSE_WAITER_AFTER, (*s)->span, NULL);
        out->reads |= e.reads;
        if (__builtin_add_overflow(out->conditions, e.conditions, &out->conditions))
            out->conditions = INT64_MAX;
    }
    return true;
}

bool deferred_wait_check_body(const struct ir_program *p, const ir_block *body, struct span at,
                              struct diag *d)
{
    struct waiter w = {p, d};
    struct effect e = {0};
    if (!deferred_wait_in(body))
        return true;
    if (!check_block(&w, body, &e))
        return false;
    return e.conditions <= MOST_CONDITIONS ||
           pass_refuse(d, p, REFUSE_WAITER_LIMIT, at,
                       arena_printf(p->arena, "%" PRId64, e.conditions), NULL);
}

/* ---- how it is launched ---- */

static const struct ir_expr *attribute(const struct ir_call *c, const char *name)
{
    const struct ir_expr *e = ir_kwarg_find(&c->kwargs, name);
    return e ? e : ir_kwarg_find(&c->attrs, name);
}

static bool is_on(const struct ir_expr *e)
{
    return e && !(e->kind == IR_BOOLEAN && !e->boolean);
}

struct launches {
    struct waiter w;
    const struct ir_func *waiter, *caller;
    bool any;
};

static bool check_launch(struct launches *l, const struct ir_expr *e)
{
    const struct ir_call *c = &e->call;
    const char *wrong =
        l->caller->type != IR_FUNC_ORCHESTRATION     ? "outside of an orchestrator"
        : is_on(attribute(c, "allow_early_resolve")) ? "with allow_early_resolve=True"
        : is_on(attribute(c, "predicate"))           ? "by a predicate"
        : is_on(attribute(c, "core_num")) || is_on(attribute(c, "sync_start")) ? "in several blocks"
                                                                               : NULL;
    l->any = true;
    return !wrong || pass_refuse(l->w.diag, l->w.prog, REFUSE_WAITER_LAUNCH, e->span,
                                 l->waiter->name, wrong, NULL);
}

static bool see_call(const struct ir_expr *e, void *ctx)
{
    struct launches *l = ctx;
    bool launch = e->kind == IR_CALL &&
                  (e->call.callee == IR_CALLEE_USER || e->call.callee == IR_CALLEE_SUBMIT) &&
                  !strcmp(e->call.name, l->waiter->name);
    return !launch || check_launch(l, e);
}

static enum walk find_wrong_launch(const struct ir_stmt *s, void *ctx)
{
    return pass_walk_stmt(s, see_call, ctx) ? WALK_INTO : WALK_FOUND;
}

static bool check_launches(const struct waiter *w, const struct ir_func *f)
{
    struct launches l = {.w = *w, .waiter = f};
    vec_foreach (struct ir_func *, caller, &w->prog->funcs) {
        l.caller = *caller;
        if (pass_find_stmt(&(*caller)->body, find_wrong_launch, &l))
            return false;
    }
    return l.any || pass_refuse(w->diag, w->prog, REFUSE_WAITER_UNUSED, f->span, f->name, NULL);
}

static bool check_waiter(const struct waiter *w, const struct ir_func *f)
{
    bool kernel = f->type == IR_FUNC_INCORE || f->type == IR_FUNC_AIV;
    if (!is_on(ir_kwarg_find(&f->attrs, DEFERRED_WAITER)))
        return pass_refuse(w->diag, w->prog, REFUSE_WAITER_TASK, f->span, f->name, NULL);
    if (!kernel || core_affinity_of_func(w->prog, f) == CORE_CUBE ||
        core_affinity_of_func(w->prog, f) == CORE_MIXED)
        return pass_refuse(w->diag, w->prog, REFUSE_WAITER_CORES, f->span, f->name, NULL);
    if (is_on(ir_kwarg_find(&f->attrs, "core_num")) ||
        is_on(ir_kwarg_find(&f->attrs, "sync_start")))
        return pass_refuse(w->diag, w->prog, REFUSE_WAITER_LAUNCH, f->span, f->name,
                           "in several blocks", NULL);
    return deferred_wait_check_body(w->prog, &f->body, f->span, w->diag) && check_launches(w, f);
}

bool deferred_wait_check(const struct ir_program *p, struct diag *d)
{
    struct waiter w = {p, d};
    vec_foreach (struct ir_func *, f, &p->funcs)
        if (deferred_wait_in(&(*f)->body) && !check_waiter(&w, *f))
            return false;
    return true;
}
