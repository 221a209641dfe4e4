/* SPDX-License-Identifier: MIT */
/* What the suites of the litmus language share: a test from text, and its outcomes under a
 * contract. */
#ifndef TESTS_LITMUS_LITMUS_RIG_H
#define TESTS_LITMUS_LITMUS_RIG_H

#include "litmus/test.h"

/* The toolchain profile of that name, from models/. */
const struct toolchain *rig_toolchain(struct arena *a, const char *name);
/* The machine contract of that name, from models/. */
const struct contract *rig_contract(struct arena *a, const char *name);

/* The test, or NULL with d filled. Errors name the text "t.litmus". Toolchain ptoas-0.57. */
struct litmus_test *rig_parse(struct arena *a, const char *text, struct diag *d);
/* The test; one that does not parse fails. */
struct litmus_test *rig_test(struct arena *a, const char *text);

/* Instructions of one core but the end, "; " between them. */
const char *rig_listing(struct arena *a, const struct program *p, int core);

/* Final states of every run: all schedules are tried (sim/explore/explore.h). */
struct rig_outcomes {
    const char *states;          /* distinct, in byte order, one a line */
    enum litmus_verdict verdict; /* over all of them; LITMUS_UNKNOWN when a limit was hit */
};
/* Under a contract that the caller may have changed; max_states 0: no limit. */
struct rig_outcomes rig_explore(struct arena *a, const struct litmus_test *t,
                                const struct contract *k, uint64_t max_states);

/* The final states under the contract of that name. */
const char *rig_final_states(struct arena *a, const struct litmus_test *t, const char *model);
/* The same for runs of seeds 1 to n under each driver: a part of the above. */
const char *rig_sampled_states(struct arena *a, const struct litmus_test *t, const char *model,
                               uint64_t n);
/*
 * What a stuck state under a contract may rest on, so that a weaker contract goes on from there
 * (the order of contracts, docs/machine.md): that it waits where the weaker does not, or that a
 * dirty line stays in a cache for ever.
 */
enum excuse { NO_EXCUSE, WAITS_AT_BARRIER, WAITS_AT_FLAG, DIRTY_LINE };
/* Those that the state has, as bits 1 << excuse. */
unsigned rig_excuses(const struct machine *m);

/* The verdict over all final states. */
enum litmus_verdict rig_verdict(struct arena *a, const struct litmus_test *t, const char *model);

#endif
