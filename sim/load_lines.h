/* SPDX-License-Identifier: MIT */
/*
 * The lines that the loads of a core can name: what a prefetch may fill (docs/machine.md).
 *
 * They are found by abstract interpretation of the core's program, task by task from the arguments
 * that the host gives it: each register has the set of values that it can hold (sim/values.h).
 * Loads from words that nothing writes give their initial values, so that a peer's window is found
 * through the context; what other loads give is unknown. A load whose address is unknown names
 * every line that it may touch without an error: those of its region, on every rank. A load that
 * the core cannot reach names nothing.
 *
 * The set holds every line that a load of the core touches in any run, under any contract, and
 * depends on the program alone.
 */
#ifndef SIM_LOAD_LINES_H
#define SIM_LOAD_LINES_H

#include "sim/writable.h"

struct load_lines {
    uint64_t *items; /* global addresses, ascending */
    int count;
};

/* With lines of w->line bytes; the list lives in arena a. */
struct load_lines load_lines_of(struct arena *a, const struct program *p, const struct writable *w,
                                int core);

#endif
