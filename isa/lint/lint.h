/* SPDX-License-Identifier: MIT */
/*
 * A static check of a machine program: which markers can be missing, in time linear in its size
 * (docs/lint.md; pto-facts 6.3).
 *
 * What a core has begun and not finished is kept as a few facts about each piece of memory (a
 * region, or regions that share a line), on the own rank and on any other: a queued load, a queued
 * store of each pipe, a store in flight, a line dirty in the cache, a clean in flight, a line
 * cached, a line that may be old since a wait. Instructions change these facts by a table, where
 * ways meet they are joined, loops go around until nothing changes. What a later instruction needs
 * and does not find is a finding.
 *
 * All stale and overrun reads and lost writes of memory that a marker would repair are found, and
 * some that cannot happen: ways that no run takes, elements that are never the same.
 */
#ifndef ISA_LINT_H
#define ISA_LINT_H

#include "isa/program.h"
#include "models/contract.h"

/* In the order in which the markers stand. */
// clang-format off
#define LINT_RULES(X) \
    X(LINT_DRAIN, "missing drain") /* a pipe may not have done it yet */ \
    X(LINT_CLEAN, "missing clean") /* it may be in this core's cache alone */ \
    X(LINT_ONE_LINE, "clean of one line") /* a longer store was cleaned in its first line alone */ \
    X(LINT_FENCE, "missing fence") /* it may be on its way to memory */ \
    X(LINT_INVALIDATE, "missing invalidate") /* the line may be older than what is in memory */
// clang-format on
enum lint_rule { LINT_RULES(ENUM_ROW) LINT_RULE_COUNT };
const char *lint_rule_name(enum lint_rule r); /* "missing drain" */

struct lint_finding {
    enum lint_rule rule;
    bool sure;   /* false: whether two addresses share a line is not known */
    int core;    /* whose code both are in */
    int access;  /* the instruction whose effect is missing; -1: the start of the core */
    int at;      /* the instruction that needs it: a notify, an access, a task's end */
    int partial; /* the dcci that cleans a part of it; or -1 */
    int region;  /* that access touches; -1: unknown */
};

struct lint_report {
    struct lint_finding *items; /* in arena a, in the order of the text, each rule, access and place
                                   once */
    int count;
};

/* Checks p for machine k. A coherent machine has no findings. Cores of several ranks that run
 * the same code are looked at together. */
struct lint_report lint_program(struct arena *a, const struct program *p, const struct contract *k);

/* "missing fence: pld.tile.put to win (line 12) may still be on its way at TNOTIFY; dsb between the
 * two", in arena a. */
const char *lint_text(struct arena *a, const struct program *p, const struct lint_finding *f);

#endif
