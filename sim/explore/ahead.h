/* SPDX-License-Identifier: MIT */
/*
 * What a core would still do if all that it waits for came true: for saying who would have set the
 * signal or flag of a run that is stuck.
 *
 * The core's text is followed from where it stands, with the registers that it has; a value that it
 * would load is unknown, but for those of communication contexts, which nothing writes. Both ways
 * of a branch on an unknown value are taken, so what is found may happen, and beyond a number of
 * steps nothing is.
 */
#ifndef SIM_AHEAD_H
#define SIM_AHEAD_H

#include "sim/machine.h"

/* An instruction on the way that writes memory, or sets a flag. */
struct ahead {
    const struct insn *insn;
    bool placed;    /* addr is known */
    uint64_t addr;  /* of a store: first byte */
    uint64_t bytes; /* of a store; 0: unknown */
    bool valued;    /* value is known */
    int64_t value;  /* of a scalar store */
};

/* Calls fn for each of them that core would come to, once for each time; until it returns false.
 * Returns false when it gave up before all of the way was seen. */
bool ahead_each(const struct machine *m, int core,
                bool (*fn)(void *ctx, int core, const struct ahead *a), void *ctx);

#endif
