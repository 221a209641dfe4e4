/* SPDX-License-Identifier: MIT */
/*
 * A program of a kernel file from text to machine program: parse, verify, run the passes, generate
 * code.
 */
#ifndef CODEGEN_KERNEL_H
#define CODEGEN_KERNEL_H

#include "ir/ir.h"
#include "ir/parse.h"
#include "codegen/bind.h"
#include "codegen/codegen.h"
#include "passes/pass.h"

struct kernel_file {
    const char *path;
    const char *name;            /* file name without folder and suffix */
    const struct source *source; /* with the files that it imports */
    struct directives directives;
    struct ir_file *text; /* its programs */
};

struct kernel;
struct kernel_options;

/* Another front end than the kernel language, whose kernels have an empty tree: what stands in for
 * kernel_compile, kernel_knows and kernel_of_source. */
struct kernel_front {
    struct program *(*compile)(struct arena *a, const struct kernel *k,
                               const struct kernel_options *o, int nranks, struct diag *d);
    bool (*knows)(const struct kernel *k, const char *name);
    struct kernel *(*of_source)(struct arena *a, const struct kernel *k,
                                const struct source *source, struct diag *d);
};

struct kernel {
    const struct kernel_front *front; /* NULL: the kernel language */
    const void *read;                 /* what the front end has read */
    const char *path, *name; /* of the file; behind the name that of the program, "file:NAME", where
                                  the file holds several */
    const struct source *source;
    const struct ir_program *program; /* as parsed, with the values that it was loaded with */
    struct directives directives;
    const struct kernel_file *file; /* NULL: the program is all there is */
    const struct ir_unit *unit;
    const struct binding *args;
    size_t nargs;
    int nranks;
};

struct kernel_options {
    struct pass_options pass;
    const char *const *passes; /* names, or NULL: all */
    size_t npasses;
    struct pass_hooks hooks;
    const struct toolchain *toolchain;
    const struct binding *args;
    size_t nargs;
    int window_align;
    int cores_per_rank; /* the contract's, of host programs; 0: 1 */
    /* As those of struct codegen_options. */
    void (*built)(void *ctx, const struct builder *b, const struct program *p);
    void *built_ctx;
};

/* Reads a file and finds its programs. NULL with d filled when it cannot be read or holds none. */
struct kernel_file *kernel_file_read(struct arena *a, const char *path, struct diag *d);
/* For a command that takes all programs of f: one line on stderr when something that looks like
 * program is of none of them. */
void kernel_file_note(const struct kernel_file *f);

/* The same of a text. */
struct kernel_file *kernel_file_of(struct arena *a, const struct source *source, struct diag *d);

/* A program of f for nranks ranks (0: no one says), with the values of o. NULL with d filled
 * otherwise. */
const struct ir_program *kernel_parse(struct arena *a, const struct kernel_file *f,
                                      const struct ir_unit *u, const struct kernel_options *o,
                                      int nranks, struct diag *d);
/* The same, verified. */
struct kernel *kernel_of(struct arena *a, const struct kernel_file *f, const struct ir_unit *u,
                         const struct kernel_options *o, int nranks, struct diag *d);

/* The only program of a file, with nothing but what its directives say. */
struct kernel *kernel_load(struct arena *a, const char *path, struct diag *d);
/* The same program of a source that stands for that of k, whose files are not read. */
struct kernel *kernel_of_source(struct arena *a, const struct kernel *k,
                                const struct source *source, struct diag *d);

/* The program has a parameter, dimension or value of this name. */
bool kernel_knows(const struct kernel *k, const char *name);

/* The tree after the passes, of the program for nranks ranks. */
const struct ir_program *kernel_lower(struct arena *a, const struct kernel *k,
                                      const struct kernel_options *o, int nranks, struct diag *d);

/* Machine program for nranks ranks. */
struct program *kernel_compile(struct arena *a, const struct kernel *k,
                               const struct kernel_options *o, int nranks, struct diag *d);

#endif
