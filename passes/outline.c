/* SPDX-License-Identifier: MIT */
#include "passes/outline.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "ir/canon.h"
#include "ir/names.h"
#include "passes/deferred_wait.h"
#include "passes/outline_call.h"
#include "passes/pass.h"
#include "passes/refusals.h"
#include "passes/rewrite.h"

/* ---- scopes ---- */

struct ir_expr *outline_argument(const struct ir_stmt *scope, const char *keyword, size_t i)
{
    const struct ir_call *call = &scope->scope.call->call;
    return i < call->args.len ? call->args.items[i] : ir_kwarg_find(&call->kwargs, keyword);
}

bool outline_is_scope(const struct ir_stmt *s, enum outline_kind kind)
{
    static const char *const names[] = {[OUTLINE_HIERARCHY] = "at",
                                        [OUTLINE_INCORE] = "at",
                                        [OUTLINE_CLUSTER] = "cluster",
                                        [OUTLINE_SPMD] = "spmd"};
    if (s->kind != IR_SCOPE || s->scope.call->kind != IR_CALL || s->scope.lanes ||
        strcmp(s->scope.call->call.name, names[kind]) != 0)
        return false;
    bool at = kind == OUTLINE_HIERARCHY || kind == OUTLINE_INCORE;
    return !at || canon_at_core_group(&s->scope.call->call) == (kind == OUTLINE_INCORE);
}

static enum walk find_scope(const struct ir_stmt *s, void *kind)
{
    return outline_is_scope(s, *(const enum outline_kind *)kind) ? WALK_FOUND : WALK_INTO;
}

bool outline_has_scope(const ir_block *block, enum outline_kind kind)
{
    return pass_find_stmt(block, find_scope, &kind);
}

/* ---- names of functions ---- */

static const char *hint_of(const struct ir_stmt *s)
{
    const struct ir_expr *e = ir_kwarg_find(&s->scope.call->call.kwargs, "name_hint");
    return e && e->kind == IR_STRING && *e->string ? e->string : NULL;
}

/* "_host_orch_" for level HOST and role Orchestrator. */
static const char *hierarchy_suffix(struct arena *a, const struct ir_stmt *s)
{
    const struct ir_expr *level = outline_argument(s, "level", 0),
                         *role = outline_argument(s, "role", 1);
    const char *dotted = level && level->kind == IR_NAME ? canon_level(level->name) : "UNDEFINED";
    const char *dot = strrchr(dotted, '.');
    char *name = arena_strdup(a, dot ? dot + 1 : dotted);
    for (char *c = name; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    if (strncmp(name, "cluster_", 8) == 0)
        memmove(name + 7, name + 8, strlen(name + 8) + 1);
    bool named = role && role->kind == IR_NAME;
    return arena_printf(a, "_%s%s_", name,
                        !named                               ? ""
                        : strstr(role->name, "Orchestrator") ? "_orch"
                                                             : "_sub_worker");
}

static const char *numbered(struct outliner *o, const char *base)
{
    for (unsigned n = 0;; n++) {
        const char *name = arena_printf(o->arena, "%s_%u", base, n);
        if (!map_get_text(&o->known, name) && !map_get_text(&o->taken, name))
            return name;
    }
}

/* A name that another function has is put behind this one's; one that is used in this function gets
 * a number. */
static const char *outlined_name(struct outliner *o, const struct ir_stmt *s)
{
    static const char *const suffixes[] = {
        [OUTLINE_INCORE] = "_incore_", [OUTLINE_CLUSTER] = "_cluster_", [OUTLINE_SPMD] = "_spmd_"};
    unsigned n = o->count++;
    const char *suffix =
        o->kind == OUTLINE_HIERARCHY ? hierarchy_suffix(o->arena, s) : suffixes[o->kind];
    const char *name = hint_of(s);
    if (!name)
        name = arena_printf(o->arena, "%s%s%u", o->name, suffix, n);
    if (map_get_text(&o->known, name)) {
        name = numbered(o, name);
    } else if (map_get_text(&o->taken, name)) {
        name = arena_printf(o->arena, "%s_%s", o->name, name);
        if (map_get_text(&o->known, name) || map_get_text(&o->taken, name))
            name = numbered(o, name);
    }
    map_put_text(&o->known, name, o);
    map_put_text(&o->taken, name, o);
    return name;
}

/* ---- what stands behind a statement ---- */

struct outline_tail {
    const struct outline_tail *outer;
    struct map last; /* variable -> number, from 1, of the last statement that names it */
    size_t at, end;  /* of the statement, from 1; of the last one that names something */
};

struct naming {
    struct outline_tail *tail;
    size_t number;
};

static void name_var(struct naming *n, const struct ir_var *v)
{
    map_put(&n->tail->last, v, (void *)(uintptr_t)n->number);
    n->tail->end = n->number;
}

static bool name_expr(const struct ir_expr *e, void *ctx)
{
    if (e->kind == IR_VAR)
        name_var(ctx, e->var);
    return true;
}

static enum walk name_stmt(const struct ir_stmt *s, void *ctx)
{
    pass_walk_stmt(s, name_expr, ctx);
    return WALK_INTO;
}

static struct outline_tail tail_of(struct outliner *o, const ir_block *block)
{
    struct outline_tail t = {.outer = o->tail, .last.arena = o->arena};
    for (size_t i = 0; i < block->len; i++) {
        ir_block one = {.items = &block->items[i], .len = 1};
        struct naming n = {&t, i + 1};
        pass_find_stmt(&one, name_stmt, &n);
        ir_vars defined = outline_definitions(o->arena, &one);
        vec_foreach (struct ir_var *, v, &defined)
            name_var(&n, *v);
    }
    return t;
}

static bool is_used(const struct outline_tail *t, const struct ir_var *v)
{
    for (; t; t = t->outer)
        if ((uintptr_t)map_get(&t->last, v) > t->at)
            return true;
    return false;
}

static bool uses_something(const struct outline_tail *t)
{
    for (; t; t = t->outer)
        if (t->end > t->at)
            return true;
    return false;
}

/* ---- renaming ---- */

static struct ir_expr *renamed(void *ctx, struct ir_expr *e)
{
    struct outliner *o = ctx;
    struct ir_var *now = e->kind == IR_VAR ? map_get(&o->renames, e->var) : NULL;
    return now ? ir_var_ref(o->arena, now, e->span) : e;
}

static void rename_var(struct outliner *o, struct ir_var *v, struct ir_var *now)
{
    vec_push(o->arena, &o->undo, v);
    vec_push(o->arena, &o->undo, map_get(&o->renames, v));
    map_put(&o->renames, v, now);
}

/* What a branch or a loop calls something is not its name behind it; the memory is the same. */
static void forget_renames(struct outliner *o, size_t kept)
{
    while (o->undo.len > kept) {
        struct ir_var *before = o->undo.items[--o->undo.len];
        map_put(&o->renames, o->undo.items[--o->undo.len], before);
    }
}

const char *outline_fresh_name(struct outliner *o, const char *name)
{
    const char *fresh = ir_fresh_version(o->arena, name, &o->known);
    map_put_text(&o->known, fresh, o);
    return fresh;
}

/* ---- the function ---- */

/* The definitions of a block that statements behind it can see. */
static void add_visible(struct arena *a, const ir_block *block, ir_vars *out)
{
    vec_foreach (struct ir_stmt *, it, block) {
        const struct ir_stmt *s = *it;
        const ir_vars *vars = s->kind == IR_ASSIGN  ? &s->assign.targets
                              : s->kind == IR_IF    ? &s->if_.results
                              : s->kind == IR_FOR   ? &s->for_.results
                              : s->kind == IR_WHILE ? &s->while_.results
                                                    : NULL;
        for (size_t i = 0; vars && i < vars->len; i++)
            vec_push(a, out, vars->items[i]);
        if (s->kind == IR_SCOPE)
            add_visible(a, &s->scope.body, out);
    }
}

struct aliases {
    struct outliner *o;
    struct outline_part *part;
};

static enum walk add_alias(const struct ir_stmt *s, void *ctx)
{
    struct aliases *x = ctx;
    if (s->kind == IR_ASSIGN && s->assign.targets.len == 1) {
        struct ir_var *target = outline_store_target(x->o, s->assign.value);
        if (target && ir_vars_hold(&x->part->inputs, target))
            map_put(&x->part->aliases, s->assign.targets.items[0], target);
    }
    return WALK_INTO;
}

/* What leaves the scope: what is used behind it. Where nothing is known of that, at the end of a
 * function, all that it defines does. */
static void find_outputs(struct outliner *o, struct outline_part *part, bool alone)
{
    const ir_block *body = &part->scope->scope.body;
    bool known = uses_something(o->tail);
    ir_vars defined = {0};
    if (known)
        defined = outline_definitions(o->arena, body);
    else if (!o->in_scope && !deferred_wait_in(body))
        add_visible(o->arena, body, &defined);
    ir_vars targets = outline_store_targets(o, body);
    struct aliases x = {o, part};
    part->aliases.arena = o->arena;
    pass_find_stmt(body, add_alias, &x);
    vec_foreach (struct ir_var *, v, &defined) {
        bool used = !known || is_used(o->tail, *v) || (alone && ir_vars_hold(&targets, *v));
        if (!used)
            continue;
        vec_push(o->arena, map_get(&part->aliases, *v) ? &part->stored_names : &part->outputs, *v);
    }
    for (size_t i = targets.len; i > 0; i--)
        if (ir_vars_hold(&part->inputs, targets.items[i - 1]))
            vec_push(o->arena, &part->stored, targets.items[i - 1]);
}

/* In SSA form nothing from outside is assigned anew; a store into a tensor may give it its own name. */
static bool check_form(struct outliner *o, const struct outline_part *part)
{
    ir_vars defined = outline_definitions(o->arena, &part->scope->scope.body);
    vec_foreach (struct ir_var *, v, &part->inputs)
        if (ir_vars_hold(&defined, *v) && !ir_vars_hold(&part->stored, *v))
            return REFUSE(o, OUTLINE_FORM, part->scope->span, (*v)->shown);
    return true;
}

static bool check_types(struct outliner *o, const struct outline_part *part, const ir_vars *vars)
{
    vec_foreach (struct ir_var *, v, vars)
        if ((*v)->type && (*v)->type->kind == IR_TYPE_TUPLE)
            return REFUSE(o, OUTLINE_TUPLE, part->scope->span, (*v)->shown);
    return true;
}

static void walk_block(void *ctx, ir_block *block);

/* The scopes in the scope: their names begin with the function's, and what they must hand out is what
 * that returns. */
static ir_block outlined_body(struct outliner *o, const struct outline_part *part)
{
    struct outliner saved = *o;
    struct outline_tail required = {.last.arena = o->arena, .end = 0};
    struct naming n = {&required, 1};
    vec_foreach (struct ir_var *, v, &part->outputs)
        name_var(&n, *v);
    vec_foreach (struct ir_var *, v, &part->stored)
        if (o->kind != OUTLINE_HIERARCHY)
            name_var(&n, *v);
    o->name = part->name;
    o->count = 0;
    o->renames = (struct map){.arena = o->arena};
    o->undo = (ir_vars){0};
    o->tail = &required;
    ir_block body = part->scope->scope.body;
    walk_block(o, &body);
    o->name = saved.name;
    o->count = saved.count;
    o->renames = saved.renames;
    o->undo = saved.undo;
    o->tail = saved.tail;
    return body;
}

static void outline_scope(struct outliner *o, struct ir_stmt *s, ir_block *out, bool alone)
{
    struct outline_part part = {.scope = s, .name = outlined_name(o, s)};
    part.inputs = outline_reads(o->arena, o->prog, &s->scope.body);
    find_outputs(o, &part, alone);
    if (!check_form(o, &part) || !check_types(o, &part, &part.inputs) ||
        !check_types(o, &part, &part.outputs))
        return;
    ir_block body = outlined_body(o, &part);
    if (o->diag->failed)
        return;
    struct ir_func *f = outline_make(o, &part, body);
    if (!f)
        return;
    vec_push(o->arena, &o->made, f);
    map_put_text(&o->functions, f->name, f);
    ir_vars now = outline_call(o, &part, f, out);
    for (size_t i = 0; i < part.stored.len; i++) {
        struct ir_var *v = part.stored.items[i],
                      *name = o->kind == OUTLINE_HIERARCHY ? NULL : now.items[i];
        if (name)
            rename_var(o, v, name);
    }
    vec_foreach (struct ir_var *, v, &part.stored_names) {
        struct ir_var *target = map_get(&part.aliases, *v), *name = map_get(&o->renames, target);
        rename_var(o, *v, name ? name : target);
    }
}

/* It becomes a function as well, or a region of the vector lanes; scopes of the runtime do not. */
static bool confines(const struct ir_stmt *s)
{
    static const char *const names[] = {"at", "spmd", "cluster", "split_aiv"};
    for (size_t i = 0; s->kind == IR_SCOPE && i < sizeof names / sizeof *names; i++)
        if (s->scope.call->kind == IR_CALL && strcmp(s->scope.call->call.name, names[i]) == 0)
            return true;
    return false;
}

static struct ir_stmt *walk_stmt(struct outliner *o, struct ir_stmt *s)
{
    bool in_scope = o->in_scope;
    size_t kept = o->undo.len;
    o->in_scope |= confines(s);
    s = rewrite_blocks(o->arena, s, walk_block, o);
    o->in_scope = in_scope;
    if (s->kind != IR_SCOPE)
        forget_renames(o, kept);
    return s;
}

static void walk_block(void *ctx, ir_block *block)
{
    struct outliner *o = ctx;
    ir_block given = *block, out = {0};
    bool changed = false, some = outline_has_scope(block, o->kind);
    struct outline_tail tail = {0};
    if (!some && !o->undo.len)
        return;
    if (some)
        tail = tail_of(o, &given);
    const struct outline_tail *outer = o->tail;
    for (size_t i = 0; i < given.len && !o->diag->failed; i++) {
        tail.at = i + 1;
        o->tail = some ? &tail : outer;
        struct ir_stmt *s = rewrite_exprs(o->arena, given.items[i], renamed, o);
        if (outline_is_scope(s, o->kind)) {
            outline_scope(o, s, &out, given.len == 1);
            changed = true;
            continue;
        }
        s = walk_stmt(o, s);
        changed |= s != given.items[i];
        vec_push(o->arena, &out, s);
    }
    o->tail = outer;
    if (changed)
        *block = out;
}

static enum walk note_carried(const struct ir_stmt *s, void *ctx)
{
    struct outliner *o = ctx;
    const ir_vars *vars = s->kind == IR_FOR     ? &s->for_.iter_args
                          : s->kind == IR_WHILE ? &s->while_.iter_args
                                                : NULL;
    for (size_t i = 0; vars && i < vars->len; i++)
        map_put(&o->carried, vars->items[i], vars->items[i]);
    return WALK_INTO;
}

struct ir_func *outline_scopes(struct outliner *o, struct ir_func *f, enum outline_kind kind)
{
    if (!outline_has_scope(&f->body, kind))
        return f;
    o->kind = kind;
    o->name = f->name;
    o->count = 0;
    o->known = o->carried = o->renames = (struct map){.arena = o->arena};
    o->undo = (ir_vars){0};
    o->tail = NULL;
    o->in_scope = false;
    pass_names_in_use(f, &o->known);
    pass_find_stmt(&f->body, note_carried, o);
    ir_block body = f->body;
    walk_block(o, &body);
    return o->diag->failed ? NULL : pass_with_body(o->arena, f, body);
}

/* ---- programs ---- */

static int by_name(const void *x, const void *y)
{
    const struct ir_func *const *one = x, *const *other = y;
    return strcmp((*one)->name, (*other)->name);
}

struct calling {
    const outline_funcs *all;
    size_t last; /* place, from 1, of the last function that is called */
};

static bool note_call(const struct ir_expr *e, void *ctx)
{
    struct calling *c = ctx;
    bool call = e->kind == IR_CALL && e->call.callee == IR_CALLEE_USER;
    for (size_t i = c->all->len; call && i > c->last; i--)
        if (strcmp(c->all->items[i - 1]->name, e->call.name) == 0)
            c->last = i;
    return true;
}

static enum walk note_calls(const struct ir_stmt *s, void *ctx)
{
    pass_walk_stmt(s, note_call, ctx);
    return WALK_INTO;
}

static bool is_made(const outline_funcs *made, const struct ir_func *f)
{
    for (size_t i = 0; i < made->len; i++)
        if (made->items[i] == f)
            return true;
    return false;
}

/* Adds f behind the last function that it calls and what was made before, as the compiler prints; at the
 * end if it calls none. */
static void insert(struct arena *a, outline_funcs *all, const outline_funcs *made,
                   struct ir_func *f)
{
    struct calling c = {.all = all};
    pass_find_stmt(&f->body, note_calls, &c);
    size_t at = c.last ? c.last : all->len;
    while (at < all->len && is_made(made, all->items[at]))
        at++;
    vec_push(a, all, f);
    memmove(&all->items[at + 1], &all->items[at], (all->len - 1 - at) * sizeof *all->items);
    all->items[at] = f;
}

struct ir_program *outline_program(struct arena *a, const struct ir_program *p, struct diag *d,
                                   bool (*takes)(const struct ir_func *f),
                                   struct ir_func *(*fn)(struct outliner *o, struct ir_func *f))
{
    struct outliner o = {.arena = a, .prog = p, .diag = d, .taken.arena = a, .functions.arena = a};
    struct ir_func **sorted = arena_dup(a, p->funcs.items, p->funcs.len * sizeof *sorted);
    outline_funcs *made = arena_array(a, outline_funcs, p->funcs.len + 1);
    struct map position = {.arena = a}, now = {.arena = a};
    for (size_t i = 0; i < p->funcs.len; i++) {
        struct ir_func *f = p->funcs.items[i];
        map_put_text(&o.taken, f->name, f);
        map_put_text(&o.functions, f->name, f);
        map_put(&position, f, &made[i]);
    }
    qsort(sorted, p->funcs.len, sizeof *sorted, by_name);
    for (size_t i = 0; i < p->funcs.len; i++) {
        if (!takes(sorted[i]))
            continue;
        o.made = (outline_funcs){0};
        struct ir_func *f = fn(&o, sorted[i]);
        if (!f)
            return NULL;
        map_put(&now, sorted[i], f);
        *(outline_funcs *)map_get(&position, sorted[i]) = o.made;
    }
    struct ir_program *out = arena_dup(a, p, sizeof *p);
    outline_funcs all = {0};
    for (size_t i = 0; i < p->funcs.len; i++) {
        struct ir_func *f = map_get(&now, p->funcs.items[i]);
        vec_foreach (struct ir_func *, m, &made[i])
            insert(a, &all, &made[i], *m);
        vec_push(a, &all, f ? f : p->funcs.items[i]);
    }
    out->arena = a;
    memset(&out->funcs, 0, sizeof out->funcs);
    out->positions = (struct map){.arena = a};
    vec_foreach (struct ir_func *, f, &all)
        ir_add_func(out, *f);
    return out;
}
