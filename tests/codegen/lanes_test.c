/* SPDX-License-Identifier: MIT */
/*
 * What runs at once (pypto-ops-facts 3), where one core would have to run it one after the other: it
 * is refused (codegen/lanes.c). The cases lanes_* of tests/cases/host_plan show what host programs
 * make of it.
 */
#include "ir/parse.h"
#include "ir/verify.h"
#include "codegen/codegen.h"
#include "tests/support.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

#define FUNC  "    @pl.function(type=pl.FunctionType."
#define GROUP FUNC "Group)\n"
#define IN    "        "

static const char head[] = "import pypto.language as pl\n"
                           "@pl.program\n"
                           "class T:\n";
enum { HEAD_LINES = 3 };

static const struct program *compiled(struct arena *a, const char *text, struct diag *d)
{
    struct directives dir = {0};
    const struct source *src = source_from_string(a, "t.py", text);
    const struct toolchain *t = toolchain_load(a, "models", "ptoas-0.57", d);
    const struct ir_program *p = t && directives_scan(a, src, &dir, d) ? ir_parse(a, src, d) : NULL;
    if (!p || !verify_program(p, d))
        return NULL;
    struct codegen_options o = {.toolchain = t, .nranks = 1, .cores_per_rank = 1};
    return codegen(a, p, &dir, &o, d);
}

struct error_row {
    const char *name, *functions;
    const char *error; /* "line:col: ...", lines of the functions; NULL: it runs */
};

#define SQUARE "pl.InOut[pl.Tensor[[16, 16], pl.FP32]]"
#define LANES  "    def f(self, a: " SQUARE ", b: " SQUARE "):\n"
#define LOAD   IN "t = pl.load(a, [0, 0], [16, 16])\n"
#define CUBE                                                                                       \
    IN "m = pl.load(a, [0, 0], [16, 16], target_memory=pl.Mem.Mat)\n" IN                           \
       "l = pl.tile.move(m, target_memory=pl.Mem.Left)\n" IN                                       \
       "r = pl.tile.move(m, target_memory=pl.Mem.Right)\n" IN                                      \
       "acc: pl.Tile[[16, 16], pl.FP32, pl.Mem.Acc] = pl.tile.matmul(l, r)\n" IN                   \
       "pl.store(acc, [0, 0], b)\n"
#define FED(to)                                                                                    \
    LOAD IN "l = pl.tile.move(t, target_memory=pl.Mem.Left)\n" IN                                  \
            "r = pl.tile.move(t, target_memory=pl.Mem.Right)\n" IN                                 \
            "acc = pl.tile.matmul(l, r)\n" IN "pl.store(acc, [0, 0], " to ")\n"
#define VECTOR LOAD IN "u = pl.add(t, t)\n" IN "pl.store(u, [0, 0], a)\n"

/* Files without a host: each function is a task of one core. NULL: it runs. */
Test(lanes, kernels_without_a_host)
{
    static const struct error_row rows[] = {
        {"vector lanes",
         FUNC "InCore)\n" LANES IN "for lane in pl.split_aiv(2, mode=pl.SplitMode.NONE):\n" IN
              "    t = pl.load(a, [lane * 8, 0], [8, 16])\n",
         "3:9: pl.split_aiv runs its body on both vector lanes at once; a kernel runs on one core "
         "here"},
        {"blocks",
         FUNC "InCore)\n" LANES IN "for i in pl.spmd(2):\n" IN
              "    t = pl.load(a, [i * 8, 0], [8, 16])\n",
         "3:9: pl.spmd runs its body in several blocks at once; a kernel runs on one core here. A "
         "HOST orchestrator may launch an InCore function with core_num="},
        {"cube, then vectors", FUNC "InCore)\n" LANES CUBE VECTOR,
         "9:9: 'f' works on the cube and on vectors (tile.move in line 7): the compiler makes "
         "two lanes of it, which run at once; a kernel runs on one core here"},
        {"vectors, then cube", FUNC "InCore)\n" LANES VECTOR CUBE,
         "7:9: 'f' works on the cube and on vectors (tile.add in line 7): the compiler makes two "
         "lanes of it, which run at once; a kernel runs on one core here"},
        {"cube, then a copy by way of the vector core",
         FUNC "InCore)\n" LANES CUBE LOAD IN "pl.store(t, [0, 0], a)\n",
         "9:9: 'f' works on the cube and on vectors (tile.move in line 7): the compiler makes "
         "two lanes of it, which run at once; a kernel runs on one core here"},
        {"a product of what the vector core loads", FUNC "InCore)\n" LANES FED("b"), NULL},
        {"into what the vector core loads", FUNC "InCore)\n" LANES FED("a"),
         "6:9: 'f' works on the cube and on vectors (tile.move in line 7): the compiler makes two "
         "lanes of it, which run at once; a kernel runs on one core here"},
        {"a product that the vector core takes over",
         FUNC "InCore)\n" LANES CUBE IN "v = pl.tile.move(acc, target_memory=pl.Mem.Vec)\n" IN
              "pl.store(v, [0, 0], a)\n",
         "9:9: 'f' works on the cube and on vectors (tile.move in line 7): the compiler makes two "
         "lanes of it, which run at once; a kernel runs on one core here"},
        {"the cube only", FUNC "InCore)\n" LANES CUBE, NULL},
        {"vectors only", FUNC "InCore)\n" LANES VECTOR, NULL},
        {"a Group",
         FUNC "AIC)\n" LANES CUBE FUNC "AIV)\n    def g(self, a: " SQUARE "):\n" VECTOR GROUP
              "    def pair(self, a: " SQUARE ", b: " SQUARE "):\n" IN "self.f(a, b)\n" IN
              "self.g(a)\n",
         "14:9: 'f' and 'g' run at once, as lanes of the Group 'pair'; without a HOST orchestrator "
         "tasks run one after the other, on one core"},
        {"one function of a Group",
         "# fencebench: tasks g\n" FUNC "AIC)\n" LANES CUBE FUNC "AIV)\n    def g(self, a: " SQUARE
         "):\n" VECTOR GROUP "    def pair(self, a: " SQUARE ", b: " SQUARE "):\n" IN
         "self.f(a, b)\n" IN "self.g(a)\n",
         NULL},
        {"an Spmd function",
         FUNC "InCore)\n" LANES VECTOR FUNC
              "Spmd, attrs={\"core_num\": 2})\n    def wide(self, a: " SQUARE ", b: " SQUARE
              "):\n" IN "self.f(a, b)\n",
         "8:9: 'f' runs in several blocks at once; without a HOST orchestrator tasks run one after "
         "the other, on one core"},
        {"of one block",
         FUNC "InCore)\n" LANES VECTOR FUNC
              "Spmd, attrs={\"core_num\": 1})\n    def wide(self, a: " SQUARE ", b: " SQUARE
              "):\n" IN "self.f(a, b)\n",
         NULL},
        {"a launch",
         FUNC "InCore)\n" LANES VECTOR FUNC "Orchestration)\n    def chip(self, a: " SQUARE
              ", b: " SQUARE "):\n" IN "t = pl.spmd_submit(self.f, a, b, core_num=2)\n",
         "8:13: 'f' runs in several blocks at once; without a HOST orchestrator tasks run one "
         "after the other, on one core"},
        {"the scope of a launch",
         FUNC "InCore)\n" LANES VECTOR FUNC "Orchestration)\n    def chip(self, a: " SQUARE
              ", b: " SQUARE "):\n" IN "with pl.spmd(2):\n" IN "    self.f(a, b)\n",
         "9:13: 'f' runs in several blocks at once; without a HOST orchestrator tasks run one "
         "after the other, on one core"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct arena a = {0};
        struct diag d = {.arena = &a};
        compiled(&a, arena_printf(&a, "%s%s", head, rows[i].functions), &d);
        expect_text(rows[i].name,
                    d.failed ? arena_printf(&a, "%d:%d: %s", d.span.line - HEAD_LINES, d.span.col,
                                            d.message)
                             : "no error",
                    rows[i].error ? rows[i].error : "no error");
        arena_free(&a);
    }
}
