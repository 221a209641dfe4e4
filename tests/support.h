/* SPDX-License-Identifier: MIT */
/* What several test suites share. */
#ifndef TESTS_SUPPORT_H
#define TESTS_SUPPORT_H

#include <criterion/criterion.h>
#include <string.h>

/* Fails with both texts in full when they differ. name is the row of the table under test. */
void expect_text(const char *name, const char *actual, const char *expected);

/* Fails when a value of an enum, 0 to count - 1, has no name or that of another one. */
#define EXPECT_NAMES(name_of, type, count)                                                         \
    do {                                                                                           \
        const char *names_[count];                                                                 \
        for (int i_ = 0; i_ < (count); i_++)                                                       \
            names_[i_] = name_of((type)i_);                                                        \
        expect_names(#name_of, names_, count);                                                     \
    } while (0)
void expect_names(const char *what, const char *const *names, int n);

/* How many random inputs a property is tried on: n, or n times as many as
 * $SOAK says (`make soak`). */
int soaked(int n);
/* The contents of a file of ../shared, or of ../../shared, in arena a; NULL where there is none:
 * what stands there checks the project and is no part of it. */
struct arena;
char *shared_text(struct arena *a, const char *name);

#endif
