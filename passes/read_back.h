/* SPDX-License-Identifier: MIT */
/*
 * Which tensors of a function it may read: what the proposed rules of InsertCommFence ask of a
 * plain tensor that is written (passes/insert_comm_fence.h).
 *
 * A tensor counts as one with whatever it may have been made of: the target of the store it is the
 * result of, the tensor under a view, what a loop or a branch carries. So the answer may be yes for
 * a tensor that is never read, and is never no for one that is.
 */
#ifndef PASSES_READ_BACK_H
#define PASSES_READ_BACK_H

#include "ir/ir.h"

struct read_back {
    struct arena *arena;
    struct map nodes; /* variable -> its node in a forest of sets */
};

/* All reads of a body, blocks under it included. */
void read_back_collect(struct read_back *r, struct arena *a, const ir_block *body);

/* May the body read the tensor that v is? */
bool read_back_has(const struct read_back *r, const struct ir_var *v);

#endif
