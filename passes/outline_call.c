/* SPDX-License-Identifier: MIT */
#include "passes/outline_call.h"

#include <stdlib.h>
#include <string.h>

#include "ir/names.h"
#include "passes/clone.h"
#include "passes/deferred_wait.h"
#include "passes/pass.h"
#include "passes/refusals.h"
#include "passes/rewrite.h"

/* ---- what the scope's keywords say of the function ---- */

static bool is_true(const struct ir_expr *e)
{
    return e && e->kind == IR_BOOLEAN && e->boolean;
}

static struct ir_expr *keyword(const struct outline_part *part, const char *name)
{
    return ir_kwarg_find(&part->scope->scope.call->call.kwargs, name);
}

static void add_keyword(struct arena *a, ir_kwargs *kw, const char *name, struct ir_expr *value)
{
    struct ir_kwarg k = {name, value, value->span};
    vec_push(a, kw, k);
}

static bool is_whole(const struct ir_expr *mode)
{
    return !mode || mode->kind != IR_NAME || strstr(mode->name, "NONE");
}

/* pl.split(MODE, slot_num=N) and pl.cross_core_slot(slot_num=N). */
static void add_optimizations(struct arena *a, const struct outline_part *part, ir_kwargs *attrs)
{
    const struct ir_expr *list = keyword(part, "optimizations");
    struct ir_expr *split = NULL, *slots = NULL;
    for (size_t i = 0; list && list->kind == IR_LIST && i < list->items.len; i++) {
        const struct ir_expr *e = list->items.items[i];
        if (e->kind != IR_CALL)
            continue;
        const struct ir_expr *own = ir_kwarg_find(&e->call.kwargs, "slot_num");
        slots = own ? (struct ir_expr *)own : slots;
        if (strstr(e->call.name, "split"))
            split =
                e->call.args.len ? e->call.args.items[0] : ir_kwarg_find(&e->call.kwargs, "mode");
    }
    if (!is_whole(split))
        add_keyword(a, attrs, "split", split);
    if (slots)
        add_keyword(a, attrs, "slot_num", slots);
}

struct regions {
    struct ir_expr *mode; /* of all, or of none */
    bool some, differ;
};

static enum walk note_region(const struct ir_stmt *s, void *ctx)
{
    struct regions *r = ctx;
    if (s->kind != IR_SCOPE || s->scope.call->kind != IR_CALL ||
        strcmp(s->scope.call->call.name, "split_aiv") != 0)
        return WALK_INTO;
    struct ir_expr *mode = outline_argument(s, "mode", 1);
    r->differ |= r->some && (is_whole(mode) != is_whole(r->mode) ||
                             (!is_whole(mode) && strcmp(mode->name, r->mode->name) != 0));
    r->mode = mode;
    r->some = true;
    return WALK_OVER;
}

/* The markers of pl.split_aiv: where all regions are halved alike, the function says how. */
static void add_regions(struct arena *a, const struct outline_part *part, ir_kwargs *attrs)
{
    struct regions r = {0};
    pass_find_stmt(&part->scope->scope.body, note_region, &r);
    if (!r.some)
        return;
    add_keyword(a, attrs, "split_aiv", ir_bool(a, true, part->scope->span));
    if (!r.differ && !is_whole(r.mode))
        add_keyword(a, attrs, "split", r.mode);
}

static ir_kwargs attributes(struct arena *a, const struct outline_part *part)
{
    ir_kwargs attrs = {0};
    struct ir_expr *windowize = keyword(part, "windowize");
    add_optimizations(a, part, &attrs);
    if (is_true(windowize))
        add_keyword(a, &attrs, "windowize", windowize);
    if (deferred_wait_in(&part->scope->scope.body))
        add_keyword(a, &attrs, DEFERRED_WAITER, ir_bool(a, true, part->scope->span));
    add_regions(a, part, &attrs);
    return attrs;
}

static void declare(struct outliner *o, const struct outline_part *part, struct ir_func *f)
{
    static const enum ir_func_type types[] = {[OUTLINE_HIERARCHY] = IR_FUNC_OPAQUE,
                                              [OUTLINE_INCORE] = IR_FUNC_INCORE,
                                              [OUTLINE_CLUSTER] = IR_FUNC_GROUP,
                                              [OUTLINE_SPMD] = IR_FUNC_SPMD};
    struct arena *a = o->arena;
    struct span at = part->scope->span;
    f->type = types[o->kind];
    f->has_self = o->kind != OUTLINE_INCORE;
    if (o->kind == OUTLINE_HIERARCHY) {
        struct ir_expr *level = outline_argument(part->scope, "level", 0),
                       *role = outline_argument(part->scope, "role", 1);
        if (level)
            add_keyword(a, &f->decorator, "level", level);
        if (role)
            add_keyword(a, &f->decorator, "role", role);
        return;
    }
    const char *type = arena_printf(a, "pl.FunctionType.%s", ir_func_type_name(f->type));
    add_keyword(a, &f->decorator, "type", pass_constant(a, type, at));
    if (o->kind != OUTLINE_INCORE)
        return;
    add_keyword(a, &f->decorator, "level", pass_constant(a, "pl.Level.CHIP_DIE", at));
    add_keyword(a, &f->decorator, "role", pass_constant(a, "pl.Role.SubWorker", at));
    f->attrs = attributes(a, part);
}

/* ---- results of stores ---- */

struct storer {
    struct outliner *o;
    const struct outline_part *part;
    struct map names; /* in use in the function */
};

static struct ir_var *store_result(struct storer *st, const struct ir_var *target, struct span at)
{
    struct arena *a = st->o->arena;
    const char *name = arena_printf(a, "%s__store", ir_base_name(a, target->name));
    if (map_get_text(&st->names, name))
        name = ir_fresh_version(a, name, &st->names);
    map_put_text(&st->names, name, st);
    struct ir_var *v = ir_var_new(a, name, target->type, at);
    v->shown = target->shown;
    return v;
}

/* The result stands behind the store, or in its place: where that gave its value no name, and where it
 * gave it the input's own. */
static void add_stored(struct storer *st, struct ir_stmt *s, ir_block *out)
{
    struct arena *a = st->o->arena;
    bool assigns = s->kind == IR_ASSIGN && s->assign.targets.len == 1;
    struct ir_expr *value = assigns ? s->assign.value : s->kind == IR_EVAL ? s->eval : NULL;
    struct ir_var *target = value ? outline_store_target(st->o, value) : NULL,
                  *own = assigns ? s->assign.targets.items[0] : NULL;
    if (!target || !ir_vars_hold(&st->part->stored, target)) {
        vec_push(a, out, s);
        return;
    }
    struct ir_stmt *bound = pass_assign(a, store_result(st, target, s->span), value);
    if (own && own != target) {
        vec_push(a, out, s);
        bound->assign.value = ir_var_ref(a, own, value->span);
    }
    bound->span = s->span;
    vec_push(a, out, bound);
}

/* Each store into an input gives its result a name, also where the text does not. */
static void bind_stores(void *ctx, ir_block *block)
{
    struct storer *st = ctx;
    ir_block out = {0};
    vec_foreach (struct ir_stmt *, s, block)
        add_stored(st, rewrite_blocks(st->o->arena, *s, bind_stores, st), &out);
    *block = out;
}

/* ---- the function ---- */

static bool returns_stored(const struct outliner *o)
{
    return o->kind != OUTLINE_HIERARCHY;
}

static struct ir_type *type_of_results(struct arena *a, const ir_vars *vars)
{
    if (vars->len < 2)
        return vars->len ? vars->items[0]->type : NULL;
    struct ir_type *t = ir_type_new(a, IR_TYPE_TUPLE);
    vec_foreach (struct ir_var *, v, vars)
        vec_push(a, &t->elems, (*v)->type ? (*v)->type : ir_type_new(a, IR_TYPE_UNKNOWN));
    return t;
}

/* The variables that are returned; under each, the variable of the body that holds it. */
static ir_vars results_of(const struct outliner *o, const struct outline_part *part)
{
    ir_vars out = {0};
    vec_foreach (struct ir_var *, v, &part->outputs)
        vec_push(o->arena, &out, *v);
    for (size_t i = 0; returns_stored(o) && i < part->stored.len; i++)
        vec_push(o->arena, &out, part->stored.items[i]);
    return out;
}

static void add_return(struct outliner *o, const struct outline_part *part, struct ir_func *f)
{
    ir_vars results = results_of(o, part);
    f->return_type = type_of_results(o->arena, &results);
    if (!results.len)
        return;
    struct ir_stmt *r = ir_stmt_new(o->arena, IR_RETURN, part->scope->span);
    vec_foreach (struct ir_var *, v, &results) {
        bool tensor = (*v)->type && ir_type_is_tensor_like((*v)->type);
        struct ir_var *origin = tensor ? outline_origin(o, &f->body, &part->inputs, *v) : NULL;
        vec_push(o->arena, &r->return_.values,
                 ir_var_ref(o->arena, origin ? origin : *v, part->scope->span));
    }
    vec_push(o->arena, &f->body, r);
}

static bool check_wait(struct outliner *o, const struct outline_part *part)
{
    if (!deferred_wait_in(&part->scope->scope.body))
        return true;
    if (o->kind != OUTLINE_INCORE)
        return REFUSE(o, OUTLINE_WAIT, part->scope->span, "a scope of another level");
    if (o->in_scope)
        return REFUSE(o, OUTLINE_WAIT, part->scope->span, "a scope in another one");
    if (keyword(part, "predicate") || is_true(keyword(part, "allow_early_resolve")))
        return REFUSE(o, OUTLINE_WAIT, part->scope->span,
                      "a task with predicate= or allow_early_resolve=");
    return deferred_wait_check_body(o->prog, &part->scope->scope.body, part->scope->span, o->diag);
}

struct ir_func *outline_make(struct outliner *o, struct outline_part *part, ir_block body)
{
    struct arena *a = o->arena;
    if (!check_wait(o, part))
        return NULL;
    struct ir_func *f = arena_new(a, struct ir_func);
    *f = (struct ir_func){.name = part->name, .span = part->scope->span};
    declare(o, part, f);
    static const ir_vars none = {0};
    enum ir_direction *directions = outline_directions(
        o, &part->inputs, returns_stored(o) ? &part->stored : &none, &part->scope->scope.body);
    struct storer st = {.o = o, .part = part, .names.arena = a};
    for (size_t i = 0; i < part->inputs.len; i++) {
        struct ir_param p = {part->inputs.items[i], directions[i]};
        vec_push(a, &f->params, p);
    }
    f->body = body;
    pass_names_in_use(f, &st.names);
    if (returns_stored(o) && part->stored.len)
        bind_stores(&st, &f->body);
    else
        f->body = (ir_block){.items = arena_dup(a, body.items, body.len * sizeof *body.items),
                             .len = body.len,
                             .cap = body.len};
    add_return(o, part, f);
    struct cloner c = {.arena = a, .vars.arena = a};
    return clone_func(&c, f);
}

/* ---- the call ---- */

static int by_number(const void *x, const void *y)
{
    const int *one = x, *other = y;
    return (*one > *other) - (*one < *other);
}

/* The places among the arguments of what the keyword lists, ascending; n counts them. */
static int *listed(struct outliner *o, const struct outline_part *part, const char *name, size_t *n)
{
    const struct ir_expr *list = keyword(part, name);
    bool some = list && (list->kind == IR_LIST || list->kind == IR_TUPLE);
    int *out = arena_array(o->arena, int, (some ? list->items.len : 0) + 1);
    *n = 0;
    for (size_t i = 0; some && i < list->items.len; i++) {
        const struct ir_expr *e = list->items.items[i];
        int at = -1;
        /* The keyword names what the tensor is called by now, and the inputs what it was called. */
        for (size_t k = 0; e->kind == IR_VAR && k < part->inputs.len; k++)
            if (part->inputs.items[k] == e->var ||
                map_get(&o->renames, part->inputs.items[k]) == e->var)
                at = (int)k;
        bool again = false;
        for (size_t k = 0; k < *n; k++)
            again |= out[k] == at;
        if (at >= 0 && !again)
            out[(*n)++] = at;
        if (at < 0 && e->kind == IR_VAR && strcmp(name, "no_dep_args") == 0)
            REFUSE(o, OUTLINE_NO_DEP, e->span, e->var->shown);
    }
    qsort(out, *n, sizeof *out, by_number);
    return out;
}

static void add_lists(struct outliner *o, const struct outline_part *part, struct ir_expr *call,
                      bool task)
{
    static const struct {
        const char *keyword, *attribute;
    } lists[] = {{"dumps", "dump_vars"}, {"no_dep_args", "arg_direction_overrides"}};
    for (size_t i = 0; i < 2; i++) {
        size_t n;
        int *places = listed(o, part, lists[i].keyword, &n);
        if (!n)
            continue;
        struct ir_expr *list = ir_expr_new(o->arena, IR_LIST, call->span);
        for (size_t k = 0; k < n; k++)
            vec_push(o->arena, &list->items,
                     i == 0 ? call->call.args.items[places[k]]
                            : ir_int(o->arena, places[k], IR_INDEX, call->span));
        if (task && i == 0)
            add_keyword(o->arena, &call->call.kwargs, lists[i].keyword, list);
        else
            add_keyword(o->arena, &call->call.attrs, lists[i].attribute, list);
    }
}

static bool is_task(const struct outline_part *part)
{
    const struct ir_expr *deps = keyword(part, "deps");
    bool waits = deps && (deps->kind != IR_LIST || deps->items.len);
    return part->scope->scope.var || waits || is_true(keyword(part, "allow_early_resolve")) ||
           keyword(part, "predicate");
}

/* The number of blocks stands in an attribute of a call, and in a keyword of a launch. */
static void add_launch(struct outliner *o, const struct outline_part *part, struct ir_expr *call,
                       bool task)
{
    static const char *const passed[] = {"deps", "allow_early_resolve", "predicate"};
    struct ir_call *c = &call->call;
    for (size_t i = 0; task && i < sizeof passed / sizeof *passed; i++)
        if (keyword(part, passed[i]))
            add_keyword(o->arena, &c->kwargs, passed[i], keyword(part, passed[i]));
    if (o->kind != OUTLINE_SPMD)
        return;
    struct ir_expr *count = outline_argument(part->scope, "core_num", 0),
                   *start = keyword(part, "sync_start");
    ir_kwargs *kw = task ? &c->kwargs : &c->attrs;
    if (count)
        add_keyword(o->arena, kw, "core_num", count);
    if (is_true(start))
        add_keyword(o->arena, kw, "sync_start", start);
}

static struct ir_expr *make_call(struct outliner *o, const struct outline_part *part,
                                 const struct ir_func *f, bool task)
{
    struct span at = part->scope->scope.call->span;
    struct ir_expr *e = ir_expr_new(o->arena, IR_CALL, at);
    e->call.callee = task ? IR_CALLEE_SUBMIT : IR_CALLEE_USER;
    e->call.name = e->call.written = f->name;
    if (task)
        e->call.written = o->kind == OUTLINE_SPMD ? "pl.spmd_submit" : "pl.submit";
    vec_foreach (struct ir_var *, v, &part->inputs) {
        struct ir_var *now = map_get(&o->renames, *v);
        vec_push(o->arena, &e->call.args, ir_var_ref(o->arena, now ? now : *v, at));
    }
    add_lists(o, part, e, task);
    add_launch(o, part, e, task);
    return e;
}

static struct ir_var *new_name(struct outliner *o, const struct ir_var *v)
{
    struct ir_var *now = ir_var_new(o->arena, outline_fresh_name(o, v->name), v->type, v->span);
    now->shown = v->shown;
    return now;
}

/* A launch gives a tuple, also of the task alone. */
static void add_statement(struct outliner *o, struct ir_expr *call, const ir_vars *targets,
                          bool task, ir_block *out)
{
    struct arena *a = o->arena;
    bool alone = task && targets->len == 1;
    struct ir_stmt *s = ir_stmt_new(a, targets->len ? IR_ASSIGN : IR_EVAL, call->span);
    call->type = type_of_results(a, targets);
    if (alone) {
        call->type = ir_type_new(a, IR_TYPE_TUPLE);
        vec_push(a, &call->type->elems, targets->items[0]->type);
        struct ir_var *all = ir_var_new(a, "ret__tmp_v0", call->type, call->span);
        vec_push(a, out, pass_assign(a, all, call));
        call = ir_expr_new(a, IR_GETITEM, call->span);
        call->getitem.base = ir_var_ref(a, all, call->span);
        call->type = targets->items[0]->type;
    }
    if (targets->len) {
        s->assign.targets = *targets;
        s->assign.value = call;
        s->assign.annotated = targets->len == 1 && targets->items[0]->type;
    } else {
        s->eval = call;
    }
    vec_push(a, out, s);
}

ir_vars outline_call(struct outliner *o, const struct outline_part *part, const struct ir_func *f,
                     ir_block *out)
{
    bool task = is_task(part);
    struct ir_expr *call = make_call(o, part, f, task);
    ir_vars targets = {0}, now = {0};
    vec_foreach (struct ir_var *, v, &part->outputs)
        vec_push(o->arena, &targets, *v);
    for (size_t i = 0; returns_stored(o) && i < part->stored.len; i++) {
        struct ir_var *v = new_name(o, part->stored.items[i]);
        vec_push(o->arena, &targets, v);
        vec_push(o->arena, &now, v);
    }
    if (task) {
        struct ir_var *id = part->scope->scope.var;
        if (!id)
            id = ir_var_new(o->arena, outline_fresh_name(o, "tid"), ir_scalar_type(IR_TASK_ID),
                            call->span);
        vec_push(o->arena, &targets, id);
    }
    add_statement(o, call, &targets, task, out);
    return now;
}
