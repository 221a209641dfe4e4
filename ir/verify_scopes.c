/* SPDX-License-Identifier: MIT */
/* Scopes: which may stand in which, and what some ask of their bodies (pypto-front-facts 2.11). */
#include <string.h>

#include "ir/canon.h"
#include "ir/verify_internal.h"

/* What a statement stands in, as bits. */
enum {
    IN_CLUSTER = 1,
    IN_MANUAL = 2,
    IN_AUTO = 4,
    IN_SPLIT_AIV = 8,
    IN_SPLIT_SCOPE = 16 /* a core scope with an optimization pl.split(...) */
};

static const struct {
    unsigned bit;
    const char *name;
} around[] = {
    {IN_CLUSTER, "pl.cluster()"},
    {IN_MANUAL, "a manual scope"},
    {IN_SPLIT_AIV, "pl.split_aiv()"},
    {IN_SPLIT_SCOPE, "a scope with pl.split()"},
};

/* One row a scope: what it is to the statements in it, and where it may not stand. */
static const struct scope_row {
    const char *name;
    unsigned is, not_in;
    bool launched; /* it becomes a task, which `as` names */
} scopes[] = {
    {"at", 0, 0, true},
    {"spmd", 0, 0, true},
    {"cluster", IN_CLUSTER, 0, false},
    {"scope", IN_AUTO, IN_MANUAL, false},
    {"manual_scope", IN_MANUAL, IN_MANUAL, false},
    {"split_aiv", IN_SPLIT_AIV, IN_SPLIT_AIV | IN_SPLIT_SCOPE, false},
};

bool verify_in_halves(const struct verifier *v)
{
    return v->inside & IN_SPLIT_AIV;
}

static bool is_named(const struct ir_expr *e, const char *name)
{
    return e && e->kind == IR_NAME && strcmp(e->name, name) == 0;
}

/* The row of a scope, or NULL for one that is not known. */
static const struct scope_row *row_of(const struct ir_stmt *s)
{
    const struct ir_expr *call = s->scope.call;
    const char *name = call && call->kind == IR_CALL ? call->call.name : "";
    if (strcmp(name, "scope") == 0 &&
        is_named(ir_kwarg_find(&call->call.kwargs, "mode"), "pl.ScopeMode.MANUAL"))
        name = "manual_scope";
    for (size_t i = 0; i < ROWS(scopes); i++)
        if (strcmp(scopes[i].name, name) == 0)
            return &scopes[i];
    return NULL;
}

static bool is_scope(const struct ir_stmt *s, const char *name)
{
    const struct scope_row *row = s->kind == IR_SCOPE ? row_of(s) : NULL;
    return row && strcmp(row->name, name) == 0;
}

static const struct ir_expr *argument(const struct ir_call *call, const char *keyword, size_t i)
{
    return i < call->args.len ? call->args.items[i] : ir_kwarg_find(&call->kwargs, keyword);
}

static bool has_entries(const struct ir_call *call)
{
    const struct ir_expr *list = ir_kwarg_find(&call->kwargs, "optimizations");
    return list && list->kind == IR_LIST && list->items.len > 0;
}

/* An optimization pl.split(...), of whatever mode. */
static bool splits(const struct ir_call *call)
{
    const struct ir_expr *list = ir_kwarg_find(&call->kwargs, "optimizations");
    for (size_t i = 0; list && list->kind == IR_LIST && i < list->items.len; i++) {
        const struct ir_expr *e = list->items.items[i];
        if (e->kind == IR_CALL && (strcmp(e->call.name, "split") == 0 ||
                                   strcmp(e->call.name, "optimizations.split") == 0))
            return true;
    }
    return false;
}

/* ---- keywords that the place forbids ---- */

static bool misplaced(struct verifier *v, const struct ir_call *call, const char *form,
                      const char *keyword, const char *where)
{
    const struct ir_expr *value = ir_kwarg_find(&call->kwargs, keyword);
    bool off = !value || (value->kind == IR_BOOLEAN && !value->boolean) ||
               (verify_tuple(value) && verify_tuple(value)->len == 0);
    return !off && !verify_fail(v, IR_RULE_KEYWORD_PLACE, value->span, keyword, form, where, NULL);
}

/* A cluster is launched as one task: what is launched in it has no keywords of a task. */
static bool task_keywords(struct verifier *v, const struct ir_call *call, const char *form,
                          bool scope)
{
    static const char *const keywords[] = {"allow_early_resolve", "predicate", "deps", "core_num",
                                           "sync_start"};
    for (size_t i = 0; v->inside & IN_CLUSTER && i < (scope ? 2 : ROWS(keywords)); i++)
        if (misplaced(v, call, form, keywords[i], "inside pl.cluster(), which is one task"))
            return false;
    return true;
}

bool verify_launch_place(struct verifier *v, const struct ir_expr *e)
{
    return task_keywords(v, &e->call, e->call.written, false);
}

static bool is_under_host(const struct ir_expr *level)
{
    static const char *const levels[] = {"pl.Level.AIV", "pl.Level.AIC", "pl.Level.CHIP_DIE",
                                         "pl.Level.CHIP"};
    if (!level || level->kind != IR_NAME)
        return true;
    for (size_t i = 0; i < ROWS(levels); i++)
        if (strcmp(canon_level(level->name), levels[i]) == 0)
            return true;
    return false;
}

static bool check_at(struct verifier *v, const struct ir_call *call)
{
    const struct ir_expr *role = argument(call, "role", 1);
    bool core = canon_at_core_group(call);
    if (core && role)
        return verify_fail(v, IR_RULE_KEYWORD_PLACE, role->span, "role", "pl.at",
                           "at level CORE_GROUP", NULL);
    if (is_named(role, "pl.Role.SubWorker") && !is_under_host(argument(call, "level", 0)))
        return verify_fail(v, IR_RULE_KEYWORD_PLACE, role->span, "role", "pl.at",
                           "as SubWorker from level HOST on: that is a function", NULL);
    return core ||
           !misplaced(v, call, "pl.at", "optimizations", "at another level than CORE_GROUP");
}

static bool check_spmd(struct verifier *v, const struct ir_stmt *s)
{
    const struct ir_expr *e = s->scope.call;
    const struct ir_expr *deps = ir_kwarg_find(&e->call.kwargs, "deps");
    if (deps && !s->scope.var)
        return verify_fail(v, IR_RULE_KEYWORD_PLACE, deps->span, "deps", "pl.spmd",
                           "without `as` a task", NULL);
    if (deps && s->scope.lanes)
        return verify_fail(v, IR_RULE_KEYWORD_PLACE, deps->span, "deps", "pl.spmd",
                           "to a loop; use `with pl.spmd(...) as` a task", NULL);
    return task_keywords(v, &e->call, "pl.spmd", true) &&
           verify_predicate_deps(v, "pl.spmd", &e->call.kwargs);
}

/* ---- nesting ---- */

static bool places_itself(const struct ir_func *f)
{
    const struct ir_expr *e = ir_kwarg_find(&f->decorator, "auto_scope");
    return e && e->kind == IR_BOOLEAN && !e->boolean;
}

static bool check_place(struct verifier *v, const struct ir_stmt *s, const struct scope_row *row)
{
    const char *name = arena_printf(&v->arena, "pl.%s()", row->name);
    struct span at = s->scope.call->span;
    for (size_t i = 0; i < ROWS(around); i++)
        if (v->inside & row->not_in & around[i].bit)
            return verify_fail(v, IR_RULE_SCOPE_PLACE, at, name, around[i].name, NULL);
    bool task = s->scope.var && !s->scope.lanes;
    if (task && !row->launched)
        return verify_fail(v, IR_RULE_SCOPE_TASK, at, name, NULL);
    if (task && strcmp(row->name, "spmd") == 0 && v->inside & IN_CLUSTER)
        return verify_fail(v, IR_RULE_SCOPE_PLACE, at, "pl.spmd() as a task", "pl.cluster()", NULL);
    if (row->is == IN_AUTO && !places_itself(v->func))
        return verify_fail(v, IR_RULE_SCOPE_AUTO, at, NULL);
    return true;
}

bool verify_scope(struct verifier *v, const struct ir_stmt *s, unsigned *inside)
{
    const struct scope_row *row = row_of(s);
    *inside = v->inside;
    if (!row)
        return true;
    const struct ir_call *call = &s->scope.call->call;
    bool at = strcmp(row->name, "at") == 0, spmd = strcmp(row->name, "spmd") == 0;
    if (!check_place(v, s, row) || (at && !check_at(v, call)) || (spmd && !check_spmd(v, s)))
        return false;
    if ((at && canon_at_core_group(call)) || spmd)
        *inside &= ~IN_SPLIT_SCOPE;
    *inside |= row->is | (splits(call) ? IN_SPLIT_SCOPE : 0);
    return true;
}

/* ---- bodies ---- */

/* with pl.spmd(n): every lane runs the same body, so that it has to ask which lane it is, or to
 * call one function, whose code does. */
bool verify_scope_body(struct verifier *v, const struct ir_stmt *s)
{
    if (!is_scope(s, "spmd") || s->scope.lanes)
        return true;
    const ir_block *body = &s->scope.body;
    const struct ir_stmt *only = body->len == 1 ? body->items[0] : NULL;
    if (only && is_scope(only, "at") && canon_at_core_group(&only->scope.call->call))
        return !has_entries(&s->scope.call->call) ||
               !misplaced(v, &s->scope.call->call, "pl.spmd", "optimizations",
                          "around pl.at(level=pl.Level.CORE_GROUP), which takes them");
    if (v->body.asks_lane || v->body.calls == 1)
        return true;
    return verify_fail(v, IR_RULE_SPMD_BODY, s->scope.call->span, verify_number(v, v->body.calls),
                       NULL);
}
