/* SPDX-License-Identifier: MIT */
/*
 * Remedies in words that were tried: the calls are written into the file, which is compiled and
 * looked at again. Calls with which it still has the finding are not said.
 */
#ifndef BENCH_REMEDY_WRITTEN_H
#define BENCH_REMEDY_WRITTEN_H

#include "bench/campaign/remedy_words.h"

/* How a program came from its file. */
struct compilation {
    const struct kernel *kernel;
    struct kernel_options options;
    int nranks;
    const struct contract *sc; /* of the golden run */
};

/* Calls of the language, each beside a line of the file; those of one place in order. */
typedef VEC(struct remedy_call) remedy_calls;

/* The source with these calls, each in its file, and the number that one of its lines has there. */
const struct source *calls_written(struct arena *a, const struct source *s,
                                   const remedy_calls *calls);
int calls_moved_line(const remedy_calls *calls, int line);

/* Fills in the calls of the answers to the n queries about p, whose base and j are those of
 * remedies_find. */
void remedies_say(struct arena *a, const struct compilation *c, const struct program *p,
                  const struct remedy_judge *j, const struct evidence *base,
                  const struct remedy_query *q, size_t n);

#endif
