/* SPDX-License-Identifier: MIT */
/*
 * Flags between cores, barriers of blocks, and pipes (pypto-ops-facts 3.3-3.5), as the library for
 * a2a3 has them. A pipe between the cube core and the vector cores of a cluster is a ring of slots
 * in memory for each of its directions; both ends count what they push and pop in registers of the
 * task, which start at 0.
 */
#include <string.h>

#include "codegen/internal.h"
#include "passes/pass.h"
#include "passes/rewrite.h"

enum { MAX_EVENT = 14, MIN_SLOTS = 1, MAX_SLOTS = 64 };

struct pipe_ring {
    int id;                    /* of the pipe */
    bool to_vector, to_cube;   /* its directions */
    int64_t slot_bytes, slots; /* of each direction */
    int region;                /* that holds them, for each block of the launch */
    enum elem elem;            /* the smallest that goes through */
    int flag;                  /* the first of its flags */
    int pushes, pops, credits; /* registers of the task at hand: tiles so far, credits taken */
};

struct pipes {
    VEC(struct pipe_ring) rings;
    int flags; /* taken so far */
};

/* A step that a sweep can take out, of the library or of the author. */
static void emit_site(struct gen *g, enum origin_kind origin, struct insn i, const char *what)
{
    enum origin_kind outer = g->origin;
    g->origin = origin;
    gen_site_begin(g, what, -1);
    i.origin = (uint8_t)origin;
    i.site = g->site;
    gen_emit(g, i);
    gen_site_end(g);
    g->origin = outer;
}

static void emit_macro(struct gen *g, struct insn i, const char *what)
{
    emit_site(g, ORIGIN_MACRO, i, what);
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
    emit_site(g, ORIGIN_HAND, insn_set_cross(gen_like(g), pipe, (enum cross_mode)mode, id),
              "sync_set");
    return none;
}

/* Its pipe says nothing here: the scalar unit waits (pypto-ops-facts 3.4). */
struct value gen_sync_wait(struct gen *g, const struct ir_expr *e, const struct ir_var *target)
{
    (void)target;
    int id;
    if (!event_of(g, e, &id))
        return none;
    emit_site(g, ORIGIN_HAND, insn_wait_cross(gen_like(g), id), "sync_wait");
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
static struct value soft_syncall(struct gen *g, const struct ir_expr *e)
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
    gen_steps(g, steps, macro_syncall_soft(gen_like(g), addr, t->region, total, reg, steps), false);
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
        return soft_syncall(g, e);
    struct macro_step steps[MACRO_STEPS];
    bool cube = g->func->type == IR_FUNC_AIC;
    g->origin = ORIGIN_MACRO;
    gen_steps(g, steps, macro_syncall_hard(gen_like(g), kind, cube, steps), false);
    g->origin = ORIGIN_USER;
    return none;
}

/* ---- the pipes of a launch ---- */

static struct pipe_ring *find_ring(struct pipes *p, int64_t id)
{
    for (size_t i = 0; p && i < p->rings.len; i++)
        if (p->rings.items[i].id == id)
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
    int64_t mask = ir_call_int(call, "dir_mask"), slots = ir_call_int(call, "slot_num"),
            bytes = ir_call_int(call, "slot_size");
    struct pipe_ring r = {.id = (int)ir_call_int(call, "id"),
                          .to_vector = mask & 1,
                          .to_cube = (mask & 2) != 0,
                          .slot_bytes = bytes,
                          .elem = ELEM_F32};
    bool both = r.to_vector && r.to_cube;
    r.slots = ir_kwarg_find(&call->kwargs, "slot_num") ? slots : both ? 4 : 8;
    if (mask < 1 || mask > 3 || bytes < 1 || bytes > MAX_MEMORY / (MAX_SLOTS * s->blocks) ||
        r.slots < MIN_SLOTS || r.slots > MAX_SLOTS) {
        s->failed = !gen_error(g, at, "'%s' needs a direction, 1 to %d slots and their size",
                               call->op->name, MAX_SLOTS);
        return;
    }
    if (!*s->pipes)
        *s->pipes = arena_new(g->arena, struct pipes);
    r.flag = (*s->pipes)->flags;
    (*s->pipes)->flags += both ? 4 : 2;
    uint64_t size = (uint64_t)(bytes * r.slots * (both ? 2 : 1) * s->blocks);
    struct region memory = {.name = r.id ? arena_printf(g->arena, "%s.pipe%d", s->launch, r.id)
                                         : arena_printf(g->arena, "%s.pipe", s->launch),
                            .kind = REGION_LOCAL,
                            .size = size,
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
    struct pipe_ring *r = find_ring(*s->pipes, ir_call_int(call, "id"));
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
    for (size_t i = 0; g->pipes && i < g->pipes->rings.len; i++) {
        struct pipe_ring *r = &g->pipes->rings.items[i];
        r->pushes = r->pops = r->credits = NO_REG;
    }
}

static int counter(struct gen *g, const char *name)
{
    int reg = gen_reg(g, name);
    gen_move(g, reg, imm_operand(0));
    return reg;
}

static bool is_cube(const struct gen *g)
{
    return g->func->type == IR_FUNC_AIC;
}

struct value gen_initialize_pipe(struct gen *g, const struct ir_expr *e,
                                 const struct ir_var *target)
{
    (void)target;
    struct pipe_ring *r = find_ring(g->pipes, ir_call_int(&e->call, "id"));
    if (!r) {
        gen_error(g, e->span, "this function is no lane of a Group");
        return none;
    }
    bool pushes = is_cube(g) ? r->to_vector : r->to_cube,
         pops = is_cube(g) ? r->to_cube : r->to_vector;
    if (pushes) {
        r->pushes = counter(g, "pushes");
        r->credits = counter(g, "credits");
    }
    if (pops)
        r->pops = counter(g, "pops");
    return none;
}

/* The end of the pipe that pushes, or pops, in the direction of the operator. */
static struct pipe_ring *end_of(struct gen *g, const struct ir_expr *e, bool push)
{
    struct pipe_ring *r = find_ring(g->pipes, ir_call_int(&e->call, "id"));
    int reg = !r ? NO_REG : push ? r->pushes : r->pops;
    bool to_vector = strstr(e->call.op->name, push ? "to_aiv" : "from_aic") != NULL;
    if (reg == NO_REG || !(to_vector ? r->to_vector : r->to_cube) ||
        to_vector != (push == is_cube(g))) {
        gen_error(g, e->span, "'%s' has no pipe of its direction set up before it",
                  e->call.op->name);
        return NULL;
    }
    return r;
}

static struct ring ring_of(const struct pipe_ring *r, bool to_cube)
{
    return (struct ring){.slots = (int)r->slots,
                         .flag = r->flag,
                         .to_cube = to_cube,
                         .both = r->to_vector && r->to_cube};
}

/* The place of tile number n, in the slots of the block. */
static struct operand slot_address(struct gen *g, const struct pipe_ring *r, int n, bool to_cube)
{
    bool both = r->to_vector && r->to_cube;
    int64_t direction = r->slots * r->slot_bytes;
    struct operand at = gen_alu(g, ALU_MOD, reg_operand(n), imm_operand(r->slots));
    at = gen_alu(g, ALU_MUL, at, imm_operand(r->slot_bytes));
    if (to_cube && both)
        at = gen_alu(g, ALU_ADD, at, imm_operand(direction));
    struct operand block =
        gen_alu(g, ALU_MUL, g->block_index, imm_operand(direction * (both ? 2 : 1)));
    return gen_alu(g, ALU_ADD, reg_operand(g->pipe_pointers + r->region),
                   gen_alu(g, ALU_ADD, at, block));
}

/* The part of a slot that a lane's tile of rows x cols has: all of it, its rows, or its columns. */
static bool part_of_slot(struct gen *g, const struct ir_expr *e, int tile, struct operand slot,
                         struct region_arg *out)
{
    const struct tile *t = &g->tiles.items[tile];
    int64_t split = is_cube(g) ? 0 : ir_call_int(&e->call, "split"),
            row = (int64_t)t->cols * elem_size(t->elem), shift = 0;
    if (split > 2)
        return gen_error(g, e->span, "lanes with different parts of a tile are not modelled");
    if (split == 1)
        shift = t->rows * row;
    if (split == 2)
        shift = row;
    out->gm_stride = split == 2 ? 2 * row : row;
    out->addr = gen_alu(g, ALU_ADD, slot, gen_alu(g, ALU_MUL, g->lane_index, imm_operand(shift)));
    return true;
}

/* Memory that no argument of the function points to (pypto-ops-facts 4.3). */
static struct tensor slot_tensor(const struct gen *g, const struct pipe_ring *r, int tile)
{
    return (struct tensor){.region = r->region,
                           .ndims = 2,
                           .elem = g->tiles.items[tile].elem,
                           .ctx = NO_REG,
                           .root = NO_REG};
}

/* if pushes >= slots and pushes % period == 0: wait until slots were given back */
static void await_slot(struct gen *g, struct pipe_ring *r, const struct ring *ring)
{
    struct operand n = reg_operand(r->pushes), full = gen_alu(g, ALU_GE, n, imm_operand(r->slots)),
                   first =
                       gen_alu(g, ALU_EQ, gen_alu(g, ALU_MOD, n, imm_operand(ring_period(ring))),
                               imm_operand(0));
    int skip = gen_branch(g, I_BZ, gen_in_reg(g, gen_alu(g, ALU_AND, full, first)));
    emit_macro(g, ring_take_credit(gen_like(g), ring), "tpush wait for a slot");
    gen_step(g, r->credits, 1);
    gen_patch_here(g, skip);
    vec_push(g->arena, &g->flows, (struct flow_code){skip, gen_here(g), gen_here(g), false});
}

static bool fits_slot(struct gen *g, const struct ir_expr *e, const struct pipe_ring *r, int tile)
{
    const struct tile *t = &g->tiles.items[tile];
    int64_t bytes = (int64_t)t->rows * t->cols * elem_size(t->elem);
    return bytes <= r->slot_bytes ||
           gen_error(g, e->span, "the tile has %lld bytes, a slot of the pipe %lld",
                     (long long)bytes, (long long)r->slot_bytes);
}

struct value gen_tpush(struct gen *g, const struct ir_expr *e, const struct ir_var *target)
{
    (void)target;
    struct pipe_ring *r = end_of(g, e, true);
    int tile = r ? gen_tile_arg(g, e->call.args.items[0]) : 0;
    struct region_arg part = {0};
    if (g->d->failed || !fits_slot(g, e, r, tile))
        return none;
    struct ring ring = ring_of(r, !is_cube(g));
    bool fix = g->spaces.items[tile] == IR_SPACE_ACC;
    await_slot(g, r, &ring);
    struct operand slot = slot_address(g, r, r->pushes, !is_cube(g));
    if (!part_of_slot(g, e, tile, slot, &part) ||
        !gen_valid_extents(g, e->call.args.items[0], tile, &part.rows, &part.cols))
        return none;
    struct tensor t = slot_tensor(g, r, tile);
    gen_dma(g, fix ? I_FIX : I_MTE3, &t, tile, &part);
    emit_macro(g, ring_pushed(gen_like(g), &ring, fix ? PIPE_FIX : PIPE_MTE3), "tpush set");
    gen_step(g, r->pushes, 1);
    return none;
}

/* if (pops + 1) % period == 0: give back as many slots; pops was counted up already */
static void give_slots_back(struct gen *g, struct pipe_ring *r, const struct ring *ring)
{
    int period = ring_period(ring), skip = -1;
    if (period > 1)
        skip = gen_branch(
            g, I_BNZ,
            gen_in_reg(g, gen_alu(g, ALU_MOD, reg_operand(r->pops), imm_operand(period))));
    emit_macro(g, ring_give_credit(gen_like(g), ring), "tpop set: slots are free");
    if (skip < 0)
        return;
    gen_patch_here(g, skip);
    vec_push(g->arena, &g->flows, (struct flow_code){skip, gen_here(g), gen_here(g), false});
}

struct value gen_tpop(struct gen *g, const struct ir_expr *e, const struct ir_var *target)
{
    struct pipe_ring *r = end_of(g, e, false);
    struct ir_expr typed = *e;
    typed.type = target && target->type ? target->type : e->type;
    int tile = r ? gen_result_tile(g, &typed, target) : 0;
    if (g->d->failed || !fits_slot(g, e, r, tile))
        return none;
    struct ring ring = ring_of(r, is_cube(g));
    const struct tile *x = &g->tiles.items[tile];
    struct region_arg part = {.rows = imm_operand(x->rows), .cols = imm_operand(x->cols)};
    gen_set_whole(g, tile);
    if (ir_valid_view(typed.type)) {
        if (!gen_valid_extents(g, &typed, tile, &part.rows, &part.cols))
            return none;
        gen_set_valid(g, tile, part.rows, part.cols);
    }
    emit_macro(g, ring_await_push(gen_like(g), &ring), "tpop wait");
    struct operand slot = slot_address(g, r, r->pops, is_cube(g));
    if (!part_of_slot(g, e, tile, slot, &part))
        return none;
    struct tensor t = slot_tensor(g, r, tile);
    gen_dma(g, I_MTE2, &t, tile, &part);
    gen_step(g, r->pops, 1);
    give_slots_back(g, r, &ring);
    return (struct value){.kind = VAL_TILE, .tile = tile};
}

/* What the other side gave back, or will, is taken before the next task of the cluster could. */
void cross_end_task(struct gen *g)
{
    for (size_t i = 0; g->pipes && i < g->pipes->rings.len; i++) {
        struct pipe_ring *r = &g->pipes->rings.items[i];
        if (r->pushes == NO_REG)
            continue;
        struct ring ring = ring_of(r, !is_cube(g));
        struct operand due =
            gen_alu(g, ALU_FLOORDIV, reg_operand(r->pushes), imm_operand(ring_period(&ring)));
        int top = gen_here(g);
        int exit =
            gen_branch(g, I_BZ, gen_in_reg(g, gen_alu(g, ALU_LT, reg_operand(r->credits), due)));
        emit_macro(g, ring_take_credit(gen_like(g), &ring), "end of a pipe: wait for its slots");
        gen_step(g, r->credits, 1);
        gen_branch_to(g, I_JMP, NO_REG, top);
        gen_patch_here(g, exit);
        vec_push(g->arena, &g->flows, (struct flow_code){top, exit + 1, gen_here(g), true});
    }
}
