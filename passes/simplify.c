/* SPDX-License-Identifier: MIT */
/* Simplify: statements. */
#include "passes/simplify.h"

#include <string.h>

#include "ir/map.h"
#include "passes/rewrite.h"
#include "passes/simplify_internal.h"

/* What a function does with a variable, counted anew before each round. */
struct var_info {
    int definitions, uses;
    bool in_attrs; /* used in a dict, where a plain number is no expression (pypto-facts 1.4) */
    bool defined;  /* by a statement that the round has seen, or before all of them */
    struct ir_expr *value; /* what stands for it up to the end of its block, or NULL */
};

struct simplifier {
    struct arena *arena;
    struct map vars;              /* of struct var_info */
    struct map dead;              /* statements that this round leaves out */
    VEC(struct var_info *) bound; /* those with a value, innermost block last */
    int dicts;
    bool changed;
};

static struct var_info *info(struct simplifier *s, const struct ir_var *v)
{
    struct var_info *i = map_get(&s->vars, v);
    if (!i) {
        i = arena_new(s->arena, struct var_info);
        map_put(&s->vars, v, i);
    }
    return i;
}

/* ---- counting ---- */

static void count_type(struct simplifier *s, const struct ir_type *t);

static void count_attrs(struct simplifier *s, const ir_kwargs *kw);

static bool count_expr(const struct ir_expr *e, void *ctx)
{
    struct simplifier *s = ctx;
    if (e->kind == IR_VAR) {
        struct var_info *i = info(s, e->var);
        i->uses++;
        i->in_attrs |= s->dicts > 0;
    }
    if (e->kind == IR_CALL || e->kind == IR_NAME)
        count_type(s, e->type);
    if (e->kind == IR_DICT && !s->dicts)
        count_attrs(s, &e->dict);
    if (e->kind == IR_CALL && !s->dicts)
        count_attrs(s, &e->call.attrs);
    return true;
}

/* The walk above counts what is in a dict once more: uses may be too many, never too few. */
static void count_attrs(struct simplifier *s, const ir_kwargs *kw)
{
    s->dicts++;
    vec_foreach (struct ir_kwarg, k, kw)
        ir_walk_expr(k->value, count_expr, s);
    s->dicts--;
}

static void count_window(struct simplifier *s, const struct ir_window_buffer *w)
{
    if (w && w->base)
        info(s, w->base)->uses++;
    if (w && w->size)
        ir_walk_expr(w->size, count_expr, s);
}

static void count_type(struct simplifier *s, const struct ir_type *t)
{
    if (!t)
        return;
    vec_foreach (struct ir_expr *, e, &t->shape)
        ir_walk_expr(*e, count_expr, s);
    vec_foreach (struct ir_expr *, e, &t->annots)
        ir_walk_expr(*e, count_expr, s);
    vec_foreach (struct ir_type *, elem, &t->elems)
        count_type(s, *elem);
    count_window(s, t->window);
}

static void count_definitions(struct simplifier *s, const ir_vars *vars)
{
    vec_foreach (struct ir_var *, v, vars) {
        struct var_info *i = info(s, *v);
        i->definitions++;
        count_type(s, (*v)->type);
    }
}

static enum walk count_stmt(const struct ir_stmt *stmt, void *ctx)
{
    struct simplifier *s = ctx;
    pass_walk_stmt(stmt, count_expr, s);
    switch (stmt->kind) {
    case IR_ASSIGN:
        count_definitions(s, &stmt->assign.targets);
        break;
    case IR_IF:
        count_definitions(s, &stmt->if_.results);
        break;
    case IR_FOR: {
        struct ir_var *v = stmt->for_.var;
        const ir_vars counter = {&v, 1, 1};
        count_definitions(s, &counter);
        count_definitions(s, &stmt->for_.iter_args);
        count_definitions(s, &stmt->for_.results);
        break;
    }
    case IR_WHILE:
        count_definitions(s, &stmt->while_.iter_args);
        count_definitions(s, &stmt->while_.results);
        break;
    default:
        break;
    }
    return WALK_INTO;
}

static void count_func(struct simplifier *s, const struct ir_func *f, const ir_block *body)
{
    s->vars.head = s->dead.head = NULL;
    vec_foreach (struct ir_param, p, &f->params) {
        const ir_vars param = {&p->var, 1, 1};
        count_definitions(s, &param);
        info(s, p->var)->defined = true;
    }
    count_type(s, f->return_type);
    pass_find_stmt(body, count_stmt, s);
}

/* ---- binding ---- */

/* Types whose values are numbers or handles, not memory. */
static bool is_plain(const struct ir_type *t)
{
    return t && (t->kind == IR_TYPE_SCALAR || t->kind == IR_TYPE_COMM_CTX);
}

static bool same_type(const struct ir_type *x, const struct ir_type *y)
{
    return x->kind == y->kind && x->dtype == y->dtype;
}

/* A literal of the variable's own type, or a cast to it: uses keep their types. */
static struct ir_expr *literal_for(struct simplifier *s, const struct ir_var *v,
                                   struct ir_expr *value)
{
    int64_t number;
    if (v->type->kind != IR_TYPE_SCALAR || !fold_literal(value, &number))
        return NULL;
    if (value->kind == IR_CAST)
        return value->cast.dtype == v->type->dtype ? value : NULL;
    return fold_constant(s->arena, number, v->type->dtype, value->span);
}

/* The value of another name: one that has the same value wherever v is in force. Names of the
 * module have no definition here. */
static struct ir_expr *copy_for(struct simplifier *s, const struct ir_var *v, struct ir_expr *value)
{
    const struct ir_var *from = value->var;
    const struct var_info *i = info(s, from);
    bool stable = i->definitions == 0 || (i->definitions == 1 && i->defined);
    return stable && from->type && same_type(v->type, from->type) ? value : NULL;
}

static void note_definitions(struct simplifier *s, const ir_vars *vars)
{
    vec_foreach (struct ir_var *, v, vars)
        info(s, *v)->defined = true;
}

/* Remembers what the only assignment to a scalar gives it, up to the end of the block. */
static void bind_value(struct simplifier *s, const struct ir_stmt *stmt)
{
    if (stmt->kind != IR_ASSIGN)
        return;
    struct ir_var *v = stmt->assign.targets.items[0];
    struct ir_expr *value = stmt->assign.value;
    struct var_info *i = info(s, v);
    bool single = stmt->assign.targets.len == 1 && i->definitions == 1;
    if (single && is_plain(v->type)) {
        if (value->kind == IR_VAR)
            i->value = copy_for(s, v, value);
        else if (!i->in_attrs)
            i->value = literal_for(s, v, value);
        if (i->value)
            vec_push(s->arena, &s->bound, i);
    }
    note_definitions(s, &stmt->assign.targets);
}

static void unbind(struct simplifier *s, size_t from)
{
    for (; s->bound.len > from; s->bound.len--)
        s->bound.items[s->bound.len - 1]->value = NULL;
}

static struct ir_expr *replace_node(void *ctx, struct ir_expr *e)
{
    struct simplifier *s = ctx;
    struct ir_expr *value = e->kind == IR_VAR ? info(s, e->var)->value : NULL;
    if (!value)
        return fold_node(s->arena, e);
    struct ir_expr *copy = arena_dup(s->arena, value, sizeof *value);
    copy->span = e->span;
    return copy;
}

/* A loop counts in the type of its start when that is a literal, else in INDEX (pypto-facts 1.3).
 */
static void keep_counter_type(struct simplifier *s, const struct ir_stmt *before,
                              struct ir_stmt *after)
{
    struct ir_expr *start = after->for_.start;
    const struct ir_type *t = before->for_.var->type;
    int64_t v;
    if (start == before->for_.start || start->kind != IR_INT || !t ||
        start->integer.dtype == t->dtype)
        return;
    struct ir_expr *constant =
        fold_literal(start, &v) ? fold_constant(s->arena, v, t->dtype, start->span) : NULL;
    after->for_.start = constant ? constant : before->for_.start;
}

static struct ir_stmt *replace_exprs(struct simplifier *s, struct ir_stmt *stmt)
{
    struct ir_stmt *out = rewrite_exprs(s->arena, stmt, replace_node, s);
    if (out != stmt && stmt->kind == IR_FOR)
        keep_counter_type(s, stmt, out);
    return out;
}

/* ---- branches and loops that are known ---- */

static bool ends_in_jump(const ir_block *block)
{
    const struct ir_stmt *last = block->len ? block->items[block->len - 1] : NULL;
    return last && (last->kind == IR_RETURN || last->kind == IR_BREAK || last->kind == IR_CONTINUE);
}

static bool mentions(const struct ir_expr *e, void *ctx)
{
    const ir_vars *vars = ctx;
    vec_foreach (struct ir_var *, v, vars)
        if (e->kind == IR_VAR && e->var == *v)
            return false;
    return true;
}

/* Assigning one after the other is the same as all at once. */
static bool are_independent(const ir_vars *targets, const ir_exprs *values)
{
    for (size_t i = 0; targets->len > 1 && i < values->len; i++)
        if (!ir_walk_expr(values->items[i], mentions, (void *)targets))
            return false;
    return true;
}

static void assign_all(struct simplifier *s, ir_block *out, const ir_vars *targets,
                       const ir_exprs *values)
{
    for (size_t i = 0; i < targets->len; i++)
        vec_push(s->arena, out, pass_assign(s->arena, targets->items[i], values->items[i]));
}

/* The yield that is the last statement of block; one in a scope that ends the block is none, for
 * the scope cannot be taken off (ir_block_yield). */
static const struct ir_stmt *own_yield(const ir_block *block)
{
    const struct ir_stmt *last = block->len ? block->items[block->len - 1] : NULL;
    return last && last->kind == IR_YIELD ? last : NULL;
}

/* May block stand where a statement with these results stood? */
static bool can_splice(const ir_block *block, const ir_vars *results)
{
    const struct ir_stmt *yield = own_yield(block);
    if (!yield)
        return results->len == 0 && !ends_in_jump(block);
    return yield->yield.values.len == results->len &&
           are_independent(results, &yield->yield.values);
}

/* The statements of block; its yield becomes assignments to results. */
static void splice(struct simplifier *s, ir_block *out, const ir_block *block,
                   const ir_vars *results)
{
    const struct ir_stmt *yield = own_yield(block);
    for (size_t i = 0; i < block->len - (yield != NULL); i++)
        vec_push(s->arena, out, block->items[i]);
    if (yield)
        assign_all(s, out, results, &yield->yield.values);
}

static enum walk leaves_loop(const struct ir_stmt *s, void *ctx)
{
    (void)ctx;
    if (s->kind == IR_BREAK || s->kind == IR_CONTINUE)
        return WALK_FOUND;
    return s->kind == IR_FOR || s->kind == IR_WHILE ? WALK_OVER : WALK_INTO;
}

enum trips { TRIPS_UNKNOWN, TRIPS_NONE, TRIPS_ONE };

static enum trips trips_of(const struct ir_stmt *s)
{
    int64_t start, stop, step, second;
    if (s->for_.kind != IR_RANGE || s->for_.kwargs.len || !fold_literal(s->for_.start, &start) ||
        !fold_literal(s->for_.stop, &stop) || !fold_literal(s->for_.step, &step) || step == 0)
        return TRIPS_UNKNOWN;
    if (step > 0 ? start >= stop : start <= stop)
        return TRIPS_NONE;
    bool one = __builtin_add_overflow(start, step, &second) ||
               (step > 0 ? second >= stop : second <= stop);
    return one ? TRIPS_ONE : TRIPS_UNKNOWN;
}

static bool fold_if(struct simplifier *s, ir_block *out, const struct ir_stmt *stmt)
{
    int64_t cond;
    bool known = fold_literal(stmt->if_.cond, &cond);
    bool empty = !stmt->if_.then_body.len && !stmt->if_.else_body.len && !stmt->if_.results.len &&
                 fold_is_total(stmt->if_.cond);
    if (!known)
        return empty;
    const ir_block *taken = cond ? &stmt->if_.then_body : &stmt->if_.else_body;
    if (!can_splice(taken, &stmt->if_.results))
        return false;
    splice(s, out, taken, &stmt->if_.results);
    return true;
}

static bool fold_for(struct simplifier *s, ir_block *out, const struct ir_stmt *stmt)
{
    enum trips trips = trips_of(stmt);
    bool bounds_total = fold_is_total(stmt->for_.start) && fold_is_total(stmt->for_.stop) &&
                        fold_is_total(stmt->for_.step);
    if (!stmt->for_.body.len && !stmt->for_.results.len && bounds_total && !stmt->for_.kwargs.len)
        return true;
    if (trips == TRIPS_NONE && are_independent(&stmt->for_.results, &stmt->for_.inits)) {
        assign_all(s, out, &stmt->for_.results, &stmt->for_.inits);
        return true;
    }
    if (trips != TRIPS_ONE || pass_find_stmt(&stmt->for_.body, leaves_loop, NULL) ||
        !can_splice(&stmt->for_.body, &stmt->for_.results) ||
        !are_independent(&stmt->for_.iter_args, &stmt->for_.inits))
        return false;
    vec_push(s->arena, out, pass_assign(s->arena, stmt->for_.var, stmt->for_.start));
    assign_all(s, out, &stmt->for_.iter_args, &stmt->for_.inits);
    splice(s, out, &stmt->for_.body, &stmt->for_.results);
    return true;
}

static bool fold_while(const struct ir_stmt *stmt)
{
    int64_t cond;
    return !stmt->while_.results.len && fold_literal(stmt->while_.cond, &cond) && !cond;
}

/* True when the statement is gone; what stands for it is in out. */
static bool fold_stmt(struct simplifier *s, ir_block *out, const struct ir_stmt *stmt)
{
    switch (stmt->kind) {
    case IR_IF:
        return fold_if(s, out, stmt);
    case IR_FOR:
        return fold_for(s, out, stmt);
    case IR_WHILE:
        return fold_while(stmt);
    default:
        return false;
    }
}

/* ---- assignments that nothing uses ---- */

static bool is_dead(struct simplifier *s, const struct ir_stmt *stmt)
{
    if (stmt->kind != IR_ASSIGN || stmt->assign.targets.len != 1)
        return false;
    const struct ir_var *v = stmt->assign.targets.items[0];
    return is_plain(v->type) && info(s, v)->uses == 0 && fold_is_total(stmt->assign.value);
}

static bool drop_use(const struct ir_expr *e, void *ctx)
{
    if (e->kind == IR_VAR)
        info(ctx, e->var)->uses--;
    return true;
}

/* Last statements first, so that what only a dead statement uses is dead as well. */
static void find_dead(struct simplifier *s, const ir_block *block)
{
    for (size_t i = block->len; i-- > 0;) {
        struct ir_stmt *stmt = block->items[i];
        ir_block *inner[PASS_MAX_BLOCKS];
        for (size_t n = pass_child_blocks(stmt, inner); n-- > 0;)
            find_dead(s, inner[n]);
        if (!is_dead(s, stmt))
            continue;
        map_put(&s->dead, stmt, stmt);
        ir_walk_expr(stmt->assign.value, drop_use, s);
    }
}

/* ---- rounds ---- */

/* What a loop binds for its body. */
static void note_carried(struct simplifier *s, struct ir_stmt *stmt)
{
    if (stmt->kind == IR_FOR) {
        info(s, stmt->for_.var)->defined = true;
        note_definitions(s, &stmt->for_.iter_args);
    }
    if (stmt->kind == IR_WHILE)
        note_definitions(s, &stmt->while_.iter_args);
}

static void note_results(struct simplifier *s, const struct ir_stmt *stmt)
{
    if (stmt->kind == IR_IF)
        note_definitions(s, &stmt->if_.results);
    if (stmt->kind == IR_FOR)
        note_definitions(s, &stmt->for_.results);
    if (stmt->kind == IR_WHILE)
        note_definitions(s, &stmt->while_.results);
}

/* Pushes what is left of the statement to out; true when it is another than before. */
static bool simplify_stmt(struct simplifier *s, ir_block *out, struct ir_stmt *before);

static void simplify_block(void *ctx, ir_block *block)
{
    struct simplifier *s = ctx;
    size_t bound = s->bound.len;
    ir_block out = {0};
    bool changed = false;
    vec_foreach (struct ir_stmt *, it, block)
        changed |= simplify_stmt(s, &out, *it);
    unbind(s, bound);
    s->changed |= changed;
    if (changed)
        *block = out;
}

static bool simplify_stmt(struct simplifier *s, ir_block *out, struct ir_stmt *before)
{
    if (map_get(&s->dead, before))
        return true;
    struct ir_stmt *stmt = replace_exprs(s, before);
    bind_value(s, stmt);
    note_carried(s, stmt);
    stmt = rewrite_blocks(s->arena, stmt, simplify_block, s);
    size_t first = out->len;
    if (!fold_stmt(s, out, stmt)) {
        vec_push(s->arena, out, stmt);
        note_results(s, stmt);
        return stmt != before;
    }
    for (size_t i = first; i < out->len; i++)
        bind_value(s, out->items[i]);
    return true;
}

/* Each round makes the function smaller or replaces a variable, so there is a last one. */
static struct ir_func *simplify_func(void *ctx, struct ir_func *f)
{
    struct simplifier *s = ctx;
    ir_block body = f->body;
    do {
        s->changed = false;
        s->bound.len = 0;
        count_func(s, f, &body);
        find_dead(s, &body);
        simplify_block(s, &body);
    } while (s->changed);
    return pass_with_body(s->arena, f, body);
}

struct ir_program *simplify(struct arena *a, const struct ir_program *p,
                            const struct pass_options *o, struct diag *d)
{
    struct simplifier s = {.arena = a, .vars.arena = a, .dead.arena = a};
    (void)o;
    (void)d;
    return rewrite_funcs(a, p, PASS_EVERY, simplify_func, &s);
}
