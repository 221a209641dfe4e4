/* SPDX-License-Identifier: MIT */
/* Simplify: statements. */
#include "passes/simplify.h"

#include <string.h>

#include "ir/ops.h"
#include "passes/rewrite.h"
#include "passes/simplify_internal.h"

/* What a function does with a variable, counted anew before each round. */
struct var_info {
    int definitions, uses;
    bool in_attrs; /* used in a dict, where a plain number is no expression (pypto-facts 1.4) */
    bool open;     /* while counting: its definition is in force */
    bool loose;    /* used where its definition may not be in force */
    struct ir_expr *value;  /* what stands for it up to the end of its block, or NULL */
    bool assigned;          /* the value is a constant whose assignment is still there */
    struct ir_var *renamed; /* the variable whose type is folded, or NULL */
};

struct simplifier {
    struct arena *arena;
    struct map vars;      /* of struct var_info */
    struct map dead;      /* statements that this round leaves out */
    struct map windows;   /* window -> the one whose size is folded */
    struct map allocated; /* variable -> the window that it is the base of */
    struct map said;      /* variables that a note was about */
    const struct pass_options *options;
    const struct source *source;
    struct known known;
    VEC(struct var_info *) bound; /* those with a value, innermost block last */
    ir_vars open;                 /* while counting */
    int dicts, depth;             /* of blocks that may not run, or run again */
    bool sizes;                   /* while counting: of windows */
    bool carried;                 /* while replacing: in the initial values of a while loop */
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

/* It has one value from its definition to its last use: what is known of it stays true. A name of
 * the module has no definition here. */
static bool is_stable(struct simplifier *s, const struct ir_var *v)
{
    const struct var_info *i = info(s, v);
    return i->definitions == 0 || (i->definitions == 1 && !i->loose);
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
        i->loose |= !i->open && !s->sizes;
    }
    if (e->kind != IR_VAR)
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

/* A slot stands before the definition of what its size is computed from. */
static void count_window(struct simplifier *s, struct ir_window_buffer *w)
{
    if (!w)
        return;
    bool sizes = s->sizes;
    s->sizes = true;
    if (w->base) {
        info(s, w->base)->uses++;
        map_put(&s->allocated, w->base, w);
    }
    if (w->size)
        ir_walk_expr(w->size, count_expr, s);
    s->sizes = sizes;
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

static void count_exprs(struct simplifier *s, const ir_exprs *list)
{
    vec_foreach (struct ir_expr *, e, list)
        ir_walk_expr(*e, count_expr, s);
}

static void define(struct simplifier *s, struct ir_var *v)
{
    struct var_info *i = info(s, v);
    i->definitions++;
    i->open = true;
    vec_push(s->arena, &s->open, v);
    count_type(s, v->type);
}

static void define_all(struct simplifier *s, const ir_vars *vars)
{
    vec_foreach (struct ir_var *, v, vars)
        define(s, *v);
}

static void count_block(struct simplifier *s, const ir_block *block);

/* What is defined since len is not in force behind here. */
static void close_since(struct simplifier *s, size_t len)
{
    for (; s->open.len > len; s->open.len--)
        info(s, s->open.items[s->open.len - 1])->open = false;
}

static void count_loop(struct simplifier *s, struct ir_stmt *stmt)
{
    bool is_for = stmt->kind == IR_FOR;
    size_t open = s->open.len;
    count_exprs(s, is_for ? &stmt->for_.inits : &stmt->while_.inits);
    if (is_for) {
        ir_walk_expr(stmt->for_.start, count_expr, s);
        ir_walk_expr(stmt->for_.stop, count_expr, s);
        ir_walk_expr(stmt->for_.step, count_expr, s);
        vec_foreach (struct ir_kwarg, k, &stmt->for_.kwargs)
            ir_walk_expr(k->value, count_expr, s);
        define(s, stmt->for_.var);
    }
    define_all(s, is_for ? &stmt->for_.iter_args : &stmt->while_.iter_args);
    if (!is_for)
        ir_walk_expr(stmt->while_.cond, count_expr, s);
    count_block(s, is_for ? &stmt->for_.body : &stmt->while_.body);
    close_since(s, open);
    define_all(s, is_for ? &stmt->for_.results : &stmt->while_.results);
}

static void count_branches(struct simplifier *s, struct ir_stmt *stmt)
{
    size_t open = s->open.len;
    ir_walk_expr(stmt->if_.cond, count_expr, s);
    count_block(s, &stmt->if_.then_body);
    close_since(s, open);
    count_block(s, &stmt->if_.else_body);
    close_since(s, open);
    define_all(s, &stmt->if_.results);
}

/* What a scope defines stays in force behind it. */
static void count_stmt(struct simplifier *s, struct ir_stmt *stmt)
{
    if (stmt->kind == IR_FOR || stmt->kind == IR_WHILE) {
        count_loop(s, stmt);
        return;
    }
    if (stmt->kind == IR_IF) {
        count_branches(s, stmt);
        return;
    }
    pass_walk_stmt(stmt, count_expr, s);
    if (stmt->kind == IR_ASSIGN)
        define_all(s, &stmt->assign.targets);
    if (stmt->kind == IR_SCOPE && stmt->scope.var)
        define(s, stmt->scope.var);
    if (stmt->kind == IR_SCOPE)
        count_block(s, &stmt->scope.body);
}

static void count_block(struct simplifier *s, const ir_block *block)
{
    vec_foreach (struct ir_stmt *, stmt, block)
        count_stmt(s, *stmt);
}

static void count_func(struct simplifier *s, const struct ir_func *f, const ir_block *body)
{
    s->vars.head = s->dead.head = s->allocated.head = s->known.ranges.head = NULL;
    s->open.len = 0;
    vec_foreach (struct ir_param, p, &f->params) {
        info(s, p->var)->open = true;
        count_type(s, p->var->type);
    }
    vec_foreach (struct ir_param, p, &f->params)
        define(s, p->var);
    count_type(s, f->return_type);
    count_block(s, body);
}

/* ---- what stands for a variable ---- */

static bool is_scalar(const struct ir_type *t)
{
    return t && t->kind == IR_TYPE_SCALAR;
}

static bool is_fixed_node(const struct ir_expr *e, void *ctx)
{
    return e->kind != IR_CALL && e->kind != IR_DICT &&
           (e->kind != IR_VAR || is_stable(ctx, e->var));
}

/* The value of e is the same wherever its variables are in force. */
static bool is_fixed(struct simplifier *s, const struct ir_expr *e)
{
    return ir_walk_expr(e, is_fixed_node, s);
}

/* A literal of the variable's own type: uses keep their types. */
static struct ir_expr *literal_for(struct simplifier *s, const struct ir_var *v,
                                   struct ir_expr *value)
{
    int64_t number;
    return is_scalar(v->type) && fold_literal(value, &number)
               ? fold_constant(s->arena, number, v->type->dtype, value->span)
               : NULL;
}

/* What may stand for v in its block, or NULL. */
static struct ir_expr *stand_in(struct simplifier *s, const struct ir_var *v, struct ir_expr *value)
{
    const struct var_info *i = info(s, v);
    int64_t number;
    if (i->definitions != 1 || i->loose || !is_fixed(s, value))
        return NULL;
    if (fold_literal(value, &number))
        return i->in_attrs ? NULL : literal_for(s, v, value);
    if (i->in_attrs && value->kind != IR_VAR)
        return NULL;
    bool same = is_scalar(v->type) ? fold_dtype(value) == v->type->dtype
                                   : v->type && value->type && v->type->kind == value->type->kind;
    return same ? value : NULL;
}

static void bind(struct simplifier *s, const struct ir_var *v, struct ir_expr *value)
{
    info(s, v)->value = value;
    vec_push(s->arena, &s->bound, info(s, v));
}

/* What an assignment says of a scalar: its value, or the range of its values. */
static void learn(struct simplifier *s, const struct ir_stmt *stmt)
{
    struct ir_var *v = stmt->assign.targets.items[0];
    struct ir_expr *value = stmt->assign.value;
    int64_t number;
    if (stmt->assign.targets.len != 1 || !is_scalar(v->type) || !is_stable(s, v))
        return;
    if (s->depth == 0 && fold_literal(value, &number)) {
        struct ir_expr *constant = stand_in(s, v, value);
        if (constant)
            bind(s, v, constant);
        info(s, v)->assigned = constant != NULL;
    }
    if (fold_is_signed(v->type->dtype))
        known_range(&s->known, v, range_of(&s->known, value));
}

static void unbind(struct simplifier *s, size_t from)
{
    for (; s->bound.len > from; s->bound.len--)
        s->bound.items[s->bound.len - 1]->value = NULL;
}

/* ---- expressions and types ---- */

static struct ir_expr *replace_node(void *ctx, struct ir_expr *e);

static bool replace_list(struct simplifier *s, ir_exprs *list)
{
    ir_exprs out = {0};
    bool changed = false;
    vec_foreach (struct ir_expr *, it, list) {
        struct ir_expr *e = rewrite_expr(s->arena, *it, replace_node, s);
        changed |= e != *it;
        vec_push(s->arena, &out, e);
    }
    if (changed)
        *list = out;
    return changed;
}

/* t, or a copy of it whose extents are folded. */
static struct ir_type *replace_type(struct simplifier *s, struct ir_type *t)
{
    if (!t || is_scalar(t))
        return t;
    struct ir_type copy = *t;
    bool changed = replace_list(s, &copy.shape);
    changed |= replace_list(s, &copy.annots);
    if (copy.window && map_get(&s->windows, copy.window)) {
        copy.window = map_get(&s->windows, copy.window);
        changed = true;
    }
    copy.elems.len = copy.elems.cap = 0;
    copy.elems.items = NULL;
    for (size_t i = 0; i < t->elems.len; i++) {
        struct ir_type *elem = replace_type(s, t->elems.items[i]);
        changed |= elem != t->elems.items[i];
        vec_push(s->arena, &copy.elems, elem);
    }
    return changed ? arena_dup(s->arena, &copy, sizeof copy) : t;
}

static struct ir_expr *replace_var(struct simplifier *s, struct ir_expr *e)
{
    const struct var_info *i = info(s, e->var);
    if (i->value && !(i->assigned && s->carried)) {
        struct ir_expr *copy = arena_dup(s->arena, i->value, sizeof *i->value);
        copy->span = e->span;
        return copy;
    }
    return i->renamed && i->renamed != e->var ? ir_var_ref(s->arena, i->renamed, e->span) : e;
}

/* tensor.view(x, layout=L) of a tensor that has that layout is the tensor. */
static bool views_the_same(const struct ir_expr *e)
{
    const struct ir_call *call = &e->call;
    const ir_exprs *args = &call->args;
    if (e->kind != IR_CALL || call->callee != IR_CALLEE_OP || args->len != 1 ||
        strcmp(call->op->name, "tensor.view") != 0 || call->attrs.len)
        return false;
    const struct ir_expr *layout = ir_kwarg_find(&call->kwargs, "layout");
    const struct ir_type *t = args->items[0]->type;
    return call->kwargs.len == 1 && layout && layout->kind == IR_NAME && t &&
           ir_type_is_tensor_like(t) && strcmp(layout->name, ir_tensor_layout(t)) == 0;
}

static struct ir_expr *replace_node(void *ctx, struct ir_expr *e)
{
    struct simplifier *s = ctx;
    if (e->kind == IR_VAR)
        return replace_var(s, e);
    if (views_the_same(e))
        return e->call.args.items[0];
    struct ir_type *t = replace_type(s, e->type);
    if (t != e->type) {
        e = arena_dup(s->arena, e, sizeof *e);
        e->type = t;
    }
    return fold_node(&s->known, e);
}

/* A loop counts in the type of its start when that is a literal, else
 * in INDEX (pypto-facts 1.3). */
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

/* The variables of a definition, with folded types where every use can be told of it. */
static bool rename_vars(struct simplifier *s, ir_vars *vars, const ir_exprs *values)
{
    ir_vars out = {0};
    bool changed = false;
    vec_foreach (struct ir_var *, it, vars) {
        struct ir_var *v = *it;
        struct var_info *i = info(s, v);
        size_t at = (size_t)(it - vars->items);
        bool given = values && at < values->len && values->items[at]->type == v->type;
        struct ir_type *t = is_stable(s, v) && !given ? replace_type(s, v->type) : v->type;
        if (t != v->type) {
            v = ir_var_new(s->arena, v->name, t, v->span);
            i->renamed = v;
            map_put(&s->vars, v, i);
            changed = true;
        }
        vec_push(s->arena, &out, v);
    }
    if (changed)
        *vars = out;
    return changed;
}

/* The compiler carries on a variable that nothing defines (pypto-front-facts 3.8). */
static void note_lost(struct simplifier *s, const struct ir_expr *init)
{
    const struct pass_options *o = s->options;
    bool lost = init->kind == IR_VAR && info(s, init->var)->assigned && info(s, init->var)->value;
    if (!lost || !o->note || map_get(&s->said, init->var))
        return;
    map_put(&s->said, init->var, init->var);
    o->note(
        o->note_ctx, s->source, init->span,
        "Simplify: the compiler loses a value that a while loop carries from a constant; here it "
        "is kept");
}

/* The compiler does not look at the initial values of a while loop: a constant keeps its name. */
static struct ir_stmt *replace_while(struct simplifier *s, struct ir_stmt *stmt)
{
    struct ir_stmt copy = *stmt;
    copy.while_.cond = rewrite_expr(s->arena, stmt->while_.cond, replace_node, s);
    vec_foreach (struct ir_expr *, init, &stmt->while_.inits)
        note_lost(s, *init);
    s->carried = true;
    bool changed = replace_list(s, &copy.while_.inits) || copy.while_.cond != stmt->while_.cond;
    s->carried = false;
    return changed ? arena_dup(s->arena, &copy, sizeof copy) : stmt;
}

/* s, or a copy with folded expressions of its own. */
static struct ir_stmt *replace_exprs(struct simplifier *s, struct ir_stmt *stmt)
{
    if (stmt->kind == IR_WHILE)
        return replace_while(s, stmt);
    struct ir_stmt *out = rewrite_exprs(s->arena, stmt, replace_node, s);
    if (out != stmt && stmt->kind == IR_FOR)
        keep_counter_type(s, stmt, out);
    return out;
}

/* What the block yields, or NULL. */
static const ir_exprs *yielded(const ir_block *block)
{
    const struct ir_stmt *yield = ir_block_yield(block);
    return yield ? &yield->yield.values : NULL;
}

/* stmt, or a copy, with folded types of the variables in the list that stands at that offset; one
 * that has the very type of its value, where those are given, keeps it. */
static struct ir_stmt *with_vars(struct simplifier *s, struct ir_stmt *stmt, size_t offset,
                                 const ir_exprs *values)
{
    struct ir_stmt copy = *stmt;
    return rename_vars(s, (ir_vars *)((char *)&copy + offset), values)
               ? arena_dup(s->arena, &copy, sizeof copy)
               : stmt;
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

static bool have_stand_ins(struct simplifier *s, const ir_vars *targets, const ir_exprs *values)
{
    for (size_t i = 0; i < targets->len; i++)
        if (!stand_in(s, targets->items[i], values->items[i]))
            return false;
    return true;
}

/* The values take the places of the targets: in their uses, or else by assignments. */
static void take_places(struct simplifier *s, ir_block *out, const ir_vars *targets,
                        const ir_exprs *values)
{
    for (size_t i = 0; i < targets->len; i++) {
        struct ir_expr *value = stand_in(s, targets->items[i], values->items[i]);
        if (value)
            bind(s, targets->items[i], value);
        else
            vec_push(s->arena, out, pass_assign(s->arena, targets->items[i], values->items[i]));
    }
}

static bool can_take_places(struct simplifier *s, const ir_vars *targets, const ir_exprs *values)
{
    return targets->len == values->len &&
           (have_stand_ins(s, targets, values) || are_independent(targets, values));
}

/* The yield that is the last statement of block; one in a scope that ends the block is none, for
 * the scope cannot be taken off (ir_block_yield). */
static const struct ir_stmt *own_yield(const ir_block *block)
{
    const struct ir_stmt *last = block->len ? block->items[block->len - 1] : NULL;
    return last && last->kind == IR_YIELD ? last : NULL;
}

/* May block stand where a statement with these results stood? */
static bool can_splice(struct simplifier *s, const ir_block *block, const ir_vars *results)
{
    const struct ir_stmt *yield = own_yield(block);
    if (!yield)
        return results->len == 0 && !ends_in_jump(block);
    return can_take_places(s, results, &yield->yield.values);
}

enum trips { TRIPS_UNKNOWN, TRIPS_NONE, TRIPS_ONE };

/* Plain ranges only: other loops, and those with attributes, say how their rounds are run. */
static enum trips trips_of(struct simplifier *s, const struct ir_stmt *stmt)
{
    struct known *k = &s->known;
    struct ir_expr *start = stmt->for_.start, *stop = stmt->for_.stop, *step = stmt->for_.step;
    struct span at = stmt->span;
    int64_t width;
    if (stmt->for_.kind != IR_RANGE || stmt->for_.kwargs.len || !fold_literal(step, &width) ||
        !fold_is_pure(start) || !fold_is_pure(stop) || width == 0)
        return TRIPS_UNKNOWN;
    struct ir_expr *low = width > 0 ? start : stop, *high = width > 0 ? stop : start;
    if (known_proves(k, fold_binary(k, IR_LE, high, low, at)))
        return TRIPS_NONE;
    struct ir_expr *second = fold_binary(k, IR_ADD, start, step, at);
    bool one = known_proves(k, fold_binary(k, IR_LT, low, high, at)) &&
               known_proves(k, width > 0 ? fold_binary(k, IR_LE, stop, second, at)
                                         : fold_binary(k, IR_LE, second, stop, at));
    return one ? TRIPS_ONE : TRIPS_UNKNOWN;
}

/* ---- assignments and results that nothing uses ---- */

static bool is_dead(struct simplifier *s, const struct ir_stmt *stmt)
{
    if (stmt->kind != IR_ASSIGN || stmt->assign.targets.len != 1)
        return false;
    const struct ir_var *v = stmt->assign.targets.items[0];
    return is_scalar(v->type) && v->type->dtype != IR_TASK_ID && info(s, v)->uses == 0 &&
           fold_is_pure(stmt->assign.value);
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

/* Is result i of the branches used, or what is yielded to it a call? */
static bool is_wanted(struct simplifier *s, const struct ir_stmt *stmt, size_t i)
{
    const struct ir_stmt *yes = own_yield(&stmt->if_.then_body),
                         *no = own_yield(&stmt->if_.else_body);
    return info(s, stmt->if_.results.items[i])->uses > 0 || !yes || !no ||
           !fold_is_pure(yes->yield.values.items[i]) || !fold_is_pure(no->yield.values.items[i]);
}

/* A branch that yields the wanted results only. */
static ir_block yielding(struct simplifier *s, const struct ir_stmt *stmt, const ir_block *block,
                         size_t wanted)
{
    const struct ir_stmt *old = own_yield(block);
    ir_block out = {0};
    for (size_t i = 0; i + 1 < block->len; i++)
        vec_push(s->arena, &out, block->items[i]);
    if (wanted) {
        struct ir_stmt *yield = ir_stmt_new(s->arena, IR_YIELD, old->span);
        for (size_t i = 0; i < old->yield.values.len; i++)
            if (is_wanted(s, stmt, i))
                vec_push(s->arena, &yield->yield.values, old->yield.values.items[i]);
        vec_push(s->arena, &out, yield);
    }
    return out;
}

static struct ir_stmt *drop_results(struct simplifier *s, struct ir_stmt *stmt)
{
    ir_vars kept = {0};
    for (size_t i = 0; i < stmt->if_.results.len; i++)
        if (is_wanted(s, stmt, i))
            vec_push(s->arena, &kept, stmt->if_.results.items[i]);
    if (kept.len == stmt->if_.results.len)
        return stmt;
    struct ir_stmt *copy = arena_dup(s->arena, stmt, sizeof *stmt);
    copy->if_.then_body = yielding(s, stmt, &stmt->if_.then_body, kept.len);
    copy->if_.else_body = yielding(s, stmt, &stmt->if_.else_body, kept.len);
    copy->if_.results = kept;
    return copy;
}

/* ---- window buffers ---- */

/* A slot has the size of its allocation, before and after: types and slots share the window. */
static void fold_size(struct simplifier *s, const struct ir_stmt *before,
                      const struct ir_stmt *after)
{
    struct ir_window_buffer *w =
        before->kind == IR_ASSIGN ? map_get(&s->allocated, before->assign.targets.items[0]) : NULL;
    const struct ir_call *old = w ? ir_leaf_call(before) : NULL,
                         *new = w ? ir_leaf_call(after) : NULL;
    if (!old || !new || !w->size || !old->args.len || !new->args.len ||
        new->args.items[0] == old->args.items[0] || !fold_same(w->size, old->args.items[0]))
        return;
    struct ir_window_buffer *folded = arena_dup(s->arena, w, sizeof *w);
    folded->size = new->args.items[0];
    map_put(&s->windows, w, folded);
}

/* ---- rounds ---- */

/* Pushes what is left of the statement to out; true when it is another than before. */
static bool simplify_stmt(struct simplifier *s, ir_block *out, struct ir_stmt *before);

static bool simplify_list(struct simplifier *s, ir_block *out, const ir_block *block)
{
    bool changed = false;
    vec_foreach (struct ir_stmt *, it, block)
        changed |= simplify_stmt(s, out, *it);
    return changed;
}

/* A block at whose end all is forgotten that was learned in it. */
static void simplify_block(void *ctx, ir_block *block)
{
    struct simplifier *s = ctx;
    size_t bound = s->bound.len;
    struct known_place place = known_here(&s->known);
    ir_block out = {0};
    s->depth++;
    bool changed = simplify_list(s, &out, block);
    s->depth--;
    known_back(&s->known, place);
    unbind(s, bound);
    s->changed |= changed;
    if (changed)
        *block = out;
}

static void push_spliced(struct simplifier *s, ir_block *out, const ir_block *block,
                         const ir_vars *results)
{
    const struct ir_stmt *yield = own_yield(block);
    for (size_t i = 0; i < block->len - (yield != NULL); i++)
        vec_push(s->arena, out, block->items[i]);
    if (yield)
        take_places(s, out, results, &yield->yield.values);
}

static void assume(struct simplifier *s, struct ir_expr *cond)
{
    if (is_fixed(s, cond))
        known_condition(&s->known, cond);
}

static bool simplify_if(struct simplifier *s, ir_block *out, struct ir_stmt *before)
{
    struct ir_stmt copy = *replace_exprs(s, before);
    struct ir_expr *cond = copy.if_.cond,
                   *otherwise = fold_unary(&s->known, IR_NOT, cond, cond->span);
    struct known_place place = known_here(&s->known);
    bool yes = known_proves(&s->known, cond), no = !yes && known_proves(&s->known, otherwise);
    assume(s, cond);
    simplify_block(s, &copy.if_.then_body);
    known_back(&s->known, place);
    assume(s, otherwise);
    simplify_block(s, &copy.if_.else_body);
    known_back(&s->known, place);
    const ir_block *taken = yes ? &copy.if_.then_body : &copy.if_.else_body;
    if ((yes || no) && fold_is_pure(cond) && can_splice(s, taken, &copy.if_.results)) {
        push_spliced(s, out, taken, &copy.if_.results);
        return true;
    }
    bool changed = cond != before->if_.cond ||
                   copy.if_.then_body.items != before->if_.then_body.items ||
                   copy.if_.else_body.items != before->if_.else_body.items;
    struct ir_stmt *stmt = changed ? arena_dup(s->arena, &copy, sizeof copy) : before;
    stmt = drop_results(s, stmt);
    stmt = with_vars(s, stmt, offsetof(struct ir_stmt, if_.results), yielded(&stmt->if_.then_body));
    vec_push(s->arena, out, stmt);
    return stmt != before;
}

/* The only round of a loop, in the place of the loop. */
static void push_round(struct simplifier *s, ir_block *out, const struct ir_stmt *stmt)
{
    struct ir_var *var = stmt->for_.var;
    struct ir_expr *start = stmt->for_.start;
    const ir_vars counter = {&var, 1, 1};
    const ir_exprs first = {&start, 1, 1};
    const struct ir_stmt *yield = own_yield(&stmt->for_.body);
    ir_block body = stmt->for_.body;
    body.len -= yield != NULL;
    take_places(s, out, &counter, &first);
    take_places(s, out, &stmt->for_.iter_args, &stmt->for_.inits);
    simplify_list(s, out, &body);
    if (yield) {
        struct ir_stmt *last = replace_exprs(s, (struct ir_stmt *)yield);
        take_places(s, out, &stmt->for_.results, &last->yield.values);
    }
}

static bool can_unroll(struct simplifier *s, const struct ir_stmt *stmt)
{
    return !pass_leaves_loop(&stmt->for_.body) &&
           can_splice(s, &stmt->for_.body, &stmt->for_.results) &&
           can_take_places(s, &stmt->for_.iter_args, &stmt->for_.inits);
}

/* Between constant bounds a loop's variable is known, whatever the step: its range, and its value
 * where there is one only. */
static void learn_counter(struct simplifier *s, const struct ir_stmt *stmt)
{
    struct ir_var *v = stmt->for_.var;
    int64_t from, to;
    if (!fold_literal(stmt->for_.start, &from) || !fold_literal(stmt->for_.stop, &to) ||
        from >= to || !is_stable(s, v))
        return;
    known_bound(&s->known, v, (struct range){from, to - 1});
    struct ir_expr *only = to - from == 1 ? stand_in(s, v, stmt->for_.start) : NULL;
    if (only)
        bind(s, v, only);
}

static bool simplify_for(struct simplifier *s, ir_block *out, struct ir_stmt *before)
{
    struct ir_stmt *stmt = replace_exprs(s, before);
    enum trips trips = trips_of(s, stmt);
    if (trips == TRIPS_NONE && can_take_places(s, &stmt->for_.results, &stmt->for_.inits)) {
        take_places(s, out, &stmt->for_.results, &stmt->for_.inits);
        return true;
    }
    if (trips == TRIPS_ONE && can_unroll(s, stmt)) {
        push_round(s, out, stmt);
        return true;
    }
    struct known_place place = known_here(&s->known);
    size_t bound = s->bound.len;
    learn_counter(s, stmt);
    stmt = with_vars(s, stmt, offsetof(struct ir_stmt, for_.iter_args), &stmt->for_.inits);
    stmt = rewrite_blocks(s->arena, stmt, simplify_block, s);
    unbind(s, bound);
    known_back(&s->known, place);
    stmt = with_vars(s, stmt, offsetof(struct ir_stmt, for_.results), yielded(&stmt->for_.body));
    vec_push(s->arena, out, stmt);
    return stmt != before;
}

static bool is_launch(const struct ir_stmt *scope)
{
    const struct ir_expr *call = scope->scope.call;
    return scope->scope.lanes || (call->kind == IR_CALL && strcmp(call->call.name, "spmd") == 0);
}

/* A scope's body belongs to the block that the scope stands in; what runs several times does so as
 * a loop's does, but what stands for its variables stands for them behind it too. */
static bool simplify_scope(struct simplifier *s, ir_block *out, struct ir_stmt *before)
{
    struct ir_stmt copy = *replace_exprs(s, before);
    struct known_place place = known_here(&s->known);
    bool launch = is_launch(before);
    ir_block body = {0};
    s->depth += launch;
    if (simplify_list(s, &body, &copy.scope.body))
        copy.scope.body = body;
    s->depth -= launch;
    if (launch)
        known_back(&s->known, place);
    bool changed =
        copy.scope.call != before->scope.call || copy.scope.body.items != before->scope.body.items;
    vec_push(s->arena, out, changed ? arena_dup(s->arena, &copy, sizeof copy) : before);
    return changed;
}

static bool simplify_plain(struct simplifier *s, ir_block *out, struct ir_stmt *before)
{
    struct ir_stmt *stmt = replace_exprs(s, before);
    fold_size(s, before, stmt);
    if (stmt->kind == IR_ASSIGN) {
        stmt = with_vars(s, stmt, offsetof(struct ir_stmt, assign.targets), NULL);
        learn(s, stmt);
    }
    if (stmt->kind == IR_WHILE)
        stmt = rewrite_blocks(s->arena, stmt, simplify_block, s);
    vec_push(s->arena, out, stmt);
    return stmt != before;
}

static bool simplify_stmt(struct simplifier *s, ir_block *out, struct ir_stmt *before)
{
    if (map_get(&s->dead, before))
        return true;
    switch (before->kind) {
    case IR_IF:
        return simplify_if(s, out, before);
    case IR_FOR:
        return simplify_for(s, out, before);
    case IR_SCOPE:
        return simplify_scope(s, out, before);
    default:
        return simplify_plain(s, out, before);
    }
}

/* Each round makes the function smaller, or replaces or folds something; the bound is for what
 * nobody thought of. */
enum { MAX_ROUNDS = 100 };

static struct ir_func *simplify_func(void *ctx, struct ir_func *f)
{
    struct simplifier *s = ctx;
    ir_block body = f->body;
    s->windows.head = NULL;
    for (int round = 0; round < MAX_ROUNDS; round++) {
        ir_block out = {0};
        s->changed = false;
        s->bound.len = 0;
        s->known.log.len = s->known.holds.len = 0;
        count_func(s, f, &body);
        find_dead(s, &body);
        if (!simplify_list(s, &out, &body) && !s->changed)
            break;
        body = out;
    }
    return pass_with_body(s->arena, f, body);
}

struct ir_program *simplify(struct arena *a, const struct ir_program *p,
                            const struct pass_options *o, struct diag *d)
{
    struct simplifier s = {.arena = a,
                           .vars.arena = a,
                           .dead.arena = a,
                           .windows.arena = a,
                           .allocated.arena = a,
                           .said.arena = a,
                           .options = o,
                           .source = p->source,
                           .known.arena = a,
                           .known.ranges.arena = a};
    (void)d;
    return rewrite_funcs(a, p, PASS_EVERY, simplify_func, &s);
}
