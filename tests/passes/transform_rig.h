/* SPDX-License-Identifier: MIT */
/* What the suites of single passes share, beside the cases in files (cases_test.c). */
#ifndef TESTS_PASSES_TRANSFORM_RIG_H
#define TESTS_PASSES_TRANSFORM_RIG_H

#include "base/strbuf.h"
#include "passes/pass.h"
#include "tests/case_files.h"
#include "tests/support.h"

extern const char transform_imports[];

/* The program of a text that must be good, with all rules of the verifier. */
const struct ir_program *transform_parse(struct arena *a, const char *name, const char *text);
/* Runs passes, which must not fail, and checks what each of them leaves behind. */
const struct ir_program *transform_run(struct arena *a, const char *name,
                                       const struct ir_program *p, const char *const *passes,
                                       size_t n);

#endif
