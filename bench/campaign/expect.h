/* SPDX-License-Identifier: MIT */
/*
 * What a kernel's file expects of it, by lines "# fencebench: expect MODEL [-LLINE[.SITE]] VERDICT": as
 * it is, or without its sites on a line, it is clean on that model, or has a finding of that verdict.
 *
 * Expectations are about the kernel as its file has it, compiled as usual: options that make it another
 * program leave them out, and so do models that are not run.
 */
#ifndef BENCH_EXPECT_H
#define BENCH_EXPECT_H

#include "bench/campaign/cases.h"

struct expected {
    const struct expectation *what;
    bool holds;
    const char *shown; /* "clean", or the verdict that was found */
};
typedef VEC(struct expected) expected_list;

/* Every expectation of k names a model of the folder dir, and a verdict. False with d filled. */
bool expect_known(const struct kernel *k, const char *dir, struct diag *d);

/* Looks at those that are about k's model, without its sites as often as k itself ran. False with d filled
 * when a line has no such site. */
bool expect_check(const struct kase *k, expected_list *out, struct diag *d);

/* k's own findings are just what its file expects. */
bool expect_covers(const struct kase *k, const expected_list *list);

#endif
