/* SPDX-License-Identifier: MIT */
/*
 * Instructions put into a machine program: what a remedy adds, so that it can be run
 * (docs/machine.md).
 *
 * Branches, the starts of tasks and sites stay with the instructions that they name. An addition
 * belongs to no site and carries the flag INSN_ADDED, so that an instruction of the new program can
 * be traced to the one of the old that it is.
 */
#ifndef SIM_PATCH_H
#define SIM_PATCH_H

#include <stddef.h>

#include "isa/program.h"

struct insertion {
    const struct code *code; /* of one or more cores of the program; all of them get it */
    int at;                  /* index into code->insns */
    /* false: in front of `at`, on every way there, jumps included. true: behind it; who jumps to
     * what follows does not pass the addition. `at` must then not be a jump or an end. */
    bool behind;
    struct insn insn; /* no branch */
};

/* A copy of p with the additions, in arena a; several at one place keep their order. Shares with p
 * what it does not change. */
struct program *program_insert(const struct program *p, const struct insertion *list, size_t n,
                               struct arena *a);

/* The index in the old program of instruction `insn` of a new one's core; -1 for an addition, and
 * for -1. */
int program_original(const struct program *patched, int core, int insn);

#endif
