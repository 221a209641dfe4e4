/* SPDX-License-Identifier: MIT */
/* check --against: the same kernels with one thing other, and what differs. */
#ifndef BENCH_AGAINST_H
#define BENCH_AGAINST_H

#include "bench/cli/options.h"

/* There is a toolchain, model or batch mode called other that can stand in for that of o. False with o->diag
 * filled. */
bool against_known(struct options *o, const char *other);

/* Runs the cases of o, which have their tallies, again with the toolchain, model or batch mode that is called
 * other, and prints those that differ as a table. False with o->diag filled when a kernel does not compile
 * with it. */
bool against_print(struct options *o, const char *other, const kases *cases);

#endif
