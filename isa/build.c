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
