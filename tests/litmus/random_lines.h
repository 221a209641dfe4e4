/* SPDX-License-Identifier: MIT */
/* Random litmus tests of lines that several cores write: each word has one writer at a time. */
#ifndef TESTS_LITMUS_RANDOM_LINES_H
#define TESTS_LITMUS_RANDOM_LINES_H

#include <stdint.h>

#include "base/arena.h"

/* The test of a seed: two cores, of two ranks or of one, two stretches with a notify of one core and
 * a wait of the other between them. In a stretch a core writes the words that it owns then, and all
 * may add to one of them; words of both owners are in one line. Cleans and dsb are strewn in. */
const char *random_lines(struct arena *a, uint64_t seed);

#endif
