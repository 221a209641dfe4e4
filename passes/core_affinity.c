/* SPDX-License-Identifier: MIT */
#include "passes/core_affinity.h"

#include <string.h>

#include "ir/infer.h"
#include "ir/ops.h"
#include "ir/space.h"
#include "passes/pass.h"
#include "passes/rewrite.h"

enum { MAX_CALLS = 16 };

/* Operators whose lane does not follow from memory (pypto-ops-facts 3.1). A name that ends in a dot
 * stands for all that begin with it. */
static const struct {
    const char *name;
    enum core_affinity core;
} stated[] = {
    {"tile.create", CORE_SHARED},
    {"tile.get_block_idx", CORE_SHARED},
    {"tile.get_block_num", CORE_SHARED},
    {"tile.get_subblock_idx", CORE_VECTOR},
    {"tile.alloc", CORE_VECTOR},
    {"tile.tpush_to_aiv", CORE_CUBE},
    {"tile.tpush_to_aic", CORE_VECTOR},
    {"tile.tpop_from_aic", CORE_VECTOR},
    {"tile.tpop_from_aiv", CORE_CUBE},
    {"system.tfree_to_aic", CORE_VECTOR},
    {"system.tfree_to_aiv", CORE_CUBE},
    {"system.aic_initialize_pipe", CORE_CUBE},
    {"system.aiv_initialize_pipe", CORE_VECTOR},
    {"tile.aiv_shard", CORE_MIXED},
    {"tile.aic_gather", CORE_MIXED},
    {"tensor.aiv_shard", CORE_MIXED},
    {"tensor.aic_gather", CORE_MIXED},
    {"pld.tile.put", CORE_VECTOR},
    {"pld.tile.get", CORE_VECTOR},
    {"pld.tensor.put", CORE_VECTOR},
    {"pld.tensor.get", CORE_VECTOR},
    {"prefetch.", CORE_VECTOR},
};

static bool find_stated(const char *name, enum core_affinity *core)
{
    for (size_t i = 0; i < sizeof stated / sizeof *stated; i++) {
        size_t n = strlen(stated[i].name);
        bool group = stated[i].name[n - 1] == '.';
        if (group ? strncmp(stated[i].name, name, n) == 0 : strcmp(stated[i].name, name) == 0) {
            *core = stated[i].core;
            return true;
        }
    }
    return false;
}

static enum core_affinity core_of_space(enum ir_space s)
{
    return s == IR_SPACE_VEC ? CORE_VECTOR : CORE_CUBE;
}

/* Flags and barriers say it in a keyword; without it each core performs them. */
static enum core_affinity of_core_type(const struct ir_call *call)
{
    const struct ir_expr *type = ir_kwarg_find(&call->kwargs, "core_type");
    if (!type || type->kind != IR_STRING)
        return CORE_SHARED;
    return strncmp(type->string, "aic", 3) == 0   ? CORE_CUBE
           : strncmp(type->string, "aiv", 3) == 0 ? CORE_VECTOR
                                                  : CORE_SHARED;
}

static bool is_tile(const struct ir_expr *e)
{
    return e->type && e->type->kind == IR_TYPE_TILE;
}

static const struct ir_expr *first_tile(const struct ir_call *call)
{
    vec_foreach (struct ir_expr *, e, &call->args)
        if (is_tile(*e) ||
            ((*e)->kind == IR_VAR && (*e)->var->type && (*e)->var->type->kind == IR_TYPE_TILE))
            return *e;
    return NULL;
}

enum core_crossing core_crossing_of(const struct map *spaces, const struct ir_expr *call)
{
    if (call->kind != IR_CALL || !call->call.op)
        return CROSSES_NOT;
    const char *name = call->call.op->name;
    if (!strcmp(name, "tile.aiv_shard"))
        return CROSSES_TO_VECTOR;
    if (!strcmp(name, "tile.aic_gather"))
        return CROSSES_TO_CUBE;
    if (strcmp(name, "tile.move") != 0 || call->call.args.len == 0)
        return CROSSES_NOT;
    enum core_affinity from = core_of_space(ir_space_of(spaces, call->call.args.items[0])),
                       to = core_of_space(ir_space_of(spaces, call));
    return from == to ? CROSSES_NOT : to == CORE_VECTOR ? CROSSES_TO_VECTOR : CROSSES_TO_CUBE;
}

/* A region of pl.split_aiv is the text of the vector lanes: LowerAutoVectorSplit writes that on the
 * calls that would else be every core's, once its scope is gone. */
static bool placed_on_vector(const struct ir_call *call)
{
    const struct ir_expr *at = ir_kwarg_find(&call->attrs, "core_placement");
    return at && at->kind == IR_STRING && !strcmp(at->string, "aiv");
}

enum core_affinity core_affinity_of(const struct map *spaces, const struct ir_expr *call)
{
    if (call->kind != IR_CALL || call->call.callee != IR_CALLEE_OP)
        return CORE_SHARED;
    const struct ir_op *op = call->call.op;
    enum core_affinity core;
    if (find_stated(op->name, &core))
        return core;
    if (!strcmp(op->name, "system.sync_set") || !strcmp(op->name, "system.sync_wait") ||
        !strcmp(op->name, "system.syncall"))
        return of_core_type(&call->call);
    if (core_crossing_of(spaces, call) != CROSSES_NOT)
        return CORE_MIXED;
    const struct ir_expr *tile = first_tile(&call->call);
    bool states = op->spaces && strchr(op->spaces, '>') && !strstr(op->spaces, ">=");
    if (!strcmp(op->name, "tile.move"))
        states = false; /* within one kind of core */
    if (states && is_tile(call))
        return core_of_space(ir_space_of(spaces, call));
    if (tile)
        return core_of_space(ir_space_of(spaces, tile));
    return placed_on_vector(&call->call) ? CORE_VECTOR : CORE_SHARED;
}

/* ---- statements ---- */

struct affinity {
    const struct ir_program *prog;
    const struct map *spaces;
    enum core_affinity core;
    int calls;
};

static void add_block(struct affinity *a, const ir_block *block);

static bool add_call(const struct ir_expr *e, void *ctx)
{
    struct affinity *a = ctx;
    if (e->kind != IR_CALL)
        return true;
    a->core |= core_affinity_of(a->spaces, e);
    const struct ir_func *f =
        e->call.callee == IR_CALLEE_USER && a->prog ? ir_find_func(a->prog, e->call.name) : NULL;
    if (f && ir_func_is_incore(f) && a->calls < MAX_CALLS) {
        struct map spaces = {.arena = a->prog->arena};
        ir_space_collect(&spaces, f);
        struct affinity inner = {a->prog, &spaces, CORE_SHARED, a->calls + 1};
        add_block(&inner, &f->body);
        a->core |= inner.core;
    }
    return true;
}

static void add_stmt(struct affinity *a, const struct ir_stmt *s)
{
    ir_block *inner[PASS_MAX_BLOCKS];
    size_t n = pass_child_blocks((struct ir_stmt *)s, inner);
    if (s->kind != IR_SCOPE)
        pass_walk_stmt(s, add_call, a);
    for (size_t i = 0; i < n; i++)
        add_block(a, inner[i]);
}

static void add_block(struct affinity *a, const ir_block *block)
{
    vec_foreach (struct ir_stmt *, s, block)
        add_stmt(a, *s);
}

enum core_affinity core_affinity_of_stmt(const struct ir_program *p, const struct map *spaces,
                                         const struct ir_stmt *s)
{
    struct affinity a = {p, spaces, CORE_SHARED, 0};
    add_stmt(&a, s);
    return a.core;
}

enum core_affinity core_affinity_of_block(const struct ir_program *p, const struct map *spaces,
                                          const ir_block *block)
{
    struct affinity a = {p, spaces, CORE_SHARED, 0};
    add_block(&a, block);
    return a.core;
}

enum core_affinity core_affinity_of_func(const struct ir_program *p, const struct ir_func *f)
{
    struct map spaces = {.arena = p->arena};
    ir_space_collect(&spaces, f);
    return core_affinity_of_block(p, &spaces, &f->body);
}
