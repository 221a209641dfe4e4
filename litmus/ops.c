/* SPDX-License-Identifier: MIT */
#include "litmus/ops.h"

#include <string.h>

#include "base/table.h"
#include "litmus/tree.h"

#define PIPES "v, mte1, mte2, mte3, m or fix"

const struct litmus_want_row litmus_wants[] = {
    [WANT_SCALAR] = {LK_SCALAR, "a scalar register (r0 to r63)"},
    [WANT_TILE] = {LK_TILE, "a tile register (t0 to t63)"},
    [WANT_LOC] = {LK_LOC, "a location"},
    [WANT_LINE] = {LK_LOC | LK_ALL, "a location or 'all'"},
    [WANT_VALUE] = {LK_INT | LK_SCALAR, "an integer or a scalar register (r0 to r63)"},
    [WANT_STORED] = {LK_INT | LK_SCALAR | LK_TILE,
                     "an integer or a register (r0 to r63, t0 to t63)"},
    [WANT_BARRIER] = {LK_PIPE | LK_ALL, "a pipe (" PIPES ") or 'all'"},
    [WANT_FLAG] = {LK_PIPE | LK_S, "a pipe (" PIPES ") or 's'"},
    [WANT_ID] = {LK_INT, "a flag id from 0 to 15", 0, MAX_FLAG_IDS - 1},
    [WANT_MODE] = {LK_INT, "a mode from 0 to 2", 0, CROSS_MODES - 1},
    [WANT_MEETING] = {LK_MEETING, "aiv_only, aic_only or mix"},
    [WANT_STORING] = {LK_MODE, "add or none"},
    [WANT_TOTAL] = {LK_INT, "a number of cores from 1 to 32", 1, LITMUS_CORES},
    [WANT_COMPARISON] = {LK_INT | LK_SCALAR, "an integer or a scalar register (r0 to r63)"},
};
ROW_EACH(litmus_wants, WANT_COUNT);

/* ---- one instruction ---- */

static void emit(struct litmus_emitter *e, struct insn i)
{
    vec_push(e->arena, &e->insns, i);
}

static void emit_steps(struct litmus_emitter *e, const struct macro_step *steps, int n)
{
    for (int k = 0; k < n; k++)
        emit(e, steps[k].insn);
}

static struct operand address_of(const struct litmus_emitter *e, const struct litmus_operand *loc)
{
    return imm_operand((int64_t)litmus_loc_addr(e->tree, &loc->loc, e->column->rank));
}

/* A scalar access, or dcci, of a location: the address is a literal. */
static struct insn make_access(const struct litmus_emitter *e, enum insn_op op,
                               const struct litmus_operand *loc)
{
    return insn_access(e->like, op, address_of(e, loc), ELEM_I32, loc->loc.var);
}

static struct operand value_of(const struct litmus_operand *v)
{
    return v->kind == LK_SCALAR ? reg_operand(v->value) : imm_operand(v->value);
}

static void emit_dma(struct litmus_emitter *e, enum insn_op op, const struct litmus_operand *loc,
                     struct dma d)
{
    struct insn i = insn_make(e->like, op);
    d.address = address_of(e, loc);
    d.rows = d.cols = imm_operand(1);
    d.gm_stride = d.tile_stride = LITMUS_WORD;
    d.elem = ELEM_I32;
    i.elem = ELEM_I32;
    i.region = loc->loc.var;
    i.aux = (int32_t)e->dmas.len;
    vec_push(e->arena, &e->dmas, d);
    emit(e, i);
}

/* ---- rows ---- */

static void emit_plain(struct litmus_emitter *e, const struct litmus_insn *i)
{
    emit(e, insn_make(e->like, i->op->insn));
}

static void emit_load(struct litmus_emitter *e, const struct litmus_insn *i)
{
    struct insn m = make_access(e, i->op->insn, &i->args[1]);
    m.rd = i->args[0].value;
    emit(e, m);
}

static void emit_store(struct litmus_emitter *e, const struct litmus_insn *i)
{
    emit(e, insn_with(make_access(e, i->op->insn, &i->args[0]), value_of(&i->args[1])));
}

static void emit_dcci(struct litmus_emitter *e, const struct litmus_insn *i)
{
    if (i->args[0].kind == LK_ALL)
        emit(e, insn_make(e->like, I_DCCI_ALL));
    else
        emit(e, make_access(e, I_DCCI, &i->args[0]));
}

static void emit_barrier(struct litmus_emitter *e, const struct litmus_insn *i)
{
    bool all = i->args[0].kind == LK_ALL;
    emit(e, insn_barrier(e->like, all ? PIPE_ALL : (enum pipe)i->args[0].value));
}

static void emit_flag(struct litmus_emitter *e, const struct litmus_insn *i)
{
    emit(e, insn_flag(e->like, i->op->insn, (enum pipe)i->args[0].value,
                      (enum pipe)i->args[1].value, i->args[2].value));
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
        d.value = value_of(v);
    }
    emit_dma(e, i->op->insn, &i->args[0], d);
}

static void emit_notify(struct litmus_emitter *e, const struct litmus_insn *i)
{
    struct macro_step steps[MACRO_STEPS];
    struct insn store = insn_with(make_access(e, i->op->insn, &i->args[0]), value_of(&i->args[1]));
    emit_steps(e, steps, macro_notify(e->like, store, steps));
}

static void emit_wait(struct litmus_emitter *e, const struct litmus_insn *i)
{
    const struct litmus_operand *value = &i->args[1];
    struct insn poll = insn_with(make_access(e, i->op->insn, &i->args[0]), value_of(value));
    poll.sub = (uint8_t)value->cmp;
    emit(e, poll);
}

static void emit_set_atomic(struct litmus_emitter *e, const struct litmus_insn *i)
{
    emit(e, insn_set_atomic(e->like, i->args[0].value));
}

static void emit_set_cross(struct litmus_emitter *e, const struct litmus_insn *i)
{
    emit(e, insn_set_cross(e->like, (enum pipe)i->args[0].value, (enum cross_mode)i->args[1].value,
                           i->args[2].value));
}

static void emit_wait_cross(struct litmus_emitter *e, const struct litmus_insn *i)
{
    emit(e, insn_wait_cross(e->like, i->args[0].value));
}

static void emit_syncall(struct litmus_emitter *e, const struct litmus_insn *i)
{
    struct macro_step steps[MACRO_STEPS];
    emit_steps(e, steps,
               macro_syncall_hard(e->like, (enum syncall_kind)i->args[0].value,
                                  e->column->lane == LANE_AIC, steps));
}

static void emit_syncall_soft(struct litmus_emitter *e, const struct litmus_insn *i)
{
    struct macro_step steps[MACRO_STEPS];
    e->scratch = true;
    emit_steps(e, steps,
               macro_syncall_soft(e->like, address_of(e, &i->args[0]), i->args[0].loc.var,
                                  value_of(&i->args[1]), e->column->regs, steps));
}

/* Single shot: no barrier; the trailing flag pair holds MTE2, not the scalar unit. */
static void emit_copy(struct litmus_emitter *e, const struct litmus_insn *i)
{
    struct dma d = {.tile = e->tiles, .macro = true};
    struct macro_step steps[MACRO_STEPS];
    e->stage = true;
    emit_dma(e, I_MTE2, &i->args[1], d);
    emit_steps(e, steps, macro_loaded(e->like, steps));
    emit_dma(e, I_MTE3, &i->args[0], d);
    emit(e, macro_free(e->like, I_SET_FLAG, 0));
    emit(e, macro_free(e->like, I_WAIT_FLAG, 0));
}

static void emit_fence(struct litmus_emitter *e, const struct litmus_insn *i)
{
    struct macro_step steps[MACRO_STEPS];
    (void)i;
    emit_steps(e, steps, macro_fence(e->like, (enum fence_form)e->toolchain->fence, steps));
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
    {"wait.dev",   {WANT_LOC, WANT_COMPARISON},      I_POLL_DEV,  false, ORIGIN_MACRO, emit_wait},
    {"set_atomic", {WANT_STORING},                   I_SET_ATOMIC, false, ORIGIN_USER, emit_set_atomic},
    {"set_cross",  {WANT_FLAG, WANT_MODE, WANT_ID},  I_SET_CROSS, false, ORIGIN_HAND,  emit_set_cross},
    {"wait_cross", {WANT_ID},                        I_WAIT_CROSS, false, ORIGIN_HAND, emit_wait_cross},
    {"syncall",    {WANT_MEETING},                   I_SET_CROSS, false, ORIGIN_MACRO, emit_syncall},
    {"syncall.soft", {WANT_LOC, WANT_TOTAL},         I_POLL_DEV,  false, ORIGIN_MACRO, emit_syncall_soft},
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

const char *litmus_op_name(size_t i)
{
    return i < OPS ? ops[i].name : NULL;
}
