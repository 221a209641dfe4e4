/* SPDX-License-Identifier: MIT */
/* Private to litmus/: the text that tests are printed and hashed by. */
#ifndef LITMUS_PRINT_H
#define LITMUS_PRINT_H

#include "base/strbuf.h"
#include "litmus/test.h"
#include "litmus/tree.h"

/* All of a test but its name and doc string; without labels also without expectations. */
void litmus_print_body(struct strbuf *b, const struct litmus_test *t, bool labels);

/* "(PROPOSITION)", with the names of atoms that name_of gives. */
void litmus_print_cond(struct strbuf *b, const struct litmus_cond *c,
                       const char *(*name_of)(void *ctx, const struct litmus_cond *atom),
                       void *ctx);

/* A parsed tree becomes a test: its program, the sites of its labels, its hash (litmus/test.c). */
void litmus_finish(struct arena *a, struct litmus_test *t);

/* Adds the atoms of a condition, or an atom, that the test does not observe yet (litmus/parse_cond.c). */
void litmus_observe(struct arena *a, struct litmus_test *t, const struct litmus_cond *c);

#endif
