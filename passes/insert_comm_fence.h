/* SPDX-License-Identifier: MIT */
/*
 * InsertCommFence: the markers that make communication visible on a machine without coherent caches
 * (pypto-facts 3). In core functions (InCore, AIC, AIV) it inserts, right after a statement:
 *
 *   W1  local write of a window            cacheinvalid(target, dims, zeros); fence()
 *       (tile.store, tensor.write, get)
 *   W2  write of a peer's window            fence()
 *       (remote_store, put)
 *   W3  call that it cannot see into, or a  cacheinvalid(); fence()
 *       W1 write of a nameless window
 *   R1  wait                                cacheinvalid()
 *
 * and nothing anywhere else: nothing before a statement, nothing at a notify. A marker that already
 * follows is not repeated (pypto-facts 3.2), so the pass is idempotent for one batch option.
 *
 * R1 under PASS_BATCH_LOOPS (pypto-facts 3.3): waits that follow one another directly share one
 * invalidate after the last, and a loop of nothing but waits gets one after the loop. Both need
 * every control expression and every operand of a wait to leave memory alone: a cached read there
 * would fetch a line before the shared invalidate and hand it to what follows. A run therefore ends
 * before a wait whose operands read memory. Two loops, or a wait and a loop, do not share.
 *
 * Two modes go further and are none of the compiler's: PASS_BATCH_LINES invalidates at those places only
 * the lines that may be used through the cache afterwards, one region marker a line, nothing when there
 * are none, and the whole cache when they cannot be named; PASS_BATCH_USE puts nothing behind a wait, and
 * one invalidate in front of the first statement that uses the cache after it. Both trust that a task
 * begins with an empty cache: what it leaves alone, the next one may find old (docs/passes.md).
 *
 * PASS_RULES_PROPOSED is no rule of the compiler: it closes what its rules leave open
 * (docs/findings.md). W1 after a DMA write is fence(); cacheinvalid(...), so that no line comes
 * back old between the two; and W1 holds for plain tensors that the function may read again.
 */
#ifndef PASSES_INSERT_COMM_FENCE_H
#define PASSES_INSERT_COMM_FENCE_H

#include "passes/pass.h"

enum comm_fence_rule {
    COMM_FENCE_NONE,
    COMM_FENCE_W1,
    COMM_FENCE_W1_DMA, /* of the proposed rules: W1 in the other order */
    COMM_FENCE_W2,
    COMM_FENCE_W3,
    COMM_FENCE_R1,
    COMM_FENCE_RULE_COUNT
};

/* "W1", in either order; "none" for COMM_FENCE_NONE. */
const char *comm_fence_rule_name(enum comm_fence_rule rule);

/*
 * The rule that the marker at block->items[i] belongs to, read off the statements before it, so
 * that markers written by hand or pasted from a dump have one too. COMM_FENCE_NONE: no marker, or
 * one that those options would not have put there.
 */
enum comm_fence_rule comm_fence_rule_of(const ir_block *block, size_t i,
                                        const struct pass_options *o);

/* The pass. Functions and statements without a new marker are shared with p. It cannot fail. */
struct ir_program *insert_comm_fence(struct arena *a, const struct ir_program *p,
                                     const struct pass_options *o, struct diag *d);

#endif
