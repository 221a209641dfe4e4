/* SPDX-License-Identifier: MIT */
/*
 * Where batching of the consume side can go further than the compiler's (PASS_BATCH_LINES and
 * PASS_BATCH_USE of passes/pass.h): which statements use the data cache, and which lines they can
 * touch. An invalidate after a wait serves these alone: DMA bypasses the cache (hw-facts 0.4), notify and
 * wait clean their own lines (hw-facts 1.1, 1.2), and a tensor that is no window and that the function
 * itself writes through the cache alone, or not at all, cannot be old there. Calls of functions may use
 * anything.
 */
#ifndef PASSES_ACQUIRE_H
#define PASSES_ACQUIRE_H

#include "ir/ir.h"
#include "passes/gm_origin.h"

/* An element whose line an access may touch. */
struct acquire_line {
    struct ir_var *tensor; /* a parameter of the function */
    ir_exprs index;        /* integers */
};
typedef VEC(struct acquire_line) acquire_lines;

/* More lines than that are dropped all at once, with the rest of the cache. */
enum { ACQUIRE_MAX_LINES = 16 };

struct acquire_use {
    size_t at; /* which statement it is in */
    const struct ir_call *call;
};
/* The accesses of a function through the cache, in the order of the text. */
struct acquire_uses {
    struct arena *arena;
    struct map order;   /* statement -> where it stands */
    struct map origins; /* gm_origins */
    struct map shared;  /* parameters that DMA or a function called may write */
    VEC(struct acquire_use) uses;
    size_t count, here; /* of statements; the one that is looked at */
};

void acquire_collect(struct acquire_uses *u, struct arena *a, const struct ir_func *f);

/* The lines that may be touched after statement s: by what stands behind it, or with it in a loop.
 * False when they cannot be named, or are too many. */
bool acquire_lines_after(const struct acquire_uses *u, const struct ir_stmt *s, acquire_lines *out);

/* body, whose waits have no invalidates, with one of the whole cache in front of the first statement that uses it behind
 * a wait, on each path, and nowhere else. */
ir_block acquire_at_use(const struct acquire_uses *u, ir_block body);

#endif
