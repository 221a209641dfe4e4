/* SPDX-License-Identifier: MIT */
/*
 * fencebench diff from the outside: what it prints and its exit code. The binary is $FENCEBENCH
 * (build/fencebench by default); each case has a folder with the files a.py and b.py.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/diag.h"
#include "tests/support.h"

#define ADD                                                                                        \
    "@pl.function\ndef k(x: pl.Tensor[[4], pl.FP32], n: pl.Scalar[pl.INDEX]):\n    y = n + 1\n"

static const struct diff_case {
    const char *name, *a, *b; /* NULL: no such file */
    const char *arguments;
    int code;
    const char *out, *err; /* err: a part of it */
} cases[] = {
    {"equal but for names", ADD,
     "def k(u: pl.Tensor[[4], pl.FP32], v: pl.Scalar[pl.INDEX]):\n    z = v + 1  # z\n",
     "a.py b.py", 0, "equal\n", ""},
    {"a value", ADD, "def k(x: pl.Tensor[[4], pl.FP32], n: pl.Scalar[pl.INDEX]):\n    y = n + 2\n",
     "a.py b.py", 1,
     "function 'k': 1 in A, 2 in B\n"
     "a.py:3:13\n"
     "    3 |     y = n + 1\n"
     "      |             ^\n"
     "b.py:2:13\n"
     "    2 |     y = n + 2\n"
     "      |             ^\n",
     ""},
    {"a function more", ADD, ADD "@pl.function\ndef g():\n    pass\n", "a.py b.py", 1,
     "function 'g' in B only\n"
     "b.py:5:5\n"
     "    5 | def g():\n"
     "      |     ^\n",
     ""},
    {"what a type implies and what is no part of a program",
     "@pl.function(type=pl.FunctionType.AIV)\ndef k():\n    pass\n",
     "@pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker, "
     "strict_ssa=True)\ndef k():\n    pass\n",
     "a.py b.py", 0, "equal\n", ""},
    {"as JSON", ADD, "@pl.function(type=pl.FunctionType.AIV)\ndef k():\n    pass\n",
     "--json a.py b.py", 1,
     "{\n"
     "  \"equal\": false,\n"
     "  \"function\": \"k\",\n"
     "  \"difference\": \"function type Opaque in A, AIV in B\",\n"
     "  \"a\": {\n"
     "    \"file\": \"a.py\",\n"
     "    \"line\": 2,\n"
     "    \"column\": 5\n"
     "  },\n"
     "  \"b\": {\n"
     "    \"file\": \"b.py\",\n"
     "    \"line\": 2,\n"
     "    \"column\": 5\n"
     "  }\n"
     "}\n",
     ""},
    {"equal as JSON", ADD, ADD, "--json a.py b.py", 0, "{\n  \"equal\": true\n}\n", ""},
    {"a file that is no program", ADD, "def k(:\n    pass\n", "a.py b.py", 2, "",
     "b.py:1:7: error: expected a parameter, found ':'\n    1 | def k(:\n      |       ^\n"},
    {"a file that is missing", ADD, NULL, "a.py b.py", 2, "",
     "b.py: error: cannot open: No such file or directory\n"},
    {"one file", ADD, NULL, "a.py", 2, "", "fencebench diff: expected two files\n"},
    {"three files", ADD, ADD, "a.py b.py a.py", 2, "",
     "fencebench diff: expected two files, found a third one: a.py\n"},
};

static void write_file(struct arena *a, const char *folder, const char *name, const char *text)
{
    FILE *f = text ? fopen(arena_printf(a, "%s/%s", folder, name), "w") : NULL;
    cr_assert(!text || (f && fputs(text, f) >= 0 && fclose(f) == 0), "cannot write %s", name);
}

static const char *read_file(struct arena *a, const char *folder, const char *name)
{
    struct diag d = {.arena = a};
    const struct source *s = source_read(a, arena_printf(a, "%s/%s", folder, name), &d);
    cr_assert(s, "%s", diag_text(&d, a));
    return s->text;
}

static void expect_case(const struct diff_case *c)
{
    struct arena a = {0};
    char folder[] = "/tmp/fencebench-diff-XXXXXX", binary[PATH_MAX];
    const char *given = getenv("FENCEBENCH");
    cr_assert(realpath(given ? given : "build/fencebench", binary) && mkdtemp(folder));
    write_file(&a, folder, "a.py", c->a);
    write_file(&a, folder, "b.py", c->b);
    int status = system(arena_printf(&a, "cd '%s' && '%s' diff %s >out 2>err </dev/null", folder,
                                     binary, c->arguments));
    cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == c->code, "%s: exit code", c->name);
    expect_text(c->name, read_file(&a, folder, "out"), c->out);
    const char *err = read_file(&a, folder, "err");
    cr_expect(*c->err ? strstr(err, c->err) != NULL : !*err, "%s: %s", c->name, err);
    cr_expect(system(arena_printf(&a, "rm -r '%s'", folder)) == 0);
    arena_free(&a);
}

Test(diff, cases)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_case(&cases[i]);
}
