/* SPDX-License-Identifier: MIT */
#include "isa/build.h"

struct insn insn_make(struct insn like, enum insn_op op)
{
    struct insn i = INSN_BLANK;
    i.op = (uint8_t)op;
    i.origin = like.origin;
    i.site = like.site;
    i.loop = like.loop;
    i.span = like.span;
    i.what = like.what;
    return i;
}

struct insn insn_access(struct insn like, enum insn_op op, struct operand addr, enum elem elem,
                        int region)
{
    struct insn i = insn_make(like, op);
    i.elem = (uint8_t)elem;
    i.ra = addr.reg;
    i.imm = addr.imm;
    i.region = region;
    return i;
}

struct insn insn_with(struct insn access, struct operand value)
{
    access.rb = value.reg;
    access.imm2 = value.imm;
    return access;
}

struct insn insn_barrier(struct insn like, enum pipe pipe)
{
    struct insn i = insn_make(like, I_BARRIER);
    i.pa = (uint8_t)pipe;
    return i;
}

struct insn insn_flag(struct insn like, enum insn_op op, enum pipe from, enum pipe to, int id)
{
    struct insn i = insn_make(like, op);
    i.pa = (uint8_t)from;
    i.pb = (uint8_t)to;
    i.imm = id;
    return i;
}

struct insn insn_set_atomic(struct insn like, bool add)
{
    struct insn i = insn_make(like, I_SET_ATOMIC);
    i.imm = add;
    return i;
}

struct insn insn_set_cross(struct insn like, enum pipe pipe, enum cross_mode mode, int id)
{
    struct insn i = insn_make(like, I_SET_CROSS);
    i.pa = (uint8_t)pipe;
    i.sub = (uint8_t)mode;
    i.imm = id;
    return i;
}

struct insn insn_wait_cross(struct insn like, int id)
{
    struct insn i = insn_make(like, I_WAIT_CROSS);
    i.imm = id;
    return i;
}

/* ---- library macros ---- */

int macro_notify(struct insn like, struct insn store, struct macro_step *out)
{
    struct insn line = insn_access(like, I_DCCI, (struct operand){store.ra, store.imm},
                                   (enum elem)store.elem, store.region);
    store.flags |= INSN_NOTIFY;
    out[0] = (struct macro_step){line, "TNOTIFY dcci before the store"};
    out[1] = (struct macro_step){store, NULL};
    out[2] = (struct macro_step){line, "TNOTIFY dcci after the store"};
    out[3] = (struct macro_step){insn_make(like, I_DSB), "TNOTIFY dsb"};
    out[4] = (struct macro_step){insn_barrier(like, PIPE_ALL), "TNOTIFY barrier all"};
    return 5;
}

struct insn macro_deferred_wait(struct insn like, struct operand addr, int region,
                                struct operand value)
{
    struct insn i = insn_with(insn_access(like, I_POLL_DEV, addr, ELEM_I32, region), value);
    i.sub = CMP_GEU;
    return i;
}

struct insn macro_wait(struct insn like, struct operand addr, int region, enum cmp cmp,
                       struct operand value)
{
    struct insn i = insn_with(insn_access(like, I_POLL, addr, ELEM_I32, region), value);
    i.sub = (uint8_t)cmp;
    return i;
}

int macro_fence(struct insn like, enum fence_form form, struct macro_step *out)
{
    static const struct {
        const char *site;
        int count;
        enum pipe pipes[3];
    } barriers[] = {
        [FENCE_3] = {"fence: three barriers", 3, {PIPE_MTE2, PIPE_MTE3, PIPE_FIX}},
        [FENCE_ALL] = {"fence: barrier all", 1, {PIPE_ALL}},
        [FENCE_DSB] = {NULL, 0, {0}},
    };
    int n = 0;
    for (; n < barriers[form].count; n++)
        out[n] =
            (struct macro_step){insn_barrier(like, barriers[form].pipes[n]), barriers[form].site};
    out[n++] = (struct macro_step){insn_make(like, I_DSB), "fence: dsb"};
    return n;
}

/* Flags that TPUT and TGET own; with two stages the first one serves the second stage too. */
enum { LOADED_EVENT = 0, FREE_EVENT = 1 };

int macro_loaded(struct insn like, struct macro_step *out)
{
    static const char site[] = "flag pair MTE2 to MTE3";
    for (int k = 0; k < 2; k++)
        out[k] = (struct macro_step){
            insn_flag(like, k ? I_WAIT_FLAG : I_SET_FLAG, PIPE_MTE2, PIPE_MTE3, LOADED_EVENT),
            site};
    return 2;
}

struct insn macro_free(struct insn like, enum insn_op op, int stage)
{
    return insn_flag(like, op, PIPE_MTE3, PIPE_MTE2, stage ? LOADED_EVENT : FREE_EVENT);
}

/* ---- meeting of cores ---- */

static const char *const syncall_names[] = {SYNCALL_KINDS(NAME_ROW)};

const char *syncall_name(enum syncall_kind k)
{
    return syncall_names[k];
}

/* Flags that the library keeps for it (pypto-ops-facts 3.3): of the cube cores, of a cluster's
 * vector cores for its cube core, of the cube core for these, of the vector cores. */
enum { MEET_AIC = 11, CLUSTER_HERE = 12, CLUSTER_GO = 13, MEET_AIV = 14 };

static int meet(struct insn like, enum pipe pipe, int id, struct macro_step *out)
{
    out[0] =
        (struct macro_step){insn_set_cross(like, pipe, CROSS_ALL, id), "syncall set of all cores"};
    out[1] = (struct macro_step){insn_wait_cross(like, id), "syncall wait for all cores"};
    return 2;
}

/* The cube core of a cluster meets the others for its vector cores too. */
static int meet_mixed(struct insn like, bool cube, struct macro_step *out)
{
    struct insn go =
        insn_set_cross(like, PIPE_MTE3, CROSS_CLUSTER, cube ? CLUSTER_GO : CLUSTER_HERE);
    struct insn wait = insn_wait_cross(like, cube ? CLUSTER_HERE : CLUSTER_GO);
    static const char sets[] = "syncall set in the cluster",
                      waits[] = "syncall wait in the cluster";
    int n = 0;
    out[n++] = cube ? (struct macro_step){wait, waits} : (struct macro_step){go, sets};
    if (cube)
        n += meet(like, PIPE_FIX, MEET_AIC, out + n);
    out[n++] = cube ? (struct macro_step){go, sets} : (struct macro_step){wait, waits};
    return n;
}

int macro_syncall_hard(struct insn like, enum syncall_kind kind, bool cube, struct macro_step *out)
{
    out[0] = (struct macro_step){insn_barrier(like, PIPE_ALL), "syncall barrier all"};
    if (kind == SYNCALL_MIX)
        return 1 + meet_mixed(like, cube, out + 1);
    return 1 + (kind == SYNCALL_AIV ? meet(like, PIPE_MTE3, MEET_AIV, out + 1)
                                    : meet(like, PIPE_FIX, MEET_AIC, out + 1));
}

static struct insn compute(struct insn like, enum alu op, int reg, struct operand by)
{
    struct insn i = insn_make(like, I_ALU);
    i.sub = (uint8_t)op;
    i.rd = i.ra = reg;
    i.rb = by.reg;
    i.imm = by.imm;
    return i;
}

/* The generation's last arrival: (before / total + 1) * total, before being what the counter held. */
int macro_syncall_soft(struct insn like, struct operand addr, int region, struct operand total,
                       int reg, struct macro_step *out)
{
    struct insn before = insn_access(like, I_LD_DEV, addr, ELEM_I32, region);
    struct insn line = insn_access(like, I_DCCI, addr, ELEM_I32, region);
    struct insn add = insn_access(like, I_ST_ATOMIC, addr, ELEM_I32, region);
    struct insn poll = insn_access(like, I_POLL_DEV, addr, ELEM_I32, region);
    before.rd = reg;
    before.flags |= INSN_SYNC;
    add.flags |= INSN_NOTIFY;
    poll.sub = CMP_GE;
    const struct macro_step steps[] = {
        {insn_barrier(like, PIPE_ALL), "syncall barrier all"},
        {insn_make(like, I_DSB), "syncall dsb before the counter"},
        {before, NULL},
        {line, "syncall dcci before the add"},
        {insn_with(add, imm_operand(1)), NULL},
        {line, "syncall dcci after the add"},
        {insn_make(like, I_DSB), "syncall dsb after the add"},
        {compute(like, ALU_FLOORDIV, reg, total), NULL},
        {compute(like, ALU_ADD, reg, imm_operand(1)), NULL},
        {compute(like, ALU_MUL, reg, total), NULL},
        {insn_with(poll, reg_operand(reg)), NULL},
        {insn_make(like, I_DSB), "syncall dsb after the wait"},
        {insn_barrier(like, PIPE_ALL), "syncall barrier all after the wait"},
    };
    ROW_EACH(steps, MACRO_STEPS);
    for (int n = 0; n < MACRO_STEPS; n++)
        out[n] = steps[n];
    return MACRO_STEPS;
}

/* ---- a ring of slots ---- */

int ring_period(const struct ring *r)
{
    return r->slots <= 2 ? r->slots : r->slots / 2;
}

static int ready_id(const struct ring *r)
{
    return r->flag + (r->both && r->to_cube ? 2 : 0);
}

struct insn ring_pushed(struct insn like, const struct ring *r, enum pipe pipe)
{
    return insn_set_cross(like, pipe, CROSS_CLUSTER, ready_id(r));
}

struct insn ring_await_push(struct insn like, const struct ring *r)
{
    return insn_wait_cross(like, ready_id(r));
}

struct insn ring_give_credit(struct insn like, const struct ring *r)
{
    return insn_set_cross(like, PIPE_MTE2, CROSS_CLUSTER, ready_id(r) + 1);
}

struct insn ring_take_credit(struct insn like, const struct ring *r)
{
    return insn_wait_cross(like, ready_id(r) + 1);
}
