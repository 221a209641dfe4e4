/* SPDX-License-Identifier: MIT */
/*
 * Typos on the command line: one letter of one argument is wrong. The command then refuses with one
 * error and prints nothing, or does exactly what it would have done without the typo (an option may
 * be cut short).
 */
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/rng.h"
#include "base/vec.h"
#include "tests/support.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

enum { TYPOS = 250 };

/* Options with their values as the manual has them, on inputs that are quick. */
static const char *const commands[] = {
    "litmus --explore --model=a2a3,sc --show=prop litmus/catalogue/h01-stale-line",
    "litmus --driver=random --runs=9 --seed=4 --kinds litmus/catalogue/h02-dirty-store",
    "litmus --explore --remove=inv --log=herd "
    "litmus/catalogue/h09-batched-waits/H09-one-invalidate-after-all.litmus",
    "litmus --explore --table --model=all --toolchain=ptoas-0.52 litmus/catalogue/recipe",
    "equiv --model=weakest --observe=1:r0 "
    "litmus/catalogue/h21-invalidate-writes-back/H21-clean-before-grant.litmus "
    "litmus/catalogue/h21-invalidate-writes-back/H21-dirty-line-over-payload.litmus",
    "generate --cycle=MP --home=third",
    "models --json",
    "ops --incore tile.load pl.add",
    "rules --json",
    "passes --json",
    "check --model=sc --markers=off --batch=none --runs=5 kernels/get_plain.py",
    "compile --passes=none --toolchain=ptoas-0.57 kernels/get_plain.py",
};

struct answer {
    const char *out, *err;
    int code;
};

static const char *contents(struct arena *a, const char *path)
{
    struct diag d = {.arena = a};
    const struct source *s = source_read(a, path, &d);
    cr_assert(s, "%s", diag_text(&d, a));
    return s->text;
}

static const char *program(struct arena *a)
{
    char path[PATH_MAX];
    const char *binary = getenv("FENCEBENCH");
    cr_assert(realpath(binary ? binary : "build/fencebench", path), "no program to test");
    return arena_strdup(a, path);
}

static struct answer answer_to(struct arena *a, const char *folder, const char *args)
{
    int status = system(arena_printf(a, "timeout 60 '%s' %s >%s/out 2>%s/err </dev/null",
                                     program(a), args, folder, folder));
    return (struct answer){contents(a, arena_printf(a, "%s/out", folder)),
                           contents(a, arena_printf(a, "%s/err", folder)),
                           WIFEXITED(status) ? WEXITSTATUS(status) : 128};
}

/* Lines of seconds differ from run to run. */
static const char *without_times(struct arena *a, const char *text)
{
    char *copy = arena_strdup(a, text);
    for (char *p = copy; (p = strstr(p, "\nTime ")); p++)
        for (char *q = p + 1; *q && *q != '\n'; q++)
            *q = '.';
    return copy;
}

/* One letter less, more, another, or two in the wrong order, behind the command's name; not in a
 * number, and not in a word of the shell. */
static const char *misspelt(struct arena *a, struct rng *r, const char *line)
{
    for (;;) {
        size_t start = strcspn(line, " ") + 1, k = start + rng_below(r, strlen(line) - start);
        char letter = (char)('a' + rng_below(r, 26));
        if (!isalpha((unsigned char)line[k]))
            continue;
        switch (rng_below(r, 4)) {
        case 0:
            return arena_printf(a, "%.*s%s", (int)k, line, line + k + 1);
        case 1:
            return arena_printf(a, "%.*s%c%s", (int)k, line, letter, line + k);
        case 2:
            return arena_printf(a, "%.*s%c%s", (int)k, line, letter, line + k + 1);
        default:
            if (isalpha((unsigned char)line[k + 1]) && line[k] != line[k + 1])
                return arena_printf(a, "%.*s%c%c%s", (int)k, line, line[k + 1], line[k],
                                    line + k + 2);
        }
    }
}

static void expect_refusal(struct arena *a, const char *line, const char *typo, struct answer was,
                           struct answer is)
{
    bool same = is.code == was.code && !strcmp(without_times(a, was.out), without_times(a, is.out));
    if (same)
        return;
    cr_expect(is.code == 2 && !*is.out && *is.err,
              "fencebench %s\nfor         %s\nexit code %d\n%.*s", typo, line, is.code, 400,
              *is.err ? is.err : is.out);
}

Test(typos, of_command_lines, .timeout = 600)
{
    struct arena a = {0};
    char folder[] = "/tmp/fencebench-typos-XXXXXX";
    struct rng r = rng_make(7, 0);
    struct answer was[COUNT(commands)];
    cr_assert(mkdtemp(folder), "no folder");
    for (size_t i = 0; i < COUNT(commands); i++) {
        was[i] = answer_to(&a, folder, commands[i]);
        cr_assert(was[i].code < 2 && *was[i].out, "fencebench %s: %s", commands[i], was[i].err);
    }
    for (int i = 0; i < soaked(TYPOS); i++) {
        struct arena scratch = {0};
        size_t k = rng_below(&r, COUNT(commands));
        const char *typo = misspelt(&scratch, &r, commands[k]);
        if (strcmp(typo, commands[k]))
            expect_refusal(&scratch, commands[k], typo, was[k], answer_to(&scratch, folder, typo));
        arena_free(&scratch);
    }
    cr_expect(system(arena_printf(&a, "rm -r '%s'", folder)) == 0);
    arena_free(&a);
}
