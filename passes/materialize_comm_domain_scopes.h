/* SPDX-License-Identifier: MIT */
/*
 * MaterializeCommDomainScopes (pypto-facts 4): in each host orchestrator, find on which devices
 * every window buffer is used and allocate it there.
 *
 *   1. Mark the loops whose tasks are released together (passes/group_dispatch.h), also in
 *      functions that allocate nothing.
 *   2. The devices of a window buffer are those that its views are dispatched to: a constant
 *      device, or all values of a loop variable; the world size as a bound stands for every device.
 *      The signal of a collective, and the counts that all_to_all_v receives, inherit the devices
 *      of the collective's data.
 *   3. Window buffers of equal devices, in the order of their allocations, are the slots of one
 *      domain. The body ends up inside of one scope a domain, the first one outermost.
 *   4. Each variable that views a window buffer is replaced by one whose type refers to the slot,
 *      and the call that defines it gets that type too.
 *
 * A function that has scopes already, with all its window buffers inside of them, is left alone, so
 * the pass is idempotent. Functions that are called, their parameters, and everything that is no
 * host orchestrator stay as they are.
 *
 * Errors: one for each rule of the table in the .c file, at the line of its cause, ending in the
 * name of the rule. Devices that a loop lists are limited to 1024.
 */
#ifndef PASSES_MATERIALIZE_COMM_DOMAIN_SCOPES_H
#define PASSES_MATERIALIZE_COMM_DOMAIN_SCOPES_H

#include "passes/pass.h"

struct ir_program *materialize_comm_domain_scopes(struct arena *a, const struct ir_program *p,
                                                  const struct pass_options *o, struct diag *d);

#endif
