/* SPDX-License-Identifier: MIT */
/*
 * Random programs as text, and which constructs of the language a set of programs holds.
 *
 * A program is a function of its seed. It parses; most of its calls are well typed, so that a good
 * part of all programs verify, but not all do. Names are few: variables shadow each other, and
 * printing must keep them apart.
 */
#ifndef TESTS_IR_RANDOM_PROGRAM_H
#define TESTS_IR_RANDOM_PROGRAM_H

#include "base/rng.h"
#include "ir/ir.h"

/* The text, in arena a. */
const char *random_program(struct arena *a, uint64_t seed);

/* ---- constructs ---- */

enum { MAX_CONSTRUCTS = 256 };

struct construct {
    const char *name; /* "statement if", "binary **", "type pl.Tile", "function Graph" */
    size_t seen;
};

struct coverage {
    struct construct items[MAX_CONSTRUCTS];
    size_t len;
};

/* Every construct of the language, none seen yet. */
void coverage_init(struct coverage *c, struct arena *a);
/* Counts each construct of p as often as it occurs. */
void coverage_add(struct coverage *c, const struct ir_program *p);

#endif
