/* SPDX-License-Identifier: MIT */
/* The numbers are those of the cases in pypto-facts 4.4 that concern this pass. */
#include "ir/print.h"
#include "tests/passes/transform_rig.h"

#define DATA                                                                                       \
    "data_buf: pl.Ptr = pld.tensor.alloc_window_buffer(1024)\n"                                    \
    "data: pld.DistributedTensor[[256], pl.FP32] = pld.tensor.window(data_buf, [256], "            \
    "dtype=pl.FP32)\n"
/* 08 synthesized_signal_round_trips_after_materialization: each pass of the run is checked. */
Test(synthesize, signal_is_materialized_with_its_data)
{
    static const char *const both[] = {"SynthesizeAllReduceSignals", "MaterializeCommDomainScopes"};
    struct arena a = {0};
    const struct ir_program *p =
        transform_parse(&a, "before",
                        framed_text(&a, "synthesize_all_reduce_signals",
                                    DATA "for r in pl.range(pld.system.world_size()):\n"
                                         "    self.chip(data, device=r)\n"
                                         "data = pld.tensor.allreduce(data, op=0)\n"));
    const char *body = ir_print(&a, transform_run(&a, "both", p, both, 2));
    cr_expect(strstr(body, "pl._dump.window_buffer(\"__allreduce_signal_buf_0_window\", "
                           "base=\"__allreduce_signal_buf_0\""),
              "%s", body);
    arena_free(&a);
}
