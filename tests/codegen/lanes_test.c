/* SPDX-License-Identifier: MIT */
/*
 * What runs at once (pypto-ops-facts 3): lanes of a Group and blocks of a launch have a core each
 * where a host program launches them, unordered; where one core would have to run them one after
 * the other they are refused (codegen/lanes.c, codegen/host/host.h).
 */
#include "ir/parse.h"
#include "ir/verify.h"
#include "codegen/codegen.h"
#include "tests/support.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

#define ROW    "pl.InOut[pl.Tensor[[1, 16], pl.INT32]]"
#define BOTH   "x: " ROW ", y: " ROW
#define FUNC   "    @pl.function(type=pl.FunctionType."
#define GROUP  FUNC "Group)\n"
#define CHIP   FUNC "Orchestration)\n    def chip(self, " BOTH "):\n"
#define IN     "        "
#define KERNEL FUNC "InCore)\n    def kernel(self, " BOTH "):\n"

/* Functions of one lane, of the cube and of vectors; k is of neither. */
static const char head[] = "import pypto.language as pl\n"
                           "@pl.program\n"
                           "class T:\n";
static const char members[] = FUNC "AIC)\n"
                                   "    def cube(self, x: " ROW "):\n"
                                   "        return\n" FUNC "AIV)\n"
                                   "    def vec(self, y: " ROW "):\n"
                                   "        return\n";
static const char main_text[] = "    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)\n"
                                "    def main(self, " BOTH "):\n"
                                "        self.chip(x, y, device=0)\n";
static const char k_text[] = FUNC "InCore)\n"
                                  "    def k(self, x: " ROW "):\n"
                                  "        return\n";
enum { HEAD_LINES = 3, MEMBER_LINES = 6, K_LINES = 3 };

static const struct program *compiled(struct arena *a, const char *text, int cores, struct diag *d)
{
    struct directives dir = {0};
    const struct source *src = source_from_string(a, "t.py", text);
    const struct toolchain *t = toolchain_load(a, "models", "ptoas-0.57", d);
    const struct ir_program *p = t && directives_scan(a, src, &dir, d) ? ir_parse(a, src, d) : NULL;
    if (!p || !verify_program(p, d))
        return NULL;
    struct codegen_options o = {.toolchain = t, .nranks = 1, .cores_per_rank = cores};
    return codegen(a, p, &dir, &o, d);
}

static const char *with_host(struct arena *a, const char *functions)
{
    return arena_printf(a, "%s%s%s%s%s", head, members, k_text, functions, main_text);
}

/* ---- host programs: each lane and block on a core of its own ---- */

#define PAIR GROUP "    def pair(self, " BOTH "):\n" IN "self.cube(x)\n" IN "self.vec(y)\n"

static const struct plan_row {
    const char *name, *functions;
    int cores;
    const char *tasks; /* of the plan, from "task 0" on */
} plans[] = {
    {"the lanes of a Group, unordered", PAIR CHIP IN "self.pair(x, y)\n", 1,
     "task 0: rank 0.0, step 0: cube(x[1,16])\n"
     "task 1: rank 0.1, step 0: vec(y[1,16])\n"},
    {"also when they use one tensor",
     GROUP "    def pair(self, " BOTH "):\n" IN "self.cube(x)\n" IN "self.vec(x)\n" CHIP IN
           "self.pair(x, y)\n",
     1,
     "task 0: rank 0.0, step 0: cube(x[1,16])\n"
     "task 1: rank 0.1, step 0: vec(x[1,16])\n"},
    {"both wait for what either uses, and both are waited for",
     PAIR CHIP IN "self.k(x)\n" IN "self.pair(x, y)\n" IN "self.k(y)\n", 1,
     "task 0: rank 0.0, step 0: k(x[1,16])\n"
     "task 1: rank 0.0, step 0: cube(x[1,16]) after 0\n"
     "task 2: rank 0.1, step 0: vec(y[1,16]) after 0\n"
     "task 3: rank 0.0, step 0: k(y[1,16]) after 1, 2\n"},
    {"a Group of one function is that function",
     GROUP "    def pair(self, " BOTH "):\n" IN "self.vec(y)\n" CHIP IN "self.pair(x, y)\n", 1,
     "task 0: rank 0, step 0: vec(y[1,16])\n"},
    {"the blocks of a launch", CHIP IN "t = pl.spmd_submit(self.k, x, core_num=3)\n", 1,
     "task 0: rank 0.0, step 0: k(x[1,16]) block 0 of 3\n"
     "task 1: rank 0.1, step 0: k(x[1,16]) block 1 of 3\n"
     "task 2: rank 0.2, step 0: k(x[1,16]) block 2 of 3\n"},
    {"on the contract's cores, where there are enough",
     CHIP IN "self.k(y)\n" IN "t = pl.spmd_submit(self.k, x, core_num=2)\n", 4,
     "task 0: rank 0.0, step 0: k(y[1,16])\n"
     "task 1: rank 0.1, step 0: k(x[1,16]) block 0 of 2\n"
     "task 2: rank 0.2, step 0: k(x[1,16]) block 1 of 2\n"},
    {"of a scope", CHIP IN "with pl.spmd(2):\n" IN "    self.k(x)\n" IN "self.k(y)\n", 1,
     "task 0: rank 0.0, step 0: k(x[1,16]) block 0 of 2\n"
     "task 1: rank 0.1, step 0: k(x[1,16]) block 1 of 2\n"
     "task 2: rank 0.0, step 0: k(y[1,16])\n"},
    {"a cluster of one call", CHIP IN "with pl.cluster():\n" IN "    self.vec(x)\n", 1,
     "task 0: rank 0, step 0: vec(x[1,16])\n"},
    {"blocks of a Group",
     PAIR FUNC "Spmd, attrs={\"core_num\": 2})\n"
               "    def wide(self, " BOTH "):\n" IN "self.pair(x, y)\n" CHIP IN "self.wide(x, y)\n",
     1,
     "task 0: rank 0.0, step 0: cube(x[1,16]) block 0 of 2\n"
     "task 1: rank 0.1, step 0: cube(x[1,16]) block 1 of 2\n"
     "task 2: rank 0.2, step 0: vec(y[1,16]) block 0 of 2\n"
     "task 3: rank 0.3, step 0: vec(y[1,16]) block 1 of 2\n"},
    {"who names a Group waits for both lanes",
     PAIR FUNC "InCore)\n"
               "    def other(self):\n" IN "return\n" CHIP IN "t = pl.submit(self.pair, x, y)\n" IN
               "u = pl.submit(self.other, deps=[t])\n",
     1,
     "task 0: rank 0.0, step 0: cube(x[1,16])\n"
     "task 1: rank 0.1, step 0: vec(y[1,16])\n"
     "task 2: rank 0.0, step 0: other() after 0, 1\n"},
    {"what a Group waits for holds for both lanes",
     PAIR FUNC "InCore)\n"
               "    def other(self):\n" IN "return\n" CHIP IN "t = pl.submit(self.other)\n" IN
               "u = pl.submit(self.pair, x, y, deps=[t])\n",
     1,
     "task 0: rank 0.0, step 0: other()\n"
     "task 1: rank 0.0, step 0: cube(x[1,16]) after 0\n"
     "task 2: rank 0.1, step 0: vec(y[1,16]) after 0\n"},
};

Test(lanes, have_cores_of_their_own_in_host_programs)
{
    for (size_t i = 0; i < COUNT(plans); i++) {
        struct arena a = {0};
        struct diag d = {.arena = &a};
        const struct program *p =
            compiled(&a, with_host(&a, plans[i].functions), plans[i].cores, &d);
        cr_assert(p, "%s: %s", plans[i].name, diag_text(&d, &a));
        const char *tasks = strstr(p->plan, "task 0");
        cr_assert(tasks);
        expect_text(plans[i].name, tasks, plans[i].tasks);
        arena_free(&a);
    }
}

/* ---- refusals ---- */

struct error_row {
    const char *name, *functions;
    const char *error; /* "line:col: ...", lines of the functions */
};

static void expect_error(const char *name, struct arena *a, const struct diag *d, int lines,
                         const char *error)
{
    expect_text(name,
                d->failed
                    ? arena_printf(a, "%d:%d: %s", d->span.line - lines, d->span.col, d->message)
                    : "no error",
                error);
}

Test(lanes, host_programs_that_are_refused)
{
    static const struct error_row rows[] = {
        {"two functions of one lane",
         GROUP "    def pair(self, " BOTH "):\n" IN "self.vec(x)\n" IN "self.vec(y)\n" CHIP IN
               "self.pair(x, y)\n",
         "4:9: a Group runs an AIC and an AIV function at once; 'vec' is one function more"},
        {"a function of no lane",
         GROUP "    def pair(self, " BOTH "):\n" IN "self.vec(x)\n" IN "self.k(y)\n" CHIP IN
               "self.pair(x, y)\n",
         "4:9: a Group runs an AIC and an AIV function at once; 'k' is one function more"},
        {"a Group of Groups",
         PAIR GROUP "    def outer(self, " BOTH "):\n" IN "self.pair(x, y)\n" CHIP IN
                    "self.outer(x, y)\n",
         "7:9: a Group holds functions of one cluster; 'pair' is a Group itself"},
        {"a cluster of two calls",
         CHIP IN "with pl.cluster():\n" IN "    self.cube(x)\n" IN "    self.vec(y)\n",
         "3:14: what pl.cluster holds runs at once: it must be one call, of a Group where the "
         "lanes of a cluster work together"},
        {"a body in blocks", CHIP IN "for i in pl.spmd(2):\n" IN "    self.k(x)\n",
         "3:9: the body of pl.spmd runs on several cores at once, as a function of its own: write "
         "that as an InCore function, and launch it"},
        {"too many blocks", CHIP IN "with pl.spmd(65):\n" IN "    self.k(x)\n",
         "3:14: expected 1 to 64 blocks"},
        {"too many lanes", PAIR CHIP IN "t = pl.spmd_submit(self.pair, x, y, core_num=40)\n",
         "4:9: 'vec' needs more than 64 cores of a rank at once"},
        {"both vector lanes",
         FUNC "AIV, attrs={\"dual_aiv_dispatch\": True})\n"
              "    def dual(self, x: " ROW "):\n" IN "return\n" CHIP IN "self.dual(x)\n",
         "1:72: 'dual' runs on both vector lanes of a cluster at once (dual_aiv_dispatch); a "
         "kernel runs on one core here"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct arena a = {0};
        struct diag d = {.arena = &a};
        compiled(&a, with_host(&a, rows[i].functions), 1, &d);
        expect_error(rows[i].name, &a, &d, HEAD_LINES + MEMBER_LINES + K_LINES, rows[i].error);
        arena_free(&a);
    }
}

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
        compiled(&a, arena_printf(&a, "%s%s", head, rows[i].functions), 1, &d);
        expect_error(rows[i].name, &a, &d, HEAD_LINES, rows[i].error ? rows[i].error : "no error");
        arena_free(&a);
    }
}
