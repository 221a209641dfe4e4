/* SPDX-License-Identifier: MIT */
/*
 * What the real compiler emitted for functions whose source we have, where those files lie beside the
 * repository (pypto-front-facts 0). ORACLE names another folder than ../shared/oracle or
 * ../../shared/oracle.
 */
#ifndef TESTS_PTO_PAIRS_H
#define TESTS_PTO_PAIRS_H

#include "base/arena.h"

struct pair {
    const char *name; /* "ring_allreduce.kernel" */
    const char *path, *source;
    const char *function, *written; /* as compiled, and in the source: a mixed kernel becomes two */
};

/* Each pair in an arena of its own. All files but two have a source. */
void pairs_each(void (*look)(void *ctx, struct arena *a, const struct pair *x), void *ctx);

#endif
