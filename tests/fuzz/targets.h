/* SPDX-License-Identifier: MIT */
/*
 * What is fuzzed: each reader of text that a user writes, with all that follows a good text. Bad
 * text gives one error with a place; good text obeys the laws of its language. Anything else is
 * told, and a crash or a hang tells itself.
 */
#ifndef TESTS_FUZZ_TARGETS_H
#define TESTS_FUZZ_TARGETS_H

#include "base/diag.h"

struct fuzz_target {
    const char *name; /* and the folder of its corpus */
    /* NULL, or what went wrong, in arena a. */
    const char *(*run)(struct arena *a, const struct source *src);
};

extern const struct fuzz_target fuzz_targets[];
extern const size_t fuzz_target_count;

const struct fuzz_target *fuzz_target_find(const char *name);

#endif
