/* SPDX-License-Identifier: MIT */
/*
 * From a compiled kernel to a machine program.
 *
 * A function that no other calls is a task; two whose names differ in _aic and _aiv alone are the lanes of
 * one task, which run at once on the cores of a cluster, and so are the parts for cube and vector
 * cores that a function holds or calls (pto-facts 1.2, pypto-ops-facts 3.1). A function that asks which
 * vector core it is on runs on both. The tasks of a rank run one after the other, unless it is said
 * what each waits for.
 *
 * A file does not say what its arguments are: what is a window, a context, a dimension is recognised by
 * type, place and use (pto-facts 4), the rest is asked for by name, "arg4". The lanes of a task
 * have one list of arguments.
 */
#ifndef PTO_COMPILE_H
#define PTO_COMPILE_H

#include "isa/program.h"
#include "models/toolchain.h"
#include "pto/tree.h"

enum pto_answer { PTO_UNKNOWN, PTO_GIVEN, PTO_WRONG };

/* Of a tensor: only read, and filled with the pattern; only written before it is read, and without a value
 * until then; both, and filled. All but the first are compared in the end. */
enum pto_direction { PTO_IN, PTO_OUT, PTO_INOUT };

/* What a recorded run handed to a task: a part of a buffer. */
struct pto_tensor {
    const char *buffer; /* the same text for the same memory */
    uint64_t address;   /* of the buffer in the run, whose place in a cache line it has here */
    int64_t bytes, at;  /* of the buffer; where the part begins */
    bool window; /* the host handed it over as one; false: it did not, or that is not known */
    int elem_bytes;
    int ndims; /* at most PTO_MAX_DIMS */
    int64_t shape[PTO_MAX_DIMS];
};

/* A task of a program that is said from outside. */
struct pto_task {
    const char *name; /* of a function, or of two without _aic and _aiv; of a file: how others
                                    call it */
    const char *file; /* all functions of that part of the text, or NULL */
    const struct source *source; /* where it is said, for errors */
    struct span span;
    int blocks;            /* 1 and more: each on a core, or cluster, of its own */
    const char **after;    /* earlier tasks that it waits for, the last one of each name, */
    struct span *after_at; /* and where they are named */
    int nafter;
    int vectors; /* cores of a cluster that its vector function runs on; 0: as that asks */
    const struct pto_tensor *tensors; /* of its first arguments, all pointers; or none */
    int ntensors;
};

/* Two arguments that belong together, by their names as value() below has them; `other` without a function
 * or task in front is of that of `one`. */
struct pto_pair {
    const char *one, *other;
    const struct source *source; /* where it is said, for errors */
    struct span one_at, other_at;
};
typedef VEC(struct pto_pair) pto_pairs;

struct pto_options {
    const struct toolchain *toolchain; /* its barriers around put, get and notify do not count: the
                                          file says its own */
    int nranks;
    int window_align;             /* bytes, a power of two; 0: 64 */
    int cores_per_rank;           /* which tasks of one core take in turn; 0: 1 */
    const struct pto_task *tasks; /* in their order; none: those of the text */
    size_t ntasks;
    int blocks; /* of the tasks of the text; 0: 1 */
    /* A context and its window; two that are one buffer. */
    const struct pto_pair *contexts, *joins;
    size_t ncontexts, njoins;
    /* What is given from outside under that name, on a rank: PTO_WRONG with d filled. Names are those
     * of scalar arguments and dimensions ("arg4"), "dim arg4" (of dimensions alone), "size arg2"
     * (elements), "window arg2" (1 or 0), "direction arg2" (enum pto_direction); asked for are first
     * "F.arg4" of the function, then "T.arg4" of the task, then "arg4"; "argN" is the Nth argument
     * where none is called so. */
    enum pto_answer (*value)(void *ctx, const char *name, int rank, int64_t *out, struct diag *d);
    /* The same of element number `element`, which is said as "init arg2"; or NULL. */
    enum pto_answer (*element)(void *ctx, const char *name, int rank, int64_t element, int64_t *out,
                               struct diag *d);
    /* Something is given under that name, and it is wrong: an error at its place, unless why is NULL.
     * May be NULL, and then what does not fit an argument is not looked for. */
    bool (*wrong)(void *ctx, const char *name, const char *why, struct diag *d);
    /* What a recorded run handed to argument number arg of tasks[task], if nothing else is given; or
     * NULL. */
    enum pto_answer (*recorded)(void *ctx, int task, int arg, const char *name, int rank,
                                int64_t *out, struct diag *d);
    void *ctx;
};

/* The program in arena a, or NULL with d filled. */
struct program *pto_compile(struct arena *a, const struct pto_file *f, const struct pto_options *o,
                            struct diag *d);

/* The length of a function's name without the ending that says which lane of two it is; 0: it has none. */
size_t pto_stem_length(const char *symbol);

/* Some function has an argument of that name, "arg4" or "push.arg4"; "argN" is the Nth one where none is
 * called so. Names in front are not looked at. */
bool pto_knows(const struct pto_file *f, const char *name);

/* The names of all functions with a body, and of all their arguments; in arena a. */
typedef VEC(const char *) pto_names;
pto_names pto_function_names(struct arena *a, const struct pto_file *f);
pto_names pto_argument_names(struct arena *a, const struct pto_file *f);

#endif
