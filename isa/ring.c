/* SPDX-License-Identifier: MIT */
#include "isa/ring.h"

static struct ring ring_of(const struct pipe_ring *r, bool to_cube)
{
    return (struct ring){.slots = (int)r->slots,
                         .flag = r->flag,
                         .to_cube = to_cube,
                         .both = r->to_vector && r->to_cube};
}

static void emit_macro(struct builder *b, struct insn i, const char *what)
{
    build_single(b, ORIGIN_MACRO, i, what);
}

/* ---- a ring ---- */

bool ring_describe(struct pipe_ring *r, int64_t mask, int64_t slot_bytes, int64_t slots, int *flags)
{
    bool both = mask == 3;
    r->to_vector = mask & 1;
    r->to_cube = (mask & 2) != 0;
    r->slot_bytes = slot_bytes;
    r->slots = slots ? slots : both ? 4 : 8;
    r->flag = *flags;
    *flags += both ? 4 : 2;
    return mask >= 1 && mask <= 3 && slot_bytes >= 1 && slot_bytes <= MAX_MEMORY / RING_MAX_SLOTS &&
           r->slots >= RING_MIN_SLOTS && r->slots <= RING_MAX_SLOTS;
}

int64_t ring_bytes(const struct pipe_ring *r)
{
    return r->slot_bytes * r->slots * (r->to_vector && r->to_cube ? 2 : 1);
}

/* ---- the ends of a task ---- */

void ring_forget(struct pipe_ring *r)
{
    r->pushes = r->pops = r->credits = NO_REG;
}

static int counter(struct builder *b, const char *name)
{
    int reg = build_reg(b, name);
    build_move(b, reg, imm_operand(0));
    return reg;
}

static void begin(struct builder *b, enum operation_kind kind, const struct pipe_ring *r)
{
    build_operation(b, kind)->ring = r;
}

void ring_set_up(struct builder *b, struct pipe_ring *r, bool cube, int region)
{
    struct operation_code *o = build_operation(b, OPERATION_PIPE);
    o->ring = r;
    o->region = region;
    if (cube ? r->to_vector : r->to_cube) {
        r->pushes = counter(b, "pushes");
        r->credits = counter(b, "credits");
    }
    if (cube ? r->to_cube : r->to_vector)
        r->pops = counter(b, "pops");
    build_operation_end(b);
}

bool ring_is_set_up(const struct pipe_ring *r, bool cube, bool push)
{
    return (push ? r->pushes : r->pops) != NO_REG && (cube == push ? r->to_vector : r->to_cube);
}

/* The place of tile number n, in the slots of the block. */
static struct operand slot_address(struct builder *b, const struct pipe_ring *r, int n,
                                   bool to_cube, struct operand base, struct operand block)
{
    bool both = r->to_vector && r->to_cube;
    struct operand at = build_alu(b, ALU_MOD, reg_operand(n), imm_operand(r->slots));
    at = build_alu(b, ALU_MUL, at, imm_operand(r->slot_bytes));
    if (to_cube && both)
        at = build_alu(b, ALU_ADD, at, imm_operand(r->slots * r->slot_bytes));
    block = build_alu(b, ALU_MUL, block, imm_operand(ring_bytes(r)));
    return build_alu(b, ALU_ADD, base, build_alu(b, ALU_ADD, at, block));
}

/* if pushes >= slots and pushes % period == 0: wait until slots were given back */
static void await_slot(struct builder *b, struct pipe_ring *r, const struct ring *ring)
{
    struct operand n = reg_operand(r->pushes),
                   full = build_alu(b, ALU_GE, n, imm_operand(r->slots)),
                   first = build_alu(b, ALU_EQ,
                                     build_alu(b, ALU_MOD, n, imm_operand(ring_period(ring))),
                                     imm_operand(0));
    int skip = build_branch(b, I_BZ, build_in_reg(b, build_alu(b, ALU_AND, full, first)));
    emit_macro(b, ring_take_credit(build_like(b), ring), "tpush wait for a slot");
    build_step(b, r->credits, 1);
    build_patch_here(b, skip);
    vec_push(b->arena, &b->flows, (struct flow_code){skip, build_here(b), build_here(b), false});
}

struct operand ring_begin_push(struct builder *b, struct pipe_ring *r, bool cube,
                               struct operand base, struct operand block)
{
    struct ring ring = ring_of(r, !cube);
    begin(b, OPERATION_PUSH, r);
    await_slot(b, r, &ring);
    return slot_address(b, r, r->pushes, !cube, base, block);
}

void ring_end_push(struct builder *b, struct pipe_ring *r, bool cube, enum pipe pipe)
{
    struct ring ring = ring_of(r, !cube);
    emit_macro(b, ring_pushed(build_like(b), &ring, pipe), "tpush set");
    build_step(b, r->pushes, 1);
    build_operation_end(b);
}

void ring_begin_pop(struct builder *b, struct pipe_ring *r, bool cube)
{
    struct ring ring = ring_of(r, cube);
    begin(b, OPERATION_POP, r);
    emit_macro(b, ring_await_push(build_like(b), &ring), "tpop wait");
}

struct operand ring_pop_slot(struct builder *b, struct pipe_ring *r, bool cube, struct operand base,
                             struct operand block)
{
    return slot_address(b, r, r->pops, cube, base, block);
}

/* if (pops + 1) % period == 0: give back as many slots; pops was counted up already */
static void give_slots_back(struct builder *b, struct pipe_ring *r, const struct ring *ring)
{
    int period = ring_period(ring), skip = -1;
    if (period > 1)
        skip = build_branch(
            b, I_BNZ,
            build_in_reg(b, build_alu(b, ALU_MOD, reg_operand(r->pops), imm_operand(period))));
    emit_macro(b, ring_give_credit(build_like(b), ring), "tpop set: slots are free");
    if (skip < 0)
        return;
    build_patch_here(b, skip);
    vec_push(b->arena, &b->flows, (struct flow_code){skip, build_here(b), build_here(b), false});
}

void ring_end_pop(struct builder *b, struct pipe_ring *r, bool cube)
{
    struct ring ring = ring_of(r, cube);
    build_step(b, r->pops, 1);
    give_slots_back(b, r, &ring);
    build_operation_end(b);
}

void ring_free(struct builder *b, const struct pipe_ring *r, int64_t split)
{
    struct operation_code *o = build_operation(b, OPERATION_FREE);
    o->ring = r;
    o->split = split;
}

void ring_end_task(struct builder *b, struct pipe_ring *r, bool cube)
{
    if (r->pushes == NO_REG)
        return;
    struct ring ring = ring_of(r, !cube);
    begin(b, OPERATION_PIPE_END, r);
    struct operand due =
        build_alu(b, ALU_FLOORDIV, reg_operand(r->pushes), imm_operand(ring_period(&ring)));
    int top = build_here(b);
    int exit =
        build_branch(b, I_BZ, build_in_reg(b, build_alu(b, ALU_LT, reg_operand(r->credits), due)));
    emit_macro(b, ring_take_credit(build_like(b), &ring), "end of a pipe: wait for its slots");
    build_step(b, r->credits, 1);
    build_branch_to(b, I_JMP, NO_REG, top);
    build_patch_here(b, exit);
    vec_push(b->arena, &b->flows, (struct flow_code){top, exit + 1, build_here(b), true});
    build_operation_end(b);
}

struct operand ring_part(struct builder *b, struct operand slot, bool cube, int64_t split, int tile,
                         struct operand lane, int64_t *stride)
{
    b->operations.items[b->operations.len - 1].split = split;
    split = cube ? 0 : split;
    const struct tile *t = &b->tiles.items[tile];
    int64_t row = (int64_t)t->cols * elem_size(t->elem), shift = 0;
    if (split == 1)
        shift = t->rows * row;
    if (split == 2)
        shift = row;
    *stride = split == 2 ? 2 * row : row;
    return build_alu(b, ALU_ADD, slot, build_alu(b, ALU_MUL, lane, imm_operand(shift)));
}
