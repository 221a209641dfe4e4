/* SPDX-License-Identifier: MIT */
/*
 * Reading logs of litmus tests: those of this program, in either spelling, and those of herd and
 * litmus. What is read of a test is its final states, its verdict and its model; text around it is
 * passed over.
 */
#ifndef BENCH_LITMUS_LOG_H
#define BENCH_LITMUS_LOG_H

#include "base/diag.h"
#include "base/vec.h"

struct logged_test {
    const char *name;
    const char *model;        /* of a "Model" line, or NULL */
    const char *verdict;      /* of its "Observation" line, or "" */
    bool limited;             /* a limit was hit: there may be other states */
    VEC(const char *) states; /* distinct, in byte order, names in byte order in each */
};

struct logged_tests {
    const char *path;
    VEC(struct logged_test) tests; /* in the order of the log */
};

/* False with d filled when the log cannot be read, holds no test, ends within the states of one, or
 * has a line among them that is none. */
bool litmus_log_read(struct arena *a, const char *path, struct logged_tests *out, struct diag *d);

#endif
