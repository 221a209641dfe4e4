/* SPDX-License-Identifier: MIT */
#include "passes/read_back.h"

#include "ir/ops.h"
#include "passes/pass.h"
#include "passes/rewrite.h"

/* ---- sets of variables that may be one tensor ---- */

struct alias_set {
    struct alias_set *parent; /* NULL: it stands for its set */
    bool read;                /* of the set, where parent is NULL */
};

static struct alias_set *set_of(struct alias_set *n)
{
    while (n->parent)
        n = n->parent;
    return n;
}

static struct alias_set *node_of(struct read_back *r, const struct ir_var *v)
{
    struct alias_set *n = map_get(&r->nodes, v);
    if (!n) {
        n = arena_new(r->arena, struct alias_set);
        map_put(&r->nodes, v, n);
    }
    return set_of(n);
}

static void unite(struct read_back *r, const struct ir_var *x, const struct ir_expr *e)
{
    if (e->kind != IR_VAR)
        return;
    struct alias_set *to = node_of(r, e->var), *from = node_of(r, x);
    if (from == to)
        return;
    to->read = to->read || from->read;
    from->parent = to;
}

static void unite_each(struct read_back *r, const ir_vars *vars, const ir_exprs *values)
{
    for (size_t i = 0; i < vars->len && i < values->len; i++)
        unite(r, vars->items[i], values->items[i]);
}

static bool is_tensor(const struct ir_expr *e)
{
    return ir_type_is_tensor_like(e->type);
}

/* ---- reads ---- */

/* What a call does not read: the tensor that it writes, and the one under a view that it makes. */
static bool reads_argument(const struct ir_call *call, const struct ir_expr *value, size_t i)
{
    if (call->callee != IR_CALLEE_OP)
        return true;
    if (call->op->effect == IR_EFFECT_MARKER || (int)i == call->op->target)
        return false;
    return call->op->effect != IR_EFFECT_PURE || !is_tensor(value);
}

static bool note_reads(const struct ir_expr *e, void *ctx)
{
    struct read_back *r = ctx;
    if (e->kind != IR_CALL)
        return true;
    for (size_t i = 0; i < e->call.args.len; i++) {
        const struct ir_expr *arg = e->call.args.items[i];
        if (arg->kind == IR_VAR && is_tensor(arg) && reads_argument(&e->call, e, i))
            node_of(r, arg->var)->read = true;
    }
    return true;
}

/* ---- statements ---- */

/* A tensor made by a call may be any tensor that the call was given. */
static void note_assign(struct read_back *r, const struct ir_stmt *s)
{
    const struct ir_expr *value = s->assign.value;
    for (size_t t = 0; t < s->assign.targets.len; t++) {
        unite(r, s->assign.targets.items[t], value);
        for (size_t i = 0; value->kind == IR_CALL && i < value->call.args.len; i++)
            if (is_tensor(value->call.args.items[i]))
                unite(r, s->assign.targets.items[t], value->call.args.items[i]);
    }
}

/* What a block yields is what the statement around it results in and, in a loop, carries. */
static void note_carried(struct read_back *r, const struct ir_stmt *s)
{
    const bool loop = s->kind == IR_FOR || s->kind == IR_WHILE;
    const ir_vars *carried = s->kind == IR_FOR ? &s->for_.iter_args : &s->while_.iter_args;
    const ir_vars *results = s->kind == IR_FOR     ? &s->for_.results
                             : s->kind == IR_WHILE ? &s->while_.results
                                                   : &s->if_.results;
    if (loop) {
        const ir_exprs *inits = s->kind == IR_FOR ? &s->for_.inits : &s->while_.inits;
        unite_each(r, carried, inits);
        unite_each(r, results, inits);
    }
    ir_block *blocks[PASS_MAX_BLOCKS];
    size_t n = pass_child_blocks((struct ir_stmt *)s, blocks);
    for (size_t b = 0; b < n; b++) {
        const struct ir_stmt *yield = ir_block_yield(blocks[b]);
        if (yield)
            unite_each(r, results, &yield->yield.values);
    }
}

static void collect_block(struct read_back *r, const ir_block *block)
{
    vec_foreach (struct ir_stmt *, it, block) {
        struct ir_stmt *s = *it;
        pass_walk_stmt(s, note_reads, r);
        if (s->kind == IR_ASSIGN)
            note_assign(r, s);
        else if (s->kind == IR_FOR || s->kind == IR_WHILE || s->kind == IR_IF)
            note_carried(r, s);
        ir_block *blocks[PASS_MAX_BLOCKS];
        size_t n = pass_child_blocks(s, blocks);
        for (size_t b = 0; b < n; b++)
            collect_block(r, blocks[b]);
    }
}

void read_back_collect(struct read_back *r, struct arena *a, const ir_block *body)
{
    *r = (struct read_back){.arena = a, .nodes = {.arena = a}};
    collect_block(r, body);
}

bool read_back_has(const struct read_back *r, const struct ir_var *v)
{
    struct alias_set *n = map_get(&r->nodes, v);
    return n && set_of(n)->read;
}
