/* SPDX-License-Identifier: MIT */
/*
 * LowerHostTensorCollectives (pypto-facts 5.2, 5.6): a collective of a host orchestrator becomes
 * one dispatch of its builtin kernel per device of the communication domain that holds its windows:
 *
 *     devices listed      pl.builtin.tensor.X(operands, ..., attrs={"device": D, ...}) for each D
 *     all devices         for r in pl.range(0, pld.system.world_size(), 1): the same, device r
 *
 * An assigned result becomes another name of the operand that the collective writes; it gets that
 * operand's window, as do variables that loops carry and branches yield. mode="ring" chooses
 * another builtin. Keywords of the builtin stand in its attributes as well, with device and
 * arg_directions.
 *
 * Only host orchestrators change. The pass is idempotent.
 */
#ifndef PASSES_LOWER_HOST_TENSOR_COLLECTIVES_H
#define PASSES_LOWER_HOST_TENSOR_COLLECTIVES_H

#include "passes/pass.h"

/* The vector cores of a device, which bound the core_num of a mesh allreduce: all blocks start
 * together, and more of them than cores would never start. 24 cube and 48 vector cores. */
enum { HOST_MAX_CORES = 48, HOST_MAX_RING_RANKS = 16 };

/*
 * Errors, with the name of the rule in brackets:
 *   direct-call       the call is an operand of something else
 *   mode              mode is neither "mesh" nor "ring"
 *   explicit-signal   an allreduce without a signal
 *   window-bound      an operand is no window with a back-reference to its allocation
 *   distinct-windows  two operands are windows of one allocation
 *   one-domain        no enclosing communication domain holds all operands
 *   one-window        a variable would stand for windows of two allocations
 *   signal-rank       a signal has neither one nor two dimensions
 *   signal-lanes      its second extent is not the constant number of lanes
 *   signal-ranks      its first extent is less than the number of devices
 *   core-num          more cores than a device has, or several cores in a ring
 *   root              the root is none of the devices
 *   ring-signal       a ring's signal is not [2*(NR-1)+1, NR]
 *   ring-size         a ring's data are not of constant size, or no multiple of NR
 *   ring-ranks        a ring of more than 16 ranks
 */
struct ir_program *lower_host_tensor_collectives(struct arena *a, const struct ir_program *p,
                                                 const struct pass_options *o, struct diag *d);

#endif
