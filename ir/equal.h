/* SPDX-License-Identifier: MIT */
/*
 * Structural equality and hash, the compiler's own (pypto-front-facts 4): variables map one to one
 * (alpha-equivalence); types, keywords, attributes and window-buffer identity count; names, spans,
 * comments, the order of functions and of keywords, keywords of operators that say what leaving
 * them out says, and where memory lies (MemRef) do not. Equal programs have equal hashes.
 */
#ifndef IR_EQUAL_H
#define IR_EQUAL_H

#include "ir/ir.h"

bool ir_equal(const struct ir_program *a, const struct ir_program *b);
uint64_t ir_hash(const struct ir_program *p);

/* The first difference of two programs, in the order of their text. */
struct ir_difference {
    struct arena *arena;    /* owns the words; set by the caller */
    const char *words;      /* "operator tile.add in A, tile.sub in B"; NULL: none found */
    const char *func;       /* the function of A that it is in, or NULL */
    struct span at_a, at_b; /* line 0: no place in the text */
};
/* As ir_equal; d is filled when the programs differ. */
bool ir_compare(const struct ir_program *a, const struct ir_program *b, struct ir_difference *d);

/* The same type over the same variables and windows: what a printed form may leave out. */
bool ir_type_same(const struct ir_type *a, const struct ir_type *b);

#endif
