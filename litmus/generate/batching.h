/* SPDX-License-Identifier: MIT */
/*
 * The two forms of a consume side: an invalidate behind each wait, or behind a run of waits once.
 *
 * InsertCommFence puts one `cacheinvalid` behind a run of consecutive waits, or behind a loop that
 * only waits, where its older form put one behind each wait (pypto-facts 3.3). A litmus test has no
 * loops: a pure wait loop over peers is the run of waits that it unrolls to.
 *
 * A run, on one core, is a wait with the waits and invalidates (`dcci`) that follow it without
 * anything in between: two waits at least, or one wait with an invalidate. Every other instruction
 * ends it, a load and a notify too. The run's invalidates are those that stand in it, each once, in
 * the order of their first appearance; a run without any takes the pass's own, `dcci all`. A run of
 * one wait is the same in both forms and stands as written.
 */
#ifndef LITMUS_BATCHING_H
#define LITMUS_BATCHING_H

#include "litmus/test.h"

enum batching_form {
    BATCHING_EACH, /* a run's invalidates stand behind each of its waits */
    BATCHING_ONCE, /* behind its last wait only */
    BATCHING_FORMS
};
const char *batching_form_name(enum batching_form f); /* "each", "once" */

/* Runs in the test, on all cores. */
int batching_runs(const struct litmus_test *t);

/*
 * One form of t: every run rewritten, all else as it stands, without labels and expectations, and
 * named NAME-each or NAME-once. It observes what t observes, the registers and tiles that a core
 * with a run loads behind the run's first wait, and every word that an instruction other than a
 * notify stores to. NULL with d filled when the form has more rows than a table may have.
 */
const struct litmus_test *batching_form_of(struct arena *a, const struct litmus_test *t,
                                           enum batching_form f, struct diag *d);

/* ---- generated pairs ---- */

enum batching_dim {
    BATCHING_WAITS,   /* 1 to 4 */
    BATCHING_SIGNALS, /* where the signals are: lines of their own, one line, with the data */
    BATCHING_PRELOAD, /* is the data's line loaded in front of the waits? */
    BATCHING_DIRTY,   /* which line does the consumer store to in front of the waits? */
    BATCHING_SCOPE,   /* what is invalidated */
    BATCHING_DATA,    /* what the data's write waits for, and which signal publishes it */
    BATCHING_STORE,   /* how the data is written */
    BATCHING_PEERS,   /* one peer does all, or a second one sends the other signals */
    BATCHING_DIMS
};
const char *batching_dim_name(enum batching_dim d); /* "waits" */
/* Values of a dimension in the order of its table, from 0; NULL behind the last. */
const char *batching_value_name(enum batching_dim d, int i);

struct batching_pair {
    const char *name; /* values of all dimensions, "+" between them */
    int at[BATCHING_DIMS];
    const char *text[BATCHING_FORMS]; /* of a whole test */
};

struct batching_pairs {
    VEC(struct batching_pair) pairs;
};

/*
 * The family: every combination of values that makes sense and weighs no more than the family's
 * budget, in the order of the tables; equal calls give equal bytes, no two pairs are equal. Pairs
 * in which the consumer grants the write between two waits are no run that the pass would batch,
 * because a notify ends it: they show why.
 */
struct batching_pairs batching_family(struct arena *a);

#endif
