/* SPDX-License-Identifier: MIT */
/*
 * Names, states and conditions in a spelling that herd's readers of logs accept (docs/litmus.md).
 *
 * Their grammar has a whole number in front of ':' and letters, digits, '_' and '.' in names, some
 * of which are words of its own. So the core moves to the register, 1.1:r0 is 1:c1.r0 and
 * 1.2.aiv0:t0 is 1:c2.aiv0.t0; the rank moves into the name, x[3]@1 is x.1[3]; and a name that
 * would then be a word of theirs, or another declared name, gets '_' in front. Different names of
 * one test stay different.
 */
#ifndef LITMUS_HERD_H
#define LITMUS_HERD_H

#include "litmus/test.h"

/* The name of an atom of t. */
const char *litmus_herd_name(struct arena *a, const struct litmus_test *t,
                             const struct litmus_cond *atom);

/* A state line that litmus_state made of t. */
const char *litmus_herd_state(struct arena *a, const struct litmus_test *t, const char *state);

/* "(1:c1.r0=0 /\ x.1=7)". */
const char *litmus_herd_condition(struct arena *a, const struct litmus_test *t);

#endif
