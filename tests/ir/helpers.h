/* SPDX-License-Identifier: MIT */
/* What the suites of ir/ share: parsing texts and bodies of a standard kernel. */
#ifndef TESTS_IR_HELPERS_H
#define TESTS_IR_HELPERS_H

#include "ir/equal.h"
#include "ir/parse.h"
#include "ir/print.h"
#include "tests/support.h"

/* The program of text, or NULL; *error is the error's first line and excerpt. The file is named
 * t.py. */
struct ir_program *parse_text(struct arena *a, const char *text, const char **error);

/* The same; a text that does not parse fails the test. */
struct ir_program *parse_good(struct arena *a, const char *name, const char *text);

/*
 * A bare InCore function k around lines of a body, each of which ends in a newline:
 * x: Tensor[[4, 64], FP32], out: Out[Tensor[[4, 64], FP32]], win: DistributedTensor[[4, 64], FP32],
 * sig: DistributedTensor[[4, 1], INT32], ctx: CommCtx, n: INT32, i: INDEX, f: FP32, b: BOOL.
 */
char *kernel_text(struct arena *a, const char *body);
/* The body that the printer gives back, without its indentation of four spaces. */
char *printed_body(struct arena *a, const struct ir_program *p);

/* "line:col: message" of an error text that diag_text made, for tables. */
char *short_error(struct arena *a, const char *error);

/* parse(print(p)) is equal to p with an equal hash. */
void expect_reads_back(const char *name, const struct ir_program *p);
/* The same, and it prints the same: for programs whose variables have all the types that follow. */
void expect_round_trip(const char *name, const struct ir_program *p);

#endif
