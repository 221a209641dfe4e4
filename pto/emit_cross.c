/* SPDX-License-Identifier: MIT */
/* Pipes, flags and meetings between cores. */
#include <inttypes.h>

#include "isa/ring.h"
#include "pto/emit_internal.h"

const char *const emitter_pipes[] = {
    [PIPE_V] = "V", [PIPE_MTE1] = "MTE1", [PIPE_MTE2] = "MTE2", [PIPE_MTE3] = "MTE3",
    [PIPE_M] = "M", [PIPE_FIX] = "FIX",   [PIPE_S] = "S",       [PIPE_ALL] = "ALL"};

/* ---- pipes ---- */

/* Where the side that pops keeps what it popped: it reserves the room, the other side imports it. No
 * room is needed in a direction that the pipe has not. */
static const char *buffer(struct emitter *e, const struct pipe_ring *r, bool to_cube)
{
    const char *name = arena_printf(e->arena, "%s_%s_%d", e->task, to_cube ? "v2c" : "c2v", r->id);
    if (!(to_cube ? r->to_cube : r->to_vector))
        return emitter_constant(e, 0, "i32");
    const char *v = emitter_new(e);
    if (to_cube == e->lane->cube)
        emitter_line(e,
                     "%s = pto.reserve_buffer {name = \"%s\", size = %" PRId64
                     ", location = #pto.address_space<%s>, auto = false, base = %" PRId64
                     "} -> i32",
                     v, name, r->slot_bytes * r->slots, to_cube ? "mat" : "vec", e->b->tile_bytes);
    else
        emitter_line(e,
                     "%s = pto.import_reserved_buffer {name = \"%s\", peer_func = @%s_%s} -> i32",
                     v, name, e->task, to_cube ? "aic" : "aiv");
    return v;
}

static const char *slots_argument(const struct emitter *e, int region)
{
    vec_foreach (const struct argument, a, &e->args)
        if (a->kind == ARGUMENT_SLOTS && a->region == region)
            return a->name;
    return NULL;
}

static bool set_up(struct emitter *e, const struct operation_code *o)
{
    const struct pipe_ring *r = o->ring;
    const char *slots = slots_argument(e, o->region);
    if (!slots)
        return emitter_error(e, "a pipe through which nothing goes is not printed as .pto");
    const char *to_vector = buffer(e, r, false), *to_cube = buffer(e, r, true);
    emitter_line(e,
                 "pto.%s_initialize_pipe {id = %d, dir_mask = %d, slot_size = %" PRId64
                 ", slot_num = %" PRId64 "} (gm_slot_buffer = %s : !pto.ptr<f32>, "
                 "c2v_consumer_buf = %s : i32, v2c_consumer_buf = %s : i32)",
                 e->lane->cube ? "aic" : "aiv", r->id, r->to_vector + 2 * r->to_cube, r->slot_bytes,
                 r->slots, slots, to_vector, to_cube);
    return true;
}

static const struct dma *transfer_of(const struct emitter *e, const struct operation_code *o)
{
    for (int i = o->first; i < o->end; i++)
        if (insn_any(&e->b->code.items[i], CLASS_DMA))
            return &e->b->dmas.items[e->b->code.items[i].aux];
    return NULL;
}

static const char *attributes(struct emitter *e, const struct operation_code *o)
{
    return arena_printf(e->arena, "{id = %d, split = %" PRId64 "}", o->ring->id, o->split);
}

static bool same_operand(struct operand x, struct operand y)
{
    return x.reg == y.reg && x.imm == y.imm;
}

static bool define(struct emitter *e, const struct operation_code *o, int reg);

/* The number that the instruction computes, after those that it reads. */
static bool define_by(struct emitter *e, const struct operation_code *o, const struct insn *i)
{
    return (!(insn_kind(i)->reads & REG_RA) || define(e, o, i->ra)) &&
           (!(insn_kind(i)->reads & REG_RB) || define(e, o, i->rb)) && emitter_insn(e, i);
}

/* The instruction computes a number on the scalar unit. */
static bool computes(const struct insn *i)
{
    return (insn_kind(i)->writes & REG_RD) && insn_any(i, CLASS_LOCAL);
}

/* What the operation's own instructions compute for its extents. */
static bool define(struct emitter *e, const struct operation_code *o, int reg)
{
    if (reg == NO_REG || e->regs[reg].kind != VALUE_NONE)
        return true;
    for (int at = o->end; at-- > o->first;) {
        const struct insn *i = &e->b->code.items[at];
        if (computes(i) && i->rd == reg)
            return define_by(e, o, i);
    }
    return true;
}

/* Numbers among the operation's instructions that what stands outside of operations reads: extents of
 * what was popped. */
static bool define_needed(struct emitter *e, const struct operation_code *o)
{
    for (int at = o->first; at < o->end; at++) {
        const struct insn *i = &e->b->code.items[at];
        if (computes(i) && e->needed[i->rd] && !define_by(e, o, i))
            return false;
    }
    return true;
}

static bool push(struct emitter *e, const struct operation_code *o)
{
    const struct dma *d = transfer_of(e, o);
    const char *tile = emitter_tile(e, d->tile);
    struct tile_valid before = e->valid[d->tile];
    bool part = !same_operand(d->rows, before.rows) || !same_operand(d->cols, before.cols);
    if (!tile || !define(e, o, d->rows.reg) || !define(e, o, d->cols.reg) ||
        (part && !emitter_valid(e, d->tile, d->rows, d->cols)))
        return false;
    emitter_line(e, "pto.tpush_to_%s(%s : %s) %s", e->lane->cube ? "aiv" : "aic", tile,
                 e->tile_types[d->tile], attributes(e, o));
    return !part || emitter_valid(e, d->tile, before.rows, before.cols);
}

/* Extents that the run computes are operands, both of them. */
static bool pop(struct emitter *e, const struct operation_code *o)
{
    const struct dma *d = transfer_of(e, o);
    const char *extents = "";
    if (!define(e, o, d->rows.reg) || !define(e, o, d->cols.reg))
        return false;
    emitter_set_type(e, d->tile, d->rows, d->cols);
    if (d->rows.reg != NO_REG || d->cols.reg != NO_REG) {
        struct value h = emitter_operand(e, d->rows), w = emitter_operand(e, d->cols);
        const char *rows = emitter_index(e, &h), *cols = rows ? emitter_index(e, &w) : NULL;
        if (!cols)
            return false;
        extents = arena_printf(e->arena, "(%s, %s)", rows, cols);
    }
    const char *tile = emitter_popped(e, d->tile);
    emitter_line(e, "%s = pto.tpop_from_%s%s %s -> %s", tile, e->lane->cube ? "aiv" : "aic",
                 extents, attributes(e, o), e->tile_types[d->tile]);
    emitter_parts(e, d->tile);
    return true;
}

/* ---- meetings and flags ---- */

static bool meeting(struct emitter *e, const struct operation_code *o)
{
    const char *who = syncall_name((enum syncall_kind)o->meets);
    if (!o->soft) {
        emitter_line(e,
                     "pto.syncall() mode = #pto.sync_all_mode<hard>, core_type = "
                     "#pto.sync_core_type<%s>",
                     who);
        return true;
    }
    struct value p = emitter_operand(e, o->counter), n = emitter_operand(e, o->total);
    if (p.kind != VALUE_POINTER || p.name || p.n)
        return emitter_error(e, "the counter of a syncall is the first element of a tensor");
    const char *total = emitter_index(e, &n), *narrow = total ? emitter_new(e) : NULL;
    if (!total)
        return false;
    emitter_line(e, "%s = arith.index_cast %s : index to i32", narrow, total);
    emitter_line(e,
                 "pto.syncall(%s, %s : !pto.ptr<i32>, i32) mode = #pto.sync_all_mode<soft>, "
                 "core_type = #pto.sync_core_type<%s>",
                 p.base, narrow, who);
    return true;
}

bool emitter_operation(struct emitter *e, const struct operation_code *o)
{
    switch (o->kind) {
    case OPERATION_PIPE:
        return set_up(e, o);
    case OPERATION_PUSH:
        return push(e, o) && define_needed(e, o);
    case OPERATION_POP:
        return pop(e, o) && define_needed(e, o);
    case OPERATION_FREE:
        emitter_line(e, "pto.tfree_from_%s %s", e->lane->cube ? "aiv" : "aic", attributes(e, o));
        return true;
    case OPERATION_MEETING:
        return meeting(e, o);
    case OPERATION_PIPE_END: /* the library does that by itself */
        break;
    }
    return true;
}

bool emitter_flag_between(struct emitter *e, const struct insn *i)
{
    const char *pipe = emitter_pipes[i->pa];
    if (i->op == I_WAIT_CROSS)
        emitter_line(e, "pto.sync.wait <PIPE_%s>, %d", pipe, (int)i->imm);
    else if (i->sub == CROSS_CLUSTER)
        emitter_line(e, "pto.sync.set <PIPE_%s>, %d", pipe, (int)i->imm);
    else
        emitter_line(e, "pto.sync.set <PIPE_%s>, %d {ffts_mode = %d : i32}", pipe, (int)i->imm,
                     i->sub);
    return true;
}
