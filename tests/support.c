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

void expect_names(const char *what, const char *const *names, int n)
{
    for (int i = 0; i < n; i++) {
        cr_assert(names[i] && *names[i], "%s: value %d has no name", what, i);
        for (int k = 0; k < i; k++)
            cr_expect(strcmp(names[i], names[k]) != 0, "%s: %d and %d are both '%s'", what, k, i,
                      names[i]);
    }
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
