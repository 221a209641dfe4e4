/* SPDX-License-Identifier: MIT */
/*
 * The pass table and the pass manager (docs/passes.md).
 *
 * A pass maps a tree that the verifier accepts to another one. Its input stays valid and unchanged,
 * and what a pass does not touch is shared by pointer, so the arena of the input must live as long
 * as the result is used.
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
        PASS_BATCH_NONE,  /* one whole-cache invalidate after each wait: the older form */
        PASS_BATCH_LOOPS, /* one after each run or loop of waits (pypto-facts 3.3) */
        /* No modes of the compiler (passes/acquire.h): */
        PASS_BATCH_LINES, /* there, only the lines that may be used through the cache behind it */
        PASS_BATCH_USE,   /* one of the whole cache in front of the first use behind a wait */
        PASS_BATCH_COUNT
    } batch;
    enum pass_rules {
        PASS_RULES_COMPILER, /* InsertCommFence as the compiler has it */
        PASS_RULES_PROPOSED  /* with what closes its holes (passes/insert_comm_fence.h) */
    } rules;
    bool markers;     /* false leaves out the passes that insert markers */
    bool verify_each; /* check the program after each pass, see passes_run */
    /* Hears of what the compiler accepts and an author can hardly have meant; NULL: nobody does. */
    void (*note)(void *ctx, const struct source *src, struct span at, const char *text);
    void *note_ctx;
};

/* "none", "loops", "lines", "use": as --batch spells it. */
extern const char *const pass_batch_names[PASS_BATCH_COUNT];

/* What the compiler does when no option says otherwise. */
#define PASS_OPTIONS_DEFAULT ((struct pass_options){.batch = PASS_BATCH_LOOPS, .markers = true})

/* The kinds of functions that a pass may change, as bits. */
enum pass_functions {
    PASS_HOST = 1, /* host orchestrators */
    PASS_CHIP = 2, /* chip orchestrators */
    PASS_CORE = 4, /* InCore, AIC and AIV functions */
    PASS_OTHER = 8,
    PASS_EVERY = PASS_HOST | PASS_CHIP | PASS_CORE | PASS_OTHER
};
enum pass_functions pass_function_kind(const struct ir_func *f);

struct pass {
    const char *name;        /* as --passes= and --print-after= spell it */
    const char *doc;         /* one line */
    const char *fact;        /* what its rules rest on */
    const char *requires;    /* a property, or NULL */
    const char *produces;    /* a property, or NULL */
    const char *also_behind; /* of a run of all: the pass behind which it runs besides, or NULL */
    enum pass_functions functions;
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

/* The pass called name, or NULL with d filled: the error suggests a name and lists them all. */
const struct pass *pass_find(const char *name, struct diag *d);

/* True when each pass of the sequence finds its requirement met, starting from p; otherwise d is
 * filled. */
bool passes_check(const struct pass *const *sequence, size_t len, const struct ir_program *p,
                  struct diag *d);

/*
 * Runs the named passes in the order given, or the whole table when names is NULL. An empty list
 * (names not NULL, len 0) returns p itself. hooks may be NULL. Returns NULL with d filled on the
 * first error, which names the pass and the line of the source.
 *
 * With verify_each the program that a pass returns is checked before it is used: it passes
 * verify_program, functions of other kinds than the pass names are the ones it was given, the
 * property that the pass produces holds, and what it prints reads back as an equal program with an
 * equal hash.
 */
const struct ir_program *passes_run(struct arena *a, const struct ir_program *p,
                                    const char *const *names, size_t len,
                                    const struct pass_options *o, const struct pass_hooks *hooks,
                                    struct diag *d);

/* The same for passes of any table, all of them. */
const struct ir_program *passes_run_sequence(struct arena *a, const struct ir_program *p,
                                             const struct pass *const *sequence, size_t len,
                                             const struct pass_options *o,
                                             const struct pass_hooks *hooks, struct diag *d);

/* ---- for passes that walk statements ---- */

enum { PASS_MAX_BLOCKS = 2 };

/* Points out[] at the blocks directly under s, in text order, and returns how many there are. */
size_t pass_child_blocks(struct ir_stmt *s, ir_block *out[PASS_MAX_BLOCKS]);

#endif
