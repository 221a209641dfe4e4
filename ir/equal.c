/* SPDX-License-Identifier: MIT */
#include "ir/equal.h"

#include <string.h>

#include "base/table.h"
#include "ir/canon.h"
#include "base/map.h"
#include "ir/ops.h"
#include "ir/print.h"
#include "ir/space.h"

/*
 * Variables and windows of the two programs, paired one to one at their first meeting. Types of
 * parameters and of single targets count; those that text has no place for (iteration variables,
 * tuple targets) follow from their values. A local variable without a type agrees with any:
 * inference would fill it in.
 */
struct pairing {
    struct arena *arena;
    struct map forward, backward;
    /* Each variable and window is its own partner and no other's, and everything counts. */
    bool identity;
    int types; /* > 0 inside a type, where calls have no recorded type of their own */
    struct ir_difference *out; /* NULL: nobody asks where and why */
    const char *func;
    struct span at_x, at_y; /* of what is being compared */
};

static bool equal_expr(struct pairing *c, const struct ir_expr *x, const struct ir_expr *y);
static bool equal_type(struct pairing *c, const struct ir_type *x, const struct ir_type *y);
static bool equal_block(struct pairing *c, const ir_block *x, const ir_block *y);

/* ---- what differs ---- */

enum { MAX_SHOWN = 80, SHOWN_BEFORE = 24 };

/* Always false. The deepest difference is told first and wins. */
static bool differ(struct pairing *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static bool differ(struct pairing *c, const char *fmt, ...)
{
    if (!c->out || c->out->words)
        return false;
    va_list ap;
    va_start(ap, fmt);
    c->out->words = arena_vprintf(c->out->arena, fmt, ap);
    va_end(ap);
    c->out->func = c->func;
    c->out->at_a = c->at_x;
    c->out->at_b = c->at_y;
    return false;
}

/* The part of a long text around byte `at`, where it differs from another one. */
static const char *around(struct arena *a, const char *s, size_t at)
{
    size_t len = strlen(s), from = at > SHOWN_BEFORE ? at - SHOWN_BEFORE : 0;
    if (len <= MAX_SHOWN)
        return s;
    size_t shown = len - from < MAX_SHOWN ? len - from : MAX_SHOWN;
    return arena_printf(a, "%s%.*s%s", from ? "..." : "", (int)shown, s + from,
                        from + shown < len ? "..." : "");
}

static bool differ_texts(struct pairing *c, const char *what, const char *x, const char *y)
{
    size_t at = 0;
    while (x[at] && x[at] == y[at])
        at++;
    return differ(c, "%s%s in A, %s in B", what, around(c->out->arena, x, at),
                  around(c->out->arena, y, at));
}

static bool differ_exprs(struct pairing *c, const struct ir_expr *x, const struct ir_expr *y)
{
    if (!c->out || c->out->words)
        return false;
    const char *one = ir_print_expr(c->out->arena, x), *other = ir_print_expr(c->out->arena, y);
    if (strcmp(one, other) != 0)
        return differ_texts(c, "", one, other);
    return differ(c, "%s is not the same kind of expression in A and in B",
                  around(c->out->arena, one, 0));
}

static bool differ_types(struct pairing *c, const struct ir_type *x, const struct ir_type *y)
{
    if (!c->out || c->out->words)
        return false;
    if (!x || !y)
        return differ(c, "a type in %s only: %s", x ? "A" : "B",
                      around(c->out->arena, ir_print_type(c->out->arena, x ? x : y), 0));
    return differ_texts(c, "type ", ir_print_type(c->out->arena, x),
                        ir_print_type(c->out->arena, y));
}

static const char *plural(size_t n)
{
    return n == 1 ? "" : "s";
}

static bool differ_counts(struct pairing *c, const char *what, size_t x, size_t y)
{
    return differ(c, "%zu %s%s in A, %zu in B", x, what, plural(x), y);
}

static bool differ_flag(struct pairing *c, const char *what, bool x)
{
    return differ(c, "%s in %s only", what, x ? "A" : "B");
}

/* Moves to a place in both texts; the caller moves back to the place returned. */
struct places {
    struct span x, y;
};

static struct places move_to(struct pairing *c, struct span x, struct span y)
{
    struct places old = {c->at_x, c->at_y};
    if (x.line > 0)
        c->at_x = x;
    if (y.line > 0)
        c->at_y = y;
    return old;
}

static void move_back(struct pairing *c, struct places old)
{
    c->at_x = old.x;
    c->at_y = old.y;
}

/* ---- variables and windows ---- */

/* True when x and y are partners; *fresh tells that they have just become so. */
static bool pair(struct pairing *c, const void *x, const void *y, bool *fresh)
{
    *fresh = false;
    if (c->identity)
        return x == y;
    const void *partner = map_get(&c->forward, x);
    *fresh = !partner && !map_get(&c->backward, y);
    if (*fresh) {
        map_put(&c->forward, x, (void *)y);
        map_put(&c->backward, y, (void *)x);
        return true;
    }
    return partner == y;
}

static bool equal_text(const char *x, const char *y)
{
    return x == y || (x && y && strcmp(x, y) == 0);
}

static bool equal_var(struct pairing *c, const struct ir_var *x, const struct ir_var *y)
{
    bool fresh;
    if (pair(c, x, y, &fresh))
        return true;
    const struct ir_var *partner = map_get(&c->forward, x), *other = map_get(&c->backward, y);
    if (partner)
        return differ(c, "'%s' of A stands for '%s' of B, but here it is '%s'", x->name,
                      partner->name, y->name);
    return other && differ(c, "'%s' of B stands for '%s' of A, but here it is '%s'", y->name,
                           other->name, x->name);
}

static bool equal_vars(struct pairing *c, const char *what, const ir_vars *x, const ir_vars *y)
{
    if (x->len != y->len)
        return differ_counts(c, what, x->len, y->len);
    for (size_t i = 0; i < x->len; i++) {
        struct places old = move_to(c, x->items[i]->span, y->items[i]->span);
        if (!equal_var(c, x->items[i], y->items[i]))
            return false;
        move_back(c, old);
    }
    return true;
}

static const struct ir_type *without_space(struct pairing *c, const struct ir_type *t)
{
    struct ir_type *out = arena_dup(c->arena, t, sizeof *t);
    out->annots = (ir_exprs){0};
    vec_foreach (struct ir_expr *, e, &t->annots)
        if ((*e)->kind != IR_NAME || ir_space_named((*e)->name) == IR_SPACE_NONE)
            vec_push(c->arena, &out->annots, *e);
    return out;
}

/* Types of tiles that follow from what they stand for; where one leaves out the memory, that does
 * not count. */
static bool equal_followed(struct pairing *c, const struct ir_type *x, const struct ir_type *y)
{
    if (!x || !y)
        return true;
    bool open = x->kind == IR_TYPE_TILE && y->kind == IR_TYPE_TILE &&
                (ir_space_of_type(x) == IR_SPACE_NONE || ir_space_of_type(y) == IR_SPACE_NONE);
    return open ? equal_type(c, without_space(c, x), without_space(c, y)) : equal_type(c, x, y);
}

/* A value that lies where another one does, whose memory has been compared. */
static bool is_followed(const struct ir_expr *value)
{
    bool call = value->kind == IR_CALL && value->call.op && value->call.op->spaces;
    return value->kind == IR_VAR || (call && strstr(value->call.op->spaces, ">="));
}

/* What a loop or branches result in, with the types that text can annotate. */
static bool equal_results(struct pairing *c, const ir_vars *x, const ir_vars *y)
{
    return equal_vars(c, "result", x, y) &&
           (x->len != 1 || equal_followed(c, x->items[0]->type, y->items[0]->type));
}

/* The type of the variable that takes a value. Where its annotation leaves out the memory of a tile,
 * the operator says it. */
static const struct ir_type *assigned_type(struct pairing *c, const struct ir_stmt *s)
{
    struct ir_type *t = s->assign.targets.items[0]->type;
    const struct ir_expr *value = s->assign.value;
    bool open = t && t->kind == IR_TYPE_TILE && ir_space_of_type(t) == IR_SPACE_NONE &&
                value->kind == IR_CALL && value->call.op && value->call.op->spaces &&
                strchr(value->call.op->spaces, '>');
    enum ir_space space = open ? ir_space_of(NULL, value) : IR_SPACE_NONE;
    if (space == IR_SPACE_NONE)
        return t;
    struct ir_type *out = arena_dup(c->arena, t, sizeof *t);
    struct ir_expr *name = ir_expr_new(c->arena, IR_NAME, s->span);
    name->name = ir_space_name(space);
    out->annots = (ir_exprs){0};
    vec_push(c->arena, &out->annots, name);
    vec_foreach (struct ir_expr *, e, &t->annots)
        vec_push(c->arena, &out->annots, *e);
    return out;
}

static bool equal_assigned(struct pairing *c, const struct ir_stmt *x, const struct ir_stmt *y)
{
    const ir_vars *one = &x->assign.targets, *other = &y->assign.targets;
    if (!equal_expr(c, x->assign.value, y->assign.value) || !equal_vars(c, "target", one, other))
        return false;
    /* what takes a tuple apart has no annotations, and its types follow from the tuple's */
    bool element =
        x->assign.value->kind == IR_GETITEM && !(x->assign.annotated && y->assign.annotated);
    if (element || one->len != 1 || !one->items[0]->type || !other->items[0]->type)
        return true;
    if (is_followed(x->assign.value))
        return equal_followed(c, one->items[0]->type, other->items[0]->type);
    return equal_type(c, assigned_type(c, x), assigned_type(c, y));
}

static bool equal_optional(struct pairing *c, const char *what, const struct ir_expr *x,
                           const struct ir_expr *y)
{
    if (!x != !y)
        return differ_flag(c, what, x);
    return !x || equal_expr(c, x, y);
}

static bool equal_window(struct pairing *c, const struct ir_window_buffer *x,
                         const struct ir_window_buffer *y)
{
    bool fresh;
    if (!x && !y)
        return true;
    if (!x || !y)
        return differ(c, "a reference to window '%s' in %s only", (x ? x : y)->name, x ? "A" : "B");
    if (!pair(c, x, y, &fresh))
        return differ(c, "window '%s' of A does not stand for window '%s' of B", x->name, y->name);
    if (!fresh)
        return true;
    if (x->load_from_host != y->load_from_host)
        return differ_flag(c, "load_from_host", x->load_from_host);
    if (x->store_to_host != y->store_to_host)
        return differ_flag(c, "store_to_host", x->store_to_host);
    if (!x->base != !y->base)
        return differ_flag(c, "the base of a window", x->base);
    return (!x->base || equal_var(c, x->base, y->base)) &&
           equal_optional(c, "the size of a window", x->size, y->size);
}

/* ---- expressions ---- */

static bool equal_exprs(struct pairing *c, const char *what, const ir_exprs *x, const ir_exprs *y)
{
    for (size_t i = 0; i < x->len && i < y->len; i++)
        if (!equal_expr(c, x->items[i], y->items[i]))
            return false;
    return x->len == y->len || differ_counts(c, what, x->len, y->len);
}

static bool equal_listed(struct pairing *c, const char *what, const ir_kwargs *x,
                         const ir_kwargs *y)
{
    for (size_t i = 0; i < x->len && i < y->len; i++) {
        if (strcmp(x->items[i].name, y->items[i].name) != 0)
            return differ(c, "%s '%s' in A, '%s' in B", what, x->items[i].name, y->items[i].name);
        if (!equal_expr(c, x->items[i].value, y->items[i].value))
            return false;
    }
    if (x->len == y->len)
        return true;
    const ir_kwargs *longer = x->len > y->len ? x : y;
    return differ(c, "%s '%s' in %s only", what,
                  longer->items[x->len < y->len ? x->len : y->len].name, longer == x ? "A" : "B");
}

static bool equal_kwargs(struct pairing *c, const char *what, const ir_kwargs *x,
                         const ir_kwargs *y)
{
    if (c->identity)
        return equal_listed(c, what, x, y);
    const ir_kwargs one = canon_kwargs(c->arena, x), other = canon_kwargs(c->arena, y);
    return equal_listed(c, what, &one, &other);
}

static bool is_slot(const struct ir_expr *e)
{
    return e->type && strcmp(e->call.name, IR_WINDOW_SLOT) == 0;
}

static const char *const callees[] = {[IR_CALLEE_OP] = "operator",
                                      [IR_CALLEE_UNKNOWN] = "unknown operator",
                                      [IR_CALLEE_USER] = "function",
                                      [IR_CALLEE_SUBMIT] = "launch of"};
ROW_EACH(callees, IR_CALLEE_COUNT);

static bool equal_callee(struct pairing *c, const struct ir_call *x, const struct ir_call *y)
{
    if (x->callee != y->callee)
        return differ(c, "%s %s in A, %s %s in B", callees[x->callee], x->name, callees[y->callee],
                      y->name);
    if (strcmp(x->name, y->name) != 0)
        return differ(c, "%s %s in A, %s in B", callees[x->callee], x->name, y->name);
    return strcmp(x->written, y->written) == 0 ||
           differ(c, "%s in A, %s in B", x->written, y->written);
}

static bool equal_call(struct pairing *c, const struct ir_expr *x, const struct ir_expr *y)
{
    struct ir_call one = c->identity ? x->call : canon_call(c->arena, &x->call),
                   other = c->identity ? y->call : canon_call(c->arena, &y->call);
    if (!equal_callee(c, &one, &other))
        return false;
    if (is_slot(x) != is_slot(y))
        return differ_exprs(c, x, y);
    if (is_slot(x) && !equal_window(c, x->type->window, y->type->window))
        return false;
    if (!equal_exprs(c, "argument", &one.args, &other.args) ||
        !equal_listed(c, "keyword", &one.kwargs, &other.kwargs) ||
        !equal_kwargs(c, "attribute", &one.attrs, &other.attrs))
        return false;
    if (c->types || !x->type || !y->type)
        return true;
    return is_followed(x) ? equal_followed(c, x->type, y->type) : equal_type(c, x->type, y->type);
}

static bool equal_binary(struct pairing *c, const struct ir_expr *x, const struct ir_expr *y)
{
    if (x->binary.op != y->binary.op)
        return differ_exprs(c, x, y);
    return equal_expr(c, x->binary.lhs, y->binary.lhs) &&
           equal_expr(c, x->binary.rhs, y->binary.rhs);
}

/* A constant of type INDEX is one of type INT64 (pypto-front-facts 4). */
static bool same_int_dtype(const struct pairing *c, enum ir_dtype x, enum ir_dtype y)
{
    return x == y || (!c->identity && ir_is_machine_word(x) && ir_is_machine_word(y));
}

/* Literals and names: equal as a whole or not at all. */
static bool same_leaf(const struct pairing *c, const struct ir_expr *x, const struct ir_expr *y)
{
    switch (x->kind) {
    case IR_INT:
        return x->integer.value == y->integer.value &&
               same_int_dtype(c, x->integer.dtype, y->integer.dtype);
    case IR_FLOAT:
        return memcmp(&x->real.value, &y->real.value, sizeof x->real.value) == 0 &&
               x->real.dtype == y->real.dtype;
    case IR_BOOLEAN:
        return x->boolean == y->boolean;
    case IR_STRING:
        return strcmp(x->string, y->string) == 0;
    case IR_NAME:
        return strcmp(x->name, y->name) == 0;
    case IR_GETITEM:
        return x->getitem.index == y->getitem.index;
    case IR_UNARY:
        return x->unary.op == y->unary.op;
    case IR_CAST:
        return x->cast.dtype == y->cast.dtype;
    default:
        return true;
    }
}

/* The result of arithmetic and the element of a tuple have a type of their own, also where the
 * constants and loop variables that they are made of need not agree in theirs. Types leave out what
 * their constants are of. */
static bool equal_dtype(struct pairing *c, const struct ir_expr *x, const struct ir_expr *y)
{
    const struct ir_type *t = x->type, *u = y->type;
    bool differs = !c->types && t && u && t->kind == IR_TYPE_SCALAR && u->kind == IR_TYPE_SCALAR &&
                   t->dtype != u->dtype;
    return !differs || differ_types(c, t, u);
}

static bool equal_elements(struct pairing *c, const ir_exprs *x, const ir_exprs *y)
{
    if (!equal_exprs(c, "element", x, y))
        return false;
    for (size_t i = 0; i < x->len; i++)
        if (!equal_dtype(c, x->items[i], y->items[i]))
            return false;
    return true;
}

static bool equal_parts(struct pairing *c, const struct ir_expr *x, const struct ir_expr *y)
{
    switch (x->kind) {
    case IR_VAR:
        return equal_var(c, x->var, y->var);
    case IR_NAME:
        return equal_type(c, x->type, y->type);
    case IR_CALL:
        return equal_call(c, x, y);
    case IR_TUPLE:
    case IR_LIST:
        return equal_elements(c, &x->items, &y->items);
    case IR_DICT:
        return equal_kwargs(c, "key", &x->dict, &y->dict);
    case IR_GETITEM:
        return equal_expr(c, x->getitem.base, y->getitem.base);
    case IR_BINARY:
        return equal_binary(c, x, y) && equal_dtype(c, x, y);
    case IR_UNARY:
        return equal_expr(c, x->unary.operand, y->unary.operand) && equal_dtype(c, x, y);
    case IR_CAST:
        return equal_expr(c, x->cast.operand, y->cast.operand);
    default:
        return true;
    }
}

static bool equal_expr(struct pairing *c, const struct ir_expr *x, const struct ir_expr *y)
{
    if (c->identity && x == y)
        return true;
    struct places old = move_to(c, x->span, y->span);
    if (x->kind != y->kind || !same_leaf(c, x, y))
        return differ_exprs(c, x, y);
    if (!equal_parts(c, x, y))
        return false;
    move_back(c, old);
    return true;
}

static bool equal_type(struct pairing *c, const struct ir_type *x, const struct ir_type *y)
{
    if (x == y && (c->identity || !x))
        return true;
    if (!x || !y || x->kind != y->kind || x->dtype != y->dtype || !equal_text(x->text, y->text) ||
        x->elems.len != y->elems.len || x->shape.len != y->shape.len)
        return differ_types(c, x, y);
    const ir_exprs one = c->identity ? x->annots : canon_annots(c->arena, x),
                   other = c->identity ? y->annots : canon_annots(c->arena, y);
    if (one.len != other.len)
        return differ_types(c, x, y);
    for (size_t i = 0; i < x->elems.len; i++)
        if (!equal_type(c, x->elems.items[i], y->elems.items[i]))
            return false;
    c->types++;
    bool equal = equal_exprs(c, "dimension", &x->shape, &y->shape) &&
                 equal_exprs(c, "annotation", &one, &other) &&
                 equal_window(c, x->window, y->window);
    c->types--;
    return equal;
}

/* ---- statements ---- */

static bool equal_for(struct pairing *c, const struct ir_stmt *x, const struct ir_stmt *y)
{
    if (x->for_.kind != y->for_.kind)
        return differ(c, "%s in A, %s in B", ir_loop_name(x->for_.kind),
                      ir_loop_name(y->for_.kind));
    return equal_expr(c, x->for_.start, y->for_.start) &&
           equal_expr(c, x->for_.stop, y->for_.stop) && equal_expr(c, x->for_.step, y->for_.step) &&
           equal_exprs(c, "initial value", &x->for_.inits, &y->for_.inits) &&
           equal_kwargs(c, "keyword", &x->for_.kwargs, &y->for_.kwargs) &&
           equal_var(c, x->for_.var, y->for_.var) &&
           equal_vars(c, "iteration variable", &x->for_.iter_args, &y->for_.iter_args) &&
           equal_block(c, &x->for_.body, &y->for_.body) &&
           equal_results(c, &x->for_.results, &y->for_.results);
}

static bool equal_while(struct pairing *c, const struct ir_stmt *x, const struct ir_stmt *y)
{
    return equal_exprs(c, "initial value", &x->while_.inits, &y->while_.inits) &&
           equal_vars(c, "iteration variable", &x->while_.iter_args, &y->while_.iter_args) &&
           equal_expr(c, x->while_.cond, y->while_.cond) &&
           equal_block(c, &x->while_.body, &y->while_.body) &&
           equal_results(c, &x->while_.results, &y->while_.results);
}

static bool equal_if(struct pairing *c, const struct ir_stmt *x, const struct ir_stmt *y)
{
    if (!equal_expr(c, x->if_.cond, y->if_.cond) ||
        !equal_block(c, &x->if_.then_body, &y->if_.then_body))
        return false;
    if (x->if_.has_else != y->if_.has_else)
        return differ_flag(c, "an else branch", x->if_.has_else);
    return equal_block(c, &x->if_.else_body, &y->if_.else_body) &&
           equal_results(c, &x->if_.results, &y->if_.results);
}

static bool equal_scope(struct pairing *c, const struct ir_stmt *x, const struct ir_stmt *y)
{
    if (!equal_expr(c, x->scope.call, y->scope.call))
        return false;
    if (x->scope.lanes != y->scope.lanes)
        return differ(c, "a %s in A, a %s in B", x->scope.lanes ? "loop over lanes" : "scope",
                      y->scope.lanes ? "loop over lanes" : "scope");
    if (!x->scope.var != !y->scope.var)
        return differ_flag(c, "the name of a task", x->scope.var);
    return (!x->scope.var || equal_var(c, x->scope.var, y->scope.var)) &&
           equal_block(c, &x->scope.body, &y->scope.body);
}

static bool equal_stmt(struct pairing *c, const struct ir_stmt *x, const struct ir_stmt *y)
{
    switch (x->kind) {
    case IR_ASSIGN:
        return equal_assigned(c, x, y);
    case IR_EVAL:
        return equal_expr(c, x->eval, y->eval);
    case IR_IF:
        return equal_if(c, x, y);
    case IR_FOR:
        return equal_for(c, x, y);
    case IR_WHILE:
        return equal_while(c, x, y);
    case IR_YIELD:
        return equal_exprs(c, "value", &x->yield.values, &y->yield.values);
    case IR_RETURN:
        return equal_exprs(c, "value", &x->return_.values, &y->return_.values);
    case IR_BREAK:
    case IR_CONTINUE:
        return true;
    case IR_SCOPE:
        return equal_scope(c, x, y);
    }
    return false;
}

static const char *const stmt_kinds[] = {IR_STMT_KINDS(NAME_ROW)};

static bool equal_block(struct pairing *c, const ir_block *given_x, const ir_block *given_y)
{
    const ir_block one = canon_block(c->arena, given_x), other = canon_block(c->arena, given_y),
                   *x = &one, *y = &other;
    struct places old = {c->at_x, c->at_y};
    for (size_t i = 0; i < x->len && i < y->len; i++) {
        const struct ir_stmt *s = x->items[i], *t = y->items[i];
        move_to(c, s->span, t->span);
        if (s->kind != t->kind)
            return differ(c, "%s in A, %s in B", stmt_kinds[s->kind], stmt_kinds[t->kind]);
        if (!equal_stmt(c, s, t))
            return false;
    }
    if (x->len != y->len) {
        bool more = x->len > y->len;
        const struct ir_stmt *extra = more ? x->items[y->len] : y->items[x->len];
        *(more ? &c->at_x : &c->at_y) = extra->span;
        return differ(c, "%s in %s, where the block of %s has ended", stmt_kinds[extra->kind],
                      more ? "A" : "B", more ? "B" : "A");
    }
    move_back(c, old);
    return true;
}

/* ---- functions and programs ---- */

static const char *const directions[] = {[IR_IN] = "In", [IR_OUT] = "Out", [IR_INOUT] = "InOut"};
ROW_EACH(directions, IR_DIRECTION_COUNT);

static bool equal_params(struct pairing *c, const struct ir_func *x, const struct ir_func *y)
{
    if (x->params.len != y->params.len)
        return differ_counts(c, "parameter", x->params.len, y->params.len);
    for (size_t i = 0; i < x->params.len; i++) {
        const struct ir_param *p = &x->params.items[i], *q = &y->params.items[i];
        struct places old = move_to(c, p->var->span, q->var->span);
        if (p->direction != q->direction)
            return differ(c, "parameter '%s' is %s in A, %s in B", p->var->name,
                          directions[p->direction], directions[q->direction]);
        if (!equal_var(c, p->var, q->var))
            return false;
        move_back(c, old);
    }
    for (size_t i = 0; i < x->params.len; i++) {
        const struct ir_var *v = x->params.items[i].var, *w = y->params.items[i].var;
        struct places old = move_to(c, v->span, w->span);
        if (!equal_type(c, v->type, w->type))
            return false;
        move_back(c, old);
    }
    return true;
}

static bool equal_func(struct pairing *c, const struct ir_func *x, const struct ir_func *y)
{
    move_to(c, x->span, y->span);
    c->func = x->name;
    if (x->type != y->type)
        return differ(c, "function type %s in A, %s in B", ir_func_type_name(x->type),
                      ir_func_type_name(y->type));
    const ir_kwargs one = canon_decorator(c->arena, x), other = canon_decorator(c->arena, y);
    if (!equal_listed(c, "decorator keyword", &one, &other) || !equal_params(c, x, y))
        return false;
    if (!x->return_type != !y->return_type)
        return differ_flag(c, "a return type", x->return_type);
    if (!equal_type(c, x->return_type, y->return_type))
        return false;
    if (x->is_abstract != y->is_abstract)
        return differ_flag(c, "an abstract body", x->is_abstract);
    if ((x->python || y->python) &&
        strcmp(x->python ? x->python : "", y->python ? y->python : "") != 0)
        return differ_flag(c, "this body in Python", x->python);
    bool equal = equal_block(c, &x->body, &y->body);
    c->func = NULL;
    return equal;
}

/* A function that only one of the programs has. */
static const struct ir_func *without_partner(const struct ir_program *p,
                                             const struct ir_program *other)
{
    vec_foreach (struct ir_func *, f, &p->funcs)
        if (!ir_find_func(other, (*f)->name))
            return *f;
    return NULL;
}

/* Functions are matched by name, and what a module gives a name to counts where it is used. */
static bool equal_program(struct pairing *c, const struct ir_program *a, const struct ir_program *b)
{
    const struct ir_func *in_a = without_partner(a, b), *in_b = without_partner(b, a);
    if (in_a || in_b) {
        c->at_x = in_a ? in_a->span : (struct span){0};
        c->at_y = in_b ? in_b->span : (struct span){0};
        if (in_a && in_b)
            return differ(c, "function '%s' in A, '%s' in B", in_a->name, in_b->name);
        return differ(c, "function '%s' in %s only", (in_a ? in_a : in_b)->name, in_a ? "A" : "B");
    }
    vec_foreach (struct ir_func *, f, &a->funcs)
        if (!equal_func(c, *f, ir_find_func(b, (*f)->name)))
            return false;
    return a->funcs.len == b->funcs.len || differ_counts(c, "function", a->funcs.len, b->funcs.len);
}

bool ir_type_same(const struct ir_type *a, const struct ir_type *b)
{
    struct pairing c = {.identity = true};
    return equal_type(&c, a, b);
}

bool ir_compare(const struct ir_program *a, const struct ir_program *b, struct ir_difference *d)
{
    struct arena arena = {0};
    struct pairing c = {
        .arena = &arena, .forward.arena = &arena, .backward.arena = &arena, .out = d};
    bool equal = equal_program(&c, a, b);
    arena_free(&arena);
    return equal;
}

bool ir_equal(const struct ir_program *a, const struct ir_program *b)
{
    return ir_compare(a, b, NULL);
}
