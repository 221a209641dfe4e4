/* SPDX-License-Identifier: MIT */
/* Passes on host orchestrators: the function main in the frame tests/cases/frames/host.py. */
#ifndef TESTS_HOST_RIG_H
#define TESTS_HOST_RIG_H

#include "ir/ir.h"
#include "tests/support.h"

/* The program with that body of main. */
const struct ir_program *host_program(struct arena *a, const char *name, const char *body);
/* The program after the passes, names joined by commas; fails the test when they fail. */
const struct ir_program *host_run(struct arena *a, const char *name, const char *passes,
                                  const struct ir_program *p);

#endif
