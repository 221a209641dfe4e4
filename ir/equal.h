/* SPDX-License-Identifier: MIT */
/*
 * Structural equality and hash: variables map one to one (alpha-equivalence); types, keywords,
 * attributes and window-buffer identity count; names, spans and comments do not. Equal programs
 * have equal hashes.
 */
#ifndef IR_EQUAL_H
#define IR_EQUAL_H

#include "ir/ir.h"

bool ir_equal(const struct ir_program *a, const struct ir_program *b);
uint64_t ir_hash(const struct ir_program *p);

#endif
