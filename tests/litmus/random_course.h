/* SPDX-License-Identifier: MIT */
/*
 * Random litmus tests without races: a run of the test is made step by step, and a core takes an access
 * only when what it has waited for orders it behind all that conflicts with it. Markers come where they
 * happen to, so that most of what is read may be stale, overrun or lost.
 */
#ifndef TESTS_LITMUS_RANDOM_COURSE_H
#define TESTS_LITMUS_RANDOM_COURSE_H

#include <stdint.h>

#include "litmus/test.h"

struct random_course {
    const char *text;
    const struct litmus_test *test;
    /* The test's program, with what no text can say. Of some seeds it tells apart who wrote each byte of
     * a word. Waits for a value are some for one that is not too large, or for another than that. And
     * of some seeds cores take tasks, which wait for those of other cores: two nops of the text stand for
     * the end of a task and the start of the next one. */
    const struct program *program;
};

/* The test of a seed, named COURSE-SEED: two or three cores of one to three ranks, or lanes of a cluster.
 * parse: of a text that is right. */
struct random_course random_course(struct arena *a, uint64_t seed,
                                   struct litmus_test *(*parse)(struct arena *a, const char *text));

#endif
