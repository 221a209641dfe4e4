/* SPDX-License-Identifier: MIT */
/*
 * What the suites of code generation share: the frame tests/cases/frames/kernel.py around a
 * body, compiled for P ranks, and what its machine program does when it runs.
 */
#ifndef TESTS_PASSES_KERNEL_RIG_H
#define TESTS_PASSES_KERNEL_RIG_H

#include "models/contract.h"
#include "codegen/codegen.h"
#include "tests/support.h"

enum { RIG_RANKS = 2 };

/* The program text around lines of a body, each of which ends in a newline. The body starts in line
 * RIG_BODY_LINE, column 9. functions: more functions of the class, at its indentation, or "". */
enum { RIG_BODY_LINE = 9 };
const char *rig_text(struct arena *a, const char *functions, const char *body);

/* ptoas-0.57 without kernel tail and flag pairs: what is left comes from the operators. */
struct toolchain rig_toolchain(struct arena *a);

/* Parses, verifies and generates code; no pass runs. NULL with d filled. */
const struct program *rig_compile(struct arena *a, const char *text, const struct toolchain *t,
                                  int nranks, struct diag *d);
/* The same for a body and RIG_RANKS ranks; an error fails the test. */
const struct program *rig_body(struct arena *a, const char *name, const char *body,
                               const struct toolchain *t);
/* The same after all passes. */
const struct program *rig_marked_body(struct arena *a, const char *name, const char *body,
                                      const struct toolchain *t);

/*
 * What core 0 executes under the contract sc, one line an instruction, without arithmetic and
 * branches: addresses as elements ("sig[0]@1"), and "; ORIGIN" behind what the kernel did not ask
 * for itself.
 */
const char *rig_trace(struct arena *a, const struct program *p);

/* Runs p under sc; the first count elements from (row, 0) of a tensor afterwards: "1 2 3". */
const char *rig_memory(struct arena *a, const struct program *p, const char *tensor, int rank,
                       int row, int count);

/* Element i of a tensor parameter before the run: (5i + 3 rank) mod 7 + 1 (docs/kernels.md). */
int rig_input(int i, int rank);

/* "line:col: message" of a filled diag. */
const char *rig_error(struct arena *a, const struct diag *d);

#endif
