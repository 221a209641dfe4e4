/* SPDX-License-Identifier: MIT */
/*
 * What runs at once in a file without a host (pypto-ops-facts 3), and on which cores
 * (codegen/lanes.c). The cases lanes_* of tests/cases/host_plan show what host programs make of it.
 */
#include "base/strbuf.h"
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

/* The cores of rank 0 with the tasks that each runs: "0.aic: f; 0.aiv0: g, g"; or one core that runs
 * all tasks in turn: "one core". */
static const char *cores_of(struct arena *a, const struct program *p)
{
    struct strbuf b = strbuf_make(a);
    if (p->ncores == 1 && !p->cores[0].dispatches)
        return "one core";
    for (int c = 0; c < p->ncores; c++) {
        const struct core_desc *core = &p->cores[c];
        strbuf_addf(&b, "%s%s:", c ? "; " : "", core_desc_name(core, a));
        for (int t = 0; t < core->ndispatches; t++) {
            const struct insn *i = &core->code->insns[core->dispatches[t].entry];
            strbuf_addf(&b, "%s %s", t ? "," : "", p->tasks[i->imm]);
            for (int k = 0; k < core->dispatches[t].nafter; k++)
                strbuf_addf(&b, "%s%d.%d", k ? " " : " after ", core->dispatches[t].after[k].core,
                            core->dispatches[t].after[k].index);
        }
    }
    return b.text;
}

struct row {
    const char *name, *functions;
    const char *cores; /* or the error: "line:col: ...", lines of the functions */
};

#define SQUARE      "pl.InOut[pl.Tensor[[16, 16], pl.FP32]]"
#define TWO_TENSORS "    def f(self, a: " SQUARE ", b: " SQUARE "):\n"
#define LOAD        IN "t = pl.load(a, [0, 0], [16, 16])\n"
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

#define GROUP_OF_TWO                                                                               \
    FUNC "AIC)\n" TWO_TENSORS CUBE FUNC "AIV)\n    def g(self, a: " SQUARE "):\n" VECTOR GROUP     \
         "    def pair(self, a: " SQUARE ", b: " SQUARE "):\n" IN "self.f(a, b)\n" IN              \
         "self.g(a)\n"

/* No pass runs. */
Test(lanes, kernels_without_a_host)
{
    static const struct row rows[] = {
        {"vectors only", FUNC "InCore)\n" TWO_TENSORS VECTOR, "one core"},
        {"the cube only", FUNC "InCore)\n" TWO_TENSORS CUBE, "one core"},
        {"vector lanes",
         FUNC "InCore)\n" TWO_TENSORS IN "for lane in pl.split_aiv(2, mode=pl.SplitMode.NONE):\n" IN
              "    t = pl.load(a, [lane * 8, 0], [8, 16])\n",
         "0.aiv0: f; 0.aiv1: f"},
        {"a body that a pass has yet to halve",
         FUNC "InCore)\n" TWO_TENSORS IN
              "for lane in pl.split_aiv(2, mode=pl.SplitMode.UP_DOWN):\n" IN
              "    t = pl.load(a, [lane * 8, 0], [8, 16])\n",
         "3:9: LowerAutoVectorSplit halves the body of this pl.split_aiv; it did not run"},
        {"a function that both run",
         FUNC "AIV, attrs={\"dual_aiv_dispatch\": True})\n" TWO_TENSORS VECTOR,
         "0.aiv0: f; 0.aiv1: f"},
        {"blocks take vector cores in turn",
         FUNC "InCore)\n" TWO_TENSORS IN "for i in pl.spmd(3):\n" IN
              "    t = pl.load(a, [i * 8, 0], [8, 16])\n",
         "0.aiv0: f; 0.aiv1: f; 0.1.aiv0: f"},
        {"blocks that ask for their index",
         FUNC "InCore)\n" TWO_TENSORS IN "with pl.spmd(2):\n" IN
              "    n = pl.tile.get_block_idx()\n",
         "0.aiv0: f; 0.aiv1: f"},
        {"blocks of the cube take clusters",
         FUNC "AIC)\n" TWO_TENSORS IN "for i in pl.spmd(2):\n" IN
              "    m = pl.load(a, [0, 0], [16, 16], target_memory=pl.Mem.Mat)\n",
         "0.aic: f; 0.1.aic: f"},
        {"blocks of two lanes take clusters",
         FUNC "AIV, attrs={\"dual_aiv_dispatch\": True})\n" TWO_TENSORS IN
              "for i in pl.spmd(2):\n" IN "    t = pl.load(a, [0, 0], [8, 16])\n",
         "0.aiv0: f; 0.aiv1: f; 0.1.aiv0: f; 0.1.aiv1: f"},
        {"two numbers of blocks",
         FUNC "InCore)\n" TWO_TENSORS IN "for i in pl.spmd(2):\n" IN
              "    t = pl.load(a, [0, 0], [8, 16])\n" IN "for i in pl.spmd(3):\n" IN
              "    u = pl.load(a, [0, 0], [8, 16])\n",
         "5:26: 'f' is launched in 2 blocks and in 3"},
        {"too many blocks",
         FUNC "InCore)\n" TWO_TENSORS IN "for i in pl.spmd(100):\n" IN
              "    t = pl.load(a, [0, 0], [8, 16])\n",
         "3:26: expected 1 to 64 blocks"},
        {"a Group", GROUP_OF_TWO, "0.aic: f; 0.aiv0: g"},
        {"one function of a Group", "# fencebench: tasks g\n" GROUP_OF_TWO, "one core"},
        {"a Group by its name", "# fencebench: tasks pair\n" GROUP_OF_TWO, "0.aic: f; 0.aiv0: g"},
        {"a launch begins when all lanes of the one before have ended",
         GROUP_OF_TWO FUNC "AIV)\n    def h(self, a: " SQUARE "):\n" VECTOR,
         "0.aic: f; 0.aiv0: g, h after 0.0"},
        {"two functions of the vector cores in a Group",
         FUNC "AIV)\n" TWO_TENSORS VECTOR FUNC "AIV)\n    def g(self, a: " SQUARE
              "):\n" VECTOR GROUP "    def pair(self, a: " SQUARE ", b: " SQUARE "):\n" IN
              "self.f(a, b)\n" IN "self.g(a)\n",
         "12:9: the Group 'pair' runs an AIC and an AIV function at once; 'g' is one function "
         "more"},
        {"an Spmd function",
         FUNC "InCore)\n" TWO_TENSORS VECTOR FUNC
              "Spmd, attrs={\"core_num\": 2})\n    def wide(self, a: " SQUARE ", b: " SQUARE
              "):\n" IN "self.f(a, b)\n",
         "0.aiv0: f; 0.aiv1: f"},
        {"of one block",
         FUNC "InCore)\n" TWO_TENSORS VECTOR FUNC
              "Spmd, attrs={\"core_num\": 1})\n    def wide(self, a: " SQUARE ", b: " SQUARE
              "):\n" IN "self.f(a, b)\n",
         "one core"},
        {"a function of a launch, with the number at its call",
         FUNC "InCore)\n" TWO_TENSORS VECTOR FUNC "Spmd)\n    def wide(self, a: " SQUARE
              ", b: " SQUARE "):\n" IN "self.f(a, b)\n" FUNC
              "Opaque)\n    def main(self, a: " SQUARE ", b: " SQUARE "):\n" IN
              "self.wide(a, b, attrs={\"core_num\": 2})\n",
         "0.aiv0: f; 0.aiv1: f"},
        {"a launch",
         FUNC "InCore)\n" TWO_TENSORS VECTOR FUNC "Orchestration)\n    def chip(self, a: " SQUARE
              ", b: " SQUARE "):\n" IN "t = pl.spmd_submit(self.f, a, b, core_num=2)\n",
         "0: f; 0.1: f"},
        {"the scope of a launch",
         FUNC "InCore)\n" TWO_TENSORS VECTOR FUNC "Orchestration)\n    def chip(self, a: " SQUARE
              ", b: " SQUARE "):\n" IN "with pl.spmd(2):\n" IN "    self.f(a, b)\n",
         "0: f; 0.1: f"},
        {"cube, then vectors", FUNC "InCore)\n" TWO_TENSORS CUBE VECTOR,
         "9:9: 'f' works on the cube and on vectors (tile.move in line 7): ExpandMixedKernel makes "
         "two lanes of it, which run at once"},
        {"vectors, then cube", FUNC "InCore)\n" TWO_TENSORS VECTOR CUBE,
         "7:9: 'f' works on the cube and on vectors (tile.add in line 7): ExpandMixedKernel makes "
         "two lanes of it, which run at once"},
        {"cube, then a copy by way of the vector core",
         FUNC "InCore)\n" TWO_TENSORS CUBE LOAD IN "pl.store(t, [0, 0], a)\n",
         "9:9: 'f' works on the cube and on vectors (tile.move in line 7): ExpandMixedKernel makes "
         "two lanes of it, which run at once"},
        {"a product of what the vector core loads", FUNC "InCore)\n" TWO_TENSORS FED("b"),
         "one core"},
        {"into what the vector core loads", FUNC "InCore)\n" TWO_TENSORS FED("a"),
         "6:9: 'f' works on the cube and on vectors (tile.move in line 7): ExpandMixedKernel makes "
         "two lanes of it, which run at once"},
        {"a product that the vector core takes over",
         FUNC "InCore)\n" TWO_TENSORS CUBE IN "v = pl.tile.move(acc, target_memory=pl.Mem.Vec)\n" IN
              "pl.store(v, [0, 0], a)\n",
         "9:9: 'f' works on the cube and on vectors (tile.move in line 7): ExpandMixedKernel makes "
         "two lanes of it, which run at once"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct arena a = {0};
        struct diag d = {.arena = &a};
        const struct program *p =
            compiled(&a, arena_printf(&a, "%s%s", head, rows[i].functions), &d);
        expect_text(
            rows[i].name,
            p ? cores_of(&a, p)
              : arena_printf(&a, "%d:%d: %s", d.span.line - HEAD_LINES, d.span.col, d.message),
            rows[i].cores);
        arena_free(&a);
    }
}
