/* SPDX-License-Identifier: MIT */
/*
 * SynthesizeAllReduceSignals (pypto-facts 5.1): gives each host allreduce a signal. Before
 *
 *     x = pld.tensor.allreduce(data, op=..., core_num=C)
 *
 * it inserts, with 64-bit constants,
 *
 *     __allreduce_signal_world_size_K = pld.system.world_size()
 *     __allreduce_signal_buf_K = pld.tensor.alloc_window_buffer(world_size_K * C * 4)
 *     __allreduce_signal_K = pld.tensor.window(buf_K, [world_size_K, C], dtype=pl.INT32)
 *
 * and passes the signal. A returned allreduce, with or without a signal, becomes an assignment to
 * __allreduce_result_K before the return. K counts up through the whole program and leaves out
 * numbers for which one of the four names is in use, as a variable or as a window's logical name.
 *
 * Only host orchestrators change. The pass is idempotent.
 */
#ifndef PASSES_SYNTHESIZE_ALLREDUCE_SIGNALS_H
#define PASSES_SYNTHESIZE_ALLREDUCE_SIGNALS_H

#include "passes/pass.h"

/*
 * Errors, with the name of the rule in brackets:
 *   direct-call    the call is an operand of something else
 *   loop-signal    a call without a signal stands in a loop: its counters would not be zero again
 *   ring-signal    a call with mode="ring" has no signal
 */
struct ir_program *synthesize_allreduce_signals(struct arena *a, const struct ir_program *p,
                                                const struct pass_options *o, struct diag *d);

#endif
