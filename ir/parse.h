/* SPDX-License-Identifier: MIT */
/*
 * Text -> tree (pypto-facts 1.3 to 1.6). Both spellings: what the compiler's printer prints and
 * what its authoring DSL accepts. The parser resolves names and operators, infers types, and
 * reports the first error with a caret.
 *
 * A file may hold several programs, and any Python around them (pypto-front-facts 1.4): reading it
 * finds them, and each is parsed by itself, so that an error in one says nothing of the others. A
 * program takes along the functions of other files that it reaches; its source, and that of its file,
 * holds the text of them all.
 */
#ifndef IR_PARSE_H
#define IR_PARSE_H

#include "ir/ir.h"

/* A value for a name that the text around a program does not give, or that it gives otherwise. */
struct ir_given {
    const char *name, *value;    /* a Python expression over nranks; a bare word is a string */
    const struct source *source; /* that holds the value */
    struct span at;              /* of the value, in the source */
};

/* What the Python around a program is evaluated with. */
struct ir_outside {
    const struct ir_given *given; /* the first of a name counts */
    size_t n;
    int nranks; /* what a parameter that counts ranks is; 0: no one says */
};

/*
 * A program of a file: a class with @pl.program, a jit function that starts one with all that it
 * reaches, or bare functions (pypto-front-facts 1.2, 1.4).
 */
struct ir_unit {
    /* Its name behind those of the functions and classes around it, "build_ring.Ring"; a second one
     * of a path has "@2" behind it. Empty for a file that is a program from end to end. */
    const char *path;
    struct span span; /* of the name */
    int last_line;
    const char *needs; /* parameters without a default of the functions around it, or "" */
    struct ir_source_part *part; /* private to ir/ */
};
typedef VEC(struct ir_unit) ir_units;

/* A file that is read, in the arena of its call. */
struct ir_file {
    const struct source *source; /* with the files that it imports behind it */
    ir_units units;              /* in text order, at least one */
    const char
        *passed_over; /* functions and classes that are of no program: "golden, main"; or "" */
    /* Functions that look like program and are of none, each with its line and why: nothing calls
     * them, or they lack a decorator; or "". */
    const char *left_out;
    struct ir_file_text *text; /* private to ir/ */
};

/* Finds the programs of src, which must outlive what is made of it, and reads the files that it
 * imports, as far as they are found: those that src holds behind its first one are taken from there
 * and not from the disk. NULL with d filled when there is none. */
struct ir_file *ir_file_read(struct arena *a, const struct source *src, struct diag *d);

/* Appends the units that name chooses: by its path, or by the last names of it. False with d filled
 * when there is none, or several that the name leaves open. */
bool ir_file_choose(struct arena *a, const struct ir_file *f, const char *name, ir_units *out,
                    struct diag *d);

/* The only unit of f. NULL with d filled when there are several, whose names it says. */
const struct ir_unit *ir_file_only(struct arena *a, const struct ir_file *f, struct diag *d);

/* A program of f, in arena a, or NULL with d filled. outside may be NULL. Not for two threads at a
 * time. */
struct ir_program *ir_parse_unit(struct arena *a, struct ir_file *f, const struct ir_unit *u,
                                 const struct ir_outside *outside, struct diag *d);

/* The only program of a text, with nothing from outside, or NULL with d filled. src must outlive
 * the program (it may live in a). */
struct ir_program *ir_parse(struct arena *a, const struct source *src, struct diag *d);

#endif
