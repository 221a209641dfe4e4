/* SPDX-License-Identifier: MIT */
#include "tests/support.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/strbuf.h"

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

char *shared_text(struct arena *a, const char *name)
{
    static const char *const places[] = {"../shared", "../../shared"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        FILE *f = fopen(arena_printf(a, "%s/%s", places[i], name), "r");
        if (!f)
            continue;
        struct strbuf b = strbuf_make(a);
        char piece[4096];
        for (size_t n; (n = fread(piece, 1, sizeof piece, f)) > 0;)
            strbuf_addn(&b, piece, n);
        fclose(f);
        return b.text;
    }
    return NULL;
}
