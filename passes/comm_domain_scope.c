/* SPDX-License-Identifier: MIT */
/* Window buffers, domains and their scopes (pypto-facts 4.2, steps 4 to 8). */
#include <string.h>

#include "ir/equal.h"
#include "passes/comm_domain_internal.h"
#include "passes/refusals.h"
#include "passes/rewrite.h"

/* ---- window buffers and domains ---- */

/* Window buffers that live on the same devices, in the order of their allocations. */
struct domain {
    const struct device_set *devices;
    VEC(struct window_alloc *) slots;
};
typedef VEC(struct domain) domains;

static bool make_windows(struct comm_host *h)
{
    vec_foreach (struct window_alloc *, it, &h->allocs) {
        struct window_alloc *alloc = *it;
        if (alloc->views == 0)
            return REFUSE(h, NO_WINDOW, alloc->span, alloc->name);
        if (device_set_is_empty(&alloc->devices))
            return REFUSE(h, NO_DISPATCH, alloc->span, alloc->name);
        alloc->window = arena_new(h->arena, struct ir_window_buffer);
        alloc->window->name = alloc->var->name;
        alloc->window->base = alloc->var;
        alloc->window->size = alloc->size;
    }
    return true;
}

static struct domain *domain_of(struct comm_host *h, domains *all, const struct window_alloc *alloc)
{
    vec_foreach (struct domain, d, all)
        if (device_set_equal(d->devices, &alloc->devices))
            return d;
    struct domain fresh = {.devices = &alloc->devices};
    vec_push(h->arena, all, fresh);
    return &all->items[all->len - 1];
}

static bool make_domains(struct comm_host *h, domains *all)
{
    vec_foreach (struct window_alloc *, alloc, &h->allocs) {
        struct domain *d = domain_of(h, all, *alloc);
        vec_foreach (struct window_alloc *, other, &d->slots)
            if (strcmp((*other)->name, (*alloc)->name) == 0)
                return REFUSE(h, SAME_NAME, (*alloc)->span, (*alloc)->name);
        vec_push(h->arena, &d->slots, *alloc);
    }
    return true;
}

/* ---- views ---- */

static struct ir_type *type_in(struct comm_host *h, const struct ir_type *t,
                               struct ir_window_buffer *window)
{
    struct ir_type *copy = arena_dup(h->arena, t, sizeof *copy);
    copy->window = window;
    return copy;
}

static bool is_distributed(const struct ir_type *t)
{
    return t && t->kind == IR_TYPE_DIST_TENSOR;
}

/* The variable that takes v's place: v itself unless it views a window buffer. */
static struct ir_var *view_var(struct comm_host *h, struct ir_var *v)
{
    struct window_binding *b = map_get(&h->bindings, v);
    if (!b || !b->alloc || !is_distributed(v->type) || v->type->window == b->alloc->window)
        return v;
    if (!b->retyped) {
        b->retyped = ir_var_new(h->arena, v->name, type_in(h, v->type, b->alloc->window), v->span);
        struct window_binding *own = arena_new(h->arena, struct window_binding);
        own->alloc = b->alloc;
        map_put(&h->bindings, b->retyped, own);
    }
    return b->retyped;
}

/* A call whose result views a window buffer has a type that says so. */
static struct ir_expr *view_call(struct comm_host *h, struct ir_expr *e)
{
    const struct window_alloc *alloc = is_distributed(e->type) ? comm_domain_alloc_of(h, e) : NULL;
    if (!alloc || e->type->window == alloc->window)
        return e;
    struct ir_expr *copy = arena_dup(h->arena, e, sizeof *copy);
    copy->type = type_in(h, e->type, alloc->window);
    return copy;
}

static struct ir_expr *substitute(void *ctx, struct ir_expr *e)
{
    if (e->kind == IR_CALL)
        return view_call(ctx, e);
    struct ir_var *v = e->kind == IR_VAR ? view_var(ctx, e->var) : NULL;
    return v && v != e->var ? ir_var_ref(((struct comm_host *)ctx)->arena, v, e->span) : e;
}

/* The definition of a view takes the variable's new type only when it had its old one: nothing but
 * the window is added (pypto-facts 4.2, step 7). */
static struct ir_stmt *substitute_target(struct comm_host *h, struct ir_stmt *s,
                                         struct ir_stmt *out)
{
    struct ir_var *old = s->assign.targets.items[0], *v = view_var(h, old);
    struct ir_type *type = s->assign.value->type;
    if (s->assign.targets.len != 1 || v == old)
        return out;
    out = out == s ? arena_dup(h->arena, s, sizeof *s) : out;
    out->assign.targets = (ir_vars){0};
    vec_push(h->arena, &out->assign.targets, v);
    if (out->assign.value->kind == IR_CALL && out->assign.value->type != type &&
        !ir_type_same(old->type, type)) {
        out->assign.value = arena_dup(h->arena, out->assign.value, sizeof *out->assign.value);
        out->assign.value->type = type;
    }
    return out;
}

/* True when a variable of the list is replaced; the old items stay untouched. */
static bool substitute_vars(struct comm_host *h, ir_vars *vars)
{
    ir_vars fresh = {0};
    bool changed = false;
    vec_foreach (struct ir_var *, v, vars) {
        vec_push(h->arena, &fresh, view_var(h, *v));
        changed |= fresh.items[fresh.len - 1] != *v;
    }
    if (changed)
        *vars = fresh;
    return changed;
}

/* What loops carry and branches yield. */
static struct ir_stmt *substitute_carried(struct comm_host *h, struct ir_stmt *s)
{
    struct ir_stmt copy = *s;
    bool changed = false;
    if (s->kind == IR_IF) {
        changed = substitute_vars(h, &copy.if_.results);
    } else if (s->kind == IR_FOR) {
        changed = substitute_vars(h, &copy.for_.iter_args);
        changed |= substitute_vars(h, &copy.for_.results);
    } else if (s->kind == IR_WHILE) {
        changed = substitute_vars(h, &copy.while_.iter_args);
        changed |= substitute_vars(h, &copy.while_.results);
    }
    return changed ? arena_dup(h->arena, &copy, sizeof copy) : s;
}

static void substitute_block(void *ctx, ir_block *block)
{
    struct comm_host *h = ctx;
    ir_block fresh = {0};
    bool changed = false;
    vec_foreach (struct ir_stmt *, it, block) {
        struct ir_stmt *s = rewrite_exprs(h->arena, *it, substitute, h);
        if (s->kind == IR_ASSIGN)
            s = substitute_target(h, *it, s);
        s = substitute_carried(h, rewrite_blocks(h->arena, s, substitute_block, h));
        changed |= s != *it;
        vec_push(h->arena, &fresh, s);
    }
    if (changed)
        *block = fresh;
}

/* ---- scopes ---- */

static ir_block scope_block(struct comm_host *h, const struct domain *d, size_t index,
                            ir_block body)
{
    ir_exprs slots = {0};
    ir_block out = {0};
    struct span at = d->slots.items[0]->span;
    vec_foreach (struct window_alloc *, alloc, &d->slots)
        vec_push(h->arena, &slots, ir_window_slot(h->arena, (*alloc)->window, (*alloc)->span));
    size_t listed = d->devices->all ? 0 : d->devices->list.len;
    vec_push(h->arena, &out,
             ir_comm_domain(h->arena, arena_printf(h->arena, "comm_d%zu", index),
                            d->devices->list.items, listed, slots, body, at));
    return out;
}

bool comm_domain_wrap(struct comm_host *h, ir_block *body)
{
    domains all = {0};
    if (!make_windows(h) || !make_domains(h, &all))
        return false;
    substitute_block(h, body);
    for (size_t i = all.len; i-- > 0;)
        *body = scope_block(h, &all.items[i], i, *body);
    return true;
}
