/* SPDX-License-Identifier: MIT */
/*
 * What of a core's state can still matter, given where it stands.
 *
 * A clean cache line matters only while the core may still load or store in it before it drops the
 * line: dcci, dcci all and a poll of the line drop it first (hw-facts 1.2). A register matters only
 * while an instruction may read it, or when it is observed where the core may end or stand for
 * ever. Two states that differ in nothing else have the same future, so that packed states
 * (sim/explore/pack.h) leave out what is dead.
 *
 * Known for code without branches, tasks and tile operations, whose accesses have literal
 * addresses: litmus tests. Elsewhere everything matters.
 */
#ifndef SIM_LIVENESS_H
#define SIM_LIVENESS_H

#include "sim/machine.h"

struct liveness;

/* For machines of m's program and contract. observed: for each core a mask of registers 0 to 63
 * that matter in final states, or NULL: all do. */
struct liveness *liveness_new(struct arena *a, const struct machine *m, const uint64_t *observed);

/* addr: any of the line, on any rank. */
bool live_line(const struct liveness *l, const struct machine *m, int core, uint64_t addr);

/* The registers that matter where the core stands, as a mask; beyond 63 all do. */
uint64_t live_registers(const struct liveness *l, const struct machine *m, int core);

#endif
