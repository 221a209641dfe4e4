/* SPDX-License-Identifier: MIT */
/*
 * Mutants of a program: what a sweep does to its markers (design 7). Each is a machine program whose
 * marker instructions are gone, or replaced by weaker ones, or stand elsewhere.
 *
 * A mutation that says nothing about a site makes no mutant of it: what already cleans one line is not
 * narrowed, and what follows no wait cannot stand before it.
 */
#ifndef BENCH_MUTANTS_H
#define BENCH_MUTANTS_H

#include "sim/patch.h"

/* The first three and a pair are removals. */
// clang-format off
#define MUTATIONS(X) \
    X(MUTATE_INSTRUCTION, "instruction") /* one site goes */ \
    X(MUTATE_MARKER, "marker") /* a marker statement of several sites goes */ \
    X(MUTATE_RULE, "rule") /* all markers of one rule go */ \
    X(MUTATE_PAIR, "pair") /* two sites go */ \
    X(MUTATE_NARROW, "narrow") /* all lines: one line; a region: its first line */ \
    X(MUTATE_WEAKEN, "weaken") /* a barrier holds one of its pipes alone */ \
    X(MUTATE_MISPLACE, "misplace") /* an invalidate before its wait, a fence behind the notify, a dcci behind its fence */ \
    X(MUTATE_RETARGET, "retarget") /* the line of the peer: the same of the own rank */
// clang-format on
enum mutation { MUTATIONS(ENUM_ROW) MUTATION_COUNT };
const char *mutation_name(enum mutation k); /* "narrow" */

struct mutant {
    enum mutation kind;
    int first;        /* the site, or the first of several */
    int other;        /* of a pair: the second site; else -1 */
    const char *what; /* "region cacheinvalid", "barrier all: mte3 alone" */
    const char *how;  /* as --mutate spells it: "mte3", "before-wait"; NULL: removals and pairs */
    bool *removed;    /* by site: those that go, or that additions stand for */
    const struct insertion *additions;
    size_t nadditions;
};
typedef VEC(struct mutant) mutants;

/* All mutants of p but pairs, by sites, in arena a. origins: bit per enum origin_kind, of the sites
 * that are looked at. */
void mutants_list(struct arena *a, const struct program *p, unsigned origins, mutants *out);

/* The mutant of one site that is no removal, by its `how`. False when the site has none such. */
bool mutant_named(struct arena *a, const struct program *p, int site, const char *how,
                  struct mutant *out);
/* All that --mutate can ask of a site of p, for an error: "mte2, mte3, before-wait"; "" for none. */
const char *mutant_names(struct arena *a, const struct program *p, int site);

/* Without two sites. */
struct mutant mutant_pair(struct arena *a, const struct program *p, int x, int y);

/* p mutated. Additions carry INSN_ADDED (sim/patch.h), what is gone INSN_REMOVED. */
struct program *mutant_program(struct arena *a, const struct program *p, const struct mutant *m);

#endif
