/* SPDX-License-Identifier: MIT */
/* Orchestrators, and the scopes that passes put around their bodies. */
#include "tests/ir/helpers.h"

static const struct span nowhere = {0};

/* pypto-facts 1.1 and 4.1. */
Test(host, orchestrators)
{
    static const struct {
        const char *decorator;
        bool host, chip;
    } cases[] = {
        {"level=pl.Level.HOST, role=pl.Role.Orchestrator", true, false},
        {"type=pl.FunctionType.Orchestration, level=pl.Level.HOST", true, false},
        {"level=pl.Level.HOST, role=pl.Role.SubWorker", false, false},
        {"level=pl.Level.HOST", false, false},
        {"type=pl.FunctionType.Orchestration", false, true},
        {"type=pl.FunctionType.Orchestration, level=pl.Level.CHIP", false, true},
        {"level=pl.Level.CHIP, role=pl.Role.Orchestrator", false, true},
        {"role=pl.Role.Orchestrator", false, false},
        {"level=pl.Level.CHIP, role=pl.Role.SubWorker", false, false},
        {"type=pl.FunctionType.Graph", false, false},
        {"type=pl.FunctionType.Graph, level=pl.Level.CHIP, role=pl.Role.Orchestrator", false,
         false},
        {"type=pl.FunctionType.Orchestration, level=pl.Level.CORE_GROUP", false, false},
        {"type=pl.FunctionType.InCore", false, false},
        {"type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker", false, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct arena a = {0};
        const char *name = cases[i].decorator;
        const struct ir_func *f =
            parse_good(&a, name, arena_printf(&a, "@pl.function(%s)\ndef f():\n    pass\n", name))
                ->funcs.items[0];
        cr_expect_eq(ir_func_is_host_orchestrator(f), cases[i].host, "%s", name);
        cr_expect_eq(ir_func_is_chip_orchestrator(f), cases[i].chip, "%s", name);
        arena_free(&a);
    }
}

Test(host, comm_domain)
{
    static const int64_t devices[] = {0, 3};
    struct arena a = {0};
    struct ir_program *p = parse_good(&a, "comm_domain",
                                      "@pl.function(level=pl.Level.HOST)\n"
                                      "def f():\n"
                                      "    buf = pld.alloc_window_buffer(16)\n");
    struct ir_func *f = p->funcs.items[0];
    const struct ir_stmt *alloc = f->body.items[0];
    struct ir_window_buffer window = {.name = "buf",
                                      .base = alloc->assign.targets.items[0],
                                      .size = ir_int(&a, 16, IR_INDEX, nowhere)};
    ir_exprs slots = {0};
    ir_block outer = {0};
    vec_push(&a, &slots, ir_window_slot(&a, &window, nowhere));
    vec_push(&a, &outer, ir_comm_domain(&a, "comm_d0", devices, 2, slots, f->body, nowhere));
    f->body = outer;
    cr_expect(ir_is_comm_domain(outer.items[0]));
    cr_expect_not(ir_is_comm_domain(alloc));
    expect_text("comm_domain", printed_body(&a, p),
                "with pl._dump.comm_domain(name='comm_d0', devices=[0, 3], "
                "slots=[pl._dump.window_buffer(\"buf_window\", base=\"buf\", size=16, "
                "load_from_host=False, store_to_host=False)]):\n"
                "    buf: pl.Ptr = pld.tensor.alloc_window_buffer(16)\n");
    expect_round_trip("comm_domain", p);
    arena_free(&a);
}

/* Other scopes are no communication domains. */
Test(host, other_scopes)
{
    struct arena a = {0};
    const struct ir_program *p = parse_good(&a, "scopes",
                                            "def f():\n"
                                            "    with pl.cluster():\n"
                                            "        pass\n");
    cr_expect_not(ir_is_comm_domain(p->funcs.items[0]->body.items[0]));
    arena_free(&a);
}
