/* SPDX-License-Identifier: MIT */
/* Damaged texts: what a slip, a bad merge or a truncated dump makes of a file. */
#ifndef TESTS_FUZZ_MUTATE_H
#define TESTS_FUZZ_MUTATE_H

#include "base/arena.h"
#include "base/rng.h"

/*
 * One to four mutations of text, in arena a: bytes flipped, overwritten, inserted or cut out; lines
 * dropped, doubled or swapped; tokens swapped, doubled, replaced by others of the text or by words
 * that matter to the parsers; brackets repeated; the tail of `other` put behind a head of text.
 * Never holds a NUL byte and never grows beyond twice the longer text plus a few hundred bytes.
 */
char *mutate(struct arena *a, struct rng *r, const char *text, const char *other);

#endif
