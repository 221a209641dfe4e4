/* SPDX-License-Identifier: MIT */
/*
 * The pass table and the pass manager (design 3).
 *
 * A pass maps a tree to a tree. Its input stays valid and unchanged, and what a pass does not touch
 * is shared by pointer, so the arena of the input must live as long as the result is used.
 *
 * Order matters, and the table states it: a pass may require a property. A property holds when an
 * earlier pass of the run produces it or when the program has it to begin with (a kernel without
 * collectives has nothing to lower). A run whose order breaks a requirement is refused before any
 * pass runs.
 */
#ifndef PASSES_PASS_H
#define PASSES_PASS_H

#include "ir/ir.h"

struct pass_options {
    enum pass_batch {
        PASS_BATCH_NONE, /* one whole-cache invalidate after each wait: the older form */
        PASS_BATCH_LOOPS /* one after each run or loop of waits (pypto-facts 3.3) */
    } batch;
    bool markers; /* false leaves out the passes that insert markers */
};

/* What the compiler does when no option says otherwise. */
#define PASS_OPTIONS_DEFAULT ((struct pass_options){.batch = PASS_BATCH_LOOPS, .markers = true})

struct pass {
    const char *name;     /* as --passes= and --print-after= spell it */
    const char *doc;      /* one line */
    const char *requires; /* a property, or NULL */
    const char *produces; /* a property, or NULL */
    bool inserts_markers;
    /* The new program, in arena a, or NULL with d filled. */
    struct ir_program *(*run)(struct arena *a, const struct ir_program *p,
                              const struct pass_options *o, struct diag *d);
};

/* Every pass, in the order of the pipeline. */
extern const struct pass passes[];
extern const size_t pass_count;

/* Called around each pass; either may be NULL. */
struct pass_hooks {
    void (*print_before)(void *ctx, const struct pass *pass, const struct ir_program *p);
    void (*print_after)(void *ctx, const struct pass *pass, const struct ir_program *p);
    void *ctx;
};

/* The pass called name, or NULL with d filled ("unknown pass ...; did you mean ...?"). */
const struct pass *pass_find(const char *name, struct diag *d);

/* True when each pass of the sequence finds its requirement met, starting from p; otherwise d is
 * filled. */
bool passes_check(const struct pass *const *sequence, size_t len, const struct ir_program *p,
                  struct diag *d);

/*
 * Runs the named passes in the order given, or the whole table when names is NULL. An empty list
 * (names not NULL, len 0) returns p itself. hooks may be NULL. Returns NULL with d filled on the
 * first error.
 */
const struct ir_program *passes_run(struct arena *a, const struct ir_program *p,
                                    const char *const *names, size_t len,
                                    const struct pass_options *o, const struct pass_hooks *hooks,
                                    struct diag *d);

/* ---- for passes that walk statements ---- */

enum { PASS_MAX_BLOCKS = 2 };

/* Points out[] at the blocks directly under s, in text order, and returns how many there are. */
size_t pass_child_blocks(struct ir_stmt *s, ir_block *out[PASS_MAX_BLOCKS]);

#endif
