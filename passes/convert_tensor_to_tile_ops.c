/* SPDX-License-Identifier: MIT */
#include "passes/convert_tensor_to_tile_ops.h"

#include <string.h>

#include "ir/equal.h"
#include "ir/infer.h"
#include "passes/rewrite.h"
#include "passes/tensor_directions.h"
#include "passes/tiling_body.h"
#include "passes/tiling_fills.h"

/* The functions around the kernels. */
struct callers {
    struct arena *arena;
    struct ir_program *prog; /* the one that is being made */
    struct diag *diag;
    struct map added;  /* name of a function -> how many parameters it has got */
    ir_vars forwarded; /* those that the wrapper at hand has got */
    const struct ir_func *func;
    bool passed_on;
};

/* ---- entry ---- */

struct uses {
    struct map taken; /* variables that an operator on tiles takes */
    bool changed;
};

static void take(struct uses *u, const struct ir_expr *e)
{
    bool tensor = e->kind == IR_VAR && e->var->type && e->var->type->kind == IR_TYPE_TENSOR;
    if (!tensor || map_get(&u->taken, e->var))
        return;
    map_put(&u->taken, e->var, (void *)e->var);
    u->changed = true;
}

/* A carried variable that an operator takes starts as something that it takes as well. */
static void take_starts(struct uses *u, const ir_vars *iter_args, const ir_exprs *inits)
{
    for (size_t i = 0; i < iter_args->len && i < inits->len; i++)
        if (map_get(&u->taken, iter_args->items[i]))
            take(u, inits->items[i]);
}

static enum walk note_uses(const struct ir_stmt *s, void *ctx)
{
    struct uses *u = ctx;
    if (s->kind == IR_FOR)
        take_starts(u, &s->for_.iter_args, &s->for_.inits);
    if (s->kind == IR_WHILE)
        take_starts(u, &s->while_.iter_args, &s->while_.inits);
    const struct tile_form *form = s->kind == IR_ASSIGN ? tiling_form(s->assign.value) : NULL;
    const ir_exprs *args = form ? &s->assign.value->call.args : NULL;
    for (size_t i = 0; form && !form->loads_itself && i < args->len; i++)
        if (tiling_wants(form, i) == IR_SPACE_NONE)
            take(u, args->items[i]);
    return WALK_INTO;
}

static void load_parameters(struct tiling *t, const ir_block *body)
{
    struct uses u = {.taken.arena = t->arena, .changed = true};
    while (u.changed) {
        u.changed = false;
        pass_find_stmt(body, note_uses, &u);
    }
    vec_foreach (struct ir_param, p, &t->func->params)
        if (map_get(&u.taken, p->var))
            tiling_enter(t, p->var);
}

/* ---- exit ---- */

static struct ir_type *declared(const struct ir_func *f, size_t i, size_t n)
{
    struct ir_type *type = f->return_type;
    if (!type || n == 1)
        return type;
    return type->kind == IR_TYPE_TUPLE && i < type->elems.len ? type->elems.items[i] : NULL;
}

static bool is_tensor(const struct ir_type *type)
{
    return type && type->kind == IR_TYPE_TENSOR && type->shape.len;
}

/* A new parameter for a computed value that is returned. */
static struct ir_var *add_output(struct tiling *t, struct ir_func *f, struct ir_type *type)
{
    size_t k = (size_t)map_get_text(&t->outputs, f->name);
    struct ir_var *v = ir_var_new(t->arena, arena_printf(t->arena, "ret%zu__out", k), type, t->at);
    map_put_text(&t->outputs, f->name, (void *)(k + 1));
    vec_push(t->arena, &f->params, ((struct ir_param){v, IR_OUT}));
    return v;
}

static struct ir_expr *store_output(struct tiling *t, struct ir_func *f, struct ir_expr *tile,
                                    struct ir_type *type)
{
    size_t k = (size_t)map_get_text(&t->outputs, f->name);
    struct ir_expr *out = ir_var_ref(t->arena, add_output(t, f, type), t->at),
                   *stored = tiling_stored_rows(t, tile, out);
    if (stored)
        return stored;
    struct ir_expr *store =
        TILING_CALL(t, "tile.store", tile, tiling_origin(t, out->type->shape.len), out);
    return tiling_bind(t, arena_printf(t->arena, "ret%zu__store", k), tiling_typed(t, store));
}

static bool any_function(const struct ir_func *f)
{
    (void)f;
    return true;
}

/* The types of what is returned, as far as they are known; else what was declared. Callers know a
 * function that declares nothing without a type, and go on so. */
static struct ir_type *returned_type(struct tiling *t, const struct ir_stmt *s)
{
    const ir_exprs *values = &s->return_.values;
    bool open = !t->func->return_type && pass_is_called(t->prog, t->func, any_function);
    if (values->len == 0 || open)
        return t->func->return_type;
    struct ir_type *tuple = ir_type_new(t->arena, IR_TYPE_TUPLE);
    for (size_t i = 0; i < values->len; i++) {
        struct ir_type *type = values->items[i]->type;
        if (!type || type->kind == IR_TYPE_UNKNOWN)
            return t->func->return_type;
        vec_push(t->arena, &tuple->elems, type);
    }
    return values->len == 1 ? tuple->elems.items[0] : tuple;
}

static void convert_return(struct tiling *t, struct ir_func *f, struct ir_stmt *s)
{
    struct ir_stmt *copy = ir_stmt_new(t->arena, IR_RETURN, s->span);
    size_t n = s->return_.values.len;
    t->at = s->span;
    for (size_t i = 0; i < n; i++) {
        struct ir_expr *old = s->return_.values.items[i], *e = tiling_renamed(t, old);
        if (tiling_is_tile(e) && !tiling_is_tile(old)) {
            struct ir_type *type = declared(t->func, i, n);
            type = is_tensor(type) ? type : old->type;
            if (!is_tensor(type)) {
                REFUSE(t, RETURN_TYPE, old->span);
                return;
            }
            e = store_output(t, f, e, type);
        }
        vec_push(t->arena, &copy->return_.values, e);
    }
    f->return_type = returned_type(t, copy);
    vec_push(t->arena, t->out, copy);
}

static bool returns_tile(const struct ir_expr *e, void *ctx)
{
    (void)ctx;
    return !tiling_is_tile(e);
}

/* A return inside of a branch or loop gives back what is in memory already. */
static enum walk early_return(const struct ir_stmt *s, void *ctx)
{
    struct tiling *t = ctx;
    if (s->kind != IR_RETURN || pass_walk_stmt(s, returns_tile, NULL))
        return WALK_INTO;
    REFUSE(t, COMPUTED_RETURN, s->span);
    return WALK_FOUND;
}

/* ---- one function ---- */

static void copy_params(struct arena *a, struct ir_func *copy, const struct ir_func *f)
{
    copy->params.items = NULL;
    copy->params.len = copy->params.cap = 0;
    vec_foreach (struct ir_param, p, &f->params)
        vec_push(a, &copy->params, *p);
}

/* What a statement does is what it would become: an access of memory by the name of its result. */
static bool is_settled(struct tiling *t, const struct ir_stmt *s)
{
    const struct ir_expr *e = s->kind == IR_ASSIGN ? s->assign.value
                              : s->kind == IR_EVAL ? s->eval
                                                   : NULL;
    const struct tile_form *form = e ? tiling_form(e) : NULL;
    return !form || (tiling_stays(form, e) &&
                     (s->kind == IR_EVAL || tiling_is_named(t, s->assign.targets.items[0])));
}

static enum walk find_unsettled(const struct ir_stmt *s, void *t)
{
    return is_settled(t, s) ? WALK_INTO : WALK_FOUND;
}

static ir_block converted(struct tiling *t, const ir_block *body)
{
    ir_block made = {0};
    if (!pass_find_stmt(body, find_unsettled, t))
        return *body;
    t->out = &made;
    load_parameters(t, body);
    tiling_block(t, body);
    if (!t->diag->failed)
        pass_find_stmt(&made, early_return, t);
    return made;
}

/* The body with what is returned stored; f's parameters and its result change accordingly. */
static ir_block with_return(struct tiling *t, struct ir_func *f, ir_block body,
                            struct ir_stmt *last)
{
    t->out = &body;
    if (last)
        convert_return(t, f, last);
    else
        vec_push(t->arena, &body, ir_stmt_new(t->arena, IR_RETURN, f->span));
    return body;
}

/* The statements but the return at the end, which is *last; without one *last is NULL. */
static ir_block before_return(struct tiling *t, const ir_block *body, struct ir_stmt **last)
{
    ir_block out = {0};
    *last = NULL;
    vec_foreach (struct ir_stmt *, s, body) {
        if ((*s)->kind == IR_RETURN)
            *last = *s;
        else
            vec_push(t->arena, &out, *s);
    }
    return out;
}

static bool is_same_type(const struct ir_type *x, const struct ir_type *y)
{
    return x == y || (x && y && ir_type_same(x, y));
}

static struct ir_func *convert_function(struct tiling *t, struct ir_func *f)
{
    struct ir_func *copy = arena_dup(t->arena, f, sizeof *f);
    struct ir_stmt *last;
    ir_block filled = tiling_fills(t, f), rest = before_return(t, &filled, &last);
    copy_params(t->arena, copy, f);
    vec_foreach (struct ir_param, p, &f->params)
        map_put(&t->definitions, p->var, (void *)1);
    tiling_survey(t, &rest);
    ir_block body = converted(t, &rest);
    bool same = body.items == rest.items && filled.items == f->body.items && last;
    if (t->diag->failed)
        return NULL;
    copy->body = with_return(t, copy, body, last);
    if (t->diag->failed)
        return NULL;
    if (same && is_same_type(copy->return_type, f->return_type))
        copy = f;
    return tensor_directions(t->arena, t->prog, copy, t->diag);
}

static struct ir_func *convert_core(void *ctx, struct ir_func *f)
{
    struct tiling *t = ctx;
    if (f->type != IR_FUNC_INCORE || f->is_abstract)
        return f;
    t->func = f;
    t->renamed.head = t->definitions.head = t->wanted.head = NULL;
    return convert_function(t, f);
}

/* ---- callers ---- */

/* The function that a call runs, with the number of parameters that it has got. */
static const struct ir_func *extended(struct callers *o, const struct ir_expr *e, size_t *added)
{
    bool runs = e->kind == IR_CALL &&
                (e->call.callee == IR_CALLEE_USER || e->call.callee == IR_CALLEE_SUBMIT);
    *added = runs ? (size_t)map_get_text(&o->added, e->call.name) : 0;
    return *added ? ir_find_func(o->prog, e->call.name) : NULL;
}

static struct ir_expr *with_arguments(struct callers *o, struct ir_expr *e, const ir_vars *outputs)
{
    struct ir_expr *copy = arena_dup(o->arena, e, sizeof *e);
    copy->call.args = (ir_exprs){0};
    vec_foreach (struct ir_expr *, arg, &e->call.args)
        vec_push(o->arena, &copy->call.args, *arg);
    vec_foreach (struct ir_var *, v, outputs)
        vec_push(o->arena, &copy->call.args, ir_var_ref(o->arena, *v, e->span));
    return copy;
}

/* retK__out = pl.tensor.create(...) */
static struct ir_stmt *create_output(struct callers *o, const struct ir_var *param, struct span at)
{
    struct tiling t = {.arena = o->arena, .at = at};
    const struct ir_expr *layout = ir_view_keyword(param->type, "layout");
    struct ir_expr *e = TILING_CALL(&t, "tensor.create", tiling_tuple(&t, &param->type->shape));
    tiling_keyword(&t, e, "dtype", tiling_dtype(&t, param->type->dtype));
    tiling_keyword(&t, e, "layout",
                   layout ? (struct ir_expr *)layout : tiling_name(&t, "pl.TensorLayout.ND"));
    struct ir_type *type = ir_infer_call(o->arena, &e->call);
    e->type = type;
    return pass_assign(o->arena, ir_var_new(o->arena, param->name, type, at), e);
}

static struct ir_expr **leaf(struct ir_stmt *s)
{
    return s->kind == IR_ASSIGN ? &s->assign.value : s->kind == IR_EVAL ? &s->eval : NULL;
}

struct inner_call {
    struct callers *pass;
    const struct ir_expr *direct, *found;
};

static bool no_extended_call(const struct ir_expr *e, void *ctx)
{
    struct inner_call *c = ctx;
    size_t added;
    if (e != c->direct && extended(c->pass, e, &added))
        c->found = e;
    return !c->found;
}

/* The outputs for a call: the wrapper's own, or tensors made in front of it. */
static ir_vars outputs_for(struct callers *o, const struct ir_func *f, size_t added,
                           struct ir_expr *call, ir_block *out)
{
    ir_vars outputs = o->forwarded;
    if (outputs.len) {
        if (o->passed_on)
            pass_refuse(o->diag, o->prog, REFUSE_WRAPPER_CALLS, call->span, o->func->name, NULL);
        o->passed_on = true;
        return outputs;
    }
    for (size_t i = 0; i < added; i++) {
        const struct ir_var *param = f->params.items[f->params.len - added + i].var;
        struct ir_stmt *made = create_output(o, param, call->span);
        vec_push(o->arena, out, made);
        vec_push(o->arena, &outputs, made->assign.targets.items[0]);
    }
    return outputs;
}

static void update_block(void *ctx, ir_block *block)
{
    struct callers *o = ctx;
    ir_block out = {0};
    bool changed = false;
    vec_foreach (struct ir_stmt *, it, block) {
        struct ir_stmt *s = rewrite_blocks(o->arena, *it, update_block, o);
        struct ir_expr **at = leaf(s);
        struct inner_call inner = {o, at ? *at : NULL, NULL};
        pass_walk_stmt(s, no_extended_call, &inner);
        if (inner.found)
            pass_refuse(o->diag, o->prog, REFUSE_OUTPUT_CALL, inner.found->span,
                        inner.found->call.name, NULL);
        size_t added = 0;
        const struct ir_func *f = at ? extended(o, *at, &added) : NULL;
        if (f) {
            const ir_vars outputs = outputs_for(o, f, added, *at, &out);
            s = arena_dup(o->arena, s, sizeof *s);
            *leaf(s) = with_arguments(o, *leaf(s), &outputs);
        }
        changed |= s != *it;
        vec_push(o->arena, &out, s);
    }
    if (changed)
        *block = out;
}

/* ---- wrappers ---- */

static bool is_wrapper(const struct ir_func *f)
{
    return f->type == IR_FUNC_GROUP || f->type == IR_FUNC_SPMD;
}

static enum walk find_extended(const struct ir_stmt *s, void *ctx)
{
    struct inner_call inner = {ctx, NULL, NULL};
    pass_walk_stmt(s, no_extended_call, &inner);
    return inner.found ? WALK_FOUND : WALK_INTO;
}

/* A wrapper passes on what it is given for the tensors of its kernel. */
static struct ir_func *extend_wrapper(struct callers *o, struct ir_func *f)
{
    const struct ir_stmt *s = pass_find_stmt(&f->body, find_extended, o);
    struct ir_expr **at = s ? leaf((struct ir_stmt *)s) : NULL;
    size_t added = 0;
    const struct ir_func *kernel = at ? extended(o, *at, &added) : NULL;
    if (!kernel)
        return f;
    struct ir_func *copy = arena_dup(o->arena, f, sizeof *f);
    copy_params(o->arena, copy, f);
    o->forwarded = (ir_vars){0};
    for (size_t i = 0; i < added; i++) {
        const struct ir_var *param = kernel->params.items[kernel->params.len - added + i].var;
        struct ir_var *v = ir_var_new(o->arena, param->name, param->type, f->span);
        vec_push(o->arena, &copy->params, ((struct ir_param){v, IR_OUT}));
        vec_push(o->arena, &o->forwarded, v);
    }
    return copy;
}

static struct ir_func *update_caller(struct callers *o, struct ir_func *f)
{
    o->forwarded = (ir_vars){0};
    o->passed_on = false;
    o->func = f;
    if (is_wrapper(f))
        f = extend_wrapper(o, f);
    ir_block body = f->body;
    update_block(o, &body);
    if (o->forwarded.len)
        map_put_text(&o->added, f->name, (void *)o->forwarded.len);
    return pass_with_body(o->arena, f, body);
}

/* Wrappers first: their callers have to know what they have got. */
static void update_callers(struct callers *o)
{
    for (int wrappers = 1; wrappers >= 0; wrappers--)
        for (size_t i = 0; i < o->prog->funcs.len && !o->diag->failed; i++) {
            struct ir_func *f = o->prog->funcs.items[i];
            if (f->type == IR_FUNC_INCORE || is_wrapper(f) != (wrappers == 1))
                continue;
            o->prog->funcs.items[i] = update_caller(o, f);
        }
}

struct ir_program *convert_tensor_to_tile_ops(struct arena *a, const struct ir_program *p,
                                              const struct pass_options *options, struct diag *d)
{
    struct tiling t = {.arena = a,
                       .prog = p,
                       .diag = d,
                       .options = options,
                       .renamed.arena = a,
                       .definitions.arena = a,
                       .wanted.arena = a,
                       .outputs.arena = a};
    struct ir_program *out = rewrite_funcs(a, p, PASS_CORE, convert_core, &t);
    if (!out)
        return NULL;
    struct callers o = {.arena = a, .prog = out, .diag = d, .added = t.outputs};
    update_callers(&o);
    if (d->failed)
        return NULL;
    tensor_directions_of_callers(a, out);
    return out;
}
