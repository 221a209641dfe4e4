/* SPDX-License-Identifier: MIT */
#include "passes/group_dispatch.h"

#include "ir/parse.h"
#include "ir/print.h"
#include "passes/materialize_comm_domain_scopes.h"
#include "tests/passes/host_rig.h"

/* A mark is the attribute with the value True, on a counted loop. */
Test(group_dispatch, is_marked)
{
    static const struct {
        const char *loop;
        bool marked;
    } cases[] = {
        {"for i in pl.range(8):\n    pass\n", false},
        {"for i in pl.range(8, attrs={\"group_dispatch\": True}):\n    pass\n", true},
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
    const struct ir_program *out = host_run(&a, "host", "MaterializeCommDomainScopes", p);
    cr_expect(group_dispatch_is_marked(ir_find_func(out, "other")->body.items[0]));
    arena_free(&a);
}
