/* SPDX-License-Identifier: MIT */
#include "passes/cross_pipe.h"

#include <string.h>

#include "ir/ops.h"
#include "passes/pass.h"
#include "passes/rewrite.h"

static void add_int(struct arena *a, ir_kwargs *kw, const char *name, int64_t value, struct span at)
{
    struct ir_kwarg k = {name, ir_int(a, value, IR_INDEX, at), at};
    vec_push(a, kw, k);
}

static void add_string(struct arena *a, ir_kwargs *kw, const char *name, const char *value,
                       struct span at)
{
    struct ir_kwarg k = {name, ir_expr_new(a, IR_STRING, at), at};
    k.value->string = value;
    vec_push(a, kw, k);
}

static struct ir_stmt *statement(struct arena *a, struct ir_expr *call)
{
    struct ir_stmt *s = ir_stmt_new(a, IR_EVAL, call->span);
    s->eval = call;
    return s;
}

struct ir_stmt *pipe_push(struct arena *a, bool cube, struct ir_expr *tile, int64_t split,
                          struct span at)
{
    ir_exprs args = {0};
    vec_push(a, &args, tile);
    struct ir_expr *call =
        ir_op_call(a, cube ? "tile.tpush_to_aiv" : "tile.tpush_to_aic", args, at);
    add_int(a, &call->call.kwargs, "split", split, at);
    return statement(a, call);
}

struct ir_stmt *pipe_pop(struct arena *a, bool cube, struct ir_var *into, int64_t split,
                         struct span at)
{
    struct ir_expr *call =
        ir_op_call(a, cube ? "tile.tpop_from_aiv" : "tile.tpop_from_aic", (ir_exprs){0}, at);
    add_int(a, &call->call.kwargs, "split", split, at);
    return pass_assign(a, into, call);
}

static bool is_one_of(const struct ir_call *call, const char *const *names, size_t n)
{
    for (size_t i = 0; call && call->op && i < n; i++)
        if (!strcmp(call->op->name, names[i]))
            return true;
    return false;
}

#define IS_ONE_OF(call, ...)                                                                       \
    is_one_of(call, (const char *const[]){__VA_ARGS__},                                            \
              sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

bool pipe_is_pop(const struct ir_call *call)
{
    return IS_ONE_OF(call, "tile.tpop_from_aic", "tile.tpop_from_aiv");
}

static bool is_push(const struct ir_call *call)
{
    return IS_ONE_OF(call, "tile.tpush_to_aic", "tile.tpush_to_aiv");
}

bool pipe_is_free(const struct ir_call *call)
{
    return IS_ONE_OF(call, "system.tfree_to_aic", "system.tfree_to_aiv");
}

bool pipe_is_transport(const struct ir_call *call)
{
    return pipe_is_pop(call) || is_push(call) || pipe_is_free(call);
}

/* ---- giving slots back ---- */

/* A popped tile, with the names that lie in its memory. */
struct popped {
    struct map names;
    struct ir_var *var;
    const struct ir_expr *id; /* of the pipe, where it says one */
    struct span at;
    size_t last;  /* the last statement that uses it */
    size_t freed; /* the statement that gives its slot back; 0: none */
};
typedef VEC(struct popped) popped_list;

static bool names_none(const struct ir_expr *e, void *names)
{
    return e->kind != IR_VAR || !map_get(names, e->var);
}

static enum walk find_use(const struct ir_stmt *s, void *names)
{
    return pass_walk_stmt(s, names_none, names) ? WALK_INTO : WALK_FOUND;
}

static bool uses(struct ir_stmt *s, struct map *names)
{
    ir_block one = {&s, 1, 1};
    return pass_find_stmt(&one, find_use, names) != NULL;
}

/* Another name of a tile, or of a part of it: no operator makes a copy. */
static bool is_view_of(const struct ir_stmt *s, struct map *names)
{
    if (s->kind != IR_ASSIGN || s->assign.targets.len != 1)
        return false;
    const struct ir_expr *e = s->assign.value;
    while (e->kind == IR_CALL && e->call.op && e->call.op->effect == IR_EFFECT_PURE &&
           e->call.op->pipe == IR_PIPE_NONE && e->call.args.len)
        e = e->call.args.items[0];
    return e->kind == IR_VAR && map_get(names, e->var);
}

static void follow(struct arena *a, popped_list *list, const ir_block *block)
{
    for (size_t i = 0; i < block->len; i++) {
        struct ir_stmt *s = block->items[i];
        const struct ir_call *call = ir_leaf_call(s);
        vec_foreach (struct popped, p, list) {
            if (!uses(s, &p->names))
                continue;
            if (pipe_is_free(call))
                p->freed = i;
            else
                p->last = i;
            if (is_view_of(s, &p->names))
                map_put(&p->names, s->assign.targets.items[0], p);
        }
        if (s->kind == IR_ASSIGN && pipe_is_pop(call)) {
            struct popped p = {.names.arena = a,
                               .var = s->assign.targets.items[0],
                               .id = ir_kwarg_find(&call->kwargs, "id"),
                               .at = s->span,
                               .last = i};
            map_put(&p.names, p.var, p.var);
            vec_push(a, list, p);
        }
    }
}

static struct ir_stmt *free_slot(struct arena *a, bool cube, const struct popped *p)
{
    ir_exprs args = {0};
    vec_push(a, &args, ir_var_ref(a, p->var, p->at));
    struct ir_expr *call =
        ir_op_call(a, cube ? "system.tfree_to_aiv" : "system.tfree_to_aic", args, p->at);
    if (p->id) {
        struct ir_kwarg k = {"id", (struct ir_expr *)p->id, p->at};
        vec_push(a, &call->call.kwargs, k);
    }
    return statement(a, call);
}

static void free_behind(struct arena *a, bool cube, const popped_list *list, size_t i,
                        ir_block *out)
{
    vec_foreach (const struct popped, p, list)
        if (p->last == i && p->freed <= p->last)
            vec_push(a, out, free_slot(a, cube, p));
}

static bool freed_too_early(const popped_list *list, size_t i)
{
    vec_foreach (const struct popped, p, list)
        if (i && p->freed == i && p->freed < p->last)
            return true;
    return false;
}

ir_block pipe_free_slots(struct arena *a, bool cube, const ir_block *block)
{
    ir_block in = {0}, out = {0};
    vec_foreach (struct ir_stmt *, it, block) {
        struct ir_stmt *s = arena_dup(a, *it, sizeof **it);
        ir_block *inner[PASS_MAX_BLOCKS];
        size_t n = pass_child_blocks(s, inner);
        for (size_t i = 0; i < n; i++)
            *inner[i] = pipe_free_slots(a, cube, inner[i]);
        vec_push(a, &in, n ? s : *it);
    }
    popped_list list = {0};
    follow(a, &list, &in);
    for (size_t i = 0; i < in.len; i++) {
        struct ir_stmt *s = in.items[i];
        bool ends = s->kind == IR_YIELD || s->kind == IR_RETURN; /* nothing follows these */
        if (ends)
            free_behind(a, cube, &list, i, &out);
        if (!freed_too_early(&list, i))
            vec_push(a, &out, s);
        if (!ends)
            free_behind(a, cube, &list, i, &out);
    }
    return out;
}

/* ---- set-up ---- */

struct traffic {
    bool to_vector, to_cube, set_up, open; /* open: a tile whose size is not known */
    int64_t slot;                          /* bytes of the largest tile */
};

static void add_tile(struct traffic *t, const struct ir_type *type)
{
    int64_t n = 1;
    for (size_t i = 0; type && i < type->shape.len; i++) {
        const struct ir_expr *e = type->shape.items[i];
        t->open |= e->kind != IR_INT;
        n *= e->kind == IR_INT ? e->integer.value : 1;
    }
    int64_t bytes = type ? (n * ir_dtype_bits(type->dtype) + 7) / 8 : 0;
    t->open |= !type;
    t->slot = bytes > t->slot ? bytes : t->slot;
}

static enum walk note_traffic(const struct ir_stmt *s, void *ctx)
{
    struct traffic *t = ctx;
    const struct ir_call *call = ir_leaf_call(s);
    if (!call || !call->op)
        return WALK_INTO;
    t->set_up |= IS_ONE_OF(call, "system.reserve_buffer", "system.import_peer_buffer",
                           "system.aic_initialize_pipe", "system.aiv_initialize_pipe");
    t->to_vector |= IS_ONE_OF(call, "tile.tpush_to_aiv", "tile.tpop_from_aic");
    t->to_cube |= IS_ONE_OF(call, "tile.tpush_to_aic", "tile.tpop_from_aiv");
    if (is_push(call) && call->args.len)
        add_tile(t, call->args.items[0]->kind == IR_VAR ? call->args.items[0]->var->type
                                                        : call->args.items[0]->type);
    if (pipe_is_pop(call) && s->kind == IR_ASSIGN)
        add_tile(t, s->assign.targets.items[0]->type);
    return WALK_INTO;
}

/* What a lane's set-up is made of. */
struct end {
    struct arena *arena;
    const char *name;
    bool cube;
    int64_t bytes; /* of the slots of one direction */
    struct span at;
    ir_block out;
};

/* The consumer of a direction has the slots; the other end asks where they are. */
static struct ir_expr *buffer(struct end *e, bool to_vector)
{
    struct arena *a = e->arena;
    const char *name = arena_printf(a, "%s_%s_slot_buffer", e->name, to_vector ? "c2v" : "v2c");
    bool consumer = to_vector != e->cube;
    struct ir_expr *call = ir_op_call(
        a, consumer ? "system.reserve_buffer" : "system.import_peer_buffer", (ir_exprs){0}, e->at);
    add_string(a, &call->call.kwargs, "name", name, e->at);
    if (consumer) {
        add_int(a, &call->call.kwargs, "size", e->bytes, e->at);
        add_int(a, &call->call.kwargs, "base", -1, e->at);
    } else {
        add_string(a, &call->call.kwargs, "peer_func",
                   arena_printf(a, "%s_%s", e->name, to_vector ? "aiv" : "aic"), e->at);
    }
    const char *var = consumer ? name : arena_printf(a, "%s_import", name);
    struct ir_var *v = ir_var_new(a, var, ir_scalar_type(IR_INT32), e->at);
    vec_push(a, &e->out, pass_assign(a, v, call));
    return ir_var_ref(a, v, e->at);
}

static void set_up_end(struct end *e, const struct traffic *t, int64_t slots)
{
    struct arena *a = e->arena;
    struct ir_expr *to_cube = t->to_cube ? buffer(e, false) : ir_int(a, 0, IR_INT32, e->at),
                   *to_vector = t->to_vector ? buffer(e, true) : ir_int(a, 0, IR_INT32, e->at);
    ir_exprs args = {0};
    vec_push(a, &args, to_vector);
    vec_push(a, &args, to_cube);
    struct ir_expr *call = ir_op_call(
        a, e->cube ? "system.aic_initialize_pipe" : "system.aiv_initialize_pipe", args, e->at);
    add_int(a, &call->call.kwargs, "dir_mask", t->to_vector + 2 * t->to_cube, e->at);
    add_int(a, &call->call.kwargs, "slot_size", t->slot, e->at);
    add_int(a, &call->call.kwargs, "slot_num", slots, e->at);
    vec_push(a, &e->out, statement(a, call));
}

/* The index of the vector lane stays first. */
static bool is_lane_index(const struct ir_stmt *s)
{
    const struct ir_call *call = s->kind == IR_ASSIGN ? ir_leaf_call(s) : NULL;
    return IS_ONE_OF(call, "tile.get_subblock_idx");
}

static void put_in_front(struct end *e, ir_block *body)
{
    ir_block out = {0};
    size_t first = body->len && is_lane_index(body->items[0]) ? 1 : 0;
    for (size_t i = 0; i < first; i++)
        vec_push(e->arena, &out, body->items[i]);
    vec_foreach (struct ir_stmt *, s, &e->out)
        vec_push(e->arena, &out, *s);
    for (size_t i = first; i < body->len; i++)
        vec_push(e->arena, &out, body->items[i]);
    *body = out;
}

void pipe_set_up(struct arena *a, const char *name, int64_t slots, ir_block *cube, ir_block *vector,
                 struct span at)
{
    struct traffic t = {0};
    pass_find_stmt(cube, note_traffic, &t);
    pass_find_stmt(vector, note_traffic, &t);
    if ((!t.to_vector && !t.to_cube) || t.set_up || t.open)
        return;
    ir_block *bodies[] = {cube, vector};
    for (int i = 0; i < 2; i++) {
        struct end e = {a, name, i == 0, slots * t.slot, at, {0}};
        set_up_end(&e, &t, slots);
        put_in_front(&e, bodies[i]);
    }
}
