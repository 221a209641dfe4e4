/* SPDX-License-Identifier: MIT */
/*
 * LowerCompositeOps (pypto-front-facts 3.7, pypto-facts 5.3 to 5.5): a collective that a kernel
 * calls becomes what a rank does: loads, stores, puts and gets between credit barriers.
 *
 *     x = pld.tensor.C(...)        the statements, then x = the window that C writes
 *     pld.tensor.C(...)            the statements
 *     return pld.tensor.C(...)     the statements, then the window under a name of its own
 *
 * All collectives keep one protocol. A barrier adds 1 to the own cell of each peer's signal, then
 * waits until each cell of the own signal has reached the number of the barrier within this call;
 * the end of the call takes all of it back, so that a signal is zero again and can be used again.
 *
 * Sine and cosine of a tile become arithmetic on tiles, wherever they are assigned, a statement or
 * returned.
 *
 * What the pass makes is called `{base}__{what}_tmp_v{N}`: base is the name of x in front of `__`,
 * `eval` for a statement, `ret{i}` for the i-th value returned; N counts through the function, but
 * for names that are in use there.
 *
 * Every function but host orchestrators changes. The pass is idempotent.
 */
#ifndef PASSES_LOWER_COMPOSITE_OPS_H
#define PASSES_LOWER_COMPOSITE_OPS_H

#include "passes/pass.h"

/* What an allreduce holds of its data in one tile. */
enum { COMPOSITE_CHUNK_BYTES = 16 * 1024 };

/*
 * Errors, with the name of the rule in brackets:
 *   kernel-only      the call stands in an orchestrator on the chip
 *   direct-call      the call is no assignment, statement or returned value
 *   direct-operand   an operand that is a call, which the statements would repeat
 *   operand-type     an operand whose shape is not known
 *   mode             mode is neither "mesh" nor "ring"
 *   explicit-signal  an allreduce without a signal
 *   core-num         an allreduce on several cores
 *   mesh-signal      a signal that is not [NR, 1]
 *   ring-signal      a ring's signal that is not [2*(NR-1), NR]
 *   packed-target    the data of an allreduce are no packed rows in ND layout
 *   valid-rectangle  the valid part of a mesh allreduce's data is not one rectangle
 *   valid-size       ... or none that fits a tile
 *   valid-prefix     the valid part of a ring allreduce's data is not its first elements
 *   static-shape     an extent must be known at compile time
 *   plain-input      the input is a window
 *   fp32-only        sine or cosine of a tile of another type
 */
struct ir_program *lower_composite_ops(struct arena *a, const struct ir_program *p,
                                       const struct pass_options *o, struct diag *d);

#endif
