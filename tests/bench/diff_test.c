/* SPDX-License-Identifier: MIT */
/*
 * fencebench diff and verify from the outside: what they print and their exit codes. The binary is $FENCEBENCH
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

static const struct command_case {
    const char *name, *a, *b; /* NULL: no such file */
    const char *command;
    int code;
    const char *out, *err; /* out: NULL for anything; err: a part of it */
} diffs[] = {
    {"equal but for names", ADD,
     "def k(u: pl.Tensor[[4], pl.FP32], v: pl.Scalar[pl.INDEX]):\n    z = v + 1  # z\n",
     "diff a.py b.py", 0, "equal\n", ""},
    {"a value", ADD, "def k(x: pl.Tensor[[4], pl.FP32], n: pl.Scalar[pl.INDEX]):\n    y = n + 2\n",
     "diff a.py b.py", 1,
     "function 'k': 1 in A, 2 in B\n"
     "a.py:3:13\n"
     "    3 |     y = n + 1\n"
     "      |             ^\n"
     "b.py:2:13\n"
     "    2 |     y = n + 2\n"
     "      |             ^\n",
     ""},
    {"a function more", ADD, ADD "@pl.function\ndef g():\n    pass\n", "diff a.py b.py", 1,
     "function 'g' in B only\n"
     "b.py:5:5\n"
     "    5 | def g():\n"
     "      |     ^\n",
     ""},
    {"what a type implies and what is no part of a program",
     "@pl.function(type=pl.FunctionType.AIV)\ndef k():\n    pass\n",
     "@pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker, "
     "strict_ssa=True)\ndef k():\n    pass\n",
     "diff a.py b.py", 0, "equal\n", ""},
    {"as JSON", ADD, "@pl.function(type=pl.FunctionType.AIV)\ndef k():\n    pass\n",
     "diff --json a.py b.py", 1,
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
    {"equal as JSON", ADD, ADD, "diff --json a.py b.py", 0, "{\n  \"equal\": true\n}\n", ""},
    {"a file that is no program", ADD, "def k(:\n    pass\n", "diff a.py b.py", 2, "",
     "b.py:1:7: error: expected a parameter, found ':'\n    1 | def k(:\n      |       ^\n"},
    {"a file that is missing", ADD, NULL, "diff a.py b.py", 2, "",
     "b.py: error: cannot open: No such file or directory\n"},
    {"one file", ADD, NULL, "diff a.py", 2, "", "fencebench diff: expected two files\n"},
    {"three files", ADD, ADD, "diff a.py b.py a.py", 2, "",
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

static void expect_case(const struct command_case *c)
{
    struct arena a = {0};
    char folder[] = "/tmp/fencebench-diff-XXXXXX", binary[PATH_MAX];
    const char *given = getenv("FENCEBENCH");
    cr_assert(realpath(given ? given : "build/fencebench", binary) && mkdtemp(folder));
    write_file(&a, folder, "a.py", c->a);
    write_file(&a, folder, "b.py", c->b);
    int status = system(
        arena_printf(&a, "cd '%s' && '%s' %s >out 2>err </dev/null", folder, binary, c->command));
    cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == c->code, "%s: exit code", c->name);
    if (c->out)
        expect_text(c->name, read_file(&a, folder, "out"), c->out);
    const char *err = read_file(&a, folder, "err");
    cr_expect(*c->err ? strstr(err, c->err) != NULL : !*err, "%s: %s", c->name, err);
    cr_expect(system(arena_printf(&a, "rm -r '%s'", folder)) == 0);
    arena_free(&a);
}

Test(diff, cases)
{
    for (size_t i = 0; i < sizeof diffs / sizeof *diffs; i++)
        expect_case(&diffs[i]);
}

#define NESTED                                                                                     \
    "@pl.function\ndef k(x: pl.Tensor[[4], pl.FP32]):\n"                                           \
    "    y = pl.cast(pl.tensor.read(x, [0]), pl.FP16)\n"

static const struct command_case verifications[] = {
    {"named properties that hold", ADD, ADD, "verify --property=NoNestedCalls,SSAForm a.py b.py", 0,
     "a.py\n"
     "  rules                        yes\n"
     "  NoNestedCalls                yes\n"
     "  SSAForm                      yes\n"
     "b.py\n"
     "  rules                        yes\n"
     "  NoNestedCalls                yes\n"
     "  SSAForm                      yes\n",
     ""},
    {"one that does not", NESTED, NULL, "verify --property=NoNestedCalls a.py", 1,
     "a.py\n"
     "  rules                        yes\n"
     "  NoNestedCalls                no\n"
     "a.py:3:17: error: this call has no name yet\n"
     "    3 |     y = pl.cast(pl.tensor.read(x, [0]), pl.FP16)\n"
     "      |                 ^~~~~~~~~~~~~~\n",
     ""},
    {"a rule that is broken",
     "@pl.function\ndef k(x: pl.Tensor[[4], pl.FP32]):\n    y = pl.tensor.read(x, [0, 0])\n", NULL,
     "verify --property=UnrollResolved --json a.py", 1,
     "[\n"
     "  {\n"
     "    \"file\": \"a.py\",\n"
     "    \"results\": [\n"
     "      {\n"
     "        \"name\": \"rules\",\n"
     "        \"holds\": false,\n"
     "        \"message\": \"argument 'indices' of tensor.read has 2 elements, but the tensor has "
     "rank "
     "1 [region-rank]\",\n"
     "        \"file\": \"a.py\",\n"
     "        \"line\": 3,\n"
     "        \"column\": 27\n"
     "      },\n"
     "      {\n"
     "        \"name\": \"UnrollResolved\",\n"
     "        \"holds\": true\n"
     "      }\n"
     "    ]\n"
     "  }\n"
     "]\n",
     ""},
    {"one program of two",
     "@pl.program\nclass A:\n    @pl.function\n    def f(self):\n        pass\n"
     "@pl.program\nclass B:\n    @pl.function\n    def f(self):\n        pass\n",
     NULL, "verify --program=B --property=SSAForm a.py", 0,
     "a.py:B\n"
     "  rules                        yes\n"
     "  SSAForm                      yes\n",
     ""},
    {"a program that is not there", ADD, NULL, "verify --program=C a.py", 2, "", "C"},
    {"a property that nobody knows", ADD, NULL, "verify --property=SSAFrom a.py", 2, "",
     "--property=SSAFrom: no such property; did you mean 'SSAForm'?"},
    {"a file that is no program", "def k(:\n    pass\n", NULL, "verify a.py", 2, "",
     "a.py:1:7: error: expected a parameter"},
};

Test(verify_command, cases)
{
    for (size_t i = 0; i < sizeof verifications / sizeof *verifications; i++)
        expect_case(&verifications[i]);
}

/* A breach of every property, where text can show one, and next to it what is none. */
Test(verify_command, properties)
{
    static const struct {
        const char *property, *broken, *kept;
    } rows[] = {
        {"InlineFunctionsEliminated",
         "@pl.function(type=pl.FunctionType.Inline)\ndef f():\n    pass\n",
         "@pl.function\ndef f():\n    pass\n"},
        {"UnrollResolved", "@pl.function\ndef f():\n    for i in pl.unroll(2):\n        pass\n",
         "@pl.function\ndef f():\n    for i in pl.range(2):\n        pass\n"},
        {"StructuredCtrlFlow",
         "@pl.function(type=pl.FunctionType.InCore)\ndef f():\n    for i in pl.range(2):\n        "
         "break\n",
         "@pl.function\ndef f():\n    for i in pl.range(2):\n        break\n"},
        {"SSAForm", "@pl.function\ndef f():\n    x = 1\n    x = 2\n",
         "@pl.function\ndef f():\n    x = 1\n    y = 2\n"},
        {"IncoreTileOps",
         "@pl.function(type=pl.FunctionType.InCore)\n"
         "def f(x: pl.Tensor[[2, 8], pl.INT32]):\n    y = pl.tensor.add(x, x)\n",
         "@pl.function(type=pl.FunctionType.InCore)\n"
         "def f(x: pl.Tensor[[2, 8], pl.INT32]):\n    y = pl.tensor.read(x, [0, 0])\n"},
        {"IncoreTileOps",
         "@pl.function(type=pl.FunctionType.InCore)\n"
         "def f(x: pl.Tensor[[2, 8], pl.INT32]):\n    x = pl.tensor.assemble(x, x, [0, 0])\n",
         "@pl.function(type=pl.FunctionType.Orchestration)\n"
         "def f(x: pl.Tensor[[2, 8], pl.INT32]):\n    x = pl.tensor.assemble(x, x, [0, 0])\n"},
        {"CompositesLowered",
         "@pl.function(type=pl.FunctionType.InCore)\n"
         "def f(s: pld.DistributedTensor[[2, 1], pl.INT32]):\n    pld.tensor.barrier(s)\n",
         "@pl.function(type=pl.FunctionType.Orchestration)\n"
         "def f(s: pld.DistributedTensor[[2, 1], pl.INT32]):\n    pld.tensor.barrier(s)\n"},
        {"DistTensorCtxMaterialized",
         "@pl.function(type=pl.FunctionType.InCore)\n"
         "def f(s: pld.DistributedTensor[[2, 1], pl.INT32]):\n    pass\n",
         "@pl.function(type=pl.FunctionType.InCore)\n"
         "def f(s: pl.Tensor[[2, 1], pl.INT32]):\n    pass\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct arena a = {0};
        const char *command = arena_printf(&a, "verify --property=%s a.py", rows[i].property);
        for (int broken = 0; broken < 2; broken++) {
            const char *text = broken ? rows[i].broken : rows[i].kept;
            expect_case(
                &(struct command_case){rows[i].property, text, NULL, command, broken, NULL, ""});
        }
        arena_free(&a);
    }
}
