/* SPDX-License-Identifier: MIT */
/*
 * What the acceptance tests of the kernels judge: one kernel, compiled one way, run for some seeds
 * under one contract, and everything that the oracle found.
 */
#ifndef TESTS_LITMUS_TRIAL_H
#define TESTS_LITMUS_TRIAL_H

#include "codegen/kernel.h"
#include "sim/driver.h"
#include "sim/oracle.h"

enum { TRIAL_ARGS = 2 };

struct trial {
    const char *kernel; /* name of a file in kernels, without suffix */
    const char *text;   /* or NULL: what the kernel is instead of a file */
    const char *model, *toolchain;
    int nranks;
    int cores_per_rank; /* of a host program; 0: 1 */
    uint64_t seeds;     /* from 1 */
    enum pass_batch batch;
    enum pass_rules rules;
    bool markers_off, typical;    /* typical: without the adversary */
    const char *args[TRIAL_ARGS]; /* "NAME=EXPR", or NULL */
};

/* Counters that every run and every core had alike; all_equal is false when they did not. */
struct per_core {
    uint64_t flushes; /* executed whole-cache invalidates of rule R1 and of the source */
    uint64_t waits, notifies;
    bool all_equal;
};

struct outcome {
    struct arena arena;
    uint64_t runs, failed, checked, cycles, transitions; /* sums over the runs */
    uint64_t found[V_COUNT];                             /* runs with that verdict */
    struct per_core core;
    uint64_t publishes; /* executed fences of the rules W1, W2 and W3: a sum over runs and cores */
    /*
     * Distinct findings in order of appearance: "stale read, in flight", followed for those with
     * places by ": WRITE > WAIT > READ", the operations of the producer, the wait and the reader.
     */
    VEC(const char *) kinds, stories;
};

/* The kernel as t says; a failure to load or compile fails the test. */
const struct program *trial_compile(struct arena *a, const struct trial *t);

/* Adds the runs of t to o, which starts as zero. A failure to load or compile fails the test. */
void trial_run(const struct trial *t, struct outcome *o);
void outcome_free(struct outcome *o);

/* Memory after the sc run of t, in arena a; and the elements of a tensor
 * in it, as many as *count. */
struct trial_memory {
    const struct program *program;
    uint8_t **bytes; /* per rank */
};
struct trial_memory trial_memory(struct arena *a, const struct trial *t);
const double *trial_tensor(struct arena *a, const struct trial_memory *m, const char *tensor,
                           int rank, size_t *count);

bool outcome_has_kind(const struct outcome *o, const char *kind);
bool outcome_has_story(const struct outcome *o, const char *story);
/* All kinds, "; " between them; "clean" when there is none. */
const char *outcome_text(struct outcome *o);

/* The kernels of kernels by name, sorted, and the rank counts their files name. */
size_t kernel_names(struct arena *a, const char *const **names);
size_t kernel_ranks(struct arena *a, const char *kernel, const int **ranks);

#endif
