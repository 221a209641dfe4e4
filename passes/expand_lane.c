/* SPDX-License-Identifier: MIT */
#include "passes/expand_lane.h"

#include <string.h>

#include "ir/ops.h"
#include "ir/space.h"
#include "ir/valid.h"
#include "passes/clone.h"
#include "passes/core_affinity.h"
#include "passes/cross_pipe.h"
#include "passes/gm_origin.h"
#include "passes/lane_repair.h"
#include "passes/pass.h"
#include "passes/rewrite.h"
#include "passes/split_axis.h"

/* ---- what the cube stores and the vector core loads ---- */

typedef VEC(struct ir_var *) fence_list; /* the tiles that are popped */

/* A block of the function: a body is found again by its place. */
struct body {
    int outer;                  /* index of the body around it, or -1 */
    const struct ir_stmt *stmt; /* that it belongs to */
};

struct access {
    const struct ir_stmt *stmt;
    const struct ir_call *call;
    struct ir_var *tensor; /* that the text began with */
    int body, order;
};

struct search {
    struct expansion *x;
    VEC(struct body) bodies;
    VEC(struct access) stores, loads; /* of tensors by either core; by the vector core */
    int accesses;
    struct map stored;  /* result of a store -> the tensor it stored to */
    struct map several; /* tensors that are stored at several places, on any lane */
};

static const struct ir_call *call_of(const struct ir_stmt *s, const char *name)
{
    const struct ir_call *call = s->kind == IR_ASSIGN ? ir_leaf_call(s) : NULL;
    return call && call->op && !strcmp(call->op->name, name) ? call : NULL;
}

static struct ir_var *tensor_of(const struct search *f, const struct ir_call *call, size_t arg)
{
    struct ir_var *v = arg < call->args.len && call->args.items[arg]->kind == IR_VAR
                           ? call->args.items[arg]->var
                           : NULL;
    for (struct ir_var *next = v; next && (next = map_get(&f->stored, v)) && next != v;)
        v = next;
    return v;
}

static void search_block(struct search *f, const ir_block *block, int body);

static void search_stmt(struct search *f, struct ir_stmt *s, int body)
{
    struct expansion *x = f->x;
    const struct ir_call *store = call_of(s, "tile.store"), *load = call_of(s, "tile.load");
    enum core_affinity core =
        store || load ? core_affinity_of_stmt(x->prog, &x->spaces, s) : CORE_SHARED;
    if (store) {
        struct access found = {s, store, tensor_of(f, store, 2), body, f->accesses++};
        vec_foreach (const struct access, a, &f->stores)
            if (a->tensor == found.tensor)
                map_put(&f->several, found.tensor, found.tensor);
        if (found.tensor && found.tensor != s->assign.targets.items[0])
            map_put(&f->stored, s->assign.targets.items[0], found.tensor);
        if (core == CORE_VECTOR)
            map_put(&f->several, found.tensor, found.tensor);
        vec_push(x->arena, &f->stores, found);
    }
    if (load && core == CORE_VECTOR) {
        struct access found = {s, load, tensor_of(f, load, 0), body, f->accesses++};
        vec_push(x->arena, &f->loads, found);
    }
    ir_block *inner[PASS_MAX_BLOCKS];
    size_t n = pass_child_blocks(s, inner);
    for (size_t i = 0; i < n; i++) {
        struct body b = {body, s};
        vec_push(x->arena, &f->bodies, b);
        search_block(f, inner[i], (int)f->bodies.len - 1);
    }
}

static void search_block(struct search *f, const ir_block *block, int body)
{
    vec_foreach (struct ir_stmt *, s, block)
        search_stmt(f, *s, body);
}

/* The statement of the body `outer` that holds the access, or the access itself; NULL: it stands
 * elsewhere. */
static const struct ir_stmt *within(const struct search *f, const struct access *a, int outer)
{
    const struct ir_stmt *s = a->stmt;
    for (int body = a->body; body != outer; body = f->bodies.items[body].outer) {
        if (body < 0)
            return NULL;
        s = f->bodies.items[body].stmt;
    }
    return s;
}

static const struct ir_type *tile_type(const struct ir_expr *e)
{
    const struct ir_type *t = e->kind == IR_VAR ? e->var->type : e->type;
    return t && t->kind == IR_TYPE_TILE ? t : NULL;
}

/* A tile that nobody reads: it is popped when the store in front of its push has been performed. */
static void add_fence(struct search *f, const struct access *store, const struct ir_stmt *at)
{
    struct expansion *x = f->x;
    struct ir_expr *tile = store->call->args.items[0];
    const struct ir_type *t = tile_type(tile);
    if (!t)
        return;
    struct ir_type *plain = ir_type_new(x->arena, IR_TYPE_TILE);
    plain->dtype = t->dtype;
    plain->shape = t->shape;
    struct ir_var *token =
        ir_var_new(x->arena, arena_printf(x->arena, "%s_gm_sync", store->tensor->name),
                   ir_type_in_space(x->arena, plain, IR_SPACE_VEC, false), at->span);
    fence_list *list = map_get(&x->pops, at);
    if (!list) {
        list = arena_new(x->arena, fence_list);
        map_put(&x->pops, at, list);
    }
    vec_push(x->arena, list, token);
    map_put(&x->pushes, store->stmt, tile);
}

void expand_find_fences(struct expansion *x)
{
    struct search f = {.x = x, .stored.arena = x->arena, .several.arena = x->arena};
    search_block(&f, &x->func->body, -1);
    vec_foreach (const struct access, store, &f.stores) {
        if (!store->tensor || map_get(&f.several, store->tensor))
            continue;
        vec_foreach (const struct access, load, &f.loads) {
            const struct ir_stmt *at = load->tensor == store->tensor && load->order > store->order
                                           ? within(&f, load, store->body)
                                           : NULL;
            if (at) {
                add_fence(&f, store, at);
                break;
            }
        }
    }
}

/* ---- the statements of a lane ---- */

struct lane {
    struct expansion *x;
    bool cube;
    struct map *taken; /* what a popped tile stands for: variable of the function -> of the pop */
};

static ir_block lane_block(struct lane *l, const ir_block *block);

static int64_t int_keyword(const struct ir_call *call, const char *name)
{
    const struct ir_expr *e = ir_kwarg_find(&call->kwargs, name);
    return e && e->kind == IR_INT ? e->integer.value : 0;
}

static void add_layout(struct arena *a, ir_kwargs *kw, enum ir_space to, struct span at)
{
    bool left = to != IR_SPACE_RIGHT;
    struct ir_kwarg b = {"blayout",
                         pass_constant(
                             a, left ? "pl.TileLayout.col_major" : "pl.TileLayout.row_major", at),
                         at},
                    s = {"slayout",
                         pass_constant(
                             a, left ? "pl.TileLayout.row_major" : "pl.TileLayout.col_major", at),
                         at};
    vec_push(a, kw, b);
    vec_push(a, kw, s);
}

/* dest = pl.tile.move(from, target_memory=...): from the memory that a pop fills to where the tile
 * is wanted. */
static struct ir_stmt *place(struct lane *l, struct ir_var *dest, struct ir_var *from,
                             enum ir_space to, struct span at)
{
    struct arena *a = l->x->arena;
    ir_exprs args = {0};
    vec_push(a, &args, ir_var_ref(a, from, at));
    struct ir_expr *move = ir_op_call(a, "tile.move", args, at);
    struct ir_kwarg k = {"target_memory", pass_constant(a, ir_space_name(to), at), at};
    vec_push(a, &move->call.kwargs, k);
    add_layout(a, &move->call.kwargs, to, at);
    return pass_assign(a, dest, move);
}

/* What is valid of a tile that is popped, or NULL: all of it. Of one that the vector cores share each
 * has its part, by its index, which a statement in out gives. */
static const ir_exprs *valid_of_popped(struct lane *l, const struct ir_call *call,
                                       const struct ir_type *popped, ir_block *out)
{
    struct arena *a = l->x->arena;
    const struct ir_expr *pushed = call->args.items[0];
    struct ir_valid valid = ir_valid_of(&l->x->valid, l->x->prog, pushed);
    const ir_exprs *extents = valid.kind == IR_VALID_PART ? valid.extents : NULL;
    int64_t split = int_keyword(call, "split"), odd = 0;
    const ir_exprs *shape = pushed->type ? &pushed->type->shape : NULL;
    if (!split || !shape || shape->len != 2 || popped->shape.len != 2)
        return split ? NULL : extents;
    struct ir_expr *extent = shape->items[split - 1];
    bool uneven = ir_const_int(extent, &odd) && odd % 2;
    if (l->cube || (!extents && !uneven))
        return NULL;
    struct map names = {.arena = a};
    struct ir_stmt *index = split_lane_index(a, &names, pushed->span);
    ir_exprs *parts = arena_new(a, ir_exprs);
    vec_push(a, out, index);
    for (int64_t i = 0; i < 2; i++) {
        struct ir_expr *e = extents ? extents->items[i] : shape->items[i];
        vec_push(a, parts,
                 i == split - 1 ? split_valid_of_lane(a, index->assign.targets.items[0], e, extent)
                                : e);
    }
    return parts;
}

/* The type of a tile that is popped, t, says what of it is valid: at the end of its view, or with one
 * of its own. */
static struct ir_type *with_valid(struct lane *l, struct ir_type *t, const struct ir_call *call,
                                  ir_block *out)
{
    struct arena *a = l->x->arena;
    const ir_exprs *valid = ir_valid_view(t) ? NULL : valid_of_popped(l, call, t, out);
    if (!valid)
        return t;
    struct span at = call->args.items[0]->span;
    struct ir_expr *view = ir_expr_new(a, IR_CALL, at), *list = ir_expr_new(a, IR_LIST, at),
                   *last = t->annots.len ? t->annots.items[t->annots.len - 1] : NULL;
    list->items = *valid;
    view->call =
        (struct ir_call){.callee = IR_CALLEE_UNKNOWN, .name = "TileView", .written = "TileView"};
    if (last && last->kind == IR_CALL && !strcmp(last->call.name, "TileView")) {
        view->call.kwargs = last->call.kwargs;
        t->annots.len--;
    }
    view->call.kwargs = pass_with_keyword(a, &view->call.kwargs, "valid_shape", list);
    vec_push(a, &t->annots, view);
    return t;
}

static void receive(struct lane *l, const struct ir_stmt *s, const struct ir_call *call,
                    ir_block *out)
{
    struct arena *a = l->x->arena;
    struct ir_var *dest = s->assign.targets.items[0];
    enum ir_space space = l->cube ? IR_SPACE_MAT : IR_SPACE_VEC,
                  wanted = ir_space_of_var(&l->x->spaces, dest);
    bool move = strcmp(call->op->name, "tile.move") == 0, placed = !move || wanted == space;
    const char *name = placed ? dest->name : arena_printf(a, "%s_mat", dest->name);
    const struct ir_type *t = dest->type ? dest->type : s->assign.value->type;
    struct ir_type *type = ir_type_in_space(a, t, space, !l->cube && move);
    struct ir_var *popped = ir_var_new(a, name, with_valid(l, type, call, out), dest->span);
    popped->shown = dest->shown;
    if (placed)
        map_put(l->taken, dest, popped);
    if (move && call->args.items[0]->kind == IR_VAR)
        map_put(l->taken, call->args.items[0]->var, popped);
    vec_push(a, out, pipe_pop(a, l->cube, popped, int_keyword(call, "split"), s->span));
    if (!placed)
        vec_push(a, out, place(l, dest, popped, wanted, s->span));
}

/* A tile that crosses: one lane pushes it, the other one pops it. */
static bool cross(struct lane *l, const struct ir_stmt *s, ir_block *out)
{
    const struct ir_call *call = s->kind == IR_ASSIGN ? ir_leaf_call(s) : NULL;
    enum core_crossing way = call ? core_crossing_of(&l->x->spaces, s->assign.value) : CROSSES_NOT;
    if (way == CROSSES_NOT)
        return false;
    if ((way == CROSSES_TO_VECTOR) == l->cube)
        vec_push(l->x->arena, out,
                 pipe_push(l->x->arena, l->cube, call->args.items[0], int_keyword(call, "split"),
                           s->span));
    else
        receive(l, s, call, out);
    return true;
}

static void lane_stmt(struct lane *l, struct ir_stmt *s, ir_block *out)
{
    struct expansion *x = l->x;
    enum core_affinity core = core_affinity_of_stmt(x->prog, &x->spaces, s);
    if (cross(l, s, out) || core == (l->cube ? CORE_VECTOR : CORE_CUBE))
        return;
    const fence_list *fences = l->cube ? NULL : map_get(&x->pops, s);
    for (size_t i = 0; fences && i < fences->len; i++)
        vec_push(x->arena, out, pipe_pop(x->arena, false, fences->items[i], 0, s->span));
    if (core == CORE_MIXED) {
        struct ir_stmt *copy = arena_dup(x->arena, s, sizeof *s);
        ir_block *inner[PASS_MAX_BLOCKS];
        size_t n = pass_child_blocks(copy, inner);
        for (size_t i = 0; i < n; i++)
            *inner[i] = lane_block(l, inner[i]);
        s = copy;
    } else if (l->cube && map_get(&x->pushes, s)) {
        vec_push(x->arena, out, s);
        s = pipe_push(x->arena, true, map_get(&x->pushes, s), 0, s->span);
    }
    if (!l->cube || s->kind != IR_RETURN)
        vec_push(x->arena, out, s);
}

static ir_block lane_block(struct lane *l, const ir_block *block)
{
    ir_block out = {0};
    vec_foreach (struct ir_stmt *, s, block)
        lane_stmt(l, *s, &out);
    return out;
}

/* ---- a lane as a function ---- */

struct dangling {
    struct expansion *x;
    struct cloner *c;
    struct map defined;
    const struct map *taken;
};

static bool writes_param(const struct ir_func *f, const struct ir_var *v)
{
    vec_foreach (const struct ir_param, p, &f->params)
        if (p->var == v)
            return p->direction != IR_IN;
    return false;
}

/* What a type reads has its variable of the copy before the type has one. */
static bool define_read(const struct ir_expr *e, void *ctx)
{
    struct dangling *d = ctx;
    if (e->kind == IR_VAR && map_get(&d->defined, e->var))
        clone_def(d->c, e->var);
    return true;
}

/* A tensor that the other lane wrote is, on this one, the parameter that it lies in; a popped tile
 * is the variable of the pop. */
static bool redirect(const struct ir_expr *e, void *ctx)
{
    struct dangling *d = ctx;
    if (e->kind != IR_VAR || map_get(&d->defined, e->var) || map_get(&d->c->vars, e->var))
        return true;
    struct ir_var *popped = map_get(d->taken, e->var), *param = map_get(&d->x->origins, e->var);
    if (popped) {
        for (size_t i = 0; popped->type && i < popped->type->annots.len; i++)
            ir_walk_expr(popped->type->annots.items[i], define_read, d);
        map_put(&d->c->vars, e->var, clone_def(d->c, popped));
    } else if (param && writes_param(d->x->func, param))
        map_put(&d->c->vars, e->var, clone_use(d->c, param));
    return true;
}

static enum walk redirect_stmt(const struct ir_stmt *s, void *ctx)
{
    pass_walk_stmt(s, redirect, ctx);
    return WALK_INTO;
}

struct ir_func *expand_lane(struct expansion *x, bool cube, const char *name)
{
    struct map taken = {.arena = x->arena};
    struct lane l = {x, cube, &taken};
    ir_block body = lane_repair(x->arena, x->func, lane_block(&l, &x->func->body), &taken);
    struct cloner c = {.arena = x->arena, .vars.arena = x->arena};
    struct ir_func *f = arena_dup(x->arena, x->func, sizeof *f);
    f->name = name;
    f->type = cube ? IR_FUNC_AIC : IR_FUNC_AIV;
    f->body = (ir_block){0};
    f->doc = NULL;
    if (cube)
        f->return_type = NULL;
    f = clone_func(&c, f);
    struct dangling d = {x, &c, {.arena = x->arena}, &taken};
    lane_definitions(&d.defined, &body);
    pass_find_stmt(&body, redirect_stmt, &d);
    body = clone_block(&c, &body);
    f->body = pipe_free_slots(x->arena, cube, &body);
    return f;
}
