/* SPDX-License-Identifier: MIT */
/*
 * What `minimize` and `repair` share: one program of one file, for one number of ranks, under every
 * contract in which it has to be clean, and how that is found out.
 */
#ifndef BENCH_PROOF_H
#define BENCH_PROOF_H

#include "bench/campaign/clean.h"
#include "bench/cli/options.h"

struct proof {
    struct options o; /* first: argp children get it as struct options */
    struct clean_plan plan;
    kases cases; /* one for each contract; all have one program */
};

/* Defaults: contracts a2a3, a2a3-blocking and a2a3-evict, 200 runs. */
void proof_init(struct proof *p);

extern const struct argp_child proof_children[];
/* As options_key, of one file. */
bool proof_key(struct proof *p, int key, char *arg, struct argp_state *s);

/* Of n clean cases: EXIT_CLEAN when all are proved. */
int proof_exit_code(const struct clean_answer *x, size_t n);

/* Makes the cases. False with the diag filled. */
bool proof_cases(struct proof *p, const char *command);

#endif
