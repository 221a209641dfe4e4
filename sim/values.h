/* SPDX-License-Identifier: MIT */
/*
 * Sets of 64-bit integers that a register may hold, from above: a few values exactly, or all from
 * low to high. The abstract domain of sim/load_lines.h.
 */
#ifndef SIM_VALUES_H
#define SIM_VALUES_H

#include "base/arena.h"
#include "isa/program.h"

/* So many values are told apart: a value for each of 64 ranks, as the context of the compiler's ABI
 * has room for (pypto-facts 6). */
enum { VALUES_MAX = 64, VALUES_RANGE = -1 };

struct values {
    int count; /* of items, 0: no value at all; VALUES_RANGE: all from low to high */
    int64_t low, high;
    const int64_t *items; /* ascending; in the arena that the set was made in */
};

struct values values_one(struct arena *a, int64_t v);
struct values values_range(int64_t low, int64_t high);
struct values values_all(void);

/* All that an element in memory can stand for. */
struct values values_of_elem(enum elem e);

bool values_equal(const struct values *x, const struct values *y);
struct values values_join(struct arena *a, const struct values *x, const struct values *y);

/* Every alu_eval(op, a, b, from, to) with a of x and b of y. */
struct values values_alu(struct arena *a, enum alu op, const struct values *x,
                         const struct values *y, enum elem from, enum elem to);

/* Of x, the values a for which some b of y makes alu_eval(op, a, b) true, or false. */
struct values values_where(struct arena *a, enum alu op, const struct values *x,
                           const struct values *y, bool truth);

#endif
