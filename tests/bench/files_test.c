/* SPDX-License-Identifier: MIT */
/*
 * Programs over several files from the outside: what they are, and the file that each message and
 * each place names. The binary is $FENCEBENCH (build/fencebench by default).
 */
#include <criterion/criterion.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/strbuf.h"

enum { FILES = 3, PARTS = 4 };

struct files_case {
    const char *name;
    const char *texts[FILES]; /* of a.py, b.py, c.py; NULL: no such file */
    const char *command;
    int code;
    const char *parts[PARTS]; /* of what is printed on both streams */
};

#define KERNEL(NAME, BODY)                                                                         \
    "@pl.function(type=pl.FunctionType.InCore)\n"                                                  \
    "def " NAME "(x: pl.Out[pl.Tensor[[8], pl.INT32]]):\n"                                         \
    "    " BODY "\n"
#define CALLER(CALL)                                                                               \
    "@pl.program\n"                                                                                \
    "class P:\n"                                                                                   \
    "    @pl.function(type=pl.FunctionType.Orchestration)\n"                                       \
    "    def main(self, x: pl.Out[pl.Tensor[[8], pl.INT32]], n: pl.Scalar[pl.INT32]):\n"           \
    "        " CALL "\n"
#define MEMBER(NAME, BODY)                                                                         \
    "    @pl.function(type=pl.FunctionType.InCore)\n"                                              \
    "    def " NAME "(self, x: pl.Out[pl.Tensor[[8], pl.INT32]]):\n"                               \
    "        " BODY "\n"

static const struct files_case cases[] = {
    {"a function by its name",
     {"from b import f\n" CALLER("f(x)"), "N = 3\n" KERNEL("f", "pl.write(x, [0], N)"),
      CALLER("self.f(x)") MEMBER("f", "pl.write(x, [0], 3)")},
     "diff a.py c.py",
     0,
     {"equal\n"}},
    {"a function under another name keeps its own",
     {"from b import f as g\n" CALLER("g(x)"), KERNEL("f", "pl.write(x, [0], 3)"),
      KERNEL("f", "pl.write(x, [0], 3)") CALLER("f(x)")},
     "diff a.py c.py",
     0,
     {"equal\n"}},
    {"unless another function has that name",
     {"from b import f as g\n" KERNEL("f", "pl.write(x, [0], 4)") CALLER("f(x)\n        g(x)"),
      KERNEL("f", "pl.write(x, [0], 3)"),
      KERNEL("f", "pl.write(x, [0], 4)") KERNEL("g", "pl.write(x, [0], 3)")
          CALLER("f(x)\n        g(x)")},
     "diff a.py c.py",
     0,
     {"equal\n"}},
    {"a member of a module that is imported under another name",
     {"import b as m\n" CALLER("m.f(x)"), KERNEL("f", "pl.write(x, [0], 3)"),
      KERNEL("f", "pl.write(x, [0], 3)") CALLER("f(x)")},
     "diff a.py c.py",
     0,
     {"equal\n"}},
    {"all names of a module, which hands them on",
     {"from b import *\n" CALLER("f(x)"), "from c import f\n", KERNEL("f", "pl.write(x, [0], 3)")},
     "verify --property=SSAForm a.py",
     0,
     {"rules                        yes"}},
    {"functions of files that import each other",
     {"from b import f\n" CALLER("f(x)"), "import c\n" KERNEL("f", "c.g(x)"),
      "import b\n" KERNEL("g", "pl.write(x, [0], 3)")},
     "compile --passes=none a.py",
     0,
     {"def f(x", "self.g(x)", "def g(x"}},
    {"names that are imported in a circle",
     {"from b import f\n" CALLER("f(x)"), "from c import f\n", "from b import f\n"},
     "verify a.py",
     2,
     {"a.py:6:9: error: 'f' is Python of b.py, which is not run"}},
    {"the body of an inline function has the names of its caller",
     {"from b import twice\n" CALLER(
          "w = n + 1\n        y = twice(w)\n        pl.write(x, [0], w + y)"),
      "SHIFT = 3\n@pl.inline\ndef twice(v):\n    w = v + SHIFT\n    return w\n",
      CALLER("w = n + 1\n        w = w + 3\n        y = w\n        pl.write(x, [0], w + y)")},
     "diff a.py c.py",
     0,
     {"equal\n"}},
    {"an error in the body of another file's function",
     {"from b import f\n" CALLER("f(x)"), "\n\n" KERNEL("f", "pl.write(x, [0], m)"), NULL},
     "check a.py",
     2,
     {"b.py:5:22: error: undefined name 'm'", "    5 |     pl.write(x, [0], m)\n"}},
    {"a rule that is broken in another file, as JSON",
     {"from b import f\n" CALLER("f(x)"), "\n\n" KERNEL("f", "pl.write(x, [0, 0], 1)"), NULL},
     "verify --json a.py",
     1,
     {"\"file\": \"b.py\"", "\"line\": 5"}},
    {"an error behind the other files' text is of this file",
     {"from b import f\n" CALLER("f(x, m)"), KERNEL("f", "pl.write(x, [0], 1)"), NULL},
     "verify a.py",
     2,
     {"a.py:6:14: error: undefined name 'm'"}},
    {"a function of Python is not run",
     {"from b import f\n" CALLER("f(x)"), "def f(x):\n    return x\n", NULL},
     "verify a.py",
     2,
     {"a.py:6:9: error: 'f' is Python of b.py, which is not run"}},
    {"a module that is not found",
     {"from nowhere import N\n" CALLER("pl.write(x, [0], N)"), NULL, NULL},
     "verify a.py",
     2,
     {"'N' has no value here; give it with --arg N=VALUE"}},
    {"and the value that is given for it",
     {"from nowhere import N\n" CALLER("pl.write(x, [0], N)"), NULL, CALLER("pl.write(x, [0], 7)")},
     "diff --arg N=7 a.py c.py",
     0,
     {"equal\n"}},
    {"verify takes values as well",
     {"from nowhere import N\n" CALLER("pl.write(x, [0], N)"), NULL, NULL},
     "verify --arg N=7 --property=UnrollResolved a.py",
     0,
     {"UnrollResolved               yes"}},
    {"and numbers of ranks",
     {"def build(nranks):\n    @pl.program\n    class P:\n"
      "        @pl.function\n        def f(self, x: pl.Tensor[[8], pl.INT32]):\n"
      "            y = pl.tensor.read(x, [nranks + 3])\n",
      NULL, NULL},
     "verify -P 8 a.py",
     1,
     {"rules                        no"}},
    {"directives of other files say nothing",
     {"from b import M\n" CALLER("pl.write(x, [0], N)"), "# fencebench: arg N=7\nM = 1\n", NULL},
     "verify a.py",
     2,
     {"undefined name 'N'"}},
    {"a program of another file is one of a file that has none",
     {"from b import P as Q\n\nQ.lower()\n", "from c import f\n" CALLER("f(x)"),
      KERNEL("f", "pl.write(x, [0], 1)")},
     "compile --list-programs a.py",
     0,
     {"Q  lines 3-6 of b.py\n"}},
    {"and its errors are of that file",
     {"from b import P as Q\n\nQ.lower()\n", "from c import f\n" CALLER("f(y)"),
      KERNEL("f", "pl.write(x, [0], 1)")},
     "verify a.py",
     2,
     {"b.py:6:11: error: undefined name 'y'"}},
    {"a file without a decorator calls functions of others",
     {"from b import f\ndef k(x: pl.Out[pl.Tensor[[8], pl.INT32]]):\n    f(x)\n",
      KERNEL("f", "pl.write(x, [0], 1)"),
      KERNEL("f", "pl.write(x, [0], 1)") "@pl.function\n"
                                         "def k(x: pl.Out[pl.Tensor[[8], pl.INT32]]):\n    f(x)\n"},
     "diff a.py c.py",
     0,
     {"equal\n"}},
    {"a dimension of a module",
     {"import b\n@pl.function\ndef k(x: pl.Tensor[[b.M], pl.INT32]):\n    pass\n",
      "M = pl.dynamic(\"M\")\n",
      "M = pl.dynamic(\"M\")\n@pl.function\ndef k(x: pl.Tensor[[M], pl.INT32]):\n    pass\n"},
     "diff a.py c.py",
     0,
     {"equal\n"}},
    {"a member that is no function of the language",
     {"import b\n" CALLER("b.f(x)"), "def f(x):\n    return x\n", NULL},
     "verify a.py",
     2,
     {"a.py:6:9: error: 'f' of b.py is no function of the language"}},
    {"a second name of a function",
     {KERNEL("f", "pl.write(x, [0], 3)") "again = f\n" CALLER("again(x)"), NULL,
      KERNEL("f", "pl.write(x, [0], 3)") CALLER("f(x)")},
     "diff a.py c.py",
     0,
     {"equal\n"}},
    {"what other files hold besides is no program of this one",
     {"import b\n" CALLER("b.f(x)"),
      KERNEL("f", "pl.write(x, [0], 1)") KERNEL("g", "pl.write(x, [0], 2)")
          CALLER("pl.write(x, [0], 1)"),
      NULL},
     "compile --list-programs a.py",
     0,
     {"P  lines 3-6\n"}},
};

static void write_file(struct arena *a, const char *folder, const char *name, const char *text)
{
    FILE *f = text ? fopen(arena_printf(a, "%s/%s", folder, name), "w") : NULL;
    cr_assert(!text || (f && fputs(text, f) >= 0 && fclose(f) == 0), "cannot write %s", name);
}

/* What the command prints in the folder, on both streams; *code: its exit code. */
static const char *output_of(struct arena *a, const char *folder, const char *command, int *code)
{
    char binary[PATH_MAX], models[PATH_MAX], out[] = "/tmp/fencebench-out-XXXXXX";
    const char *given = getenv("FENCEBENCH");
    struct diag d = {.arena = a};
    int fd = mkstemp(out);
    cr_assert(realpath(given ? given : "build/fencebench", binary) && fd >= 0 &&
              realpath("models", models));
    close(fd);
    int status =
        system(arena_printf(a, "cd '%s' && FENCEBENCH_MODELS='%s' '%s' %s >%s 2>&1 </dev/null",
                            folder, models, binary, command, out));
    const struct source *s = source_read(a, out, &d);
    unlink(out);
    cr_assert(s && WIFEXITED(status), "%s", command);
    *code = WEXITSTATUS(status);
    return s->text;
}

static void expect_case(const struct files_case *c)
{
    static const char *const names[FILES] = {"a.py", "b.py", "c.py"};
    struct arena a = {0};
    int code;
    char folder[] = "/tmp/fencebench-files-XXXXXX";
    cr_assert(mkdtemp(folder));
    for (int i = 0; i < FILES; i++)
        write_file(&a, folder, names[i], c->texts[i]);
    const char *out = output_of(&a, folder, c->command, &code);
    cr_expect(code == c->code, "%s: exit code %d:\n%s", c->name, code, out);
    for (int i = 0; i < PARTS && c->parts[i]; i++)
        cr_expect(strstr(out, c->parts[i]), "%s: nothing of '%s' in:\n%s", c->name, c->parts[i],
                  out);
    cr_expect(system(arena_printf(&a, "rm -r '%s'", folder)) == 0);
    arena_free(&a);
}

Test(files, cases)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_case(&cases[i]);
}

/* The same program, all of it in one file. */
Test(files, as_one_file)
{
    struct arena a = {0};
    int code;
    cr_expect_str_eq(output_of(&a, "tests/files", "diff ring.py ring_in_one_file.py", &code),
                     "equal\n");
    const char *one = output_of(&a, "tests/files", "compile --passes=none ring.py", &code);
    expect_case(&(struct files_case){
        "what is printed reads back",
        {one, output_of(&a, "tests/files", "compile --passes=none ring_in_one_file.py", &code)},
        "diff a.py b.py",
        0,
        {"equal\n"}});
    arena_free(&a);
}

/* Without markers the word that push writes is stale for the rank that loads it (semantics.md): each
 * place is a line of remote.py, and so is that of the calls that repair it. */
Test(files, findings)
{
    static const char *const parts[] = {
        "read      parts/remote.py:26:5: pld.tile.remote_load, by rank 1\n"
        "                | got = pld.tile.remote_load(win, right, [0, 0], [1, SIZE])\n",
        "fresh     parts/remote.py:23:5: tensor.write, by rank 0\n",
        "between the write (line 23 of parts/remote.py) and the notify (line 24 of "
        "parts/remote.py) (checked: gone in 20 runs)\n",
        "insert    pl.system.cacheinvalid(win, [1, 1], [0, 0]), pl.system.fence() after line 23 of "
        "parts/remote.py\n",
    };
    struct arena a = {0};
    int code;
    const char *out =
        output_of(&a, "tests/files", "check --markers=off --runs=20 --arg x=1 ring.py", &code);
    cr_expect(code == 1, "%s", out);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        cr_expect(strstr(out, parts[i]), "nothing of '%s' in:\n%s", parts[i], out);
    arena_free(&a);
}

/* With one space for each run of them and of newlines. */
static const char *on_one_line(struct arena *a, const char *text)
{
    struct strbuf b = strbuf_make(a);
    while (*text) {
        size_t space = strspn(text, " \n"), word = strcspn(text + space, " \n");
        strbuf_add(&b, space ? " " : "");
        strbuf_addn(&b, text + space, word);
        text += space + word;
    }
    return b.text;
}

/* Places of the findings' JSON, the listing, and the sites of a sweep. */
Test(files, places)
{
    static const struct {
        const char *command, *part;
    } rows[] = {
        {"check --json --markers=off --runs=20 --arg x=1 ring.py",
         "\"file\": \"parts/remote.py\", \"line\": 26, \"column\": 5, "
         "\"source\": \"got = pld.tile.remote_load(win, right, [0, 0], [1, SIZE])\""},
        {"check --json --markers=off --runs=20 --arg x=1 ring.py",
         "\"call\": \"pl.system.fence()\", \"where\": \"after\", \"file\": \"parts/remote.py\", "
         "\"line\": 23,"},
        {"compile --emit=asm --arg x=1 ring.py", "line 25 of parts/remote.py TWAIT"},
        {"compile --emit=asm --arg x=1 ring.py", "line 14 tile.load"},
        {"sweep --runs=2 --arg x=1 ring.py", " of parts/remote.py "},
        {"sweep --json --runs=2 --arg x=1 ring.py", "\"file\": \"parts/remote.py\""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct arena a = {0};
        int code;
        const char *out = on_one_line(&a, output_of(&a, "tests/files", rows[i].command, &code));
        cr_expect(strstr(out, rows[i].part), "%s: nothing of '%s' in:\n%s", rows[i].command,
                  rows[i].part, out);
        arena_free(&a);
    }
}
