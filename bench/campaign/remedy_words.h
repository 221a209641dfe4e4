/* SPDX-License-Identifier: MIT */
/*
 * A remedy in the words of its user: which call of the kernel language at which line of the file.
 *
 * What a call becomes is the toolchain's choice (models/toolchain.h), and InsertCommFence adds its
 * own markers where a write or a wait has none behind it: the calls are those with which the
 * compiled program should have the instructions of the remedy, or stronger ones. Whether it has is
 * found out by writing them into the file (bench/campaign/remedy_written.h).
 */
#ifndef BENCH_REMEDY_WORDS_H
#define BENCH_REMEDY_WORDS_H

#include "bench/campaign/remedy.h"
#include "codegen/kernel.h"

/* Fills in r->calls for a remedy of p, which was compiled from k. None when no call reaches the
 * place: inside of one statement of the file, or of library code. */
void remedy_add_calls(struct arena *a, const struct kernel *k, const struct toolchain *t,
                      const struct program *p, struct remedy_found *r);

/* Where a statement of its own can stand in front of the one that a place of p belongs to, or behind
 * it: line, side and column of *out. False where none can. */
bool remedy_beside(const struct kernel *k, const struct program *p, struct place at, bool behind,
                   struct remedy_call *out);

/* The same call in front of the innermost loop around it or, of one that stands behind a statement,
 * behind that loop. False where the text has no such loop. */
bool remedy_outward(const struct kernel *k, const struct remedy_call *c, struct remedy_call *out);

/* The calls of a kernel's language: a barrier of all pipes, one that ends in a dsb, all lines of the
 * cache. */
struct remedy_language {
    const char *drain, *fence, *invalidate;
};
const struct remedy_language *remedy_language_of(const struct kernel *k);

/* "pl.system.fence() after line 36; pl.system.cacheinvalid() after line 47", or NULL; src: of the
 * program. */
const char *remedy_calls_text(struct arena *a, const struct source *src,
                              const struct remedy_found *r);

#endif
