/* SPDX-License-Identifier: MIT */
#include "passes/convert_to_ssa.h"

#include <stdlib.h>
#include <string.h>

#include "ir/verify.h"
#include "ir/names.h"
#include "passes/refusals.h"
#include "passes/rewrite.h"

/* A variable of the function as it was given. */
struct variable {
    struct ir_var *var;
    struct ir_var *now; /* what it stands for here, or NULL: nothing yet */
    unsigned next;      /* number of a version */
    unsigned last_use;  /* the last statement that reads it */
    unsigned order;     /* of first appearance */
    unsigned mark;      /* the last list that it was put on */
    bool keeps_name;    /* tasks, and what window buffers are allocated as */
    bool local;         /* the function defines it */
    bool defined;       /* a definition has its object */
};
typedef VEC(struct variable *) variables;

struct change {
    struct variable *variable;
    struct ir_var *before;
};

/* What follows in the blocks around the statement at hand. */
struct rest {
    const struct rest *outer; /* NULL also where nothing is looked for further out */
    const ir_block *block;
    size_t next;
};

struct converter {
    struct arena *arena;
    const struct ir_program *prog;
    struct diag *diag;
    const struct ir_func *func;
    struct map variables, ends; /* loop -> number of the last statement in it */
    VEC(struct change) changes;
    const struct rest *rest;
    unsigned statements, count, mark;
};

static struct variable *variable_of(struct converter *c, struct ir_var *v)
{
    struct variable *s = map_get(&c->variables, v);
    if (!s) {
        s = arena_new(c->arena, struct variable);
        s->var = v;
        s->order = c->count++;
        map_put(&c->variables, v, s);
    }
    return s;
}

/* ---- where variables are read ---- */

/* A window slot names what is defined behind it. */
static bool note_window(const struct ir_expr *e, void *ctx)
{
    if (e->kind == IR_VAR)
        variable_of(ctx, e->var)->keeps_name = true;
    return true;
}

static bool note_use(const struct ir_expr *e, void *ctx)
{
    struct converter *c = ctx;
    if (e->kind == IR_VAR)
        variable_of(c, e->var)->last_use = c->statements;
    const struct ir_window_buffer *w = e->kind == IR_CALL && e->type ? e->type->window : NULL;
    if (!w || strcmp(e->call.name, IR_WINDOW_SLOT) != 0)
        return true;
    if (w->base)
        variable_of(c, w->base)->keeps_name = true;
    if (w->size)
        ir_walk_expr(w->size, note_window, c);
    return true;
}

static void note_locals(struct converter *c, const ir_vars *vars)
{
    vec_foreach (struct ir_var *, v, vars)
        variable_of(c, *v)->local = true;
}

static void note_definitions(struct converter *c, const struct ir_stmt *s)
{
    switch (s->kind) {
    case IR_ASSIGN:
        note_locals(c, &s->assign.targets);
        break;
    case IR_IF:
        note_locals(c, &s->if_.results);
        break;
    case IR_FOR:
        variable_of(c, s->for_.var)->local = true;
        note_locals(c, &s->for_.iter_args);
        note_locals(c, &s->for_.results);
        break;
    case IR_WHILE:
        note_locals(c, &s->while_.iter_args);
        note_locals(c, &s->while_.results);
        break;
    default:
        break;
    }
}

static void number_block(struct converter *c, const ir_block *block)
{
    vec_foreach (struct ir_stmt *, it, block) {
        ir_block *inner[PASS_MAX_BLOCKS];
        size_t n = pass_child_blocks(*it, inner);
        c->statements++;
        pass_walk_stmt(*it, note_use, c);
        note_definitions(c, *it);
        for (size_t i = 0; i < n; i++)
            number_block(c, inner[i]);
        if ((*it)->kind == IR_FOR || (*it)->kind == IR_WHILE)
            map_put(&c->ends, *it, (void *)(uintptr_t)c->statements);
    }
}

static bool is_other(const struct ir_expr *e, void *var)
{
    return e->kind != IR_VAR || e->var != var;
}

static enum walk assigns(const struct ir_stmt *s, void *var)
{
    return s->kind == IR_ASSIGN && ir_vars_hold(&s->assign.targets, var) ? WALK_FOUND : WALK_INTO;
}

/* The statements from the given one on read what v was before them; *redefined: they do not and
 * assign to it. */
static bool is_read(const ir_block *block, size_t from, struct ir_var *v, bool *redefined)
{
    for (size_t i = from; i < block->len; i++) {
        struct ir_stmt *s = block->items[i];
        ir_block *inner[PASS_MAX_BLOCKS];
        size_t n = pass_child_blocks(s, inner);
        if (!pass_walk_stmt(s, is_other, v))
            return true;
        bool own =
            (s->kind == IR_FOR && (s->for_.var == v || ir_vars_hold(&s->for_.iter_args, v))) ||
            (s->kind == IR_WHILE && ir_vars_hold(&s->while_.iter_args, v));
        for (size_t b = 0; b < n && !own; b++)
            if (is_read(inner[b], 0, v, redefined))
                return true;
        const ir_block one = {.items = &s, .len = 1};
        *redefined = pass_find_stmt(&one, assigns, v) != NULL;
        if (*redefined)
            return false;
    }
    return false;
}

/* Something behind the loop reads what v is after it. */
static bool is_needed(const struct converter *c, const struct variable *s,
                      const struct ir_stmt *loop)
{
    if (s->last_use <= (uintptr_t)map_get(&c->ends, loop))
        return false;
    bool redefined = false;
    for (const struct rest *r = c->rest; r && !redefined; r = r->outer)
        if (is_read(r->block, r->next, s->var, &redefined))
            return true;
    return false;
}

/* ---- versions ---- */

static void set_now(struct converter *c, struct variable *s, struct ir_var *v)
{
    struct change one = {s, s->now};
    vec_push(c->arena, &c->changes, one);
    s->now = v;
}

/* Back to what stood for each variable when that many changes had been made. */
static void go_back(struct converter *c, size_t changes)
{
    for (; c->changes.len > changes; c->changes.len--) {
        const struct change *last = &c->changes.items[c->changes.len - 1];
        last->variable->now = last->before;
    }
}

static struct ir_expr *current_in_type(void *ctx, struct ir_expr *e)
{
    struct converter *c = ctx;
    const struct variable *s = e->kind == IR_VAR ? map_get(&c->variables, e->var) : NULL;
    return s && s->now && s->now != e->var ? ir_var_ref(c->arena, s->now, e->span) : e;
}

static struct ir_expr *current(void *ctx, struct ir_expr *e)
{
    struct converter *c = ctx;
    if (e->kind == IR_VAR) {
        const struct variable *s = map_get(&c->variables, e->var);
        if (s && s->local && !s->now && !c->diag->failed)
            REFUSE(c, SSA_UNDEFINED, e->span, e->var->shown);
        return current_in_type(ctx, e);
    }
    struct ir_type *type = rewrite_type(c->arena, e->type, current_in_type, c);
    if (type == e->type)
        return e;
    struct ir_expr *copy = arena_dup(c->arena, e, sizeof *e);
    copy->type = type;
    return copy;
}

static struct ir_type *current_type(struct converter *c, struct ir_type *t)
{
    return rewrite_type(c->arena, t, current_in_type, c);
}

static struct ir_expr *current_expr(struct converter *c, struct ir_expr *e)
{
    return rewrite_expr(c->arena, e, current, c);
}

static ir_exprs current_list(struct converter *c, const ir_exprs *list)
{
    ir_exprs out = {0};
    vec_foreach (struct ir_expr *, e, list)
        vec_push(c->arena, &out, current_expr(c, *e));
    return out;
}

static struct ir_var *version(struct converter *c, struct variable *s, const char *role,
                              struct ir_type *type, struct span at)
{
    if (strstr(s->var->name, "__") && !ir_is_version_name(s->var->name))
        REFUSE(c, SSA_RESERVED, at, s->var->name);
    const char *name = ir_version_name(c->arena, s->var->name, role, s->next++);
    s->defined = true;
    return ir_var_new(c->arena, name, type, at);
}

/* A definition whose variable has the name that is written. */
static struct ir_var *keep(struct converter *c, struct ir_var *v)
{
    struct variable *s = variable_of(c, v);
    struct ir_type *type = current_type(c, v->type);
    struct ir_var *kept =
        type == v->type && !s->defined ? v : ir_var_new(c->arena, v->name, type, v->span);
    s->defined = true;
    set_now(c, s, kept);
    return kept;
}

static ir_vars keep_all(struct converter *c, const ir_vars *vars)
{
    ir_vars out = {0};
    vec_foreach (struct ir_var *, v, vars)
        vec_push(c->arena, &out, keep(c, *v));
    return out;
}

static struct ir_var *define(struct converter *c, struct ir_var *v, const char *role,
                             struct ir_type *type)
{
    struct variable *s = variable_of(c, v);
    if (s->keeps_name)
        return keep(c, v);
    struct ir_var *made = version(c, s, role, type, v->span);
    set_now(c, s, made);
    return made;
}

static bool is_view(const struct ir_expr *e)
{
    return e->kind == IR_CALL && e->call.name &&
           (!strcmp(e->call.name, "TileView") || !strcmp(e->call.name, "TensorView"));
}

/* t, where it says nothing of its memory as the other type does. */
static struct ir_type *with_memory_of(struct converter *c, struct ir_type *t,
                                      const struct ir_type *other)
{
    vec_foreach (struct ir_expr *, e, &t->annots)
        if (!is_view(*e))
            return t;
    struct ir_type *out = arena_dup(c->arena, t, sizeof *t);
    out->annots = (ir_exprs){0};
    for (size_t i = 0; other && i < other->annots.len; i++)
        if (!is_view(other->annots.items[i]))
            vec_push(c->arena, &out->annots, other->annots.items[i]);
    if (out->annots.len == 0)
        return t;
    vec_foreach (struct ir_expr *, e, &t->annots)
        vec_push(c->arena, &out->annots, *e);
    return out;
}

/* The type of v when it is assigned the value. A variable has the type that was written or known
 * when it was assigned first, so later values say what they are. */
static struct ir_type *assigned_type(struct converter *c, struct ir_var *v,
                                     const struct ir_expr *value)
{
    struct ir_type *own = current_type(c, v->type), *t = value->type;
    bool says_all = t && (value->kind == IR_VAR || ir_type_is_tensor_like(t) ||
                          t->kind == IR_TYPE_TILE || t->kind == IR_TYPE_TUPLE);
    return says_all && variable_of(c, v)->defined ? with_memory_of(c, t, own) : own;
}

/* ---- lists of variables ---- */

static int by_name(const void *x, const void *y)
{
    const struct variable *a = *(struct variable *const *)x, *b = *(struct variable *const *)y;
    int order = strcmp(a->var->name, b->var->name);
    return order ? order : (a->order > b->order) - (a->order < b->order);
}

static void sort(variables *list)
{
    if (list->len)
        qsort(list->items, list->len, sizeof *list->items, by_name);
}

struct gathering {
    struct converter *c;
    variables list;
};

static enum walk gather(const struct ir_stmt *s, void *ctx)
{
    struct gathering *g = ctx;
    for (size_t i = 0; s->kind == IR_ASSIGN && i < s->assign.targets.len; i++) {
        struct variable *v = variable_of(g->c, s->assign.targets.items[i]);
        if (v->mark != g->c->mark)
            vec_push(g->c->arena, &g->list, v);
        v->mark = g->c->mark;
    }
    return WALK_INTO;
}

/* The variables that the block assigns to, but for its loop's own. */
static variables assigned_in(struct converter *c, const ir_block *block, struct ir_var *counter,
                             const ir_vars *iter_args)
{
    struct gathering g = {.c = c};
    c->mark++;
    if (counter)
        variable_of(c, counter)->mark = c->mark;
    vec_foreach (struct ir_var *, v, iter_args)
        variable_of(c, *v)->mark = c->mark;
    pass_find_stmt(block, gather, &g);
    sort(&g.list);
    return g.list;
}

/* ---- yields ---- */

static bool is_transparent(const struct ir_stmt *s)
{
    const char *name =
        s->kind == IR_SCOPE && s->scope.call->kind == IR_CALL ? s->scope.call->call.name : NULL;
    return name &&
           (!strcmp(name, "scope") || !strcmp(name, "manual_scope") || !strcmp(name, "split_aiv"));
}

/* The block with the values as what it yields, in place of what it yielded. */
static ir_block yielding(struct converter *c, const ir_block *block, const ir_exprs *values,
                         struct span at)
{
    struct ir_stmt *last = block->len ? block->items[block->len - 1] : NULL;
    const struct ir_stmt *old = ir_block_yield(block);
    bool inside = last && last->kind == IR_SCOPE &&
                  (old || (block->len == 1 && !last->scope.lanes && is_transparent(last)));
    ir_block out = {0};
    for (size_t i = 0; i + (old || inside) < block->len; i++)
        vec_push(c->arena, &out, block->items[i]);
    struct ir_stmt *s;
    if (inside) {
        s = arena_dup(c->arena, last, sizeof *last);
        s->scope.body = yielding(c, &last->scope.body, values, at);
    } else {
        s = ir_stmt_new(c->arena, IR_YIELD, old ? old->span : at);
        s->yield.values = *values;
    }
    vec_push(c->arena, &out, s);
    return out;
}

static ir_exprs yielded(struct converter *c, const ir_block *block)
{
    ir_exprs values = {0};
    const struct ir_stmt *old = ir_block_yield(block);
    for (size_t i = 0; old && i < old->yield.values.len; i++)
        vec_push(c->arena, &values, old->yield.values.items[i]);
    return values;
}

static void add_value(struct converter *c, ir_exprs *values, struct ir_var *v, struct span at)
{
    vec_push(c->arena, values, ir_var_ref(c->arena, v, at));
}

/* ---- loops ---- */

enum { BOUNDS = 3 };

struct loop {
    struct ir_var **counter;        /* or NULL */
    struct ir_expr **bound[BOUNDS]; /* of a counted loop */
    size_t bounds;
    struct ir_expr **cond; /* of a while, or NULL */
    ir_vars *iter_args, *results;
    ir_exprs *inits;
    ir_block *body;
    variables carried, escaping;
    ir_vars added; /* results of carried, then of escaping */
};

static struct loop loop_of(struct ir_stmt *s)
{
    if (s->kind == IR_FOR)
        return (struct loop){.counter = &s->for_.var,
                             .bound = {&s->for_.start, &s->for_.stop, &s->for_.step},
                             .bounds = BOUNDS,
                             .iter_args = &s->for_.iter_args,
                             .results = &s->for_.results,
                             .inits = &s->for_.inits,
                             .body = &s->for_.body};
    return (struct loop){.cond = &s->while_.cond,
                         .iter_args = &s->while_.iter_args,
                         .results = &s->while_.results,
                         .inits = &s->while_.inits,
                         .body = &s->while_.body};
}

static void classify(struct converter *c, struct loop *l, const struct ir_stmt *s)
{
    variables all = assigned_in(c, l->body, l->counter ? *l->counter : NULL, l->iter_args);
    vec_foreach (struct variable *, v, &all) {
        if ((*v)->now)
            vec_push(c->arena, &l->carried, *v);
        else if (is_needed(c, *v, s))
            vec_push(c->arena, &l->escaping, *v);
    }
}

struct assignment {
    struct ir_var *to;
    const struct ir_stmt *last;
};

static enum walk find_last(const struct ir_stmt *s, void *ctx)
{
    struct assignment *a = ctx;
    if (assigns(s, a->to) == WALK_FOUND)
        a->last = s;
    return WALK_INTO;
}

/* The type of what the block assigns to v last. */
static struct ir_type *last_type(struct converter *c, const ir_block *block, struct ir_var *v)
{
    struct assignment a = {.to = v};
    pass_find_stmt(block, find_last, &a);
    bool says_all = a.last && a.last->assign.targets.len == 1 &&
                    ir_type_is_tensor_like(a.last->assign.value->type);
    return current_type(c, says_all ? a.last->assign.value->type : v->type);
}

/* Where the loop begins with a variable that only its body defines: the type's very object says
 * which variable stands for the same data. */
static struct ir_var *initial_value(struct converter *c, const struct variable *s,
                                    const struct ir_stmt *from, struct ir_type *type)
{
    bool scalar = !type || type->kind == IR_TYPE_SCALAR;
    for (size_t i = 0; !scalar && i < c->func->params.len; i++) {
        const struct ir_param *p = &c->func->params.items[i];
        struct ir_var *now = variable_of(c, p->var)->now;
        if (p->direction != IR_IN && now && now->type == type)
            return now;
    }
    struct variable *oldest = NULL;
    for (size_t i = 0; !scalar && i < c->changes.len; i++) {
        struct variable *one = c->changes.items[i].variable;
        if (one->now && one->now->type == type && (!oldest || one->order < oldest->order))
            oldest = one;
    }
    return oldest ? oldest->now
                  : ir_var_new(c->arena, arena_printf(c->arena, "%s__FREE_VAR", s->var->name), type,
                               from->span);
}

/* One more argument that starts from init. */
static void add_carried(struct converter *c, struct loop *l, struct variable *s,
                        struct ir_var *init, struct ir_type *type, struct span at)
{
    struct ir_var *arg = version(c, s, "iter", type, at);
    vec_push(c->arena, l->iter_args, arg);
    add_value(c, l->inits, init, at);
    vec_push(c->arena, &l->added, version(c, s, "rv", type, at));
}

static void add_all_carried(struct converter *c, struct loop *l, const struct ir_stmt *s)
{
    vec_foreach (struct variable *, v, &l->carried)
        add_carried(c, l, *v, (*v)->now, (*v)->now->type, s->span);
    vec_foreach (struct variable *, v, &l->escaping) {
        struct ir_type *type = last_type(c, l->body, (*v)->var);
        add_carried(c, l, *v, initial_value(c, *v, s, type), type, s->span);
    }
}

static ir_block convert_block(struct converter *c, const ir_block *block);

/* A copy of the list that grows apart from it. */
#define COPY_LIST(c, list)                                                                         \
    do {                                                                                           \
        (list)->items = (list)->len ? arena_dup((c)->arena, (list)->items,                         \
                                                (list)->len * sizeof *(list)->items)               \
                                    : NULL;                                                        \
        (list)->cap = (list)->len;                                                                 \
    } while (0)

/* Converts the body, and adds to what it yields. Written arguments that it does not yield, where
 * others are added, stay what they are (pypto-front-facts 2.6). */
static void convert_body(struct converter *c, struct loop *l, struct span at)
{
    size_t written = l->iter_args->len - l->added.len;
    for (size_t i = 0; i < l->carried.len; i++)
        set_now(c, l->carried.items[i], l->iter_args->items[written + i]);
    for (size_t i = 0; i < l->escaping.len; i++)
        set_now(c, l->escaping.items[i], l->iter_args->items[written + l->carried.len + i]);
    if (l->cond)
        *l->cond = current_expr(c, *l->cond);
    *l->body = convert_block(c, l->body);
    ir_exprs values = yielded(c, l->body);
    for (size_t i = values.len; l->added.len && i < written; i++)
        add_value(c, &values, l->iter_args->items[i], at);
    vec_foreach (struct variable *, v, &l->carried)
        add_value(c, &values, (*v)->now, at);
    vec_foreach (struct variable *, v, &l->escaping)
        add_value(c, &values, (*v)->now, at);
    if (values.len)
        *l->body = yielding(c, l->body, &values, at);
}

static void add_results(struct converter *c, struct loop *l, struct span at)
{
    ir_vars results = keep_all(c, l->results);
    size_t written = l->iter_args->len - l->added.len;
    for (size_t i = results.len; l->added.len && i < written; i++) {
        const struct ir_var *arg = l->iter_args->items[i];
        const char *name = arena_printf(c->arena, "%s_out", arg->name);
        vec_push(c->arena, &results, ir_var_new(c->arena, name, arg->type, at));
    }
    for (size_t i = 0; i < l->added.len; i++) {
        bool carried = i < l->carried.len;
        set_now(c, carried ? l->carried.items[i] : l->escaping.items[i - l->carried.len],
                l->added.items[i]);
        vec_push(c->arena, &results, l->added.items[i]);
    }
    *l->results = results;
}

static struct ir_stmt *convert_loop(struct converter *c, const struct ir_stmt *given)
{
    struct ir_stmt *s = arena_dup(c->arena, given, sizeof *given);
    struct loop l = loop_of(s);
    for (size_t i = 0; i < l.bounds; i++)
        *l.bound[i] = current_expr(c, *l.bound[i]);
    *l.inits = current_list(c, l.inits);
    classify(c, &l, given);
    size_t before = c->changes.len;
    *l.iter_args = keep_all(c, l.iter_args);
    add_all_carried(c, &l, given);
    /* Its bounds are known at run time only. Text has no pl.unroll that carries something. */
    if (s->kind == IR_FOR && s->for_.kind == IR_UNROLL && s->for_.iter_args.len)
        s->for_.kind = IR_RANGE;
    if (l.counter)
        *l.counter = define(c, *l.counter, "idx", (*l.counter)->type);
    convert_body(c, &l, given->span);
    go_back(c, before);
    add_results(c, &l, given->span);
    return s;
}

/* ---- branches ---- */

struct branch {
    variables changed;
    ir_vars now; /* what stood for each at the end */
};

static struct branch convert_branch(struct converter *c, ir_block *block)
{
    struct branch b = {0};
    size_t before = c->changes.len;
    *block = convert_block(c, block);
    c->mark++;
    for (size_t i = before; i < c->changes.len; i++) {
        struct variable *s = c->changes.items[i].variable;
        if (s->mark == c->mark)
            continue;
        s->mark = c->mark;
        vec_push(c->arena, &b.changed, s);
        vec_push(c->arena, &b.now, s->now);
    }
    go_back(c, before);
    return b;
}

/* What stands for s at the end of the branch. */
static struct ir_var *at_end(const struct branch *b, const struct variable *s)
{
    for (size_t i = 0; i < b->changed.len; i++)
        if (b->changed.items[i] == s)
            return b->now.items[i];
    return s->now;
}

/* The variables that both branches leave defined and that one of them changes. */
static variables merged(struct converter *c, const struct branch branches[2])
{
    variables out = {0};
    c->mark++;
    for (int b = 0; b < 2; b++)
        vec_foreach (struct variable *, s, &branches[b].changed) {
            struct ir_var *x = at_end(&branches[0], *s), *y = at_end(&branches[1], *s);
            bool differs = (*s)->now ? x != (*s)->now || y != (*s)->now : x && y;
            if (differs && (*s)->mark != c->mark)
                vec_push(c->arena, &out, *s);
            (*s)->mark = c->mark;
        }
    sort(&out);
    return out;
}

/* What a branch yields: for each merged variable, then what it yielded. */
static void add_yields(struct converter *c, ir_block *block, const struct branch *b,
                       const variables *phis, struct span at)
{
    ir_exprs values = {0}, old = yielded(c, block);
    vec_foreach (struct variable *, s, phis)
        add_value(c, &values, at_end(b, *s), at);
    vec_foreach (struct ir_expr *, e, &old)
        vec_push(c->arena, &values, *e);
    *block = yielding(c, block, &values, at);
}

static struct ir_stmt *convert_if(struct converter *c, const struct ir_stmt *given)
{
    struct ir_stmt *s = arena_dup(c->arena, given, sizeof *given);
    s->if_.cond = current_expr(c, given->if_.cond);
    struct branch branches[2] = {convert_branch(c, &s->if_.then_body)};
    branches[1] = convert_branch(c, &s->if_.else_body);
    variables phis = merged(c, branches);
    if (phis.len) {
        add_yields(c, &s->if_.then_body, &branches[0], &phis, given->span);
        add_yields(c, &s->if_.else_body, &branches[1], &phis, given->span);
        s->if_.has_else = true;
    }
    ir_vars results = {0};
    vec_foreach (struct variable *, v, &phis) {
        struct ir_var *phi = version(c, *v, "phi", at_end(&branches[0], *v)->type, given->span);
        vec_push(c->arena, &results, phi);
    }
    for (size_t i = 0; i < phis.len; i++)
        set_now(c, phis.items[i], results.items[i]);
    vec_foreach (struct ir_var *, v, &given->if_.results)
        vec_push(c->arena, &results, define(c, *v, "rv", current_type(c, (*v)->type)));
    s->if_.results = results;
    return s;
}

/* ---- statements ---- */

static struct ir_stmt *convert_assign(struct converter *c, const struct ir_stmt *given)
{
    struct ir_stmt *s = arena_dup(c->arena, given, sizeof *given);
    s->assign.value = current_expr(c, given->assign.value);
    s->assign.targets = (ir_vars){0};
    bool one = given->assign.targets.len == 1;
    ir_vars made = {0};
    vec_foreach (struct ir_var *, v, &given->assign.targets) {
        struct ir_type *type =
            one ? assigned_type(c, *v, s->assign.value) : current_type(c, (*v)->type);
        vec_push(c->arena, &made, define(c, *v, "ssa", type));
    }
    s->assign.targets = made;
    s->assign.annotated = one && made.items[0]->type;
    return s;
}

/* What a scope defines stays in force behind it, but for its lanes. Nothing behind a scope that
 * becomes a function of its own makes a loop in it carry something (pypto-front-facts 3.3). */
static struct ir_stmt *convert_scope(struct converter *c, const struct ir_stmt *given)
{
    struct ir_stmt *s = rewrite_exprs(c->arena, (struct ir_stmt *)given, current, c);
    s = arena_dup(c->arena, s, sizeof *s);
    const struct rest *rest = c->rest;
    if (!is_transparent(given))
        c->rest = NULL;
    struct ir_var *outer = NULL;
    struct variable *var = given->scope.var ? variable_of(c, given->scope.var) : NULL;
    if (var) {
        outer = var->now;
        s->scope.var = given->scope.lanes
                           ? define(c, given->scope.var, "ssa", given->scope.var->type)
                           : keep(c, given->scope.var);
    }
    s->scope.body = convert_block(c, &given->scope.body);
    if (var && given->scope.lanes)
        set_now(c, var, outer);
    c->rest = rest;
    return s;
}

static struct ir_stmt *convert_stmt(struct converter *c, struct ir_stmt *s)
{
    switch (s->kind) {
    case IR_ASSIGN:
        return convert_assign(c, s);
    case IR_IF:
        return convert_if(c, s);
    case IR_FOR:
    case IR_WHILE:
        return convert_loop(c, s);
    case IR_SCOPE:
        return convert_scope(c, s);
    case IR_EVAL:
    case IR_YIELD:
    case IR_RETURN:
        return rewrite_exprs(c->arena, s, current, c);
    case IR_BREAK:
    case IR_CONTINUE:
        break;
    }
    return s;
}

static ir_block convert_block(struct converter *c, const ir_block *block)
{
    ir_block out = {0};
    struct rest rest = {.outer = c->rest, .block = block};
    c->rest = &rest;
    for (size_t i = 0; i < block->len; i++) {
        rest.next = i + 1;
        vec_push(c->arena, &out, convert_stmt(c, block->items[i]));
    }
    c->rest = rest.outer;
    return out;
}

/* ---- functions ---- */

static void convert_params(struct converter *c, struct ir_func *f)
{
    COPY_LIST(c, &f->params);
    vec_foreach (struct ir_param, p, &f->params) {
        struct variable *s = variable_of(c, p->var);
        p->var = version(c, s, "ssa", p->var->type, p->var->span);
        set_now(c, s, p->var);
    }
    /* A parameter may stand in the type of another one. */
    vec_foreach (struct ir_param, p, &f->params)
        p->var->type = current_type(c, p->var->type);
    f->return_type = current_type(c, f->return_type);
}

struct definitions {
    bool some, versioned;
};

static void note_name(struct definitions *d, const struct ir_var *v)
{
    d->some = true;
    d->versioned |= ir_is_version_name(v->name);
}

static enum walk note_names(const struct ir_stmt *s, void *ctx)
{
    for (size_t i = 0; s->kind == IR_ASSIGN && i < s->assign.targets.len; i++)
        note_name(ctx, s->assign.targets.items[i]);
    if (s->kind == IR_FOR)
        note_name(ctx, s->for_.var);
    return WALK_INTO;
}

/* The function is in SSA form and its names are such names, or there is nothing to name. */
static bool is_converted(const struct converter *c, const struct ir_func *f)
{
    struct definitions d = {0};
    vec_foreach (struct ir_param, p, &f->params)
        note_name(&d, p->var);
    pass_find_stmt(&f->body, note_names, &d);
    return (d.versioned || !d.some) && verify_is_ssa(c->prog, f);
}

static struct ir_func *convert_func(void *ctx, struct ir_func *given)
{
    struct converter *outer = ctx, own = *outer;
    struct converter *c = &own;
    if (ir_func_is_host_worker(given) || pass_find_stmt(&given->body, pass_is_jump, NULL) ||
        is_converted(c, given))
        return given;
    struct ir_func *f = arena_dup(c->arena, given, sizeof *given);
    c->func = given;
    c->variables.arena = c->ends.arena = c->arena;
    vec_foreach (struct ir_param, p, &given->params)
        variable_of(c, p->var);
    number_block(c, &given->body);
    convert_params(c, f);
    f->body = convert_block(c, &given->body);
    COPY_LIST(c, &f->attrs);
    vec_foreach (struct ir_kwarg, k, &f->attrs)
        k->value = current_expr(c, k->value);
    return c->diag->failed ? NULL : f;
}

struct ir_program *convert_to_ssa(struct arena *a, const struct ir_program *p,
                                  const struct pass_options *o, struct diag *d)
{
    (void)o;
    struct converter c = {.arena = a, .prog = p, .diag = d};
    return rewrite_funcs(a, p, PASS_EVERY, convert_func, &c);
}
