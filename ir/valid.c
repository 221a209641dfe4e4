/* SPDX-License-Identifier: MIT */
#include "ir/valid.h"

#include <string.h>

/* Rounds over a function until loops carry nothing new; a function that
 * needs more is not judged. */
enum { MAX_ROUNDS = 8 };

struct valid_collector {
    struct map *map;
    const struct ir_program *prog;
    const ir_vars *results; /* what the yield at hand gives values to */
    const ir_vars *carried; /* likewise, the iteration variables of its loop */
    bool changed;
    bool give_up; /* everything found from now on is unknown */
};

static const struct ir_valid whole = {IR_VALID_WHOLE, NULL}, unknown = {IR_VALID_UNKNOWN, NULL};

/* ---- operators ---- */

/* Rows that differ from what the shape of the row says. */
static const struct {
    const char *op;
    enum ir_valid_source source;
} exceptions[] = {
    {"tile.fillpad", IR_VALID_FILLED},
    {"tile.fillpad_inplace", IR_VALID_FILLED},
    {"tile.full", IR_VALID_FILLED},
    {"tile.create", IR_VALID_FILLED},
    {"tile.ci", IR_VALID_FILLED},
    {"tile.load", IR_VALID_GIVEN},
    {"tile.slice", IR_VALID_GIVEN},
    {"tensor.slice", IR_VALID_GIVEN},
    {"tile.assemble", IR_VALID_OPEN},
    {"pld.tile.remote_load", IR_VALID_GIVEN},
    {"tile.matmul_acc", IR_VALID_OPEN},
    {"tile.set_validshape", IR_VALID_GIVEN},
    {"tensor.set_validshape", IR_VALID_GIVEN},
    {"tile.mrgsort_format1", IR_VALID_OPEN},
    {"tile.tri", IR_VALID_GIVEN},
    {"tile.random", IR_VALID_GIVEN},
    {"tile.fillpad_expand", IR_VALID_FILLED},
    {"tile.batch_matmul_acc", IR_VALID_OPEN},
    {"tile.gemv", IR_VALID_ROW},
    {"tile.gemv_acc", IR_VALID_ROW},
    {"tile.gemv_bias", IR_VALID_ROW},
    {"tile.matmul_mx_acc", IR_VALID_OPEN},
};

enum ir_valid_source ir_valid_source(const struct ir_op *op)
{
    for (size_t i = 0; i < sizeof exceptions / sizeof *exceptions; i++)
        if (strcmp(exceptions[i].op, op->name) == 0)
            return exceptions[i].source;
    bool elementwise = op->args[0] == 't' && op->effect == IR_EFFECT_PURE && op->result_arg == 0 &&
                       (op->result == IR_RESULT_ARG || op->result == IR_RESULT_IN_PLACE ||
                        op->result == IR_RESULT_TILE_BINARY);
    return elementwise ? IR_VALID_KEPT : IR_VALID_OPEN;
}

static bool same_extent(const struct ir_expr *a, const struct ir_expr *b)
{
    int64_t x, y;
    if (a == b || (a->kind == IR_VAR && b->kind == IR_VAR && a->var == b->var))
        return true;
    return ir_const_int(a, &x) && ir_const_int(b, &y) && x == y;
}

static bool same_extents(const ir_exprs *a, const ir_exprs *b)
{
    bool same = a->len == b->len;
    for (size_t i = 0; same && i < a->len; i++)
        same = same_extent(a->items[i], b->items[i]);
    return same;
}

/* A part that is as large as the physical shape is the whole. */
static struct ir_valid part(const ir_exprs *extents, const ir_exprs *shape)
{
    return same_extents(extents, shape) ? whole : (struct ir_valid){IR_VALID_PART, extents};
}

static const ir_exprs *items_of(const struct ir_expr *e)
{
    return e && (e->kind == IR_TUPLE || e->kind == IR_LIST) ? &e->items : NULL;
}

const ir_exprs *ir_valid_view(const struct ir_type *t)
{
    for (size_t i = 0; t && i < t->annots.len; i++) {
        const struct ir_expr *view = t->annots.items[i];
        if (view->kind == IR_CALL && view->call.name && strstr(view->call.name, "TileView"))
            return items_of(ir_kwarg_find(&view->call.kwargs, "valid_shape"));
    }
    return NULL;
}

static bool has_shape(const struct ir_type *t)
{
    return t && (t->kind == IR_TYPE_TILE || ir_type_is_tensor_like(t));
}

/* Of a value without a stated source: only slices make parts of tensors. */
static struct ir_valid otherwise(const struct ir_type *t)
{
    return t && ir_type_is_tensor_like(t) ? whole : unknown;
}

/* Every operand with a shape is whole. */
static bool all_whole(const struct map *m, const struct ir_program *p, const struct ir_call *call)
{
    vec_foreach (struct ir_expr *, a, &call->args)
        if (has_shape((*a)->type) && ir_valid_of(m, p, *a).kind != IR_VALID_WHOLE)
            return false;
    return true;
}

/* set_validshape(x, rows, cols) is for two dimensions. */
static struct ir_valid set_part(const struct map *m, const struct ir_call *call)
{
    struct ir_expr *rows = ir_call_arg(call, "valid_rows"), *cols = ir_call_arg(call, "valid_cols");
    const struct ir_type *t = call->args.items[0]->type;
    if (!rows || !cols || !has_shape(t) || t->shape.len != 2)
        return unknown;
    ir_exprs *extents = arena_new(m->arena, ir_exprs);
    vec_push(m->arena, extents, rows);
    vec_push(m->arena, extents, cols);
    return (struct ir_valid){IR_VALID_PART, extents};
}

/* The request; what a source of which only a part is valid cuts off is not known. */
static struct ir_valid given_part(const struct map *m, const struct ir_program *p,
                                  const struct ir_call *call)
{
    const struct ir_expr *source = call->args.len ? call->args.items[0] : NULL;
    if (!source)
        return unknown;
    if (ir_call_arg(call, "valid_rows"))
        return set_part(m, call);
    const ir_exprs *shape = items_of(ir_call_arg(call, "shape")),
                   *extents = items_of(ir_call_arg(call, "valid_shape"));
    bool asked = extents && extents->len;
    enum ir_valid_kind from = ir_valid_of(m, p, source).kind;
    if (!shape || from == IR_VALID_PART || (!asked && from != IR_VALID_WHOLE))
        return unknown;
    return asked ? part(extents, shape) : whole;
}

static struct ir_valid kept_part(const struct map *m, const struct ir_program *p,
                                 const struct ir_call *call)
{
    struct ir_valid first = ir_valid_of(m, p, call->args.items[0]);
    for (size_t i = 1; i < call->args.len; i++) {
        const struct ir_expr *a = call->args.items[i];
        if (!a->type || a->type->kind != IR_TYPE_TILE)
            continue;
        struct ir_valid other = ir_valid_of(m, p, a);
        bool fits = other.kind == IR_VALID_WHOLE ||
                    (other.kind == IR_VALID_PART && first.kind == IR_VALID_PART &&
                     same_extents(other.extents, first.extents));
        if (!fits)
            return unknown;
    }
    return first;
}

static struct ir_valid one_row(const struct map *m, const struct ir_expr *e)
{
    const struct ir_type *t = e->type;
    if (!has_shape(t) || t->shape.len != 2)
        return unknown;
    ir_exprs *extents = arena_new(m->arena, ir_exprs);
    vec_push(m->arena, extents, ir_int(m->arena, 1, IR_INDEX, e->span));
    vec_push(m->arena, extents, t->shape.items[1]);
    return (struct ir_valid){IR_VALID_PART, extents};
}

/* mgather into L1 says how much it gathers; into a vector tile, the indices do. */
static struct ir_valid gathered_part(const struct map *m, const struct ir_program *p,
                                     const struct ir_expr *e)
{
    const ir_exprs *given = items_of(ir_call_arg(&e->call, "valid_shape"));
    if (given && has_shape(e->type))
        return part(given, &e->type->shape);
    return all_whole(m, p, &e->call) ? whole : unknown;
}

static struct ir_valid of_call(const struct map *m, const struct ir_program *p,
                               const struct ir_expr *e)
{
    const struct ir_call *call = &e->call;
    if (call->callee != IR_CALLEE_OP)
        return otherwise(e->type);
    bool stores = call->op->effect != IR_EFFECT_PURE && call->op->result == IR_RESULT_ARG;
    if (stores && (size_t)call->op->result_arg < call->args.len)
        return ir_valid_of(m, p, call->args.items[call->op->result_arg]);
    if (call->op->result == IR_RESULT_GATHERED)
        return gathered_part(m, p, e);
    switch (ir_valid_source(call->op)) {
    case IR_VALID_FILLED:
        return whole;
    case IR_VALID_KEPT:
        return call->args.len ? kept_part(m, p, call) : unknown;
    case IR_VALID_GIVEN:
        return given_part(m, p, call);
    case IR_VALID_ROW:
        return one_row(m, e);
    case IR_VALID_OPEN:
        break;
    }
    return all_whole(m, p, call) ? whole : unknown;
}

struct ir_valid ir_valid_of(const struct map *m, const struct ir_program *p,
                            const struct ir_expr *e)
{
    const ir_exprs *view = ir_valid_view(e->type);
    if (view)
        return part(view, &e->type->shape);
    if (e->kind == IR_CALL)
        return of_call(m, p, e);
    const struct ir_valid *known = e->kind == IR_VAR ? map_get(m, e->var) : NULL;
    return known ? *known : otherwise(e->type);
}

/* ---- what the paths through a function say of a variable ---- */

static struct ir_valid join(struct ir_valid a, struct ir_valid b)
{
    if (a.kind == IR_VALID_UNSEEN)
        return b;
    if (b.kind == IR_VALID_UNSEEN)
        return a;
    bool same = a.kind == b.kind && (a.kind != IR_VALID_PART || same_extents(a.extents, b.extents));
    return same ? a : unknown;
}

static void note(struct valid_collector *c, const struct ir_var *var, struct ir_valid value)
{
    if (!has_shape(var->type))
        return;
    struct ir_valid *known = map_get(c->map, var);
    if (!known) {
        known = arena_new(c->map->arena, struct ir_valid);
        map_put(c->map, var, known);
    }
    struct ir_valid joined = c->give_up ? unknown : join(*known, value);
    c->changed |= joined.kind != known->kind;
    *known = joined;
}

static void note_values(struct valid_collector *c, const ir_vars *vars, const ir_exprs *values)
{
    for (size_t i = 0; vars && i < vars->len && i < values->len; i++)
        note(c, vars->items[i], ir_valid_of(c->map, c->prog, values->items[i]));
}

static void collect_block(struct valid_collector *c, const ir_block *block);

/* The yield of a body goes to the results of its statement and to what its loop carries on. */
static void collect_body(struct valid_collector *c, const ir_block *body, const ir_vars *results,
                         const ir_vars *carried)
{
    const ir_vars *outer = c->results, *outer_carried = c->carried;
    c->results = results;
    c->carried = carried;
    collect_block(c, body);
    c->results = outer;
    c->carried = outer_carried;
}

static void collect_loop(struct valid_collector *c, const ir_vars *iter_args, const ir_exprs *inits,
                         const ir_block *body, const ir_vars *results)
{
    note_values(c, iter_args, inits);
    note_values(c, results, inits); /* a loop without iterations */
    collect_body(c, body, results, iter_args);
}

static void collect_assign(struct valid_collector *c, const struct ir_stmt *s)
{
    const ir_vars *targets = &s->assign.targets;
    const struct ir_expr *value = s->assign.value;
    struct ir_var *first = targets->items[0];
    if (targets->len == 1)
        note(c, first, value->type ? ir_valid_of(c->map, c->prog, value) : otherwise(first->type));
    else if (value->kind == IR_TUPLE)
        note_values(c, targets, &value->items);
}

static void collect_stmt(struct valid_collector *c, const struct ir_stmt *s)
{
    switch (s->kind) {
    case IR_ASSIGN:
        collect_assign(c, s);
        break;
    case IR_IF:
        collect_body(c, &s->if_.then_body, &s->if_.results, NULL);
        collect_body(c, &s->if_.else_body, &s->if_.results, NULL);
        break;
    case IR_FOR:
        collect_loop(c, &s->for_.iter_args, &s->for_.inits, &s->for_.body, &s->for_.results);
        break;
    case IR_WHILE:
        collect_loop(c, &s->while_.iter_args, &s->while_.inits, &s->while_.body,
                     &s->while_.results);
        break;
    case IR_YIELD:
        note_values(c, c->results, &s->yield.values);
        note_values(c, c->carried, &s->yield.values);
        break;
    case IR_SCOPE:
        collect_block(c, &s->scope.body);
        break;
    default:
        break;
    }
}

static void collect_block(struct valid_collector *c, const ir_block *block)
{
    vec_foreach (struct ir_stmt *, s, block)
        if (*s)
            collect_stmt(c, *s);
}

void ir_valid_collect(struct map *m, const struct ir_program *p, const struct ir_func *f)
{
    struct valid_collector c = {.map = m, .prog = p, .changed = true};
    vec_foreach (struct ir_param, param, &f->params)
        if (!ir_type_is_tensor_like(param->var->type))
            note(&c, param->var, unknown); /* what the caller gives, but for a view in the type */
    for (int round = 0; c.changed && round < MAX_ROUNDS; round++) {
        c.changed = false;
        collect_block(&c, &f->body);
    }
    c.give_up = c.changed;
    if (c.give_up)
        collect_block(&c, &f->body);
}
