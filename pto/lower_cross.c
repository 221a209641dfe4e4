/* SPDX-License-Identifier: MIT */
/*
 * Flags between cores, meetings of cores and pipes (pypto-ops-facts 3.3-3.5), as the library for a2a3
 * has them. The slots of a pipe lie where its gm_slot_buffer points, for each block of the task; its
 * flags are numbered in the order of the task's pipes.
 */
#include <string.h>

#include "pto/lower.h"

enum { MAX_EVENT = 14 };

/* ---- flags ---- */

static bool event_of(struct lower *l, const struct pto_op *op, int *id)
{
    int64_t n = -1;
    if (op->operands.len && !lower_constant(l, &op->operands.items[0], "the number of a flag", &n))
        return false;
    if (op->attrs.len > 1 && !op->operands.len && op->attrs.items[1].kind == PTO_INT)
        n = op->attrs.items[1].number;
    *id = (int)n;
    return (n >= 0 && n < MAX_EVENT) ||
           lower_error(l, op->span, "the number of a cross-core flag is 0 to %d", MAX_EVENT - 1);
}

static int64_t int_attr(const struct pto_op *op, const char *name, int64_t otherwise)
{
    const struct pto_attr *a = pto_find_attr(op, name);
    return a && a->kind == PTO_INT ? a->number : otherwise;
}

bool lower_sync_set(struct lower *l, const struct pto_op *op)
{
    enum pipe pipe;
    int id;
    int64_t mode = int_attr(op, "ffts_mode", CROSS_CLUSTER);
    if (!lower_pipe(l, op->attrs.len ? &op->attrs.items[0] : NULL, op->span, &pipe) ||
        !event_of(l, op, &id))
        return false;
    if (pipe == PIPE_ALL)
        return lower_error(l, op->span, "a cross-core flag is set behind one pipe");
    if (mode < 0 || mode >= CROSS_MODES)
        return lower_error(l, op->span, "ffts_mode is 0, 1 or 2");
    build_single(&l->build, ORIGIN_HAND,
                 insn_set_cross(build_like(&l->build), pipe, (enum cross_mode)mode, id),
                 "sync_set");
    return true;
}

/* Its pipe says nothing here: the scalar unit waits (pypto-ops-facts 3.4). */
bool lower_sync_wait(struct lower *l, const struct pto_op *op)
{
    int id;
    if (!event_of(l, op, &id))
        return false;
    build_single(&l->build, ORIGIN_HAND, insn_wait_cross(build_like(&l->build), id), "sync_wait");
    return true;
}

/* Where flags lie, and slots that are free again since they were popped, need no instruction. */
bool lower_no_code(struct lower *l, const struct pto_op *op)
{
    (void)l, (void)op;
    return true;
}

/* An address in a core's own memory, which pipes through global memory do not need. */
bool lower_buffer(struct lower *l, const struct pto_op *op)
{
    return lower_set_number(l, op, imm_operand(0));
}

/* ---- meetings ---- */

static bool syncall_kind_of(struct lower *l, const struct pto_op *op, enum syncall_kind *kind)
{
    const struct pto_attr *a = pto_find_attr(op, "core_type");
    const char *name = a && a->word ? a->word : "mix";
    for (int k = 0; k < SYNCALL_KIND_COUNT; k++)
        if (!strcmp(syncall_name((enum syncall_kind)k), name)) {
            *kind = (enum syncall_kind)k;
            return true;
        }
    return lower_error(l, op->span, "core_type of a syncall is mix, aiv_only or aic_only, not '%s'",
                       name);
}

/* The soft form counts arrivals in memory: of as many as it says, or of all blocks' cores. */
static bool soft_syncall(struct lower *l, const struct pto_op *op)
{
    const struct slot *s =
        op->operands.len ? map_get(&l->slots, op->operands.items[0].value) : NULL;
    if (!s || (s->kind != SLOT_POINTER && s->kind != SLOT_VIEW) || s->elem != ELEM_I32)
        return lower_error(l, op->span, "a soft syncall needs a workspace of i32 in global memory");
    struct operand total;
    const struct pto_operand *last = &op->operands.items[op->operands.len - 1];
    if (op->operands.len < 2)
        return lower_error(l, op->span, "a soft syncall needs the number of cores that take part");
    if (!lower_number(l, last, &total))
        return false;
    struct macro_step steps[MACRO_STEPS];
    struct operand addr =
        s->op.imm && s->op.reg != NO_REG
            ? build_alu(&l->build, ALU_ADD, reg_operand(s->op.reg), imm_operand(s->op.imm))
            : s->op;
    int reg = build_reg(&l->build, NULL);
    build_steps(&l->build, steps,
                macro_syncall_soft(build_like(&l->build), addr, s->region, total, reg, steps),
                false);
    return true;
}

bool lower_syncall(struct lower *l, const struct pto_op *op)
{
    enum syncall_kind kind = SYNCALL_MIX;
    const struct pto_attr *mode = pto_find_attr(op, "mode");
    if (!syncall_kind_of(l, op, &kind))
        return false;
    struct macro_step steps[MACRO_STEPS];
    bool ok = true;
    l->origin = ORIGIN_MACRO;
    if (mode && mode->word && !strcmp(mode->word, "soft"))
        ok = soft_syncall(l, op);
    else
        build_steps(&l->build, steps,
                    macro_syncall_hard(build_like(&l->build), kind, l->lane->cube, steps), false);
    l->origin = ORIGIN_USER;
    return ok;
}

/* ---- pipes ---- */

struct task_pipe *cross_find(struct lower *l, const struct pto_op *op)
{
    struct task *t = lower_task(l);
    int64_t id = int_attr(op, "id", 0);
    vec_foreach (struct task_pipe, p, &t->pipes)
        if (p->ring.id == id)
            return p;
    return NULL;
}

bool cross_note_pipe(struct lower *l, const struct pto_op *op)
{
    struct task *t = lower_task(l);
    int64_t id = int_attr(op, "id", 0);
    struct task_pipe p = {.ring.id = (int)id};
    const struct pto_attr *slots = pto_find_attr(op, "slot_num");
    if (id < 0 || id > INT32_MAX)
        return lower_error(l, op->span, "a pipe's id has 31 bits");
    if (cross_find(l, op))
        return true;
    bool known = ring_describe(&p.ring, int_attr(op, "dir_mask", 0), int_attr(op, "slot_size", 0),
                               int_attr(op, "slot_num", 0), &t->flags);
    if (!known || (slots && slots->number < RING_MIN_SLOTS))
        return lower_error(l, op->span, "'%s' needs a direction, 1 to %d slots and their size",
                           op->spelled, RING_MAX_SLOTS);
    if (t->flags > MAX_EVENT)
        return lower_error(l, op->span, "the pipes of this kernel need more than %d flags",
                           MAX_EVENT);
    vec_push(l->arena, &t->pipes, p);
    return true;
}

void cross_begin(struct lower *l)
{
    struct task *t = lower_task(l);
    vec_foreach (struct task_pipe, p, &t->pipes)
        ring_forget(&p->ring);
}

void cross_end(struct lower *l)
{
    struct task *t = lower_task(l);
    vec_foreach (struct task_pipe, p, &t->pipes)
        ring_end_task(&l->build, &p->ring, l->lane->cube);
}

bool lower_initialize_pipe(struct lower *l, const struct pto_op *op)
{
    const struct pto_operand *o = pto_find_operand(op, "gm_slot_buffer", 0);
    struct task_pipe *p = cross_find(l, op);
    bool cube = !strcmp(op->name, "pto.aic_initialize_pipe");
    if (!o)
        return lower_error(l, op->span,
                           "a pipe without a gm_slot_buffer goes past global memory, as on a5, "
                           "which is not modelled");
    if (cube != l->lane->cube)
        return lower_error(l, op->span, "'%s' stands in code of the other kind of core",
                           op->spelled);
    p->memory = lower_slot(l, op, "gm_slot_buffer", 0, SLOT_POINTER);
    if (p->memory)
        ring_set_up(&l->build, &p->ring, cube, p->memory->region);
    return p->memory != NULL;
}

/* The end of the pipe that pushes, or pops, in the direction of the operation. */
static struct task_pipe *end_of(struct lower *l, const struct pto_op *op, bool push)
{
    struct task_pipe *p = cross_find(l, op);
    bool cube = l->lane->cube, of_cube = (lower_detail(op) == 1) != push;
    if (p && cube == of_cube && ring_is_set_up(&p->ring, cube, push))
        return p;
    lower_error(l, op->span, "'%s' has no pipe of its direction set up before it", op->spelled);
    return NULL;
}

/* Which of two vector cores it is: as the operation says, or as the launch does. */
static bool vector_index(struct lower *l, const struct pto_op *op, struct operand *out)
{
    const struct pto_operand *o = pto_find_operand(op, "aiv_subblockid", 0);
    *out = bind_block(l, "subblock_idx");
    return !o || lower_number(l, o, out);
}

/* The slot's part that the tile takes up, with the tile's valid extents. */
static bool part_of_slot(struct lower *l, const struct pto_op *op, const struct slot *t,
                         struct operand slot, const struct task_pipe *p, struct gm_rows *out)
{
    int64_t split = int_attr(op, "split", 0);
    bool cube = l->lane->cube;
    struct operand lane;
    if (!cube && (split < 0 || split > 2))
        return lower_error(l, op->span, "lanes with different parts of a tile are not modelled");
    if (!vector_index(l, op, &lane))
        return false;
    *out = (struct gm_rows){.rows = t->rows,
                            .cols = t->cols,
                            .elem = l->tiles.items[t->tile].elem,
                            .region = p->memory->region,
                            .use = {NO_REG, false}};
    out->addr = ring_part(&l->build, slot, cube, split, t->tile, lane, &out->gm_stride);
    return true;
}

static bool fits_slot(struct lower *l, const struct pto_op *op, const struct task_pipe *p, int tile)
{
    const struct tile *t = &l->tiles.items[tile];
    int64_t bytes = (int64_t)t->rows * t->cols * elem_size(t->elem);
    return bytes <= p->ring.slot_bytes ||
           lower_error(l, op->span, "the tile has %lld bytes, a slot of the pipe %lld",
                       (long long)bytes, (long long)p->ring.slot_bytes);
}

/* Where the slots of all blocks begin. */
static struct operand memory_of(struct lower *l, const struct task_pipe *p)
{
    struct operand at = p->memory->op;
    return at.imm && at.reg != NO_REG
               ? build_alu(&l->build, ALU_ADD, reg_operand(at.reg), imm_operand(at.imm))
               : at;
}

bool lower_tpush(struct lower *l, const struct pto_op *op)
{
    struct task_pipe *p = end_of(l, op, true);
    const struct slot *t = p ? lower_slot(l, op, "", 0, SLOT_TILE) : NULL;
    struct gm_rows part;
    if (!t || !fits_slot(l, op, p, t->tile))
        return false;
    bool fix = l->accumulators.items[t->tile], cube = l->lane->cube;
    struct operand slot =
        ring_begin_push(&l->build, &p->ring, cube, memory_of(l, p), bind_block(l, "block_idx"));
    if (!part_of_slot(l, op, t, slot, p, &part))
        return false;
    build_dma(&l->build, fix ? I_FIX : I_MTE3, t->tile, &part);
    ring_end_push(&l->build, &p->ring, cube, fix ? PIPE_FIX : PIPE_MTE3);
    return true;
}

/* What of it is valid, where the run computes it: rows and columns. */
static bool popped_extents(struct lower *l, const struct pto_op *op, struct slot *t)
{
    const struct pto_operand *rows = pto_find_operand(op, "", 0),
                             *cols = pto_find_operand(op, "", 1);
    return !rows || !cols || (lower_number(l, rows, &t->rows) && lower_number(l, cols, &t->cols));
}

bool lower_tpop(struct lower *l, const struct pto_op *op)
{
    struct task_pipe *p = end_of(l, op, false);
    struct gm_rows part;
    if (!p || !op->results.len)
        return false;
    struct slot *t = lower_new(l, op->results.items[0]);
    if (!tiles_argument(l, op->results.items[0], t) || !fits_slot(l, op, p, t->tile) ||
        !popped_extents(l, op, t))
        return false;
    bool cube = l->lane->cube;
    ring_begin_pop(&l->build, &p->ring, cube);
    struct operand slot =
        ring_pop_slot(&l->build, &p->ring, cube, memory_of(l, p), bind_block(l, "block_idx"));
    if (!part_of_slot(l, op, t, slot, p, &part))
        return false;
    build_dma(&l->build, I_MTE2, t->tile, &part);
    ring_end_pop(&l->build, &p->ring, cube);
    return true;
}
