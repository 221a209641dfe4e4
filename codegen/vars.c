/* SPDX-License-Identifier: MIT */
/* Variables: what they stand for, how often they are assigned, and assignments to them. */
#include <string.h>

#include "codegen/internal.h"
#include "passes/rewrite.h"

struct var_slot *gen_slot(struct gen *g, const struct ir_var *v)
{
    struct var_slot *s = map_get(&g->slots, v);
    if (!s) {
        s = arena_new(g->arena, struct var_slot);
        g->slots.arena = g->arena;
        map_put(&g->slots, v, s);
    }
    return s;
}

/* ---- how often a variable is assigned ---- */

/* What a statement assigns to: its targets, what its branches yield or what it carries; or NULL. */
static const ir_vars *assigned_vars(const struct ir_stmt *s)
{
    return s->kind == IR_ASSIGN  ? &s->assign.targets
           : s->kind == IR_IF    ? &s->if_.results
           : s->kind == IR_FOR   ? &s->for_.iter_args
           : s->kind == IR_WHILE ? &s->while_.iter_args
                                 : NULL;
}

static void count_targets(struct gen *g, const ir_vars *vars, int weight)
{
    vec_foreach (struct ir_var *, v, vars) {
        gen_slot(g, *v)->assignments += weight;
        gen_slot(g, *v)->joined |= weight > 1;
    }
}

/* A store without extents of its own, or a filling of the rest, of a tile whose type does not give
 * the extents either. */
static bool takes_part(const struct gen *g, const struct ir_call *call)
{
    /* A gather has the extents of its indices. */
    size_t at = call && call->op && !strcmp(call->op->name, "tile.mgather");
    if (!call || !call->op || (!at && call->op->args[0] != 't') || call->args.len <= at)
        return false;
    bool pure = call->op->effect == IR_EFFECT_PURE,
         given = ir_op_param(call->op, "shapes") >= 0 && call->args.len > 3;
    if (pure ? ir_valid_source(call->op) != IR_VALID_FILLED : given)
        return false;
    const struct ir_expr *tile = call->args.items[at];
    return !ir_valid_view(tile->type) &&
           ir_valid_of(&g->valid, g->prog, tile).kind != IR_VALID_WHOLE;
}

/* The variable that is the source of an assemble. */
static void mark_loaded(struct gen *g, const struct ir_call *call)
{
    const struct ir_expr *from =
        call && call->op && !strcmp(call->op->name, "tensor.assemble") && call->args.len > 1
            ? call->args.items[1]
            : NULL;
    if (from && from->kind == IR_VAR)
        gen_slot(g, from->var)->loaded = true;
}

static void count_assignments(struct gen *g, const ir_block *block)
{
    vec_foreach (struct ir_stmt *, at, block) {
        struct ir_stmt *s = *at;
        mark_loaded(g, ir_leaf_call(s));
        ir_block *children[PASS_MAX_BLOCKS];
        size_t n = pass_child_blocks(s, children);
        for (size_t i = 0; i < n; i++)
            count_assignments(g, children[i]);
        g->stores_parts |= takes_part(g, ir_leaf_call(s));
        /* What a loop carries and what branches yield changes at run time. */
        const ir_vars *vars = assigned_vars(s);
        if (vars)
            count_targets(g, vars, s->kind == IR_ASSIGN ? 1 : 2);
    }
}

void gen_count(struct gen *g, const struct ir_func *f)
{
    g->valid.arena = g->arena;
    ir_valid_collect(&g->valid, g->prog, f);
    g->space.arena = g->arena;
    ir_space_collect(&g->space, f);
    gen_share_homes(g, f);
    vec_foreach (struct ir_param, p, &f->params)
        gen_slot(g, p->var)->assignments++;
    count_assignments(g, &f->body);
}

bool gen_changes(struct gen *g, const struct ir_var *v)
{
    return gen_slot(g, v)->assignments > 1;
}

bool gen_redefined(struct gen *g, const struct ir_var *v)
{
    const struct var_slot *s = gen_slot(g, v);
    return s->assignments > (s->joined ? 2 : 1);
}

static void forget_block(struct gen *g, const ir_block *block)
{
    vec_foreach (struct ir_stmt *, at, block) {
        struct ir_stmt *s = *at;
        ir_block *children[PASS_MAX_BLOCKS];
        size_t n = pass_child_blocks(s, children);
        for (size_t i = 0; i < n; i++)
            forget_block(g, children[i]);
        const ir_vars *vars = assigned_vars(s);
        for (size_t i = 0; vars && i < vars->len; i++)
            gen_slot(g, vars->items[i])->bound = false;
    }
}

void gen_forget(struct gen *g, const struct ir_func *f)
{
    forget_block(g, &f->body);
}

/* ---- assignments ---- */

void gen_bind(struct gen *g, const struct ir_var *v, struct value value)
{
    struct var_slot *s = gen_slot(g, v);
    s->value = value;
    s->bound = true;
}

/* The register of a scalar variable that changes at run time. */
static int scalar_home(struct gen *g, const struct ir_var *v, enum value_kind kind)
{
    struct var_slot *s = gen_slot(g, v);
    if (!s->bound || s->value.kind != kind || s->value.op.reg == NO_REG)
        gen_bind(g, v, (struct value){.kind = kind, .op = reg_operand(gen_reg(g, v->shown))});
    return gen_slot(g, v)->value.op.reg;
}

static bool assign_scalar(struct gen *g, const struct ir_var *v, struct value value, struct span at)
{
    const struct var_slot *s = gen_slot(g, v);
    bool temporary = value.op.reg == NO_REG || !g->reg_names.items[value.op.reg];
    if (s->assignments <= 1 && temporary) {
        if (value.op.reg != NO_REG)
            g->reg_names.items[value.op.reg] = v->shown;
        gen_bind(g, v, value);
        return true;
    }
    if (s->bound && s->value.kind != value.kind)
        return gen_error(g, at, "'%s' changes between integer and float", v->shown);
    gen_move(g, scalar_home(g, v, value.kind), value.op);
    return true;
}

static void copy_tile(struct gen *g, int dst, int src)
{
    const struct tile *a = &g->tiles.items[dst], *b = &g->tiles.items[src];
    struct tile_valid valid = g->tile_valid.items[src];
    if (dst == src)
        return;
    bool one = a->offset == b->offset && tile_pitch(a) == tile_pitch(b);
    if (!one)
        gen_tile_op(g, TILE_COPY, GEN_COPY, gen_copy_pipe(g, dst), dst, &src, 1, imm_operand(0));
    gen_set_valid(g, dst, valid.rows, valid.cols);
}

struct value gen_own_tile(struct gen *g, struct value value)
{
    struct tile t = g->tiles.items[value.tile];
    int copy = gen_tile(g, t.name, t.rows, t.cols, t.elem, g->spaces.items[value.tile]);
    copy_tile(g, copy, value.tile);
    value.tile = copy;
    return value;
}

/* The value of e, for variable v: a tile that is only another name of a variable is copied when
 * either changes. */
static struct value gen_for_var(struct gen *g, const struct ir_expr *e, const struct ir_var *v)
{
    struct value value = gen_expr(g, e, v);
    if (g->d->failed || value.kind != VAL_TILE || e->kind != IR_VAR || e->var == v)
        return value;
    bool first = !gen_slot(g, v)->bound;
    bool changes = gen_changes(g, v) || gen_changes(g, e->var);
    return first && changes ? gen_own_tile(g, value) : value;
}

static bool same_shape(const struct gen *g, int x, int y)
{
    const struct tile *a = &g->tiles.items[x], *b = &g->tiles.items[y];
    return a->rows == b->rows && a->cols == b->cols && a->elem == b->elem;
}

/* Where several definitions of a variable may leave parts of different extents, they are kept at
 * run time. */
static void bind_tile(struct gen *g, const struct ir_var *v, struct value value)
{
    const struct var_slot *s = gen_slot(g, v);
    if (s->assignments > 1 && s->parts)
        gen_track_valid(g, value.tile);
    gen_bind(g, v, value);
}

static bool assign_tile(struct gen *g, const struct ir_var *v, struct value value, struct span at)
{
    const struct var_slot *s = gen_slot(g, v);
    if (!s->bound || s->assignments <= 1) {
        bind_tile(g, v, value);
        return true;
    }
    if (s->value.kind != VAL_TILE || !same_shape(g, s->value.tile, value.tile))
        return gen_error(g, at, "'%s' changes its shape or element type", v->shown);
    copy_tile(g, s->value.tile, value.tile);
    return true;
}

static bool same_view(const struct tensor *x, const struct tensor *y)
{
    bool same = x->region == y->region && x->base.reg == y->base.reg &&
                x->base.imm == y->base.imm && x->ndims == y->ndims;
    for (int i = 0; same && i < x->ndims; i++)
        same = x->shape[i] == y->shape[i] && x->stride[i] == y->stride[i];
    return same;
}

static bool assign_tensor(struct gen *g, const struct ir_var *v, struct value value, struct span at)
{
    const struct var_slot *s = gen_slot(g, v);
    bool same =
        !s->bound || (s->value.kind == VAL_TENSOR && same_view(s->value.tensor, value.tensor));
    if (!same && s->assignments > 1)
        return gen_error(g, at,
                         "'%s' stands for different tensors or views: give each a name of its own",
                         v->shown);
    gen_bind(g, v, value);
    return true;
}

static bool assign(struct gen *g, const struct ir_var *v, struct value value, struct span at)
{
    if (g->d->failed)
        return false;
    switch (value.kind) {
    case VAL_INT:
    case VAL_FLOAT:
        return assign_scalar(g, v, value, at);
    case VAL_TILE:
        return assign_tile(g, v, value, at);
    case VAL_TENSOR:
        return assign_tensor(g, v, value, at);
    default:
        gen_bind(g, v, value);
        return true;
    }
}

/* Assigning to one of the first n variables would overwrite the value. */
static bool is_taken(struct gen *g, const ir_vars *vars, size_t n, struct value value)
{
    bool taken = false;
    for (size_t k = 0; k < n && !taken; k++) {
        const struct var_slot *s = gen_slot(g, vars->items[k]);
        if (!s->bound || s->value.kind != value.kind)
            continue;
        taken = value.kind == VAL_TILE ? tile_home(g->tiles.items, s->value.tile) ==
                                             tile_home(g->tiles.items, value.tile)
                                       : s->value.op.reg == value.op.reg;
    }
    return taken;
}

/* A copy of a value that is overwritten before its turn comes. */
static struct value keep_value(struct gen *g, struct value value)
{
    if (value.kind == VAL_TILE)
        return gen_own_tile(g, value);
    if ((value.kind != VAL_INT && value.kind != VAL_FLOAT) || value.op.reg == NO_REG)
        return value;
    int copy = gen_reg(g, NULL);
    gen_move(g, copy, value.op);
    value.op = reg_operand(copy);
    return value;
}

/* A variable's own home, and what a loop begins with where nothing defines it, need no code. */
static bool needs_code(struct gen *g, const struct ir_var *v, const struct ir_expr *e)
{
    return e->kind != IR_VAR || (gen_slot(g, v) != gen_slot(g, e->var) &&
                                 (gen_slot(g, e->var)->bound || !ir_is_free_var(e->var)));
}

bool gen_assign_all(struct gen *g, const ir_vars *vars, const ir_exprs *values, struct span at)
{
    if (vars->len != values->len)
        return gen_error(g, at, "expected %zu values, not %zu", vars->len, values->len);
    struct value list[vars->len + 1];
    bool needed[vars->len + 1];
    for (size_t i = 0; i < vars->len; i++) {
        needed[i] = needs_code(g, vars->items[i], values->items[i]);
        if (!needed[i])
            continue;
        list[i] = gen_for_var(g, values->items[i], vars->items[i]);
        if (g->d->failed)
            return false;
        if (is_taken(g, vars, i, list[i]))
            list[i] = keep_value(g, list[i]);
    }
    for (size_t i = 0; i < vars->len; i++)
        if (needed[i] && !assign(g, vars->items[i], list[i], at))
            return false;
    return true;
}

bool gen_assign(struct gen *g, const struct ir_stmt *s)
{
    const ir_vars *targets = &s->assign.targets;
    const struct ir_expr *value = s->assign.value;
    if (targets->len == 1)
        return assign(g, targets->items[0], gen_for_var(g, value, targets->items[0]), s->span);
    if (value->kind == IR_CALL && targets->len == 2) {
        struct value pair = gen_expr(g, value, NULL);
        if (!g->d->failed && pair.kind == VAL_PAIR)
            return assign(g, targets->items[0], gen_pair_item(pair, 0), s->span) &&
                   assign(g, targets->items[1], gen_pair_item(pair, 1), s->span);
    }
    if (value->kind != IR_TUPLE)
        return gen_error(g, s->span, "a core cannot take this value apart");
    return gen_assign_all(g, targets, &value->items, s->span);
}

void gen_bind_argument(struct gen *g, const struct ir_var *v, struct value value, struct span at)
{
    gen_slot(g, v)->bound = false;
    bool scalar = value.kind == VAL_INT || value.kind == VAL_FLOAT;
    if (value.kind == VAL_TILE && gen_slot(g, v)->assignments > 1)
        bind_tile(g, v, gen_own_tile(g, value));
    else if (scalar && gen_slot(g, v)->assignments > 1)
        assign(g, v, value, at);
    else
        gen_bind(g, v, value);
}
