/* SPDX-License-Identifier: MIT */
/*
 * What the suites of single passes share: a program frame around the body of one function, and what
 * a pass makes of it.
 */
#ifndef TESTS_PASSES_TRANSFORM_RIG_H
#define TESTS_PASSES_TRANSFORM_RIG_H

#include "base/strbuf.h"
#include "passes/pass.h"
#include "tests/support.h"

/* The text before the body, which ends in the line that starts with "def" and the function's name.
 * Lines of a body are indented by 8. */
struct frame {
    const char *head, *function;
};

/* Lines of a body, each with its newline. */
struct transform_case {
    const char *name, *before;
    const char *after; /* NULL: as before */
    /* "LINE:COLUMN+LENGTH: message" with lines of the body and columns behind its indentation, and
     * after is NULL; or NULL */
    const char *error;
};

/*
 * Runs the pass over the body of each case. The result is compared line by line; besides, it
 * verifies, it reads back as an equal program, a second run changes nothing, and the program given
 * to the pass is still what it was.
 */
void expect_transforms(const struct frame *frame, const char *pass,
                       const struct transform_case *cases, size_t n);
#define EXPECT_TRANSFORMS(frame, pass, cases)                                                      \
    expect_transforms(frame, pass, cases, sizeof(cases) / sizeof *(cases))

/* The same for whole programs: all text behind the two imports, and lines and columns of all of it
 * in errors. */
void expect_programs(const char *pass, const struct transform_case *cases, size_t n);
#define EXPECT_PROGRAMS(pass, cases) expect_programs(pass, cases, sizeof(cases) / sizeof *(cases))

/*
 * The same for the cases of a file, which holds, in lines of their own:
 *
 *     # frame FUNCTION       the lines behind it, up to the first case, are the frame of what
 * follows # program              what follows are whole programs, without the two imports # case
 * NAME            the lines behind it are what the pass is given # after                the lines
 * behind it are what it makes of them; or instead of them # unchanged            it leaves them as
 * they are # error TEXT           an error, as in struct transform_case
 *
 * Lines that start with "##" are remarks.
 */
void expect_case_file(const char *path, const char *pass);

extern const char transform_imports[];

/* The program of a text that must be good, with all rules of the verifier. */
const struct ir_program *transform_parse(struct arena *a, const char *name, const char *text);
/* The printed body of a function, without its indentation. */
const char *transform_body(struct arena *a, const struct ir_program *p, const char *function);
/* Runs passes, which must not fail. */
const struct ir_program *transform_run(struct arena *a, const char *name,
                                       const struct ir_program *p, const char *const *passes,
                                       size_t n);
/* A frame around a body. */
const char *transform_text(struct arena *a, const struct frame *frame, const char *body);

#endif
