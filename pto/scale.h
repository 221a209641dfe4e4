/* SPDX-License-Identifier: MIT */
/*
 * Smaller programs of the same form (pto-facts 5): the extents FROM of views and tiles become TO,
 * strides, places, parts and steps with them.
 *
 * A constant has one meaning at each of its uses: an extent, a stride or a place of a dimension, or the
 * address of a tile, which stays. What else it may be is not guessed: the first use whose meaning is
 * not known, or where the dimension does not divide, is an error at its place.
 */
#ifndef PTO_SCALE_H
#define PTO_SCALE_H

#include "pto/tree.h"

struct pto_scale {
    int64_t from, to; /* from: a multiple of to, and more */
    const struct source *source;
    struct span span; /* where it is said, for the error that no extent is FROM */
};

/* Changes the file, which from then on is only good for compiling: texts stay as they were read. False
 * with d filled where it cannot be done. */
bool pto_scale(struct arena *a, struct pto_file *f, const struct pto_scale *all, size_t n,
               struct diag *d);

#endif
