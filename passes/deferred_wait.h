/* SPDX-License-Identifier: MIT */
/*
 * Kernels that register what completes their task, pld.system.defer_wait (pypto-facts 5.1,
 * pypto-ops-facts 5.1). Such a waiter ends at once and its core is free, but its task is complete,
 * and what waits for it starts, only when memory holds the counts that it registered. It is a task
 * of its own that an orchestrator launches, of one block, on a vector core, and does nothing else:
 * it reads scalars, and behind the first registration it only computes and registers more.
 */
#ifndef PASSES_DEFERRED_WAIT_H
#define PASSES_DEFERRED_WAIT_H

#include "ir/ir.h"

/* The attribute of a function that was checked as the body of a task: True. */
#define DEFERRED_WAITER "deferred_completion_waiter"

/* A registration stands in the block, at any depth. */
bool deferred_wait_in(const ir_block *body);

/* Checks that the body of a task does what a waiter may do; true when it registers nothing. Errors,
 * with d filled: waiter-body, waiter-limit. at: what is to blame for the number of conditions. */
bool deferred_wait_check_body(const struct ir_program *p, const ir_block *body, struct span at,
                              struct diag *d);

/* Checks all waiters of the program, and their launches. Errors: those of the body, and
 *   waiter-task    the function was not made of a task, or is no kernel of vector cores
 *   waiter-launch  it is launched by no orchestrator, in several blocks, early, or by a condition
 */
bool deferred_wait_check(const struct ir_program *p, struct diag *d);

#endif
