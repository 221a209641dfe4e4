/* SPDX-License-Identifier: MIT */
/*
 * Litmus tests: the language of docs/litmus.md. herd's shape, this machine's instructions, int32
 * words.
 *
 *     GM MP-stale-line
 *     "the consumer cached x before the producer's DMA store"
 *     { x[32]; y = 5; line s, u; ranks = 2 }
 *     P0                  | P1              ;
 *     mte3 x[3]@1, 1      | ld r9, x[3]     ;
 *     barrier all         | wait s >= 1     ;
 *     dsb                 | m1: dcci all    ;
 *     notify.add s@1, 1   | ld r0, x[3]     ;
 *     expect a2a3 Never ;
 *     expect a2a3 -m1 Sometimes ;
 *     locations [1:r9; x[3]@1;]
 *     filter (s@1=1)
 *     ~exists (1:r0=0)
 *
 * A test becomes a machine program: one code per core, one GM region per declared name (or line
 * group). Every instruction of the test is a site of the program, so that an instruction can be
 * removed by its label.
 */
#ifndef LITMUS_TEST_H
#define LITMUS_TEST_H

#include "base/table.h"
#include "models/toolchain.h"
#include "sim/machine.h"

enum litmus_quantifier { LITMUS_EXISTS, LITMUS_NOT_EXISTS, LITMUS_FORALL, LITMUS_QUANTIFIER_COUNT };
const char *litmus_quantifier_name(enum litmus_quantifier q); /* "~exists" */
const char *litmus_kind_name(enum litmus_quantifier q);       /* "Forbidden" */

// clang-format off
#define LITMUS_VERDICTS(X) \
    X(LITMUS_NEVER, "Never") \
    X(LITMUS_SOMETIMES, "Sometimes") \
    X(LITMUS_ALWAYS, "Always") \
    X(LITMUS_UNKNOWN, "Unknown")
// clang-format on
enum litmus_verdict { LITMUS_VERDICTS(ENUM_ROW) LITMUS_VERDICT_COUNT };
const char *litmus_verdict_name(enum litmus_verdict v); /* "Never" */
/* Of final states, or runs, with and without the condition's proposition; LITMUS_UNKNOWN when there
 * were none. */
enum litmus_verdict litmus_verdict_of(uint64_t with, uint64_t without);

enum litmus_cond_kind {
    LITMUS_TRUE,
    LITMUS_REG,
    LITMUS_TILE,
    LITMUS_MEM,
    LITMUS_DEADLOCK,
    LITMUS_AND,
    LITMUS_OR,
    LITMUS_NOT
};

/* A condition over a final state. */
struct litmus_cond {
    enum litmus_cond_kind kind;
    int core, reg; /* LITMUS_REG, LITMUS_TILE: index into program.cores, machine register or tile */
    uint64_t addr; /* LITMUS_MEM: global address of the word; without @RANK it is rank 0's */
    int32_t value; /* LITMUS_REG, LITMUS_TILE, LITMUS_MEM; LITMUS_DEADLOCK: 0 or 1 */
    const char *name; /* as the state line prints it: "1:r0", "x[3]@1", "deadlock" */
    const struct litmus_cond *lhs, *rhs;
};

/* expect MODEL [-LABEL] VERDICT ; */
struct litmus_expect {
    const char *model;
    const char *label; /* instruction removed, or NULL */
    enum litmus_verdict verdict;
    struct span span;     /* of the whole line */
    struct span model_at; /* of the model's name */
    size_t from, to;      /* bytes of the source that the verdict covers */
};

struct litmus_label {
    const char *name;
    int site;
    struct span span;
};

struct litmus_test {
    const char *name, *doc; /* doc may be NULL */
    const struct source *source;
    struct program *program;
    enum litmus_quantifier quantifier;
    const struct litmus_cond *cond;
    const char *cond_text; /* the condition as written, without the quantifier, on one line */
    size_t cond_from;      /* byte of the source where the quantifier starts */
    VEC(struct litmus_expect) expects;
    VEC(struct litmus_label) labels;
    /* Names of "locations [...]", in their order; their values are 0. */
    VEC(const struct litmus_cond *) locations;
    /* Of "filter": only final states that satisfy it count. Or NULL. */
    const struct litmus_cond *filter;
    /* Distinct atoms of the condition and of the locations in byte order of their names: what a
     * state line shows. */
    VEC(const struct litmus_cond *) observed;
    /* of the program, the condition and the toolchain: equal tests have equal hashes */
    uint64_t hash;
    const struct litmus_tree *tree; /* what was written, for litmus_print (litmus/tree.h) */
    const struct toolchain *toolchain;
};

/*
 * Parses a test; the toolchain decides what `fence` becomes. NULL with d filled otherwise. The test
 * keeps references to src and t.
 */
struct litmus_test *litmus_parse(struct arena *a, const struct source *src,
                                 const struct toolchain *t, struct diag *d);

/* The value of the condition in the final state of m. deadlock: m ended
 * without all cores ending. */
bool litmus_holds(const struct litmus_cond *c, const struct machine *m, bool deadlock);

/* Does the final state of m count: it satisfies the filter, if there is one? */
bool litmus_counts(const struct litmus_test *t, const struct machine *m, bool deadlock);

/* "1:r0=0; x[3]@1=7;" (and "deadlock=1;" at the end of a deadlocked state), in arena a. */
const char *litmus_state(const struct litmus_test *t, const struct machine *m, bool deadlock,
                         struct arena *a);

/* The canonical text of a test: it parses to a test with the same hash. */
const char *litmus_print(struct arena *a, const struct litmus_test *t);

/* The variant of t in which the instruction of a label acts as nop. It is named NAME-LABEL, because
 * log tools end a name at a blank. */
const struct litmus_test *litmus_without(struct arena *a, const struct litmus_test *t,
                                         const char *label);

/*
 * A contract for litmus runs: k with pipes that hold any program of the test, no kernel entry
 * effects, and a fully associative cache that holds every line of the test, so that no line leaves
 * for want of room (lines leave on their own where k says eviction = spontaneous).
 */
const struct contract *litmus_contract(struct arena *a, const struct contract *k,
                                       const struct litmus_test *t);

#endif
