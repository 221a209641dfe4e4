/* SPDX-License-Identifier: MIT */
#include "passes/acquire.h"

#include <string.h>

#include "ir/ops.h"
#include "passes/pass.h"
#include "passes/rewrite.h"

enum { LINE = 64 }; /* bytes (hw-facts 2) */

/* ---- the accesses of a function ---- */

/* The scalar unit performs it, or may: it takes indices. */
static bool goes_through_cache(const struct ir_op *op)
{
    bool memory = op->effect == IR_EFFECT_READ || op->effect == IR_EFFECT_WRITE ||
                  op->effect == IR_EFFECT_SILENT_WRITE;
    return memory && (op->pipe == IR_PIPE_S || ir_op_param(op, "idx") >= 0 ||
                      ir_op_param(op, "indices") >= 0);
}

/* The parameter behind a tensor, or NULL. */
static struct ir_var *param_of(const struct acquire_uses *u, const struct ir_expr *tensor)
{
    return gm_origin_of(&u->origins, tensor);
}

/* A plain tensor that this function alone writes, if at all, and through the cache alone. */
static bool is_private(const struct acquire_uses *u, const struct ir_expr *tensor)
{
    struct ir_var *v = param_of(u, tensor);
    return v && v->type && v->type->kind == IR_TYPE_TENSOR && !map_get(&u->shared, v);
}

static bool note_shared(const struct ir_expr *e, void *ctx)
{
    struct acquire_uses *u = ctx;
    if (e->kind != IR_CALL || (e->call.callee == IR_CALLEE_OP && goes_through_cache(e->call.op)))
        return true;
    bool op = e->call.callee == IR_CALLEE_OP, marker = op && e->call.op->effect == IR_EFFECT_MARKER;
    for (size_t i = 0; i < e->call.args.len && !marker; i++) {
        struct ir_var *v = param_of(u, e->call.args.items[i]);
        if (v && (!op || (int)i == e->call.op->target))
            map_put(&u->shared, v, v);
    }
    return true;
}

static enum walk visit_shared(const struct ir_stmt *s, void *u)
{
    pass_walk_stmt(s, note_shared, u);
    return WALK_INTO;
}

static bool is_use(const struct acquire_uses *u, const struct ir_call *call)
{
    if (call->callee != IR_CALLEE_OP)
        return true;
    return goes_through_cache(call->op) && !is_private(u, ir_call_arg(call, "tensor"));
}

/* Where a statement stands: its number, and the last one under it and in its block. */
struct acquire_place {
    size_t at, end, block_end;
    bool loop;
    const struct acquire_place *parent; /* NULL: the function's body */
};

static bool note_use(const struct ir_expr *e, void *ctx)
{
    struct acquire_uses *u = ctx;
    if (e->kind == IR_CALL && is_use(u, &e->call))
        vec_push(u->arena, &u->uses, ((struct acquire_use){u->here, &e->call}));
    return true;
}

static bool is_loop(const struct ir_stmt *s)
{
    return s->kind == IR_FOR || s->kind == IR_WHILE;
}

static void collect_block(struct acquire_uses *u, const ir_block *block,
                          const struct acquire_place *parent)
{
    VEC(struct acquire_place *) places = {0};
    vec_foreach (struct ir_stmt *, it, block) {
        struct acquire_place *place = arena_new(u->arena, struct acquire_place);
        *place = (struct acquire_place){.at = u->count++, .loop = is_loop(*it), .parent = parent};
        map_put(&u->order, *it, place);
        vec_push(u->arena, &places, place);
        u->here = place->at;
        pass_walk_stmt(*it, note_use, u);
        ir_block *blocks[PASS_MAX_BLOCKS];
        size_t n = pass_child_blocks(*it, blocks);
        for (size_t b = 0; b < n; b++)
            collect_block(u, blocks[b], place);
        place->end = u->count - 1;
    }
    vec_foreach (struct acquire_place *, place, &places)
        (*place)->block_end = u->count - 1;
}

void acquire_collect(struct acquire_uses *u, struct arena *a, const struct ir_func *f)
{
    *u = (struct acquire_uses){
        .arena = a, .order = {.arena = a}, .origins = {.arena = a}, .shared = {.arena = a}};
    gm_origins(&u->origins, f);
    pass_find_stmt(&f->body, visit_shared, u);
    collect_block(u, &f->body, NULL);
}

/* Control can come from the end of p to statement number at: behind it, or around a loop. */
static bool comes_after(size_t at, const struct acquire_place *p)
{
    for (; p; p = p->parent) {
        const struct acquire_place *around = p->parent;
        if (at > p->end && at <= p->block_end)
            return true;
        if (around && around->loop && at >= around->at && at <= around->end)
            return true;
    }
    return false;
}

/* ---- the lines of an access ---- */

static bool same_line(const struct acquire_line *x, const struct acquire_line *y)
{
    bool same = x->tensor == y->tensor && x->index.len == y->index.len;
    for (size_t i = 0; same && i < x->index.len; i++) {
        int64_t m, n;
        same = ir_const_int(x->index.items[i], &m) && ir_const_int(y->index.items[i], &n) && m == n;
    }
    return same;
}

static bool add_line(struct arena *a, acquire_lines *out, struct acquire_line line)
{
    vec_foreach (struct acquire_line, l, out)
        if (same_line(l, &line))
            return true;
    vec_push(a, out, line);
    return out->len <= ACQUIRE_MAX_LINES;
}

/* The index of element `flat` in the order of the rows. */
static struct acquire_line element(struct arena *a, struct ir_var *tensor, int64_t flat)
{
    const ir_exprs *shape = &tensor->type->shape;
    struct acquire_line line = {.tensor = tensor};
    int64_t at[IR_MAX_PARAMS] = {0}, extent;
    for (size_t i = shape->len; i-- > 0;) {
        ir_const_int(shape->items[i], &extent);
        at[i] = flat % extent;
        flat /= extent;
    }
    for (size_t i = 0; i < shape->len; i++)
        vec_push(a, &line.index, ir_int(a, at[i], IR_INDEX, (struct span){0}));
    return line;
}

/* All lines of a tensor. It may begin inside of a line, and then ends in one more. */
static bool add_tensor(struct arena *a, acquire_lines *out, struct ir_var *tensor)
{
    int64_t elements = 1, extent, size = ir_dtype_bits(tensor->type->dtype) / 8;
    if (size == 0 || tensor->type->shape.len > IR_MAX_PARAMS)
        return false;
    vec_foreach (struct ir_expr *, e, &tensor->type->shape) {
        if (!ir_const_int(*e, &extent) || extent <= 0 || extent > ACQUIRE_MAX_LINES * LINE)
            return false;
        elements *= extent;
        if (elements > ACQUIRE_MAX_LINES * LINE)
            return false;
    }
    bool fits = true;
    for (int64_t flat = 0; fits && flat < elements; flat += LINE / size)
        fits = add_line(a, out, element(a, tensor, flat));
    return fits && add_line(a, out, element(a, tensor, elements - 1));
}

static bool is_constant_tuple(const struct ir_expr *e, size_t rank)
{
    int64_t n;
    bool all = e && e->kind == IR_TUPLE && e->items.len == rank;
    for (size_t i = 0; all && i < rank; i++)
        all = ir_const_int(e->items.items[i], &n);
    return all;
}

static bool add_use(const struct acquire_uses *u, const struct ir_call *call, acquire_lines *out)
{
    const struct ir_expr *tensor = call->callee == IR_CALLEE_OP && call->op->pipe == IR_PIPE_S
                                       ? ir_call_arg(call, "tensor")
                                       : NULL;
    struct ir_var *v = param_of(u, tensor);
    if (!v || !ir_type_is_tensor_like(v->type))
        return false;
    const struct ir_expr *index = ir_call_arg(call, "indices");
    if (!is_constant_tuple(index, v->type->shape.len))
        return add_tensor(u->arena, out, v);
    return add_line(u->arena, out, (struct acquire_line){v, index->items});
}

bool acquire_lines_after(const struct acquire_uses *u, const struct ir_stmt *s, acquire_lines *out)
{
    const struct acquire_place *place = map_get(&u->order, s);
    *out = (acquire_lines){0};
    vec_foreach (struct acquire_use, use, &u->uses)
        if (comes_after(use->at, place) && !add_use(u, use->call, out))
            return false;
    return true;
}

/* ---- at the first use ---- */

/* Paths on which a wait has succeeded with no invalidate since. */
struct sinking {
    const struct acquire_uses *uses;
    bool pending;    /* here */
    bool leaving;    /* at some break of the loop around */
    bool continuing; /* at some continue of it */
    bool asks;       /* that loop's condition uses the cache: so does what comes behind its body */
};

static bool no_use(const struct ir_expr *e, void *ctx)
{
    return e->kind != IR_CALL || !is_use(ctx, &e->call);
}

/* The statement itself does, not what is under it. */
static bool uses_cache(const struct sinking *k, const struct ir_stmt *s)
{
    return !pass_walk_stmt(s, no_use, (void *)k->uses);
}

static enum walk find_use(const struct ir_stmt *s, void *ctx)
{
    return uses_cache(ctx, s) ? WALK_FOUND : WALK_INTO;
}

/* One in front of a loop is less than one in each of its rounds. */
static bool needs_invalidate(struct sinking *k, struct ir_stmt *s)
{
    if (uses_cache(k, s) || (k->asks && s->kind == IR_CONTINUE))
        return true;
    ir_block *blocks[PASS_MAX_BLOCKS];
    return is_loop(s) && pass_child_blocks(s, blocks) && pass_find_stmt(blocks[0], find_use, k);
}

static void invalidate(struct sinking *k, ir_block *out, struct span at)
{
    struct ir_stmt *marker = ir_stmt_new(k->uses->arena, IR_EVAL, at);
    marker->eval = ir_op_call(k->uses->arena, "system.cacheinvalid", (ir_exprs){0}, at);
    vec_push(k->uses->arena, out, marker);
    k->pending = false;
}

static void sink_block(void *ctx, ir_block *block);

static void sink_body(void *ctx, ir_block *block)
{
    struct sinking *k = ctx;
    sink_block(k, block);
    if (!k->pending || !k->asks)
        return;
    ir_block out = {0};
    struct ir_stmt *last = block->items[block->len - 1];
    bool yields = last->kind == IR_YIELD;
    for (size_t i = 0; i < block->len - yields; i++)
        vec_push(k->uses->arena, &out, block->items[i]);
    invalidate(k, &out, last->span);
    if (yields)
        vec_push(k->uses->arena, &out, last);
    *block = out;
}

static struct ir_stmt *sink_if(struct sinking *k, struct ir_stmt *s)
{
    ir_block then_body = s->if_.then_body, else_body = s->if_.else_body;
    bool before = k->pending;
    sink_block(k, &then_body);
    bool then = k->pending;
    k->pending = before;
    sink_block(k, &else_body);
    k->pending = k->pending || then;
    if (then_body.items == s->if_.then_body.items && else_body.items == s->if_.else_body.items)
        return s;
    struct ir_stmt *new = arena_dup(k->uses->arena, s, sizeof *s);
    new->if_.then_body = then_body;
    new->if_.else_body = else_body;
    return new;
}

/* The body is gone over again when its end, or a continue, brings a wait to its beginning. */
static struct ir_stmt *sink_loop(struct sinking *k, struct ir_stmt *s)
{
    struct sinking in = {.uses = k->uses, .pending = k->pending};
    in.asks = s->kind == IR_WHILE && uses_cache(k, s);
    struct ir_stmt *new = rewrite_blocks(k->uses->arena, s, sink_body, &in);
    if ((in.pending || in.continuing) && !k->pending) {
        in.pending = true;
        new = rewrite_blocks(k->uses->arena, s, sink_body, &in);
    }
    k->pending = k->pending || in.pending || in.leaving || in.continuing;
    return new;
}

static struct ir_stmt *sink_stmt(struct sinking *k, struct ir_stmt *s)
{
    if (s->kind == IR_IF)
        return sink_if(k, s);
    return is_loop(s) ? sink_loop(k, s) : rewrite_blocks(k->uses->arena, s, sink_block, k);
}

static bool is_invalidate_all(const struct ir_call *call)
{
    return call && call->callee == IR_CALLEE_OP && call->args.len == 0 &&
           strcmp(call->op->name, "system.cacheinvalid") == 0;
}

/* Where control goes from a statement that ends its path. */
static void follow_jump(struct sinking *k, const struct ir_stmt *s)
{
    k->leaving = k->leaving || (s->kind == IR_BREAK && k->pending);
    k->continuing = k->continuing || (s->kind == IR_CONTINUE && k->pending);
    if (s->kind == IR_BREAK || s->kind == IR_CONTINUE || s->kind == IR_RETURN)
        k->pending = false;
}

static void sink_block(void *ctx, ir_block *block)
{
    struct sinking *k = ctx;
    ir_block out = {0};
    bool changed = false;
    vec_foreach (struct ir_stmt *, it, block) {
        struct ir_stmt *s = *it;
        bool needs = k->pending && needs_invalidate(k, s);
        if (needs)
            invalidate(k, &out, s->span);
        struct ir_stmt *visited = sink_stmt(k, s);
        vec_push(k->uses->arena, &out, visited);
        changed = changed || needs || visited != s;
        const struct ir_call *leaf = ir_leaf_call(s);
        if (is_invalidate_all(leaf))
            k->pending = false;
        else if (leaf && leaf->callee == IR_CALLEE_OP && leaf->op->effect == IR_EFFECT_WAIT)
            k->pending = true;
        follow_jump(k, s);
    }
    if (changed)
        *block = out;
}

ir_block acquire_at_use(const struct acquire_uses *u, ir_block body)
{
    struct sinking k = {.uses = u};
    sink_block(&k, &body);
    return body;
}
