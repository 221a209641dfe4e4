/* SPDX-License-Identifier: MIT */
/*
 * The properties that a program can have: those that passes require and produce (pass.h), and those
 * of the verifier (ir/verify.h). Whether one holds is seen from the program alone, no pass has to
 * run.
 */
#ifndef PASSES_PROPERTIES_H
#define PASSES_PROPERTIES_H

#include "ir/ir.h"

struct property_row {
    const char *name; /* "NoNestedCalls" */
    const char *doc;  /* what holds, one line */
    const char *fact; /* the page and section that it rests on */
};

/* Properties are numbered from 0 in the order of the compiler's passes. */
size_t property_count(void);
struct property_row property_row(size_t i);

/* The property called name, or property_count(). */
size_t property_find(const char *name);

/*
 * True when property i holds. Otherwise false with d filled: the first place that breaks it, and
 * what stands there.
 */
bool property_holds(size_t i, const struct ir_program *p, struct diag *d);

#endif
