/* SPDX-License-Identifier: MIT */
/* The walk over a program: functions, statements, and what an
 * expression must be where it stands. */
#include "ir/verify.h"

#include <string.h>

#include "base/table.h"
#include "ir/canon.h"
#include "ir/print.h"
#include "ir/verify_internal.h"

/* Breached when the statement runs, and not before: where it never does, numbers may be any. */
static bool is_of_runs(enum ir_rule rule)
{
    return rule == IR_RULE_REGION_NEGATIVE || rule == IR_RULE_REGION_BOUNDS ||
           rule == IR_RULE_REGION_EXTENT || rule == IR_RULE_VALID_NEGATIVE ||
           rule == IR_RULE_VALID_EXCEEDS || rule == IR_RULE_DIMENSION;
}

bool verify_fail(struct verifier *v, enum ir_rule rule, struct span at, ...)
{
    va_list ap;
    if (v->never && is_of_runs(rule))
        return true;
    va_start(ap, at);
    const char *message = ir_rule_text(&v->arena, rule, ap);
    va_end(ap);
    return diag_error(v->diag, v->prog->source, at, "%s", message);
}

/* ---- shared helpers ---- */

const char *verify_number(struct verifier *v, int64_t value)
{
    return arena_decimal(&v->arena, value);
}

const char *verify_type(struct verifier *v, const struct ir_type *t)
{
    return ir_print_type(&v->arena, t);
}

const char *verify_found(struct verifier *v, const struct ir_expr *e)
{
    static const char *const literal[] = {
        [IR_STRING] = "a string", [IR_NONE] = "None",   [IR_TUPLE] = "a tuple",
        [IR_LIST] = "a list",     [IR_DICT] = "a dict", [IR_NAME] = "a constant name",
    };
    if (e->kind < sizeof literal / sizeof *literal && literal[e->kind])
        return literal[e->kind];
    return e->type ? verify_type(v, e->type) : "a value of unknown type";
}

bool verify_is_shaped(const struct ir_type *t)
{
    return t && (ir_type_is_tensor_like(t) || t->kind == IR_TYPE_TILE);
}

bool verify_is_integer(const struct ir_type *t)
{
    return t && t->kind == IR_TYPE_SCALAR && !ir_dtype_is_float(t->dtype);
}

bool verify_is_shapeless(const struct ir_expr *e)
{
    return e->kind == IR_STRING || e->kind == IR_NONE || e->kind == IR_TUPLE ||
           e->kind == IR_LIST || e->kind == IR_DICT || e->kind == IR_NAME;
}

const ir_exprs *verify_tuple(const struct ir_expr *e)
{
    return e && (e->kind == IR_TUPLE || e->kind == IR_LIST) ? &e->items : NULL;
}

bool verify_is_alloc(const struct ir_expr *e)
{
    return e && e->kind == IR_CALL && e->call.op &&
           strcmp(e->call.op->name, "pld.tensor.alloc_window_buffer") == 0;
}

bool verify_is_host(const struct ir_func *f)
{
    const struct ir_expr *level = ir_kwarg_find(&f->decorator, "level");
    return level && level->kind == IR_NAME && strcmp(level->name, "pl.Level.HOST") == 0;
}

bool verify_is_parameter(const struct ir_func *f, const struct ir_expr *e)
{
    vec_foreach (struct ir_param, p, &f->params)
        if (e->kind == IR_VAR && e->var == p->var)
            return true;
    return false;
}

/* ---- expressions ---- */

static bool check_expr(const struct ir_expr *e, void *ctx)
{
    struct verifier *v = ctx;
    if (e->kind == IR_CALL)
        return verify_call(v, e) && verify_reference(v, e->type, e->span);
    const struct ir_type *t = e->kind == IR_GETITEM ? e->getitem.base->type : NULL;
    if (!t || t->kind != IR_TYPE_TUPLE ||
        (e->getitem.index >= 0 && (size_t)e->getitem.index < t->elems.len))
        return true;
    return verify_fail(v, IR_RULE_TUPLE_INDEX, e->span, verify_number(v, e->getitem.index),
                       verify_number(v, (int64_t)t->elems.len), NULL);
}

static bool check_value(struct verifier *v, const struct ir_expr *e)
{
    return ir_walk_expr(e, check_expr, v);
}

static bool check_values(struct verifier *v, const ir_exprs *items)
{
    vec_foreach (struct ir_expr *, e, items)
        if (!check_value(v, *e))
            return false;
    return true;
}

static bool check_condition(struct verifier *v, const struct ir_expr *e, const char *statement)
{
    bool truth = e->type ? e->type->kind == IR_TYPE_SCALAR && e->type->dtype == IR_BOOL
                         : !verify_is_shapeless(e);
    return check_value(v, e) && (truth || verify_fail(v, IR_RULE_CONDITION, e->span, statement,
                                                      verify_found(v, e), NULL));
}

static bool check_bound(struct verifier *v, const struct ir_expr *e, const char *bound)
{
    bool integer = e->type ? verify_is_integer(e->type) : !verify_is_shapeless(e);
    return check_value(v, e) && (integer || verify_fail(v, IR_RULE_LOOP_BOUND, e->span, bound,
                                                        verify_found(v, e), NULL));
}

/* Every known extent of a tensor or tile is an integer, and 1 or more. */
static bool check_dimensions(struct verifier *v, const struct ir_var *var)
{
    const struct ir_type *t = var->type;
    int64_t extent;
    for (size_t i = 0; verify_is_shaped(t) && i < t->shape.len; i++) {
        const struct ir_expr *e = t->shape.items[i];
        bool integer = e->kind != IR_FLOAT;
        if (!integer || (ir_const_int(e, &extent) && extent <= 0))
            return verify_fail(v, IR_RULE_DIMENSION, e->span, verify_number(v, (int64_t)i),
                               var->name, integer ? verify_number(v, extent) : "no integer", NULL);
    }
    return true;
}

static bool check_extents(struct verifier *v, const ir_vars *vars)
{
    vec_foreach (struct ir_var *, var, vars)
        if (!check_dimensions(v, *var))
            return false;
    return true;
}

/* ---- statements ---- */

/* A block, and whether it may end in a yield. */
static bool check_block(struct verifier *v, const ir_block *block, bool yields);

/* Names are unique all over the program (pypto-facts 1.3). */
static bool check_allocation(struct verifier *v, const struct ir_stmt *s)
{
    const struct ir_expr *e = s->assign.value, *name = ir_kwarg_find(&e->call.kwargs, "name");
    if (s->assign.targets.len != 1)
        return true;
    const char *logical =
        name && name->kind == IR_STRING ? name->string : s->assign.targets.items[0]->name;
    const struct ir_expr *first = map_get_text(&v->allocations, logical);
    if (first)
        return verify_fail(v, IR_RULE_ALLOC_DUPLICATE, s->span, logical,
                           source_line_words(&v->arena, v->prog->source, first->span.line), NULL);
    map_put_text(&v->allocations, logical, (void *)e);
    v->allocation = e;
    return true;
}

static bool check_assign(struct verifier *v, const struct ir_stmt *s)
{
    if (verify_is_alloc(s->assign.value) && !check_allocation(v, s))
        return false;
    if (s->assign.annotated && !check_extents(v, &s->assign.targets))
        return false;
    vec_foreach (struct ir_var *, var, &s->assign.targets)
        if (!verify_reference(v, (*var)->type, s->span))
            return false;
    /* what is inferred here a later text declares */
    return check_value(v, s->assign.value) && verify_result(v, s) &&
           check_extents(v, &s->assign.targets);
}

static size_t yielded(const ir_block *block)
{
    const struct ir_stmt *s = ir_block_yield(block);
    return s ? s->yield.values.len : 0;
}

static bool check_branch(struct verifier *v, const struct ir_stmt *s, const ir_block *block,
                         const char *which)
{
    int64_t trips = v->trips;
    if (yielded(block) != s->if_.results.len)
        return verify_fail(v, IR_RULE_BRANCH_YIELDS, s->span,
                           verify_number(v, (int64_t)s->if_.results.len), which,
                           verify_number(v, (int64_t)yielded(block)), NULL);
    v->trips = 0;
    bool ok = check_block(v, block, true);
    v->trips = trips;
    return ok;
}

static bool check_if(struct verifier *v, const struct ir_stmt *s)
{
    int64_t known, outer = v->never;
    bool constant = ir_const_int(s->if_.cond, &known),
         ok = check_condition(v, s->if_.cond, "an if");
    v->never = outer + (constant && !known);
    ok = ok && check_branch(v, s, &s->if_.then_body, "first");
    v->never = outer + (constant && known);
    ok = ok && check_branch(v, s, &s->if_.else_body, "second");
    v->never = outer;
    return ok;
}

/* One value of each sort for each iteration variable; a loop may carry nothing on, and then yields
 * nothing and has no results (pypto-front-facts 2.6). */
static bool check_carried(struct verifier *v, struct span at, size_t iter_args, size_t inits,
                          size_t results, const ir_block *body)
{
    const struct {
        size_t count;
        const char *what;
    } sorts[] = {
        {inits, "initial values"}, {results, "results"}, {yielded(body), "yielded values"}};
    bool bare = results == 0 && yielded(body) == 0;
    for (size_t i = 0; i < (bare ? 1 : sizeof sorts / sizeof *sorts); i++)
        if (sorts[i].count != iter_args)
            return verify_fail(v, IR_RULE_CARRIED_COUNT, at, verify_number(v, (int64_t)iter_args),
                               verify_number(v, (int64_t)sorts[i].count), sorts[i].what, NULL);
    return true;
}

/* trips: how often the body is executed at least; loop: as written. */
static bool check_body(struct verifier *v, const ir_block *body, int64_t trips, const char *loop)
{
    int64_t outer = v->trips;
    const char *outer_loop = v->loop;
    if (__builtin_mul_overflow(outer, trips, &v->trips))
        v->trips = INT32_MAX;
    v->loop = loop;
    bool ok = check_block(v, body, true);
    v->loop = outer_loop;
    v->trips = outer;
    return ok;
}

/* The number of iterations, or 0 when it is not known or not that many are certain. */
static int64_t certain_trips(const struct ir_stmt *s)
{
    int64_t start, stop, step, distance;
    bool known = ir_const_int(s->for_.start, &start) && ir_const_int(s->for_.stop, &stop) &&
                 ir_const_int(s->for_.step, &step);
    if (!known || step <= 0 || stop <= start || __builtin_sub_overflow(stop, start, &distance))
        return 0;
    return (distance - 1) / step + 1;
}

static bool check_for(struct verifier *v, const struct ir_stmt *s)
{
    int64_t step;
    ir_exprs none = {0};
    if (!verify_form(v, ir_loop_name(s->for_.kind), &none, &s->for_.kwargs, s->span) ||
        !check_bound(v, s->for_.start, "start") || !check_bound(v, s->for_.stop, "stop") ||
        !check_bound(v, s->for_.step, "step") || !check_values(v, &s->for_.inits))
        return false;
    if (ir_const_int(s->for_.step, &step) && step == 0)
        return verify_fail(v, IR_RULE_LOOP_STEP, s->for_.step->span, NULL);
    return check_carried(v, s->span, s->for_.iter_args.len, s->for_.inits.len, s->for_.results.len,
                         &s->for_.body) &&
           check_body(v, &s->for_.body, certain_trips(s), ir_loop_name(s->for_.kind));
}

static bool check_while(struct verifier *v, const struct ir_stmt *s)
{
    return check_values(v, &s->while_.inits) && check_condition(v, s->while_.cond, "a while") &&
           check_carried(v, s->span, s->while_.iter_args.len, s->while_.inits.len,
                         s->while_.results.len, &s->while_.body) &&
           check_body(v, &s->while_.body, 0, "while");
}

static bool check_return(struct verifier *v, const struct ir_stmt *s)
{
    const struct ir_type *t = v->func->return_type;
    const ir_exprs *values = &s->return_.values;
    if (!check_values(v, values))
        return false;
    size_t want = t && t->kind == IR_TYPE_TUPLE ? t->elems.len : 1;
    const struct ir_type *one = values->len == 1 ? values->items[0]->type : NULL;
    bool tuple = values->len == 1 && (!one || one->kind == IR_TYPE_TUPLE);
    if (!t || values->len == 0 || tuple || values->len == want) /* a bare return: pypto-facts 1.6 */
        return true;
    return verify_fail(v, IR_RULE_RETURN_COUNT, s->span, v->func->name,
                       verify_number(v, (int64_t)want), verify_number(v, (int64_t)values->len),
                       NULL);
}

/* Scopes whose body becomes a function that runs on a core. */
static const struct {
    const char *name;
    const char *level; /* with this one, or NULL: always */
} core_scopes[] = {
    {"spmd", NULL},
    {"split_aiv", NULL},
    {"at", "pl.Level.CORE_GROUP"},
};

/* The name of such a scope, or NULL. */
static const char *core_scope(const struct ir_expr *e)
{
    if (!e || e->kind != IR_CALL)
        return NULL;
    const struct ir_expr *level = ir_kwarg_find(&e->call.kwargs, "level");
    if (!level && e->call.args.len)
        level = e->call.args.items[0];
    for (size_t i = 0; i < ROWS(core_scopes); i++) {
        const char *want = core_scopes[i].level;
        bool at_level =
            !want || (level && level->kind == IR_NAME && strcmp(level->name, want) == 0);
        if (strcmp(e->call.name, core_scopes[i].name) == 0 && at_level)
            return core_scopes[i].name;
    }
    return NULL;
}

/* A yield may stand in a scope that ends its block. The call of a null scope is none;
 * CommDomainScopesMaterialized names it. */
static bool check_scope(struct verifier *v, const struct ir_stmt *s, bool yields)
{
    const struct verifier outer = *v;
    const char *core = core_scope(s->scope.call);
    unsigned inside;
    if (!check_value(v, s->scope.call) || !verify_scope(v, s, &inside))
        return false;
    if (core) {
        v->place = IR_PLACE_CORE;
        v->scope = core;
    }
    if (core && strcmp(core, "split_aiv") == 0)
        v->loop = "pl.split_aiv";
    v->inside = inside;
    v->body = (struct verify_body){0};
    bool ok = check_block(v, &s->scope.body, yields && !s->scope.lanes) && verify_scope_body(v, s);
    verify_scope_results(v, s);
    v->place = outer.place;
    v->scope = outer.scope;
    v->loop = outer.loop;
    v->inside = outer.inside;
    v->body.calls += outer.body.calls;
    v->body.asks_lane |= outer.body.asks_lane;
    return ok;
}

/* Only what runs one iteration after the other can leave some out. */
static bool check_exit(struct verifier *v, const struct ir_stmt *s)
{
    static const char *const closed[] = {"pl.parallel", "pl.unroll", "pl.split_aiv"};
    const char *where = v->loop ? NULL : "outside a loop";
    for (size_t i = 0; v->loop && i < ROWS(closed); i++)
        if (strcmp(v->loop, closed[i]) == 0)
            where = arena_printf(&v->arena, "in a loop over %s", closed[i]);
    return !where || verify_fail(v, IR_RULE_LOOP_EXIT, s->span,
                                 s->kind == IR_BREAK ? "break" : "continue", where, NULL);
}

static bool check_stmt(struct verifier *v, const struct ir_stmt *s, bool yields)
{
    switch (s->kind) {
    case IR_ASSIGN:
        return check_assign(v, s);
    case IR_EVAL:
        return check_value(v, s->eval);
    case IR_IF:
        return check_if(v, s);
    case IR_FOR:
        return check_for(v, s);
    case IR_WHILE:
        return check_while(v, s);
    case IR_YIELD:
        return check_values(v, &s->yield.values);
    case IR_RETURN:
        return check_return(v, s);
    case IR_BREAK:
    case IR_CONTINUE:
        return check_exit(v, s);
    case IR_SCOPE:
        return check_scope(v, s, yields);
    }
    return true;
}

static bool check_block(struct verifier *v, const ir_block *block, bool yields)
{
    for (size_t i = 0; i < block->len; i++) {
        const struct ir_stmt *s = block->items[i];
        if (!s) /* CommDomainScopesMaterialized names it */
            continue;
        bool last = yields && i + 1 == block->len;
        if (s->kind == IR_YIELD && !last)
            return verify_fail(v, IR_RULE_YIELD_PLACE, s->span, NULL);
        if (!check_stmt(v, s, last))
            return false;
        verify_launch_results(v, s);
    }
    return true;
}

/* ---- functions ---- */

static enum ir_place place_of(const struct ir_func *f)
{
    if (verify_is_host(f))
        return IR_PLACE_HOST;
    if (ir_func_is_incore(f))
        return IR_PLACE_CORE;
    bool open = f->type == IR_FUNC_OPAQUE || f->type == IR_FUNC_INLINE;
    return open ? IR_PLACE_OPEN : IR_PLACE_CHIP;
}

/* What the type implies may be written as well, but nothing else. */
static bool check_implied(struct verifier *v, const struct ir_func *f, const char *keyword,
                          const char *implied)
{
    const struct ir_expr *written = ir_kwarg_find(&f->decorator, keyword);
    if (!written || !implied || written->kind != IR_NAME ||
        strcmp(canon_level(written->name), implied) == 0)
        return true;
    return verify_fail(v, IR_RULE_FUNCTION_LEVEL, written->span, ir_func_type_name(f->type),
                       f->name, keyword, implied, written->name, NULL);
}

static bool check_func(struct verifier *v, const struct ir_func *f)
{
    v->func = f;
    if (!check_implied(v, f, "level", canon_implied_level(f->type)) ||
        !check_implied(v, f, "role", canon_implied_role(f->type)))
        return false;
    v->place = place_of(f);
    v->trips = 1;
    v->deferred = 0;
    vec_foreach (struct ir_param, p, &f->params) {
        const struct ir_type *t = p->var->type;
        if (p->direction == IR_INOUT && t && t->kind == IR_TYPE_SCALAR)
            return verify_fail(v, IR_RULE_SCALAR_OUTPUT, p->var->span, p->var->name, NULL);
        if (t && t->kind == IR_TYPE_TUPLE)
            return verify_fail(v, IR_RULE_TUPLE_PARAMETER, p->var->span, p->var->name, NULL);
        if (!check_dimensions(v, p->var) || !verify_reference(v, t, p->var->span))
            return false;
    }
    ir_valid_collect(&v->valid, v->prog, f);
    ir_space_collect(&v->space, f);
    return check_block(v, &f->body, false) && (!verify_claims_ssa(f) || verify_ssa(v)) &&
           (!f->strict_ssa || verify_strict(v));
}

/* ---- programs ---- */

static struct verifier start(const struct ir_program *p, struct diag *d)
{
    return (struct verifier){.prog = p, .diag = d};
}

bool verify_program(const struct ir_program *p, struct diag *d)
{
    struct verifier v = start(p, d);
    v.allocations.arena = v.valid.arena = v.space.arena = v.slots.arena = &v.arena;
    v.producers.arena = v.launches.arena = &v.arena;
    verify_collect_slots(&v);
    bool ok = true;
    for (size_t i = 0; ok && i < p->funcs.len; i++)
        ok = check_func(&v, p->funcs.items[i]);
    ok = ok && (!verify_has_domains(p) || verify_domains(&v));
    arena_free(&v.arena);
    return ok;
}

static bool every_function_ssa(struct verifier *v)
{
    vec_foreach (struct ir_func *, f, &v->prog->funcs) {
        v->func = *f;
        if (!verify_ssa(v))
            return false;
    }
    return true;
}

bool verify_is_ssa(const struct ir_program *p, const struct ir_func *f)
{
    struct arena a = {0};
    struct diag d = {.arena = &a};
    struct verifier v = start(p, &d);
    v.func = (struct ir_func *)f;
    bool ok = verify_ssa(&v);
    arena_free(&v.arena);
    arena_free(&a);
    return ok;
}

static bool (*const property_checks[])(struct verifier *v) = {
    [IR_PROPERTY_SSA_FORM] = every_function_ssa,
    [IR_PROPERTY_COMM_DOMAIN_SCOPES] = verify_domains,
    [IR_PROPERTY_DIST_TENSOR_CTX] = verify_contexts,
};
ROW_EACH(property_checks, IR_PROPERTY_COUNT);

const struct ir_property_row ir_properties[] = {
    [IR_PROPERTY_SSA_FORM] = {"SSAForm", "each variable has one definition, in force at each use",
                              "pypto-facts 1.5"},
    [IR_PROPERTY_COMM_DOMAIN_SCOPES] =
        {"CommDomainScopesMaterialized",
         "scopes and slots are not null, and a window buffer lies in one scope", "pypto-facts 4.3"},
    [IR_PROPERTY_DIST_TENSOR_CTX] =
        {"DistTensorCtxMaterialized",
         "device functions receive one context for each distributed tensor", "pypto-facts 1.6"},
};
ROW_EACH(ir_properties, IR_PROPERTY_COUNT);

enum ir_property ir_property_find(const char *name)
{
    int i = 0;
    while (i < IR_PROPERTY_COUNT && strcmp(ir_properties[i].name, name) != 0)
        i++;
    return (enum ir_property)i;
}

bool verify_property(const struct ir_program *p, enum ir_property property, struct diag *d)
{
    struct verifier v = start(p, d);
    bool ok = property_checks[property](&v);
    arena_free(&v.arena);
    return ok;
}
