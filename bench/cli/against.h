/* SPDX-License-Identifier: MIT */
/*
 * check --against: the same kernels with one thing other, or what an earlier run, or another build of
 * the bench, said of them; and which verdicts differ.
 */
#ifndef BENCH_AGAINST_H
#define BENCH_AGAINST_H

#include "bench/cli/options.h"

/* What stands on the other side: an experiment, or a report. */
struct against {
    const char *name; /* as it was given */
    const char *was;  /* what it stands in for: "ptoas-0.57", or "now" */
    struct experiment y;
    json_t *report; /* of check, explore or run (docs/json.md); NULL: the cases are run with y */
};

/*
 * name is a toolchain, a model or a batch mode, which replaces that of o, or the file of a report. False
 * with o->diag filled when it is none of them, or cannot be read. against_close lets go of out.
 */
bool against_open(struct options *o, const char *name, struct against *out);
void against_close(struct against *x);

/* Prints as a table which of the cases of o, which have their tallies, have other verdicts on the other
 * side. False with o->diag filled when a kernel does not compile there. */
bool against_print(struct options *o, struct against *x, const kases *cases);

#endif
