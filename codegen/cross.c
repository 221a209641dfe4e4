/* SPDX-License-Identifier: MIT */
/*
 * Flags between cores, barriers of blocks, and pipes (pypto-ops-facts 3.3-3.5), as the library for
 * a2a3 has them (isa/ring.h).
 */
#include <string.h>

#include "codegen/internal.h"
#include "isa/ring.h"
#include "passes/pass.h"
#include "passes/rewrite.h"

enum { MAX_EVENT = 14 };

struct launch_ring {
    struct pipe_ring ring;
    int region;     /* that holds its slots, for each block of the launch */
    enum elem elem; /* the smallest that goes through */
};

struct pipes {
    VEC(struct launch_ring) rings;
    int flags; /* taken so far */
};

/* A step of the author that a sweep can take out. */
static void emit_by_hand(struct gen *g, struct insn i, const char *what)
{
    build_single(gen_builder(g), ORIGIN_HAND, i, what);
}

/* ---- flags ---- */

/* As pl.PipeType counts them. */
static bool pipe_of_keyword(struct gen *g, const struct ir_expr *e, enum pipe *pipe)
{
    static const enum pipe pipes[] = {PIPE_MTE1, PIPE_MTE2, PIPE_MTE3, PIPE_M,
                                      PIPE_V,    PIPE_S,    PIPE_FIX};
    int64_t i = ir_call_int(&e->call, "pipe");
    if (i < 0 || i >= (int64_t)(sizeof pipes / sizeof *pipes))
        return gen_error(g, e->span, "a cross-core flag is set behind one pipe");
    *pipe = pipes[i];
    return true;
}

static bool event_of(struct gen *g, const struct ir_expr *e, int *id)
{
    int64_t n = ir_call_int(&e->call, "event_id");
    const struct ir_expr *given = ir_kwarg_find(&e->call.kwargs, "event_id");
    if (e->call.args.len && given)
        return gen_error(g, e->span, "'%s' takes one number of a flag, not two", e->call.op->name);
    if (e->call.args.len &&
        !gen_const(g, e->call.args.items[0], "the number of a cross-core flag", &n))
        return false;
    if (n < 0 || n >= MAX_EVENT)
        return gen_error(g, e->span, "the number of a cross-core flag is 0 to %d", MAX_EVENT - 1);
    *id = (int)n;
    return true;
}

struct value gen_sync_set(struct gen *g, const struct ir_expr *e, const struct ir_var *target)
{
    (void)target;
    enum pipe pipe = PIPE_S;
    int id;
    int64_t mode = ir_call_int(&e->call, "ffts_mode");
    if (!pipe_of_keyword(g, e, &pipe) || !event_of(g, e, &id))
        return none;
    if (mode < 0 || mode >= CROSS_MODES) {
        gen_error(g, e->span, "ffts_mode is 0, 1 or 2");
        return none;
    }
    emit_by_hand(g, insn_set_cross(gen_like(g), pipe, (enum cross_mode)mode, id), "sync_set");
    return none;
}

/* Its pipe says nothing here: the scalar unit waits (pypto-ops-facts 3.4). */
struct value gen_sync_wait(struct gen *g, const struct ir_expr *e, const struct ir_var *target)
{
    (void)target;
    int id;
    if (!event_of(g, e, &id))
        return none;
    emit_by_hand(g, insn_wait_cross(gen_like(g), id), "sync_wait");
    return none;
}

/* Where flags lie, and what was only said about memory, needs no instruction. */
struct value gen_no_code(struct gen *g, const struct ir_expr *e, const struct ir_var *target)
{
    (void)g, (void)e, (void)target;
    return none;
}

/* An address in a core's own memory, which pipes through global memory do not need. */
struct value gen_buffer(struct gen *g, const struct ir_expr *e, const struct ir_var *target)
{
    (void)g, (void)e, (void)target;
    return (struct value){.kind = VAL_INT, .op = imm_operand(0)};
}

/* ---- barriers ---- */

static bool syncall_kind_of(struct gen *g, const struct ir_expr *e, enum syncall_kind *kind)
{
    const struct ir_expr *type = ir_kwarg_find(&e->call.kwargs, "core_type");
    const char *name = type && type->kind == IR_STRING ? type->string : "mix";
    for (int k = 0; k < SYNCALL_KIND_COUNT; k++)
        if (!strcmp(syncall_name((enum syncall_kind)k), name)) {
            *kind = (enum syncall_kind)k;
            return true;
        }
    return gen_error(g, e->span, "core_type of a syncall is \"mix\", \"aiv_only\" or \"aic_only\"");
}

/* The soft form counts arrivals in memory. */
static struct value soft_syncall(struct gen *g, const struct ir_expr *e, enum syncall_kind kind)
{
    struct macro_step steps[MACRO_STEPS];
    struct operand total;
    if (e->call.args.len < 2) {
        gen_error(g, e->span, "a soft syncall needs its workspace and used_cores");
        return none;
    }
    const struct tensor *t = gen_tensor_arg(g, e->call.args.items[0]);
    if (!t || !gen_int(g, e->call.args.items[1], &total))
        return none;
    struct operand addr = reg_operand(gen_in_reg(g, t->base));
    int reg = gen_reg(g, NULL);
    g->origin = ORIGIN_MACRO;
    struct operation_code *o = build_operation(gen_builder(g), OPERATION_MEETING);
    o->meets = kind;
    o->soft = true;
    o->counter = addr;
    o->total = total;
    gen_steps(g, steps, macro_syncall_soft(gen_like(g), addr, t->region, total, reg, steps), false);
    build_operation_end(gen_builder(g));
    g->origin = ORIGIN_USER;
    return none;
}

struct value gen_syncall(struct gen *g, const struct ir_expr *e, const struct ir_var *target)
{
    (void)target;
    const struct ir_expr *mode = ir_kwarg_find(&e->call.kwargs, "mode");
    enum syncall_kind kind = SYNCALL_MIX;
    if (!syncall_kind_of(g, e, &kind))
        return none;
    if (mode && mode->kind == IR_STRING && !strcmp(mode->string, "soft"))
        return soft_syncall(g, e, kind);
    struct macro_step steps[MACRO_STEPS];
    bool cube = g->func->type == IR_FUNC_AIC;
    g->origin = ORIGIN_MACRO;
    build_operation(gen_builder(g), OPERATION_MEETING)->meets = kind;
    gen_steps(g, steps, macro_syncall_hard(gen_like(g), kind, cube, steps), false);
    build_operation_end(gen_builder(g));
    g->origin = ORIGIN_USER;
    return none;
}

/* ---- the pipes of a launch ---- */

static struct launch_ring *find_ring(struct pipes *p, int64_t id)
{
    for (size_t i = 0; p && i < p->rings.len; i++)
        if (p->rings.items[i].ring.id == id)
            return &p->rings.items[i];
    return NULL;
}

struct pipe_search {
    struct gen *g;
    const char *launch;
    int blocks;
    struct pipes **pipes;
    bool failed;
};

static void add_ring(struct pipe_search *s, const struct ir_call *call, struct span at)
{
    struct gen *g = s->g;
    struct launch_ring r = {.ring.id = (int)ir_call_int(call, "id"), .elem = ELEM_F32};
    bool given = ir_kwarg_find(&call->kwargs, "slot_num") != NULL;
    int64_t slots = ir_call_int(call, "slot_num");
    if (!*s->pipes)
        *s->pipes = arena_new(g->arena, struct pipes);
    bool known =
        ring_describe(&r.ring, ir_call_int(call, "dir_mask"), ir_call_int(call, "slot_size"),
                      given ? slots : 0, &(*s->pipes)->flags);
    if (!known || (given && slots < RING_MIN_SLOTS) ||
        ring_bytes(&r.ring) > MAX_MEMORY / s->blocks) {
        s->failed = !gen_error(g, at, "'%s' needs a direction, 1 to %d slots and their size",
                               call->op->name, RING_MAX_SLOTS);
        return;
    }
    struct region memory = {.name = r.ring.id
                                        ? arena_printf(g->arena, "%s.pipe%d", s->launch, r.ring.id)
                                        : arena_printf(g->arena, "%s.pipe", s->launch),
                            .kind = REGION_LOCAL,
                            .size = (uint64_t)(ring_bytes(&r.ring) * s->blocks),
                            .elem = ELEM_F32,
                            .uninitialised = true};
    r.region = (int)g->regions.len;
    vec_push(g->arena, &g->regions, memory);
    vec_push(g->arena, &(*s->pipes)->rings, r);
}

static bool is_named(const struct ir_call *call, const char *name)
{
    return call && call->op && !strcmp(call->op->name, name);
}

/* Elements smaller than a word decide how finely memory is looked at. */
static void note_tile(struct pipe_search *s, const struct ir_call *call, const struct ir_type *t)
{
    struct launch_ring *r = find_ring(*s->pipes, ir_call_int(call, "id"));
    enum elem elem;
    if (r && t && elem_of_dtype(t->dtype, &elem) && elem_size(elem) < elem_size(r->elem)) {
        r->elem = elem;
        s->g->regions.items[r->region].elem = elem;
    }
}

static enum walk find_pipe(const struct ir_stmt *stmt, void *ctx)
{
    struct pipe_search *s = ctx;
    const struct ir_call *call = ir_leaf_call(stmt);
    if (is_named(call, "system.aic_initialize_pipe") ||
        is_named(call, "system.aiv_initialize_pipe")) {
        if (!find_ring(*s->pipes, ir_call_int(call, "id")))
            add_ring(s, call, stmt->span);
    } else if (call && call->op && !strncmp(call->op->name, "tile.tpush", 10) && call->args.len) {
        const struct ir_expr *e = call->args.items[0];
        note_tile(s, call, e->kind == IR_VAR ? e->var->type : e->type);
    }
    return s->failed ? WALK_FOUND : WALK_INTO;
}

bool cross_find_pipes(struct gen *g, const struct ir_func *f, const char *launch, int blocks,
                      struct pipes **pipes)
{
    struct pipe_search s = {g, launch, blocks, pipes, false};
    pass_find_stmt(&f->body, find_pipe, &s);
    return !s.failed;
}

/* ---- a task's ends of its pipes ---- */

void cross_begin_task(struct gen *g)
{
    for (size_t i = 0; g->pipes && i < g->pipes->rings.len; i++)
        ring_forget(&g->pipes->rings.items[i].ring);
}

static bool is_cube(const struct gen *g)
{
    return g->func->type == IR_FUNC_AIC;
}

struct value gen_initialize_pipe(struct gen *g, const struct ir_expr *e,
                                 const struct ir_var *target)
{
    (void)target;
    struct launch_ring *r = find_ring(g->pipes, ir_call_int(&e->call, "id"));
    if (r)
        ring_set_up(gen_builder(g), &r->ring, is_cube(g), r->region);
    else
        gen_error(g, e->span, "this function is no lane of a Group");
    return none;
}

/* The end of the pipe that pushes, or pops, in the direction of the operator. */
static struct launch_ring *end_of(struct gen *g, const struct ir_expr *e, bool push)
{
    struct launch_ring *r = find_ring(g->pipes, ir_call_int(&e->call, "id"));
    bool to_vector = strstr(e->call.op->name, push ? "to_aiv" : "from_aic") != NULL;
    if (r && ring_is_set_up(&r->ring, is_cube(g), push) && to_vector == (push == is_cube(g)))
        return r;
    gen_error(g, e->span, "'%s' has no pipe of its direction set up before it", e->call.op->name);
    return NULL;
}

static struct operand ring_memory(const struct gen *g, const struct launch_ring *r)
{
    return reg_operand(g->pipe_pointers + r->region);
}

/* The part of a slot that a lane's tile of rows x cols has: all of it, its rows, or its columns. */
static bool part_of_slot(struct gen *g, const struct ir_expr *e, int tile, struct operand slot,
                         struct region_arg *out)
{
    int64_t split = ir_call_int(&e->call, "split");
    if (!is_cube(g) && split > 2)
        return gen_error(g, e->span, "lanes with different parts of a tile are not modelled");
    out->addr =
        ring_part(gen_builder(g), slot, is_cube(g), split, tile, g->lane_index, &out->gm_stride);
    return true;
}

/* Memory that no argument of the function points to (pypto-ops-facts 4.3). */
static struct tensor slot_tensor(const struct gen *g, const struct launch_ring *r, int tile)
{
    return (struct tensor){.region = r->region,
                           .ndims = 2,
                           .elem = g->tiles.items[tile].elem,
                           .ctx = NO_REG,
                           .root = NO_REG};
}

static bool fits_slot(struct gen *g, const struct ir_expr *e, const struct launch_ring *r, int tile)
{
    const struct tile *t = &g->tiles.items[tile];
    int64_t bytes = (int64_t)t->rows * t->cols * elem_size(t->elem);
    return bytes <= r->ring.slot_bytes ||
           gen_error(g, e->span, "the tile has %lld bytes, a slot of the pipe %lld",
                     (long long)bytes, (long long)r->ring.slot_bytes);
}

struct value gen_tpush(struct gen *g, const struct ir_expr *e, const struct ir_var *target)
{
    (void)target;
    struct launch_ring *r = end_of(g, e, true);
    int tile = r ? gen_tile_arg(g, e->call.args.items[0]) : 0;
    struct region_arg part = {0};
    if (g->d->failed || !fits_slot(g, e, r, tile))
        return none;
    bool fix = g->spaces.items[tile] == IR_SPACE_ACC;
    struct operand slot =
        ring_begin_push(gen_builder(g), &r->ring, is_cube(g), ring_memory(g, r), g->block_index);
    if (!part_of_slot(g, e, tile, slot, &part) ||
        !gen_valid_extents(g, e->call.args.items[0], tile, &part.rows, &part.cols))
        return none;
    struct tensor t = slot_tensor(g, r, tile);
    gen_dma(g, fix ? I_FIX : I_MTE3, &t, tile, &part);
    ring_end_push(gen_builder(g), &r->ring, is_cube(g), fix ? PIPE_FIX : PIPE_MTE3);
    return none;
}

struct value gen_tpop(struct gen *g, const struct ir_expr *e, const struct ir_var *target)
{
    struct launch_ring *r = end_of(g, e, false);
    struct ir_expr typed = *e;
    typed.type = target && target->type ? target->type : e->type;
    int tile = r ? gen_result_tile(g, &typed, target) : 0;
    if (g->d->failed || !fits_slot(g, e, r, tile))
        return none;
    const struct tile *x = &g->tiles.items[tile];
    struct region_arg part = {.rows = imm_operand(x->rows), .cols = imm_operand(x->cols)};
    gen_set_whole(g, tile);
    if (ir_valid_view(typed.type)) {
        if (!gen_valid_extents(g, &typed, tile, &part.rows, &part.cols))
            return none;
        gen_set_valid(g, tile, part.rows, part.cols);
    }
    ring_begin_pop(gen_builder(g), &r->ring, is_cube(g));
    struct operand slot =
        ring_pop_slot(gen_builder(g), &r->ring, is_cube(g), ring_memory(g, r), g->block_index);
    if (!part_of_slot(g, e, tile, slot, &part))
        return none;
    struct tensor t = slot_tensor(g, r, tile);
    gen_dma(g, I_MTE2, &t, tile, &part);
    ring_end_pop(gen_builder(g), &r->ring, is_cube(g));
    return (struct value){.kind = VAL_TILE, .tile = tile};
}

struct value gen_tfree(struct gen *g, const struct ir_expr *e, const struct ir_var *target)
{
    (void)target;
    const struct launch_ring *r = find_ring(g->pipes, ir_call_int(&e->call, "id"));
    if (r)
        ring_free(gen_builder(g), &r->ring, ir_call_int(&e->call, "split"));
    return none;
}

void cross_end_task(struct gen *g)
{
    for (size_t i = 0; g->pipes && i < g->pipes->rings.len; i++)
        ring_end_task(gen_builder(g), &g->pipes->rings.items[i].ring, is_cube(g));
}
