/* SPDX-License-Identifier: MIT */
/*
 * A litmus test under one machine contract as a Promela model: a second engine for the same
 * semantics, written from docs/machine.md and docs/litmus.md without any code of sim/ but the
 * program's data.
 *
 * The model has a process per scalar unit, one per pipe that the test uses, one that delivers
 * messages, one per core that evicts and prefetches where the contract has it, and an observer.
 * Litmus programs have no loops, so each process is straight-line code and a pipe's queue is a
 * count. The observer prints a line for each final state that the verifier reaches:
 *
 *     final *>1:r0=0; x[3]@1=7; deadlock=1;
 *
 * with `*>` where the condition's proposition is true and `:>` where it is not, then the state as
 * litmus_state writes it. A state is final when every core has ended and pipes and fabric are
 * empty, or when nothing can happen any more but prefetches and evictions of clean lines (a
 * deadlock). The lines appear during verification when pan is compiled with -DPRINTF:
 *
 *     spin -a t.pml && gcc -O2 -DSAFETY -DNOREDUCE -DPRINTF -o pan pan.c && ./pan -E -c0
 *
 * -E because deadlocks are answers here, -c0 to visit everything. The lines are all final states
 * only when pan neither runs out of depth or memory nor reports an error.
 */
#ifndef LITMUS_PROMELA_H
#define LITMUS_PROMELA_H

#include "litmus/test.h"

/*
 * The model, in arena a: equal arguments give equal bytes. k is the contract itself, not that of
 * litmus_contract. NULL with d filled when the contract has a rule that the translation does not
 * know (partial_line_dma = read_modify_write; dma_chunk_order = any with fabric = per_pair), or the
 * test is too large for Promela (255 processes, 255 kinds of messages, 31 words of a line).
 */
const char *litmus_promela(struct arena *a, const struct litmus_test *t, const struct contract *k,
                           struct diag *d);

#endif
