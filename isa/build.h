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

/* ---- library macros ---- */

/* One step of a macro. Those in a row with the same site go together when a sweep removes it;
 * NULL: the store, which is the statement itself. */
struct macro_step {
    struct insn insn;
    const char *site;
};
enum { MACRO_STEPS = 5 }; /* that a macro has at the most */

/* TNOTIFY (hw-facts 1.1): its store, and around it the steps like `like`; returns their number. */
int macro_notify(struct insn like, struct insn store, struct macro_step *out);

/* TWAIT (hw-facts 1.2) of a signal at addr. */
struct insn macro_wait(struct insn like, struct operand addr, int region, enum cmp cmp,
                       struct operand value);

/* A fence in one of its forms: which barriers stand in front of the dsb is the toolchain's choice
 * (hw-facts 1.7). */
int macro_fence(struct insn like, enum fence_form form, struct macro_step *out);

/* TPUT and TGET (hw-facts 1.3), a load into a stage and a store from it, use two flags. The stage is
 * loaded: set by MTE2, awaited by MTE3. */
int macro_loaded(struct insn like, struct macro_step *out);
/* The stage, one of two, is free again: set by MTE3, awaited by MTE2, not by the scalar unit. */
struct insn macro_free(struct insn like, enum insn_op op, int stage);

#endif
