/* SPDX-License-Identifier: MIT */
#include "tests/support.h"

#include <stdlib.h>

void expect_text(const char *name, const char *actual, const char *expected)
{
    cr_expect(actual && strcmp(actual, expected) == 0, "%s:\n--- expected\n%s\n--- actual\n%s\n---",
              name, expected, actual ? actual : "(null)");
}

int soaked(int n)
{
    const char *times = getenv("SOAK");
    return times ? n * atoi(times) : n;
}
