/* SPDX-License-Identifier: MIT */
/*
 * What an answer is about: which program on which machine was looked at how far, and what was not. A
 * program that reads answers needs it to know what a clean one is worth (docs/json.md).
 */
#ifndef BENCH_SCOPE_H
#define BENCH_SCOPE_H

#include <jansson.h>

#include "bench/campaign/cases.h"

/* How far a case was looked at. */
struct scope_looked {
    uint64_t runs, failed; /* sampled; 0: none was */
    uint64_t states;       /* explored; 0: none was */
    bool complete;         /* those are all that there are */
};

json_t *scope_json(const struct kase *k, const struct scope_looked *l);

#endif
