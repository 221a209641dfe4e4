/* SPDX-License-Identifier: MIT */
/*
 * Making instructions, and what the library's macros are made of, for whoever writes machine
 * programs.
 *
 * Each function takes an instruction like which the new one is: of that origin, site, loop, source
 * place and name. What an instruction does not use is as in INSN_BLANK.
 */
#ifndef ISA_BUILD_H
#define ISA_BUILD_H

#include "isa/program.h"
#include "models/toolchain.h"

#define INSN_BLANK                                                                                 \
    {                                                                                              \
        .rd = NO_REG, .ra = NO_REG, .rb = NO_REG, .region = -1, .site = -1                         \
    }

static inline struct operand imm_operand(int64_t v)
{
    return (struct operand){NO_REG, v};
}
static inline struct operand reg_operand(int reg)
{
    return (struct operand){reg, 0};
}

struct insn insn_make(struct insn like, enum insn_op op);
/* Of an element, or the line that it lies in (ADDRESS_WORD, ADDRESS_LINE), in region or anywhere:
 * -1. addr: a register and bytes on top of it, or a literal. */
struct insn insn_access(struct insn like, enum insn_op op, struct operand addr, enum elem elem,
                        int region);
/* The access with the value that it stores or compares with. */
struct insn insn_with(struct insn access, struct operand value);
struct insn insn_barrier(struct insn like, enum pipe pipe);
struct insn insn_flag(struct insn like, enum insn_op op, enum pipe from, enum pipe to, int id);

/* Transfers that store add from here on, or (false) write (pypto-ops-facts 6: a state of the core). */
struct insn insn_set_atomic(struct insn like, bool add);
/* A flag between cores, set by what is in front of it in the pipe, or by the scalar unit at once
 * (PIPE_S); awaited by the scalar unit (pypto-ops-facts 3.4). */
struct insn insn_set_cross(struct insn like, enum pipe pipe, enum cross_mode mode, int id);
struct insn insn_wait_cross(struct insn like, int id);

/* ---- library macros ---- */

/* One step of a macro. Those in a row with the same site go together when a sweep removes it;
 * NULL: the store, which is the statement itself. */
struct macro_step {
    struct insn insn;
    const char *site;
};
enum { MACRO_STEPS = 13 }; /* that a macro has at the most */

/* TNOTIFY (hw-facts 1.1): its store, and around it the steps like `like`; returns their number. */
int macro_notify(struct insn like, struct insn store, struct macro_step *out);

/* TWAIT (hw-facts 1.2) of a signal at addr. */
struct insn macro_wait(struct insn like, struct operand addr, int region, enum cmp cmp,
                       struct operand value);

/* A count that the runtime polls for a task, on the host's side of all caches and without a sign
 * (pypto-facts 5.1, pypto-ops-facts 5.1). */
struct insn macro_deferred_wait(struct insn like, struct operand addr, int region,
                                struct operand value);

/* A fence in one of its forms: which barriers stand in front of the dsb is the toolchain's choice
 * (hw-facts 1.7). */
int macro_fence(struct insn like, enum fence_form form, struct macro_step *out);

/* TPUT and TGET (hw-facts 1.3), a load into a stage and a store from it, use two flags. The stage is
 * loaded: set by MTE2, awaited by MTE3. */
int macro_loaded(struct insn like, struct macro_step *out);
/* The stage, one of two, is free again: set by MTE3, awaited by MTE2, not by the scalar unit. */
struct insn macro_free(struct insn like, enum insn_op op, int stage);

/* ---- meeting of cores (pypto-ops-facts 3.5) ---- */

/* Who meets: the vector cores of a rank, the cube cores, or both. */
// clang-format off
#define SYNCALL_KINDS(X) \
    X(SYNCALL_AIV, "aiv_only") \
    X(SYNCALL_AIC, "aic_only") \
    X(SYNCALL_MIX, "mix")
// clang-format on
enum syncall_kind { SYNCALL_KINDS(ENUM_ROW) SYNCALL_KIND_COUNT };
const char *syncall_name(enum syncall_kind k);

/* The hard form: flags. cube: for a cube core. */
int macro_syncall_hard(struct insn like, enum syncall_kind kind, bool cube, struct macro_step *out);

/* The soft form: a counter at addr, an int32 alone on its line, to which each of total cores adds
 * one. reg is a register for it to use. */
int macro_syncall_soft(struct insn like, struct operand addr, int region, struct operand total,
                       int reg, struct macro_step *out);

/*
 * ---- tpush, tpop: a ring of slots in memory (pypto-ops-facts 3.3) ----
 *
 * Each side counts its own pushes or pops from 0, afresh in each task. Push i is
 *     ring_take_credit            if i >= slots and i % ring_period(r) == 0
 *     a store of the tile to slot i % slots, on MTE3 of a vector core, on FIX of the cube core
 *     ring_pushed                 on that pipe
 * and pop i is
 *     ring_await_push
 *     a load of slot i % slots, on MTE2
 *     ring_give_credit            if (i + 1) % ring_period(r) == 0
 * At the end of its task the side that pushed n tiles takes the credits that are still on the way:
 * n / ring_period(r) less those that it took. On a2a3 tfree is nothing.
 */
struct ring {
    int slots;    /* 1 and more */
    int flag;     /* the first of its flags, even */
    bool to_cube; /* from the vector cores to the cube core */
    bool both; /* there is a ring in the other direction beside it: that from the cube core has the
                     first two flags, this one the next two */
};
int ring_period(const struct ring *r);
struct insn ring_pushed(struct insn like, const struct ring *r, enum pipe pipe);
struct insn ring_await_push(struct insn like, const struct ring *r);
struct insn ring_give_credit(struct insn like, const struct ring *r);
struct insn ring_take_credit(struct insn like, const struct ring *r);

#endif
