/* SPDX-License-Identifier: MIT */
#include "tests/pto/pairs.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "tests/support.h"

static const char *folder(void)
{
    const char *named = getenv("ORACLE");
    return named                              ? named
           : access("../shared/oracle", R_OK) ? "../../shared/oracle"
                                              : "../shared/oracle";
}

/* The source whose function it is: kernels of the repository, and inputs written for the compiler. */
static const char *source_of(struct arena *a, const char *name, const char *function)
{
    const char *const places[] = {"kernels",
                                  "kernels/host",
                                  "kernels/programs",
                                  arena_printf(a, "%s/adv", folder()),
                                  arena_printf(a, "%s/composites", folder()),
                                  arena_printf(a, "%s/../cases/verdicts", folder())};
    const char *def = arena_printf(a, "def %s(", function);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const char *path = arena_printf(a, "%s/%s.py", places[i], name);
        struct diag d = {.arena = a};
        const struct source *s = access(path, R_OK) ? NULL : source_read(a, path, &d);
        if (s && strstr(s->text, def))
            return path;
    }
    return NULL;
}

static struct pair pair_of(struct arena *a, const char *path)
{
    const char *base = strrchr(path, '/') + 1;
    struct pair p = {.path = path, .name = arena_strndup(a, base, strlen(base) - 4)};
    const char *dot = strrchr(p.name, '.');
    p.function = dot + 1;
    const char *part = strstr(p.function, "_ai");
    p.written = part ? arena_strndup(a, p.function, (size_t)(part - p.function)) : p.function;
    p.source = source_of(a, arena_strndup(a, p.name, (size_t)(dot - p.name)), p.written);
    return p;
}

void pairs_each(void (*look)(void *ctx, struct arena *a, const struct pair *x), void *ctx)
{
    struct arena names = {0};
    glob_t found;
    size_t known = 0;
    if (glob(arena_printf(&names, "%s/pto/*.pto", folder()), 0, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc; i++) {
            struct arena a = {0};
            struct pair x = pair_of(&a, found.gl_pathv[i]);
            known += x.source != NULL;
            if (x.source)
                look(ctx, &a, &x);
            arena_free(&a);
        }
        cr_expect(known + 2 >= found.gl_pathc, "%zu of %zu have a source", known, found.gl_pathc);
        globfree(&found);
    }
    arena_free(&names);
}
