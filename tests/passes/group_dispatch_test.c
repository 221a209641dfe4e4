/* SPDX-License-Identifier: MIT */
#include "passes/group_dispatch.h"

#include "ir/parse.h"
#include "ir/print.h"
#include "passes/materialize_comm_domain_scopes.h"
#include "tests/passes/host_rig.h"

/* pypto-facts 4.5. No case but the first two allocates anything: the mark does not ask for it. */

#define RANKS "pld.system.world_size()"

/* A line here is a line of a program. */
/* clang-format off */
static const struct host_case marked[] = {
    {"a view of a window", NULL,
     "buf = pld.alloc_window_buffer(1024)\n"
     "for r in pl.range(pld.world_size()):\n"
     "    w = pld.window(buf, [256], dtype=pl.FP32)\n"
     "    self.chip(w, device=r)\n",
     DOMAIN("0", "", SLOT("buf", "1024"))
     "    " ALLOC("buf", "1024")
     "    for r in pl.range(" RANKS ", " GROUPED "):\n"
     "        " DATA_IN("w", "buf")
     "        self.chip(w, device=r)\n"},
    {"a view of a window and a slice of it", NULL,
     "buf = pld.alloc_window_buffer(2048)\n"
     "for r in pl.range(pld.world_size()):\n"
     "    w = pld.window(buf, [512], dtype=pl.FP32)\n"
     "    half = pl.tensor.slice(w, [256], [0])\n"
     "    self.chip(half, device=r)\n",
     DOMAIN("0", "", SLOT("buf", "2048"))
     "    " ALLOC("buf", "2048")
     "    for r in pl.range(" RANKS ", " GROUPED "):\n"
     "        " VIEW_IN("w", "buf", "buf", "512", "FP32")
     "        half: " TYPE_DATA(IN("buf")) " = pl.tensor.slice(w, [256], [0])\n"
     "        self.chip(half, device=r)\n"},
    {"a slice", NULL,
     "for r in pl.range(pld.world_size()):\n"
     "    row = pl.tensor.slice(x, [1, 256], [r, 0], [], [0])\n"
     "    self.plain(row, device=r)\n",
     "for r in pl.range(" RANKS ", " GROUPED "):\n"
     "    row: pl.Tensor[[256], pl.FP32] = pl.tensor.slice(x, [1, 256], [r, 0], [], [0])\n"
     "    self.plain(row, device=r)\n"},
    {"nothing but the dispatch", NULL,
     "for r in pl.range(pld.world_size()):\n"
     "    self.chip(d, device=r)\n",
     "for r in pl.range(" RANKS ", " GROUPED "):\n"
     "    self.chip(d, device=r)\n"},
    {"a subscript as argument, which flattening makes a slice", NULL,
     "for r in pl.range(pld.world_size()):\n"
     "    self.plain(x[r], device=r)\n",
     "for r in pl.range(" RANKS ", " GROUPED "):\n"
     "    self.plain(x[r], device=r)\n"},
    {"arithmetic as argument is no call", NULL,
     "for r in pl.range(pld.world_size()):\n"
     "    self.plain(x[(r + 1) % n], device=r)\n",
     "for r in pl.range(" RANKS ", " GROUPED "):\n"
     "    self.plain(x[(r + 1) % n], device=r)\n"},
    {"a dispatch whose result has a name", NULL,
     "for r in pl.range(pld.world_size()):\n"
     "    y = self.chip(d, device=r)\n",
     "for r in pl.range(" RANKS ", " GROUPED "):\n"
     "    y = self.chip(d, device=r)\n"},
    {"the bound through variables", NULL,
     WS
     "ranks: pl.Scalar[pl.INT64] = ws\n"
     "for r in pl.range(ranks):\n"
     "    self.chip(d, device=r)\n",
     WS
     "ranks: pl.Scalar[pl.INT64] = ws\n"
     "for r in pl.range(ranks, " GROUPED "):\n"
     "    self.chip(d, device=r)\n"},
    {"start and step of another integer type", NULL,
     "for r in pl.range(pl.const(0, pl.INT64), pld.world_size(), pl.const(1, pl.INT64)):\n"
     "    self.chip(d, device=r)\n",
     "for r in pl.range(pl.const(0, pl.INT64), " RANKS ", pl.const(1, pl.INT64), " GROUPED "):\n"
     "    self.chip(d, device=r)\n"},
    {"a loop inside of another, of a branch, and of a scope", NULL,
     "for step in pl.range(3):\n"
     "    if n > 0:\n"
     "        for r in pl.range(pld.world_size()):\n"
     "            self.chip(d, device=r)\n"
     "    else:\n"
     "        for r in pl.range(pld.world_size()):\n"
     "            self.core(d)\n"
     "while n > 0:\n"
     "    for r in pl.range(pld.world_size()):\n"
     "        self.chip(d, device=r)\n",
     "for step in pl.range(3):\n"
     "    if n > 0:\n"
     "        for r in pl.range(" RANKS ", " GROUPED "):\n"
     "            self.chip(d, device=r)\n"
     "    else:\n"
     "        for r in pl.range(" RANKS "):\n"
     "            self.core(d)\n"
     "while n > 0:\n"
     "    for r in pl.range(" RANKS ", " GROUPED "):\n"
     "        self.chip(d, device=r)\n"},
    {"other attributes stay", NULL,
     "for r in pl.range(" RANKS ", attrs={\"note\": 7}):\n"
     "    self.chip(d, device=r)\n",
     "for r in pl.range(" RANKS ", attrs={\"note\": 7, \"group_dispatch\": True}):\n"
     "    self.chip(d, device=r)\n"},
    {"a mark that is there", NULL,
     "for r in pl.range(" RANKS ", attrs={\"group_dispatch\": True, \"note\": 7}):\n"
     "    self.chip(d, device=r)\n",
     NULL},
};
/* clang-format on */

Test(group_dispatch, marked)
{
    expect_host_cases(marked, sizeof marked / sizeof marked[0]);
}

/* A line here is a line of a program. */
/* clang-format off */
static const struct host_case unmarked[] = {
    {"a mark that the program has set to False", NULL,
     "for r in pl.range(" RANKS ", attrs={\"group_dispatch\": False}):\n"
     "    self.chip(d, device=r)\n",
     NULL},
    {"a mark of the program between other attributes", NULL,
     "for r in pl.range(" RANKS ", attrs={\"note\": 7, \"group_dispatch\": False, \"x\": 1}):\n"
     "    self.chip(d, device=r)\n",
     NULL},
    {"a constant bound", NULL,
     "for r in pl.range(8):\n"
     "    self.chip(d, device=r)\n",
     NULL},
    {"a bound that is a parameter", NULL,
     "for r in pl.range(n):\n"
     "    self.chip(d, device=r)\n",
     NULL},
    {"a bound computed from the world size", NULL,
     "for r in pl.range(" RANKS " - 1):\n"
     "    self.chip(d, device=r)\n",
     NULL},
    {"a start above 0", NULL,
     "for r in pl.range(1, " RANKS "):\n"
     "    self.chip(d, device=r)\n",
     NULL},
    {"a start that is no constant", NULL,
     "for r in pl.range(n, " RANKS "):\n"
     "    self.chip(d, device=r)\n",
     NULL},
    {"a step of 2", NULL,
     "for r in pl.range(0, " RANKS ", 2):\n"
     "    self.chip(d, device=r)\n",
     NULL},
    {"a parallel loop", NULL,
     "for r in pl.parallel(" RANKS "):\n"
     "    self.chip(d, device=r)\n",
     NULL},
    {"a while loop", NULL,
     "while n < " RANKS ":\n"
     "    self.chip(d, device=0)\n",
     NULL},
    {"a dispatch under a condition", NULL,
     "for r in pl.range(" RANKS "):\n"
     "    if r > 0:\n"
     "        self.chip(d, device=r)\n",
     NULL},
    {"a dispatch and a condition beside it", NULL,
     "for r in pl.range(" RANKS "):\n"
     "    if r > 0:\n"
     "        pass\n"
     "    self.chip(d, device=r)\n",
     NULL},
    {"a dispatch in an inner loop", NULL,
     "for r in pl.range(" RANKS "):\n"
     "    for i in pl.range(2):\n"
     "        self.chip(d, device=r)\n",
     NULL},
    {"two dispatches", NULL,
     "for r in pl.range(" RANKS "):\n"
     "    self.chip(d, device=r)\n"
     "    self.chip(d, device=r)\n",
     NULL},
    {"no dispatch", NULL,
     "for r in pl.range(" RANKS "):\n"
     "    row: pl.Tensor[[256], pl.FP32] = pl.tensor.slice(x, [1, 256], [r, 0], [], [0])\n",
     NULL},
    {"an empty body", NULL,
     "for r in pl.range(" RANKS "):\n"
     "    pass\n",
     NULL},
    {"a call of another function beside it", NULL,
     "for r in pl.range(" RANKS "):\n"
     "    self.worker(d)\n"
     "    self.chip(d, device=r)\n",
     NULL},
    {"a context beside it", NULL,
     "for r in pl.range(" RANKS "):\n"
     "    d_ctx: pld.CommCtx = pld.system.get_comm_ctx(d)\n"
     "    self.chip(d, device=r)\n",
     NULL},
    {"a call inside of an argument", NULL,
     "for r in pl.range(" RANKS "):\n"
     "    self.plain(x[(r + 1) % " RANKS "], device=r)\n",
     NULL},
    {"a call inside of a slice", NULL,
     "for r in pl.range(" RANKS "):\n"
     "    row: pl.Tensor[[256], pl.FP32] = "
     "pl.tensor.slice(x, [1, 256], [" RANKS " - 1, 0], [], [0])\n"
     "    self.plain(row, device=r)\n",
     NULL},
    {"an element as argument is a read", NULL,
     "for r in pl.range(" RANKS "):\n"
     "    self.count(d, x[r, 0], device=r)\n",
     NULL},
    {"an assignment that is no view", NULL,
     "for r in pl.range(" RANKS "):\n"
     "    next: pl.Scalar[pl.INDEX] = r + 1\n"
     "    self.chip(d, device=r)\n",
     NULL},
    {"a view under another shape", NULL,
     "for r in pl.range(" RANKS "):\n"
     "    flat: pl.Tensor[[2048], pl.FP32] = pl.tensor.reshape(x, [2048])\n"
     "    self.chip(d, device=r)\n",
     NULL},
    {"a launch", NULL,
     "for r in pl.range(" RANKS "):\n"
     "    out, tid = pl.submit(self.chip, d, device=r)\n",
     NULL},
    {"a launch beside a dispatch", NULL,
     "for r in pl.range(" RANKS "):\n"
     "    out, tid = pl.submit(self.chip, d, device=r)\n"
     "    self.chip(d, device=r)\n",
     NULL},
    {"carried values", NULL,
     "for r, (acc,) in pl.range(" RANKS ", init_values=(n,)):\n"
     "    self.chip(d, device=r)\n"
     "    total: pl.Scalar[pl.INT64] = pl.yield_(acc)\n",
     NULL},
    {"a constant device", NULL,
     "for r in pl.range(" RANKS "):\n"
     "    self.chip(d, device=0)\n",
     NULL},
    {"the device of another loop", NULL,
     "for i in pl.range(2):\n"
     "    for r in pl.range(" RANKS "):\n"
     "        self.chip(d, device=i)\n",
     NULL},
    {"a computed device", NULL,
     "for r in pl.range(" RANKS "):\n"
     "    self.chip(d, device=r + 0)\n",
     NULL},
    {"no device", NULL,
     "for r in pl.range(" RANKS "):\n"
     "    self.chip(d)\n",
     NULL},
    {"a Graph", NULL,
     "for r in pl.range(" RANKS "):\n"
     "    self.graph(d)\n",
     NULL},
    {"a core function", NULL,
     "for r in pl.range(" RANKS "):\n"
     "    self.core(d)\n",
     NULL},
    {"a body that is a scope already", NULL,
     DOMAIN("0", "", SLOT("buf", "1024"))
     "    " ALLOC("buf", "1024")
     "    for r in pl.range(" RANKS "):\n"
     "        " DATA_IN("w", "buf")
     "        self.chip(w, device=r)\n",
     NULL},
};
/* clang-format on */

Test(group_dispatch, unmarked)
{
    expect_host_cases(unmarked, sizeof unmarked / sizeof unmarked[0]);
}

/* A mark is the attribute with the value True, on a counted loop. */
Test(group_dispatch, is_marked)
{
    static const struct {
        const char *loop;
        bool marked;
    } cases[] = {
        {"for i in pl.range(8):\n    pass\n", false},
        {"for i in pl.range(8, " GROUPED "):\n    pass\n", true},
        {"for i in pl.range(8, attrs={\"group_dispatch\": False}):\n    pass\n", false},
        {"for i in pl.range(8, attrs={\"group_dispatch\": 1}):\n    pass\n", false},
        {"for i in pl.range(8, attrs={\"grouped\": True}):\n    pass\n", false},
        {"for i in pl.range(8, group_dispatch=True):\n    pass\n", false},
        {"while n > 0:\n    pass\n", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct arena a = {0};
        const struct ir_program *p = host_program(&a, cases[i].loop, cases[i].loop);
        cr_expect_eq(group_dispatch_is_marked(ir_find_func(p, "main")->body.items[0]),
                     cases[i].marked, "%s", cases[i].loop);
        arena_free(&a);
    }
}

/* Dispatch loops stand in host orchestrators; a function of another kind is not looked at. */
Test(group_dispatch, other_functions)
{
    static const char *const kinds[] = {
        "type=pl.FunctionType.Orchestration",
        "level=pl.Level.CHIP, role=pl.Role.Orchestrator",
        "type=pl.FunctionType.Graph",
        "type=pl.FunctionType.Opaque",
        "level=pl.Level.HOST, role=pl.Role.SubWorker",
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        struct arena a = {0};
        struct diag d = {.arena = &a};
        const char *text = arena_printf(
            &a,
            "%s"
            "    @pl.function(%s)\n"
            "    def other(self, d: pl.InOut[pld.DistributedTensor[[256], pl.FP32]]):\n"
            "        ranks = pld.system.world_size()\n"
            "        for r in pl.range(ranks):\n"
            "            self.chip(d, device=r)\n",
            ir_print(&a, host_program(&a, kinds[i], "return\n")), kinds[i]);
        const struct ir_program *p = ir_parse(&a, source_from_string(&a, "p.py", text), &d);
        cr_assert(p, "%s: %s", kinds[i], diag_text(&d, &a));
        const struct pass_options o = PASS_OPTIONS_DEFAULT;
        const struct ir_program *out = materialize_comm_domain_scopes(&a, p, &o, &d);
        cr_assert(out, "%s: %s", kinds[i], diag_text(&d, &a));
        cr_expect_eq(ir_find_func(out, "other"), ir_find_func(p, "other"), "%s", kinds[i]);
        arena_free(&a);
    }
}

/* A host orchestrator of the other spelling. */
Test(group_dispatch, host_orchestration)
{
    struct arena a = {0};
    struct diag d = {.arena = &a};
    const char *text =
        arena_printf(&a,
                     "%s"
                     "    @pl.function(role=pl.Role.Orchestrator, level=pl.Level.HOST, "
                     "type=pl.FunctionType.Opaque)\n"
                     "    def other(self, d: pl.InOut[pld.DistributedTensor[[256], pl.FP32]]):\n"
                     "        for r in pl.range(pld.system.world_size()):\n"
                     "            self.chip(d, device=r)\n",
                     ir_print(&a, host_program(&a, "host", "return\n")));
    const struct ir_program *p = ir_parse(&a, source_from_string(&a, "p.py", text), &d);
    cr_assert(p, "%s", diag_text(&d, &a));
    const struct ir_program *out = host_run(&a, "host", NULL, p);
    cr_expect(group_dispatch_is_marked(ir_find_func(out, "other")->body.items[0]));
    arena_free(&a);
}
