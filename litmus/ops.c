/* SPDX-License-Identifier: MIT */
#include "litmus/ops.h"

#include <string.h>

#include "litmus/tree.h"

enum { COPY_EVENT = 0, COPY_TAIL_EVENT = 1 }; /* flag ids that TPUT and TGET own (hw-facts 1.3) */

#define PIPES "v, mte1, mte2, mte3, m or fix"

const struct litmus_want_row litmus_wants[WANT_COUNT] = {
    [WANT_SCALAR] = {LK_SCALAR, "a scalar register (r0 to r63)"},
    [WANT_TILE] = {LK_TILE, "a tile register (t0 to t63)"},
    [WANT_LOC] = {LK_LOC, "a location"},
    [WANT_LINE] = {LK_LOC | LK_ALL, "a location or 'all'"},
    [WANT_VALUE] = {LK_INT | LK_SCALAR, "an integer or a scalar register (r0 to r63)"},
    [WANT_STORED] = {LK_INT | LK_SCALAR | LK_TILE,
                     "an integer or a register (r0 to r63, t0 to t63)"},
    [WANT_BARRIER] = {LK_PIPE | LK_ALL, "a pipe (" PIPES ") or 'all'"},
    [WANT_FLAG] = {LK_PIPE | LK_S, "a pipe (" PIPES ") or 's'"},
    [WANT_ID] = {LK_INT, "a flag id from 0 to 15"},
    [WANT_COMPARISON] = {LK_INT | LK_SCALAR, "an integer or a scalar register (r0 to r63)"},
};

/* ---- one instruction ---- */

static void emit(struct litmus_emitter *e, struct insn i)
{
    vec_push(e->arena, &e->insns, i);
}

static struct insn make(const struct litmus_emitter *e, enum insn_op op)
{
    struct insn i = e->proto;
    i.op = (uint8_t)op;
    return i;
}

/* A scalar access, or dcci, of a location: the address is a literal. */
static struct insn make_access(const struct litmus_emitter *e, enum insn_op op,
                               const struct litmus_operand *loc)
{
    struct insn i = make(e, op);
    i.elem = ELEM_I32;
    i.imm = (int64_t)litmus_loc_addr(e->tree, &loc->loc, e->rank);
    i.region = loc->loc.var;
    return i;
}

static void set_value(struct insn *i, const struct litmus_operand *v)
{
    if (v->kind == LK_SCALAR)
        i->rb = v->value;
    else
        i->imm2 = v->value;
}

static void emit_barrier_of(struct litmus_emitter *e, enum pipe pipe)
{
    struct insn i = make(e, I_BARRIER);
    i.pa = (uint8_t)pipe;
    emit(e, i);
}

static void emit_flag_of(struct litmus_emitter *e, enum insn_op op, int from, int to, int id)
{
    struct insn i = make(e, op);
    i.pa = (uint8_t)from;
    i.pb = (uint8_t)to;
    i.imm = id;
    emit(e, i);
}

static void emit_dma(struct litmus_emitter *e, enum insn_op op, const struct litmus_operand *loc,
                     struct dma d)
{
    struct insn i = make_access(e, op, loc);
    d.address = (struct operand){NO_REG, i.imm};
    d.rows = d.cols = (struct operand){NO_REG, 1};
    d.gm_stride = d.tile_stride = LITMUS_WORD;
    d.elem = ELEM_I32;
    i.imm = 0;
    i.aux = (int32_t)e->dmas.len;
    vec_push(e->arena, &e->dmas, d);
    emit(e, i);
}

/* ---- rows ---- */

static void emit_plain(struct litmus_emitter *e, const struct litmus_insn *i)
{
    emit(e, make(e, i->op->insn));
}

static void emit_load(struct litmus_emitter *e, const struct litmus_insn *i)
{
    struct insn m = make_access(e, i->op->insn, &i->args[1]);
    m.rd = i->args[0].value;
    emit(e, m);
}

static void emit_store(struct litmus_emitter *e, const struct litmus_insn *i)
{
    struct insn m = make_access(e, i->op->insn, &i->args[0]);
    set_value(&m, &i->args[1]);
    emit(e, m);
}

static void emit_dcci(struct litmus_emitter *e, const struct litmus_insn *i)
{
    if (i->args[0].kind == LK_ALL)
        emit(e, make(e, I_DCCI_ALL));
    else
        emit(e, make_access(e, I_DCCI, &i->args[0]));
}

static void emit_barrier(struct litmus_emitter *e, const struct litmus_insn *i)
{
    emit_barrier_of(e, i->args[0].kind == LK_ALL ? PIPE_ALL : (enum pipe)i->args[0].value);
}

static void emit_flag(struct litmus_emitter *e, const struct litmus_insn *i)
{
    emit_flag_of(e, i->op->insn, i->args[0].value, i->args[1].value, i->args[2].value);
}

static void emit_dma_load(struct litmus_emitter *e, const struct litmus_insn *i)
{
    emit_dma(e, i->op->insn, &i->args[1], (struct dma){.tile = i->args[0].value});
}

/* An integer or scalar register is the operation's own operand: the store is one pipe operation. */
static void emit_dma_store(struct litmus_emitter *e, const struct litmus_insn *i)
{
    const struct litmus_operand *v = &i->args[1];
    struct dma d = {.atomic_add = i->op->add};
    if (v->kind == LK_TILE) {
        d.tile = v->value;
    } else {
        d.immediate = true;
        d.value =
            v->kind == LK_INT ? (struct operand){NO_REG, v->value} : (struct operand){v->value, 0};
    }
    emit_dma(e, i->op->insn, &i->args[0], d);
}

/* hw-facts 1.1. */
static void emit_notify(struct litmus_emitter *e, const struct litmus_insn *i)
{
    emit(e, make_access(e, I_DCCI, &i->args[0]));
    struct insn store = make_access(e, i->op->insn, &i->args[0]);
    set_value(&store, &i->args[1]);
    store.flags |= INSN_NOTIFY;
    emit(e, store);
    emit(e, make_access(e, I_DCCI, &i->args[0]));
    emit(e, make(e, I_DSB));
    emit_barrier_of(e, PIPE_ALL);
}

/* hw-facts 1.2. */
static void emit_wait(struct litmus_emitter *e, const struct litmus_insn *i)
{
    struct insn poll = make_access(e, I_POLL, &i->args[0]);
    poll.sub = (uint8_t)i->args[1].cmp;
    set_value(&poll, &i->args[1]);
    emit(e, poll);
}

/* hw-facts 1.3, single shot: no barrier; the trailing flag pair holds MTE2, not the scalar unit. */
static void emit_copy(struct litmus_emitter *e, const struct litmus_insn *i)
{
    struct dma d = {.tile = e->tiles, .macro = true};
    e->stage = true;
    emit_dma(e, I_MTE2, &i->args[1], d);
    emit_flag_of(e, I_SET_FLAG, PIPE_MTE2, PIPE_MTE3, COPY_EVENT);
    emit_flag_of(e, I_WAIT_FLAG, PIPE_MTE2, PIPE_MTE3, COPY_EVENT);
    emit_dma(e, I_MTE3, &i->args[0], d);
    emit_flag_of(e, I_SET_FLAG, PIPE_MTE3, PIPE_MTE2, COPY_TAIL_EVENT);
    emit_flag_of(e, I_WAIT_FLAG, PIPE_MTE3, PIPE_MTE2, COPY_TAIL_EVENT);
}

/* hw-facts 1.7: which barriers stand in front of the dsb is the toolchain's choice. */
static void emit_fence(struct litmus_emitter *e, const struct litmus_insn *i)
{
    (void)i;
    static const struct {
        int barriers;
        enum pipe pipes[3];
    } forms[] = {[FENCE_3] = {3, {PIPE_MTE2, PIPE_MTE3, PIPE_FIX}},
                 [FENCE_ALL] = {1, {PIPE_ALL}},
                 [FENCE_DSB] = {0}};
    for (int b = 0; b < forms[e->toolchain->fence].barriers; b++)
        emit_barrier_of(e, forms[e->toolchain->fence].pipes[b]);
    emit(e, make(e, I_DSB));
}

static const struct litmus_op ops[] = {
    // clang-format off
    {"ld",         {WANT_SCALAR, WANT_LOC},          I_LD,        false, ORIGIN_USER,  emit_load},
    {"st",         {WANT_LOC, WANT_VALUE},           I_ST,        false, ORIGIN_USER,  emit_store},
    {"st.atomic",  {WANT_LOC, WANT_VALUE},           I_ST_ATOMIC, false, ORIGIN_USER,  emit_store},
    {"ld.dev",     {WANT_SCALAR, WANT_LOC},          I_LD_DEV,    false, ORIGIN_USER,  emit_load},
    {"st.dev",     {WANT_LOC, WANT_VALUE},           I_ST_DEV,    false, ORIGIN_USER,  emit_store},
    {"dcci",       {WANT_LINE},                      I_DCCI,      false, ORIGIN_HAND,  emit_dcci},
    {"dsb",        {WANT_NOTHING},                   I_DSB,       false, ORIGIN_HAND,  emit_plain},
    {"barrier",    {WANT_BARRIER},                   I_BARRIER,   false, ORIGIN_HAND,  emit_barrier},
    {"set_flag",   {WANT_FLAG, WANT_FLAG, WANT_ID},  I_SET_FLAG,  false, ORIGIN_HAND,  emit_flag},
    {"wait_flag",  {WANT_FLAG, WANT_FLAG, WANT_ID},  I_WAIT_FLAG, false, ORIGIN_HAND,  emit_flag},
    {"mte2",       {WANT_TILE, WANT_LOC},            I_MTE2,      false, ORIGIN_USER,  emit_dma_load},
    {"mte3",       {WANT_LOC, WANT_STORED},          I_MTE3,      false, ORIGIN_USER,  emit_dma_store},
    {"mte3.add",   {WANT_LOC, WANT_STORED},          I_MTE3,      true,  ORIGIN_USER,  emit_dma_store},
    {"fix",        {WANT_LOC, WANT_STORED},          I_FIX,       false, ORIGIN_USER,  emit_dma_store},
    {"fix.add",    {WANT_LOC, WANT_STORED},          I_FIX,       true,  ORIGIN_USER,  emit_dma_store},
    {"notify.add", {WANT_LOC, WANT_VALUE},           I_ST_ATOMIC, false, ORIGIN_MACRO, emit_notify},
    {"notify.set", {WANT_LOC, WANT_VALUE},           I_ST,        false, ORIGIN_MACRO, emit_notify},
    {"wait",       {WANT_LOC, WANT_COMPARISON},      I_POLL,      false, ORIGIN_MACRO, emit_wait},
    {"tput",       {WANT_LOC, WANT_LOC},             I_MTE3,      false, ORIGIN_MACRO, emit_copy},
    {"tget",       {WANT_LOC, WANT_LOC},             I_MTE2,      false, ORIGIN_MACRO, emit_copy},
    {"fence",      {WANT_NOTHING},                   I_DSB,       false, ORIGIN_HAND,  emit_fence},
    {"nop",        {WANT_NOTHING},                   I_NOP,       false, ORIGIN_USER,  emit_plain},
    // clang-format on
};

enum { OPS = sizeof ops / sizeof *ops };

const struct litmus_op *litmus_op_find(const char *name)
{
    for (size_t i = 0; i < OPS; i++)
        if (!strcmp(ops[i].name, name))
            return &ops[i];
    return NULL;
}

const char *litmus_op_hint(struct arena *a, const char *name)
{
    const char *names[OPS];
    for (size_t i = 0; i < OPS; i++)
        names[i] = ops[i].name;
    return diag_hint(a, name, names, OPS);
}
