/* SPDX-License-Identifier: MIT */
/*
 * Cases in files (tests/cases/README.md): NAME.before.py is what the program is given, and beside it
 * stands what it must make of it.
 */
#ifndef TESTS_CASE_FILES_H
#define TESTS_CASE_FILES_H

#include "base/diag.h"
#include "base/vec.h"

struct case_option {
    const char *key, *value;
    bool read; /* somebody has asked for it */
};

/* A text that is expected in the file NAME<suffix>. */
struct case_answer {
    const char *suffix, *text;
};

struct case_file {
    struct arena *arena;         /* holds everything here, until the case is done */
    const char *path;            /* tests/cases/FOLDER/NAME.before.py, or .litmus */
    const struct source *source; /* its text, in its frame */
    const char *function;        /* whose body the text is; NULL: it is a whole program */
    int frame_lines, indent;     /* by how much the frame moves a place of the text */
    VEC(struct case_option) options;
    VEC(struct case_answer) answers;
};

/* The value of a key in the line `# test: KEY=VALUE ...`, or NULL. */
const char *case_option(struct case_file *c, const char *key);

/* The part of a printed program that a case writes down: all of it, or the body of its function. */
const char *case_shown(const struct case_file *c, const char *printed);

/* Says what the program makes of the case. The text lives as long as the case. */
void case_answer(struct case_file *c, const char *suffix, const char *text);
/* The same for an error: "LINE:COLUMN+LENGTH: message", a place in NAME.before.py, or in what stands
 * in front of the line: "frame:", or another source that the error names. */
void case_answer_error(struct case_file *c, const struct diag *d);

/*
 * Hands each case of tests/cases/FOLDER to `answer` and compares what it says with the files that
 * stand beside the case. The test fails by the path of each file that differs, is missing, or is
 * answered by nothing, and for a key of `# test:` that nobody has asked for. With $PROMOTE set the
 * files are written instead. Returns how many cases there are: a folder that is not there has none.
 */
size_t expect_cases(const char *folder, void (*answer)(struct case_file *c, void *ctx), void *ctx);

/* The text of tests/cases/frames/NAME.py around lines of a body. */
const char *framed_text(struct arena *a, const char *frame, const char *body);
/* The body of a function in a printed program, without its indentation. */
const char *printed_function(struct arena *a, const char *printed, const char *function);

#endif
