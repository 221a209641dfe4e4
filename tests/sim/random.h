/* SPDX-License-Identifier: MIT */
/* Random small programs for two ranks, or for the lanes of a cluster, whose cores touch two lines and
 * wait for each other. */
#ifndef TESTS_SIM_RANDOM_H
#define TESTS_SIM_RANDOM_H

#include "tests/sim/rig.h"

enum { RANDOM_MODELS = 7 };
extern const char *const random_models[RANDOM_MODELS];

/* The program of a seed: so many cores, in turns of rank 0 and 1, with so many instructions each,
 * on a machine without an oracle; of every fourth seed the lanes of clusters of rank 0. */
void open_random(struct rig *r, uint64_t seed, int cores, int length, const char *model);
/* The same on a contract with some keys changed: ROW_KEYS of them. */
void open_random_keys(struct rig *r, uint64_t seed, int cores, int length, const char *model,
                      const struct key *keys);
/* The same where most scalar accesses go through a register: a constant, or one that depends on
 * what was loaded. */
void open_random_registers(struct rig *r, uint64_t seed, int cores, int length, const char *model,
                           const struct key *keys);
/* Programs of both kinds, with an oracle. */
void open_random_judged(struct rig *r, uint64_t seed, int cores, int length, const char *model);

#endif
