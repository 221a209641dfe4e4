/* SPDX-License-Identifier: MIT */
/*
 * How a kernel without a host function gets its parameters (docs/kernels.md): directives in
 * comments of the kernel file, and NAME=EXPR arguments of the command line, which win over them.
 *
 *     # fencebench: ranks 2,4
 *     # fencebench: arg peer=(rank+1)%nranks
 *     # fencebench: tasks wait_kernel, reader_kernel
 *     # fencebench: payload SIZE
 *     # fencebench: expect a2a3 clean
 *     # fencebench: expect a2a3 -L36.fence stale
 */
#ifndef CODEGEN_BIND_H
#define CODEGEN_BIND_H

#include <stdint.h>

#include "base/diag.h"
#include "base/vec.h"

struct binding {
    const char *name;
    struct span at;              /* of the name */
    const struct source *source; /* the text that holds the expression; spans point into it */
    int line, col;               /* of the expression, for the caret */
    const char *expr;
};

/* What the directives `in`, `out` and `inout` say of an argument. */
enum bind_direction { BIND_IN, BIND_OUT, BIND_INOUT };

/* The length of the name that p begins with; 0: it begins with none. */
size_t bind_name_length(const char *p);

/* A name of the program, and where the directive says it. */
struct directive_name {
    const char *name;
    struct span span;
};

/* What the program should do on a model, with the sites of a line removed or as it is. */
struct expectation {
    struct directive_name model, verdict; /* verdict: "clean", or how a verdict begins */
    int line;                             /* 0: as it is */
    const char *site;                     /* a word of the sites' names; NULL: all of the line */
    struct span at;                       /* of the whole */
    const char *text;                     /* "a2a3 -L36.fence stale" */
};

/* A task of a program. Of compiled kernels alone: a file beside this one in place of a function, the number
 * of blocks, and which tasks it waits for. */
struct directive_task {
    const char *name;
    const struct source *source; /* that says it; spans point into it */
    struct span span;
    int blocks;   /* 0: not said */
    bool ordered; /* `after` says what it waits for; else it is the task in front of it */
    VEC(struct directive_name) after;
};

/* Of compiled kernels: two arguments, `ctx A of B` or `join A = B`. Without a function in front of its
 * name, B is of A's. */
struct directive_pair {
    struct directive_name one, other;
    const struct source *source;
};
typedef VEC(struct directive_pair) directive_pairs;

/* Of compiled kernels: `blocks N`, or `scale FROM=TO`. */
struct directive_number {
    int64_t from, to; /* blocks: to alone */
    struct span span;
    const struct source *source;
};

struct directives {
    VEC(struct expectation) expects; /* for check (bench/campaign/expect.h) */
    VEC(int) ranks;
    VEC(struct binding) args;
    VEC(struct directive_task) tasks;
    struct directive_name payload; /* module constant: elements per rank; without a name: none */
    directive_pairs contexts, joins;
    VEC(struct directive_number) scales;
    struct directive_number blocks; /* of tasks that do not say it; to 0: not said */
};

/* Reads the directives of a kernel file, on lines that begin with "# fencebench:". Unknown directives
 * and malformed values are errors. */
bool directives_scan(struct arena *a, const struct source *src, struct directives *out,
                     struct diag *d);
/* The same of lines that begin with lead: those of compiled kernels. Directives about one argument that only
 * these have become bindings of two words: "size arg2", "dim arg2", "init arg2"; "window arg2" (1, or of
 * `local` 0); "direction arg2" (enum bind_direction). An argument may have its function or task in
 * front, "push.arg2". Tasks are "push.pto blocks 16", "wait after push, load". */
bool directives_scan_behind(struct arena *a, const struct source *src, const char *lead,
                            struct directives *out, struct diag *d);

/* Parses "name=expr" of the command line. */
bool binding_parse(struct arena *a, const char *text, struct binding *out, struct diag *d);

/*
 * Value of a binding on a rank: integers, rank, nranks, + - * // % ( ) and comparisons (1 or 0).
 * Division and modulus round down; dividing by zero is an error.
 */
bool binding_eval(struct arena *a, const struct binding *b, int rank, int nranks, int64_t *out,
                  struct diag *d);
/* The same, with the number of an element as `i`. */
bool binding_eval_element(const struct binding *b, int rank, int nranks, int64_t element,
                          int64_t *out, struct diag *d);

#endif
