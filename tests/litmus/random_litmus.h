/* SPDX-License-Identifier: MIT */
/* Random litmus tests: every instruction of the language, on few words that share lines. */
#ifndef TESTS_LITMUS_RANDOM_LITMUS_H
#define TESTS_LITMUS_RANDOM_LITMUS_H

#include <stdint.h>

#include "base/arena.h"

/* The test of a seed, named RND-SEED: two cores of three to five instructions each, or three of two
 * or three, of two ranks or of one. Every word that it names is in its condition. */
const char *random_litmus(struct arena *a, uint64_t seed);

#endif
