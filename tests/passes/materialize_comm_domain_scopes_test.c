/* SPDX-License-Identifier: MIT */
#include "passes/materialize_comm_domain_scopes.h"

#include "ir/equal.h"
#include "ir/parse.h"
#include "ir/print.h"
#include "ir/verify.h"
#include "tests/passes/host_rig.h"

#define CASES(table)  expect_host_cases(table, sizeof table / sizeof table[0])
#define ERRORS(table) expect_host_errors(table, sizeof table / sizeof table[0])

#define S   "SynthesizeAllReduceSignals"
#define M   "MaterializeCommDomainScopes"
#define S_M S "," M

/* ---- pypto-facts 4.4 ---- */

/* A line here is a line of a program. */
/* clang-format off */
/* What SynthesizeAllReduceSignals puts before an allreduce (pypto-facts 5.1). */
#define SIGNAL_SIZE(k, cores)                                                                      \
    "__allreduce_signal_world_size_" k " * pl.const(" cores                                        \
    ", pl.INT64) * pl.const(4, pl.INT64)"
#define SIGNAL_ALLOC(indent, k, cores)                                                              \
    indent "__allreduce_signal_world_size_" k ": pl.Scalar[pl.INT64] = pld.system.world_size()\n"    \
    indent ALLOC("__allreduce_signal_buf_" k, SIGNAL_SIZE(k, cores))
#define SIGNAL_SHAPE(k, cores) "__allreduce_signal_world_size_" k ", pl.const(" cores ", pl.INT64)"
#define SIGNAL(k, cores) SIGNAL_AT("", k, cores)
#define SIGNAL_AT(indent, k, cores)                                                                 \
    SIGNAL_ALLOC(indent, k, cores)                                                                  \
    indent VIEW_OF("__allreduce_signal_" k, "__allreduce_signal_buf_" k, SIGNAL_SHAPE(k, cores), "INT32")
#define SIGNAL_IN(k, cores)                                                                         \
    SIGNAL_ALLOC("    ", k, cores)                                                                  \
    "    " VIEW_IN("__allreduce_signal_" k, "__allreduce_signal_buf_" k,                            \
                   "__allreduce_signal_buf_" k, SIGNAL_SHAPE(k, cores), "INT32")
#define SIGNAL_SLOT(k)      SLOT("__allreduce_signal_buf_" k, SIGNAL_SIZE(k, "1"))

static const struct host_case upstream[] = {
    {"01 single_alloc_all_devices_world_size_loop", NULL,
     WS_BEFORE
     "buf = pld.alloc_window_buffer(1024)\n"
     "for r in pl.range(ws):\n"
     "    w = pld.window(buf, [256], dtype=pl.FP32)\n"
     "    self.chip(w, device=r)\n",
     DOMAIN("0", "", SLOT("buf", "1024"))
     "    " WS
     "    " ALLOC("buf", "1024")
     "    for r in pl.range(ws, " GROUPED "):\n"
     "        " DATA_IN("w", "buf")
     "        self.chip(w, device=r)\n"},
    {"02 allreduce_signal_inherits_data_comm_domain", NULL,
     "buf = pld.alloc_window_buffer(1024)\n"
     "sig = pld.alloc_window_buffer(32)\n"
     "w = pld.window(buf, [256], dtype=pl.FP32)\n"
     "s = pld.window(sig, [8, 1], dtype=pl.INT32)\n"
     "for r in pl.range(2):\n"
     "    self.chip(w, device=r)\n"
     "pld.tensor.allreduce(w, s, op=0)\n",
     DOMAIN("0", "0, 1", SLOT("buf", "1024") ", " SLOT("sig", "32"))
     "    " ALLOC("buf", "1024")
     "    " ALLOC("sig", "32")
     "    " DATA_IN("w", "buf")
     "    " CELLS_IN("s", "sig")
     "    for r in pl.range(2):\n"
     "        self.chip(w, device=r)\n"
     "    pld.tensor.allreduce(w, s, op=0)\n"},
    {"03 explicit_allreduce_assignment_keeps_user_signal", S_M,
     "buf = pld.alloc_window_buffer(1024)\n"
     "sig = pld.alloc_window_buffer(32)\n"
     "w = pld.window(buf, [256], dtype=pl.FP32)\n"
     "s = pld.window(sig, [8, 1], dtype=pl.INT32)\n"
     "self.chip(w, device=0)\n"
     "y = pld.tensor.allreduce(w, s, op=0)\n",
     DOMAIN("0", "0", SLOT("buf", "1024") ", " SLOT("sig", "32"))
     "    " ALLOC("buf", "1024")
     "    " ALLOC("sig", "32")
     "    " DATA_IN("w", "buf")
     "    " CELLS_IN("s", "sig")
     "    self.chip(w, device=0)\n"
     "    y: " TYPE_DATA(IN("buf")) " = pld.tensor.allreduce(w, s, op=0)\n"},
    {"04 implicit_allreduce_signal_is_materialized_in_data_comm_domain", S_M,
     "buf = pld.alloc_window_buffer(1024)\n"
     "w = pld.window(buf, [256], dtype=pl.FP32)\n"
     "for r in pl.range(pld.world_size()):\n"
     "    self.chip(w, device=r)\n"
     "y = pld.tensor.allreduce(w, op=0)\n",
     DOMAIN("0", "", SLOT("buf", "1024") ", " SIGNAL_SLOT("0"))
     "    " ALLOC("buf", "1024")
     "    " DATA_IN("w", "buf")
     "    for r in pl.range(pld.system.world_size(), " GROUPED "):\n"
     "        self.chip(w, device=r)\n"
     SIGNAL_IN("0", "1")
     "    y: " TYPE_DATA(IN("buf")) " = pld.tensor.allreduce(w, __allreduce_signal_0, op=0)\n"},
    {"06 synthesize_normalizes_host_allreduce", S,
     ALLOC("buf", "1024")
     DATA("w", "buf")
     "y: " TYPE_DATA("") " = pld.tensor.allreduce(w, op=0)\n",
     ALLOC("buf", "1024")
     DATA("w", "buf")
     SIGNAL("0", "1")
     "y: " TYPE_DATA("") " = pld.tensor.allreduce(w, __allreduce_signal_0, op=0)\n"},
    {"07 synthesize_multicore_signal_uses_core_lanes_and_bytes", S,
     ALLOC("buf", "1024")
     DATA("w", "buf")
     "y: " TYPE_DATA("") " = pld.tensor.allreduce(w, op=0, core_num=4)\n",
     ALLOC("buf", "1024")
     DATA("w", "buf")
     SIGNAL("0", "4")
     "y: " TYPE_DATA("") " = pld.tensor.allreduce(w, __allreduce_signal_0, op=0, core_num=4)\n"},
    {"10 consecutive_implicit_allreduces_get_fresh_signal_slots", S_M,
     "buf = pld.alloc_window_buffer(1024)\n"
     "w = pld.window(buf, [256], dtype=pl.FP32)\n"
     "self.chip(w, device=0)\n"
     "pld.tensor.allreduce(w, op=0)\n"
     "pld.tensor.allreduce(w, op=1)\n",
     DOMAIN("0", "0", SLOT("buf", "1024") ", " SIGNAL_SLOT("0") ", " SIGNAL_SLOT("1"))
     "    " ALLOC("buf", "1024")
     "    " DATA_IN("w", "buf")
     "    self.chip(w, device=0)\n"
     SIGNAL_IN("0", "1")
     "    pld.tensor.allreduce(w, __allreduce_signal_0, op=0)\n"
     SIGNAL_IN("1", "1")
     "    pld.tensor.allreduce(w, __allreduce_signal_1, op=1)\n"},
    {"11 synthesize_reserves_existing_alloc_names", S,
     ALLOC("__allreduce_signal_buf_0", "32")
     CELLS("s", "__allreduce_signal_buf_0")
     ALLOC("buf", "1024")
     DATA("w", "buf")
     "pld.tensor.allreduce(w, op=0)\n",
     ALLOC("__allreduce_signal_buf_0", "32")
     CELLS("s", "__allreduce_signal_buf_0")
     ALLOC("buf", "1024")
     DATA("w", "buf")
     SIGNAL("1", "1")
     "pld.tensor.allreduce(w, __allreduce_signal_1, op=0)\n"},
    {"12 ssa_allreduce_result_keeps_source_window_lineage", NULL,
     "buf = pld.alloc_window_buffer(1024)\n"
     "sig = pld.alloc_window_buffer(32)\n"
     "w = pld.window(buf, [256], dtype=pl.FP32)\n"
     "s = pld.window(sig, [8, 1], dtype=pl.INT32)\n"
     "y = pld.tensor.allreduce(w, s, op=0)\n"
     "z = pld.tensor.allreduce(y, s, op=0)\n"
     "self.chip(z, device=3)\n",
     DOMAIN("0", "3", SLOT("buf", "1024") ", " SLOT("sig", "32"))
     "    " ALLOC("buf", "1024")
     "    " ALLOC("sig", "32")
     "    " DATA_IN("w", "buf")
     "    " CELLS_IN("s", "sig")
     "    y: " TYPE_DATA(IN("buf")) " = pld.tensor.allreduce(w, s, op=0)\n"
     "    z: " TYPE_DATA(IN("buf")) " = pld.tensor.allreduce(y, s, op=0)\n"
     "    self.chip(z, device=3)\n"},
    {"13 return_implicit_allreduce_is_lifted", S,
     ALLOC("buf", "1024")
     DATA("w", "buf")
     "return pld.tensor.allreduce(w, op=0)\n",
     ALLOC("buf", "1024")
     DATA("w", "buf")
     SIGNAL("0", "1")
     "__allreduce_result_0: " TYPE_DATA("") " = pld.tensor.allreduce(w, __allreduce_signal_0, op=0)\n"
     "return __allreduce_result_0\n"},
    {"14 return_explicit_allreduce_is_lifted", S,
     ALLOC("buf", "1024")
     ALLOC("sig", "32")
     DATA("w", "buf")
     CELLS("s", "sig")
     "return pld.tensor.allreduce(w, s, op=0)\n",
     ALLOC("buf", "1024")
     ALLOC("sig", "32")
     DATA("w", "buf")
     CELLS("s", "sig")
     "__allreduce_result_0: " TYPE_DATA("") " = pld.tensor.allreduce(w, s, op=0)\n"
     "return __allreduce_result_0\n"},
    {"15 implicit_eval_stmt_gets_signal", S,
     ALLOC("buf", "1024")
     DATA("w", "buf")
     "pld.tensor.allreduce(w, op=0)\n",
     ALLOC("buf", "1024")
     DATA("w", "buf")
     SIGNAL("0", "1")
     "pld.tensor.allreduce(w, __allreduce_signal_0, op=0)\n"},
    {"16 explicit_eval_stmt_keeps_signal", S,
     ALLOC("buf", "1024")
     ALLOC("sig", "32")
     DATA("w", "buf")
     CELLS("s", "sig")
     "pld.tensor.allreduce(w, s, op=0)\n",
     NULL},
    {"19 explicit_allreduce_in_loop_accepted", S_M,
     "buf = pld.alloc_window_buffer(1024)\n"
     "sig = pld.alloc_window_buffer(32)\n"
     "w = pld.window(buf, [256], dtype=pl.FP32)\n"
     "s = pld.window(sig, [8, 1], dtype=pl.INT32)\n"
     "self.chip(w, device=0)\n"
     "for i in pl.range(3):\n"
     "    pld.tensor.allreduce(w, s, op=0)\n",
     DOMAIN("0", "0", SLOT("buf", "1024") ", " SLOT("sig", "32"))
     "    " ALLOC("buf", "1024")
     "    " ALLOC("sig", "32")
     "    " DATA_IN("w", "buf")
     "    " CELLS_IN("s", "sig")
     "    self.chip(w, device=0)\n"
     "    for i in pl.range(3):\n"
     "        pld.tensor.allreduce(w, s, op=0)\n"},
    {"20 explicit_allreduce_in_while_accepted", S_M,
     "buf = pld.alloc_window_buffer(1024)\n"
     "sig = pld.alloc_window_buffer(32)\n"
     "w = pld.window(buf, [256], dtype=pl.FP32)\n"
     "s = pld.window(sig, [8, 1], dtype=pl.INT32)\n"
     "self.chip(w, device=0)\n"
     "while n > 0:\n"
     "    pld.tensor.allreduce(w, s, op=0)\n",
     DOMAIN("0", "0", SLOT("buf", "1024") ", " SLOT("sig", "32"))
     "    " ALLOC("buf", "1024")
     "    " ALLOC("sig", "32")
     "    " DATA_IN("w", "buf")
     "    " CELLS_IN("s", "sig")
     "    self.chip(w, device=0)\n"
     "    while n > 0:\n"
     "        pld.tensor.allreduce(w, s, op=0)\n"},
    {"26 single_alloc_subset_const_int_devices", NULL,
     "buf = pld.alloc_window_buffer(1024)\n"
     "w = pld.window(buf, [256], dtype=pl.FP32)\n"
     "self.chip(w, device=1)\n"
     "self.chip(w, device=0)\n",
     DOMAIN("0", "0, 1", SLOT("buf", "1024"))
     "    " ALLOC("buf", "1024")
     "    " DATA_IN("w", "buf")
     "    self.chip(w, device=1)\n"
     "    self.chip(w, device=0)\n"},
    {"27 bounded_loop_devices", NULL,
     "buf = pld.alloc_window_buffer(1024)\n"
     "for r in pl.range(2):\n"
     "    w = pld.window(buf, [256], dtype=pl.FP32)\n"
     "    self.chip(w, device=r)\n",
     DOMAIN("0", "0, 1", SLOT("buf", "1024"))
     "    " ALLOC("buf", "1024")
     "    for r in pl.range(2):\n"
     "        " DATA_IN("w", "buf")
     "        self.chip(w, device=r)\n"},
    {"28 two_allocs_same_descriptor_one_group", NULL,
     "a = pld.alloc_window_buffer(1024)\n"
     "b = pld.alloc_window_buffer(1024)\n"
     "for r in pl.range(pld.world_size()):\n"
     "    w = pld.window(a, [256], dtype=pl.FP32)\n"
     "    v = pld.window(b, [256], dtype=pl.FP32)\n"
     "    self.pair(w, v, device=r)\n",
     DOMAIN("0", "", SLOT("a", "1024") ", " SLOT("b", "1024"))
     "    " ALLOC("a", "1024")
     "    " ALLOC("b", "1024")
     "    for r in pl.range(pld.system.world_size(), " GROUPED "):\n"
     "        " DATA_IN("w", "a")
     "        " DATA_IN("v", "b")
     "        self.pair(w, v, device=r)\n"},
    {"29 two_allocs_different_descriptors_two_groups", NULL,
     "a = pld.alloc_window_buffer(1024)\n"
     "b = pld.alloc_window_buffer(2048)\n"
     "w = pld.window(a, [256], dtype=pl.FP32)\n"
     "v = pld.window(b, [256], dtype=pl.FP32)\n"
     "for r in pl.range(2):\n"
     "    self.chip(w, device=r)\n"
     "self.chip(v, device=2)\n",
     DOMAIN("0", "0, 1", SLOT("a", "1024"))
     "    " DOMAIN("1", "2", SLOT("b", "2048"))
     "        " ALLOC("a", "1024")
     "        " ALLOC("b", "2048")
     "        " DATA_IN("w", "a")
     "        " DATA_IN("v", "b")
     "        for r in pl.range(2):\n"
     "            self.chip(w, device=r)\n"
     "        self.chip(v, device=2)\n"},
    {"30 four_allocs_three_descriptors_three_groups", NULL,
     "a = pld.alloc_window_buffer(1)\n"
     "b = pld.alloc_window_buffer(2)\n"
     "c = pld.alloc_window_buffer(3)\n"
     "e = pld.alloc_window_buffer(4)\n"
     "w = pld.window(a, [256], dtype=pl.FP32)\n"
     "v = pld.window(b, [256], dtype=pl.FP32)\n"
     "u = pld.window(c, [256], dtype=pl.FP32)\n"
     "t = pld.window(e, [256], dtype=pl.FP32)\n"
     "self.pair(w, u, device=0)\n"
     "for r in pl.range(pld.world_size()):\n"
     "    self.chip(v, device=r)\n"
     "self.chip(t, device=1)\n",
     DOMAIN("0", "0", SLOT("a", "1") ", " SLOT("c", "3"))
     "    " DOMAIN("1", "", SLOT("b", "2"))
     "        " DOMAIN("2", "1", SLOT("e", "4"))
     "            " ALLOC("a", "1")
     "            " ALLOC("b", "2")
     "            " ALLOC("c", "3")
     "            " ALLOC("e", "4")
     "            " DATA_IN("w", "a")
     "            " DATA_IN("v", "b")
     "            " DATA_IN("u", "c")
     "            " DATA_IN("t", "e")
     "            self.pair(w, u, device=0)\n"
     "            for r in pl.range(pld.system.world_size(), " GROUPED "):\n"
     "                self.chip(v, device=r)\n"
     "            self.chip(t, device=1)\n"},
    {"37 no_alloc_window_buffer_no_op", NULL,
     "for i in pl.range(4):\n"
     "    self.plain(x[i], device=i)\n"
     "self.core(d)\n",
     NULL},
    {"38 loop bound via assigned temp world_size", NULL,
     WS_BEFORE
     "ranks = ws\n"
     "buf = pld.alloc_window_buffer(1024)\n"
     "w = pld.window(buf, [256], dtype=pl.FP32)\n"
     "for r in pl.range(ranks):\n"
     "    self.chip(w, device=r)\n",
     DOMAIN("0", "", SLOT("buf", "1024"))
     "    " WS
     "    ranks: pl.Scalar[pl.INT64] = ws\n"
     "    " ALLOC("buf", "1024")
     "    " DATA_IN("w", "buf")
     "    for r in pl.range(ranks, " GROUPED "):\n"
     "        self.chip(w, device=r)\n"},
    {"39 loop bound via assigned temp const", NULL,
     "two = 2\n"
     "ranks = two\n"
     "buf = pld.alloc_window_buffer(1024)\n"
     "w = pld.window(buf, [256], dtype=pl.FP32)\n"
     "for r in pl.range(ranks):\n"
     "    self.chip(w, device=r)\n",
     DOMAIN("0", "0, 1", SLOT("buf", "1024"))
     "    two: pl.Scalar[pl.INDEX] = 2\n"
     "    ranks: pl.Scalar[pl.INDEX] = two\n"
     "    " ALLOC("buf", "1024")
     "    " DATA_IN("w", "buf")
     "    for r in pl.range(ranks):\n"
     "        self.chip(w, device=r)\n"},
};

static const struct host_error upstream_errors[] = {
    {"17 implicit_allreduce_in_loop_rejected", S_M,
     "buf = pld.alloc_window_buffer(1024)\n"
     "w = pld.window(buf, [256], dtype=pl.FP32)\n"
     "self.chip(w, device=0)\n"
     "for i in pl.range(3):\n"
     "    pld.tensor.allreduce(w, op=0)\n",
     5, 5, 20,
     S ": pld.tensor.allreduce in a for/while loop needs a signal of its own: "
     "pld.tensor.allreduce(target, signal, ...) [loop-signal]"},
    {"18 implicit_allreduce_in_while_loop_rejected", S_M,
     "buf = pld.alloc_window_buffer(1024)\n"
     "w = pld.window(buf, [256], dtype=pl.FP32)\n"
     "self.chip(w, device=0)\n"
     "while n > 0:\n"
     "    y = pld.tensor.allreduce(w, op=0)\n",
     5, 9, 20,
     S ": pld.tensor.allreduce in a for/while loop needs a signal of its own: "
     "pld.tensor.allreduce(target, signal, ...) [loop-signal]"},
    {"24 nested_explicit_allreduce_expression_rejected", S_M,
     "buf = pld.alloc_window_buffer(1024)\n"
     "sig = pld.alloc_window_buffer(32)\n"
     "w = pld.window(buf, [256], dtype=pl.FP32)\n"
     "s = pld.window(sig, [8, 1], dtype=pl.INT32)\n"
     "self.chip(pld.tensor.allreduce(w, s, op=0), device=0)\n",
     5, 11, 20,
     S ": pld.tensor.allreduce must be a direct assignment, a statement of its own or what a return "
     "returns [direct-call]"},
    {"25 nested_implicit_allreduce_expression_rejected", S_M,
     "buf = pld.alloc_window_buffer(1024)\n"
     "w = pld.window(buf, [256], dtype=pl.FP32)\n"
     "self.chip(pld.tensor.allreduce(w, op=0), device=0)\n",
     3, 11, 20,
     S ": pld.tensor.allreduce must be a direct assignment, a statement of its own or what a return "
     "returns [direct-call]"},
    {"33 dead_alloc_no_window", NULL,
     "buf = pld.alloc_window_buffer(1024)\n"
     "dead = pld.alloc_window_buffer(32)\n"
     "w = pld.window(buf, [256], dtype=pl.FP32)\n"
     "self.chip(w, device=0)\n",
     2, 1, 34,
     M ": window buffer 'dead' has no pld.tensor.window materialisation [window-missing]"},
    {"34 dead_alloc_no_dispatch", NULL,
     "buf = pld.alloc_window_buffer(1024)\n"
     "w = pld.window(buf, [256], dtype=pl.FP32)\n",
     1, 1, 35,
     M ": window buffer 'buf' is not consumed by any chip_orch dispatch [window-not-dispatched]"},
    {"35 non_unit_step_device_loop", NULL,
     "buf = pld.alloc_window_buffer(1024)\n"
     "w = pld.window(buf, [256], dtype=pl.FP32)\n"
     "for r in pl.range(0, 4, 2):\n"
     "    self.chip(w, device=r)\n",
     3, 25, 1,
     M ": non-unit-step loop is not supported over devices, found step 2 [device-loop-step]"},
};
/* clang-format on */

Test(materialize_comm_domain_scopes, upstream)
{
    CASES(upstream);
    ERRORS(upstream_errors);
}

/* A line here is a line of a program. */
/* clang-format off */
/* 21 to 23: the window that receives the counts follows the data as the signal does. */
#define BLOCK(v, buf)    VIEW_OF(v, buf, "16, 16", "FP32")
#define BLOCK_IN(v, buf) VIEW_IN(v, buf, buf, "16, 16", "FP32")
#define ALL_TO_ALL_V_BEFORE                                                                        \
    ALLOC("b_in", "1024")                                                                          \
    ALLOC("b_out", "1024")                                                                         \
    ALLOC("b_sig", "32")                                                                           \
    ALLOC("b_send", "32")                                                                          \
    ALLOC("b_recv", "32")                                                                          \
    BLOCK("src", "b_in")                                                                       \
    BLOCK("dst", "b_out")                                                                      \
    CELLS("sig", "b_sig")                                                                          \
    CELLS("send", "b_send")                                                                        \
    CELLS("recv", "b_recv")                                                                        \
    "self.block(src, device=0)\n"                                                                  \
    "self.block(dst, device=0)\n"                                                                  \
    "self.cells(send, device=0)\n"

static const struct host_case all_to_all_v[] = {
    {"21 all_to_all_v_signal_and_recv_counts_inherit_data_comm_domain", NULL,
     ALL_TO_ALL_V_BEFORE
     "pld.tensor.all_to_all_v(src, dst, sig, send, recv)\n",
     DOMAIN("0", "0",
            SLOT("b_in", "1024") ", " SLOT("b_out", "1024") ", " SLOT("b_sig", "32") ", " SLOT(
                "b_send", "32") ", " SLOT("b_recv", "32"))
     "    " ALLOC("b_in", "1024")
     "    " ALLOC("b_out", "1024")
     "    " ALLOC("b_sig", "32")
     "    " ALLOC("b_send", "32")
     "    " ALLOC("b_recv", "32")
     "    " BLOCK_IN("src", "b_in")
     "    " BLOCK_IN("dst", "b_out")
     "    " CELLS_IN("sig", "b_sig")
     "    " CELLS_IN("send", "b_send")
     "    " CELLS_IN("recv", "b_recv")
     "    self.block(src, device=0)\n"
     "    self.block(dst, device=0)\n"
     "    self.cells(send, device=0)\n"
     "    pld.tensor.all_to_all_v(src, dst, sig, send, recv)\n"},
};

static const struct host_error all_to_all_v_errors[] = {
    {"22 all_to_all_v_in_loop_rejected", NULL,
     ALL_TO_ALL_V_BEFORE
     "for i in pl.range(2):\n"
     "    pld.tensor.all_to_all_v(src, dst, sig, send, recv)\n",
     15, 5, 23,
     M ": pld.tensor.all_to_all_v is not supported inside a for/while loop in a HOST orchestrator "
     "[all-to-all-v-loop]"},
    {"23 all_to_all_v_in_while_rejected", NULL,
     ALL_TO_ALL_V_BEFORE
     "while n > 0:\n"
     "    if n > 1:\n"
     "        y = pld.tensor.all_to_all_v(src, dst, sig, send, recv)\n",
     16, 13, 23,
     M ": pld.tensor.all_to_all_v is not supported inside a for/while loop in a HOST orchestrator "
     "[all-to-all-v-loop]"},
};
/* clang-format on */

Test(materialize_comm_domain_scopes, all_to_all_v)
{
    CASES(all_to_all_v);
    ERRORS(all_to_all_v_errors);
}

/* 05, 08: what stands between the passes is a program like any other. */
Test(materialize_comm_domain_scopes, texts_between_the_passes_read_back)
{
    static const char body[] = "buf = pld.alloc_window_buffer(1024)\n"
                               "w = pld.window(buf, [256], dtype=pl.FP32)\n"
                               "self.chip(w, device=0)\n"
                               "y = pld.tensor.allreduce(w, op=0)\n"
                               "return y\n";
    static const struct {
        const char *name, *passes;
    } cases[] = {
        {"05 optional_signal_allreduce_round_trips_before_materialization", ""},
        {"08 synthesized_signal_round_trips_after_materialization", S_M},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct arena a = {0};
        struct diag d = {.arena = &a};
        const struct ir_program *p =
            host_run(&a, cases[i].name, cases[i].passes, host_program(&a, cases[i].name, body));
        const char *text = ir_print(&a, p);
        const struct ir_program *again = ir_parse(&a, source_from_string(&a, "p.py", text), &d);
        cr_assert(again, "%s: %s", cases[i].name, diag_text(&d, &a));
        cr_expect(ir_equal(p, again), "%s: not equal", cases[i].name);
        cr_expect_eq(ir_hash(p), ir_hash(again), "%s: not of the same hash", cases[i].name);
        expect_text(cases[i].name, ir_print(&a, again), text);
        arena_free(&a);
    }
}

/* 09: k counts through all functions. */
Test(materialize_comm_domain_scopes, implicit_signal_names_are_program_unique)
{
    static const char name[] = "09 implicit_signal_names_are_program_unique";
    static const char second[] =
        "    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)\n"
        "    def second(self, v: pl.InOut[" TYPE_DATA("") "]):\n";
    struct arena a = {0};
    struct diag d = {.arena = &a};
    const char *text = arena_printf(
        &a, "%s%s        pld.tensor.allreduce(v, op=0)\n",
        ir_print(&a, host_program(&a, name, "pld.tensor.allreduce(d, op=0)\n")), second);
    const struct ir_program *p = ir_parse(&a, source_from_string(&a, "two.py", text), &d);
    cr_assert(p, "%s", diag_text(&d, &a));
    const char *printed = strstr(ir_print(&a, host_run(&a, name, S, p)), "    def main(");
    cr_assert(printed);
    expect_text(name, strchr(printed, '\n') + 1,
                arena_printf(&a,
                             "%s        pld.tensor.allreduce(d, __allreduce_signal_0, op=0)\n"
                             "%s"
                             "%s        pld.tensor.allreduce(v, __allreduce_signal_1, op=0)\n",
                             SIGNAL_AT("        ", "0", "1"), second,
                             SIGNAL_AT("        ", "1", "1")));
    arena_free(&a);
}

/* ---- what text does not show ---- */

static const struct ir_func *main_of(const struct ir_program *p)
{
    return ir_find_func(p, "main");
}

/* The statement of the innermost scope's body that assigns the named variable. */
static const struct ir_stmt *assignment_to(const struct ir_program *p, const char *name)
{
    const ir_block *block = &main_of(p)->body;
    while (block->len == 1 && ir_is_comm_domain(block->items[0]))
        block = &block->items[0]->scope.body;
    const struct ir_stmt *found = NULL;
    vec_foreach (struct ir_stmt *, s, block)
        if ((*s)->kind == IR_ASSIGN && strcmp((*s)->assign.targets.items[0]->name, name) == 0)
            found = *s;
    cr_assert(found, "no assignment to %s", name);
    return found;
}

static const struct ir_window_buffer *window_of(const struct ir_program *p, const char *name)
{
    const struct ir_stmt *s = assignment_to(p, name);
    const struct ir_type *var = s->assign.targets.items[0]->type, *value = s->assign.value->type;
    cr_expect_eq(var->window, value->window, "%s: variable and definition differ", name);
    cr_expect(ir_type_same(var, value), "%s: variable and definition differ in type", name);
    return var->window;
}

static const struct ir_window_buffer *slot(const struct ir_program *p, size_t i)
{
    const struct ir_expr *slots =
        ir_kwarg_find(&main_of(p)->body.items[0]->scope.call->call.kwargs, "slots");
    cr_assert(i < slots->items.len);
    return slots->items.items[i]->type->window;
}

static const char views_of_one_window[] = "buf = pld.alloc_window_buffer(1024)\n"
                                          "w = pld.window(buf, [256], dtype=pl.FP32)\n"
                                          "v = pld.window(buf, [256], dtype=pl.FP32)\n"
                                          "half = pl.tensor.slice(w, [128], [128])\n"
                                          "same = v\n"
                                          "self.pair(w, v, device=0)\n";

/* 31: the slot, the views, and whatever is the same storage, share one object. */
Test(materialize_comm_domain_scopes, multi_view_per_alloc_shares_wb_instance)
{
    static const char name[] = "31 multi_view_per_alloc_shares_wb_instance";
    static const char *const vars[] = {"w", "v", "half", "same"};
    struct arena a = {0};
    const struct ir_program *p = host_run(&a, name, M, host_program(&a, name, views_of_one_window));
    const struct ir_window_buffer *window = slot(p, 0);
    expect_text(
        name, host_body(&a, p),
        DOMAIN("0", "0", SLOT("buf", "1024")) "    " ALLOC("buf", "1024") "    " DATA_IN(
            "w", "buf") "    " DATA_IN("v",
                                       "buf") "    half: pld.DistributedTensor[[128], "
                                              "pl.FP32" IN("buf") "] = "
                                                                  "pl.tensor.slice(w, [128], "
                                                                  "[128])\n"
                                                                  "    same: " TYPE_DATA(
                                                                      IN("buf")) " = v\n"
                                                                                 "    self.pair(w, "
                                                                                 "v, device=0)\n");
    for (size_t i = 0; i < sizeof vars / sizeof vars[0]; i++)
        cr_expect_eq(window_of(p, vars[i]), window, "%s", vars[i]);
    cr_expect_eq(window->base, assignment_to(p, "buf")->assign.targets.items[0]);
    cr_expect_eq(window->size, assignment_to(p, "buf")->assign.value->call.args.items[0]);
    cr_expect(!window->load_from_host && !window->store_to_host);
    expect_text(name, window->name, "buf");
    arena_free(&a);
}

/* A use refers to the variable that took the view's place. */
Test(materialize_comm_domain_scopes, uses_follow_the_view)
{
    static const char name[] = "uses_follow_the_view";
    struct arena a = {0};
    const struct ir_program *before = host_program(&a, name, views_of_one_window);
    const struct ir_program *p = host_run(&a, name, M, before);
    const ir_block *body = &main_of(p)->body.items[0]->scope.body;
    const struct ir_expr *arg = body->items[5]->eval->call.args.items[0];
    cr_expect_eq(arg->var, assignment_to(p, "w")->assign.targets.items[0]);
    cr_expect_neq(arg->var, assignment_to(before, "w")->assign.targets.items[0]);
    cr_expect_eq(arg->type->window, slot(p, 0));
    arena_free(&a);
}

/* An annotation that says more than the definition: only the variable can name the window. */
Test(materialize_comm_domain_scopes, definition_of_another_type_is_kept)
{
    static const char name[] = "definition_of_another_type_is_kept";
    static const char view[] = "pld.DistributedTensor[[256], pl.FP32, pl.TensorView(stride=[1])";
    struct arena a = {0};
    const char *body = arena_printf(&a,
                                    "buf = pld.alloc_window_buffer(1024)\n"
                                    "w: %s] = pld.tensor.window(buf, [256], dtype=pl.FP32)\n"
                                    "self.chip(w, device=0)\n",
                                    view);
    const struct ir_program *p = host_run(&a, name, M, host_program(&a, name, body));
    const struct ir_stmt *s = assignment_to(p, "w");
    cr_expect_eq(s->assign.targets.items[0]->type->window, slot(p, 0));
    cr_expect_null(s->assign.value->type->window);
    expect_text(
        name, host_body(&a, p),
        arena_printf(
            &a,
            DOMAIN("0", "0", SLOT("buf", "1024")) "    " ALLOC("buf", "1024") "    w: %s" IN(
                "buf") "] = "
                       "pld.tensor.window(buf, [256], dtype=pl.FP32)\n"
                       "    self.chip(w, device=0)\n",
            view));
    arena_free(&a);
}

/* 32: what is dispatched, and what runs on a core, is shared with the program given. */
Test(materialize_comm_domain_scopes, chip_orch_param_types_keep_window_buffer_nullopt)
{
    static const char name[] = "32 chip_orch_param_types_keep_window_buffer_nullopt";
    struct arena a = {0};
    const struct ir_program *before = host_program(&a, name, views_of_one_window);
    const struct ir_program *p = host_run(&a, name, M, before);
    for (size_t i = 0; i < p->funcs.len; i++) {
        const struct ir_func *f = p->funcs.items[i];
        cr_expect((f == before->funcs.items[i]) == (strcmp(f->name, "main") != 0), "%s", f->name);
        vec_foreach (struct ir_param, param, &f->params)
            cr_expect_null(param->var->type->window, "%s of %s", param->var->name, f->name);
    }
    arena_free(&a);
}

/* 36: every other case is applied twice too; here the second run meets two nested scopes. */
Test(materialize_comm_domain_scopes, idempotent)
{
    static const char name[] = "36 idempotent";
    struct arena a = {0};
    const struct ir_program *once =
        host_run(&a, name, M,
                 host_program(&a, name,
                              "a = pld.alloc_window_buffer(1024)\n"
                              "b = pld.alloc_window_buffer(1024)\n"
                              "w = pld.window(a, [256], dtype=pl.FP32)\n"
                              "v = pld.window(b, [256], dtype=pl.FP32)\n"
                              "self.chip(w, device=0)\n"
                              "self.chip(v, device=1)\n"));
    const struct ir_program *twice = host_run(&a, name, M, once);
    cr_expect_eq(main_of(once), main_of(twice));
    cr_expect(ir_equal(once, twice));
    expect_text(name, ir_print(&a, twice), ir_print(&a, once));
    arena_free(&a);
}

/* 40, 41: the verifier's property holds of a result, and not of one whose slot stands in a second
 * scope as well. */
Test(materialize_comm_domain_scopes, verifier_sees_the_scopes)
{
    static const char name[] = "verifier_sees_the_scopes";
    struct arena a = {0};
    struct diag good = {.arena = &a}, bad = {.arena = &a};
    const struct ir_program *p = host_run(&a, name, M, host_program(&a, name, views_of_one_window));
    cr_expect(verify_property(p, IR_PROPERTY_COMM_DOMAIN_SCOPES, &good),
              "40 verifier_passes_on_pass_output: %s", diag_text(&good, &a));

    struct ir_func *f = ir_find_func(p, "main");
    const struct ir_expr *slots =
        ir_kwarg_find(&f->body.items[0]->scope.call->call.kwargs, "slots");
    ir_block twice = {0};
    vec_push(&a, &twice,
             ir_comm_domain(&a, "comm_d1", NULL, 0, slots->items, f->body, f->body.items[0]->span));
    f->body = twice;
    cr_expect_not(verify_property(p, IR_PROPERTY_COMM_DOMAIN_SCOPES, &bad));
    expect_text(
        "41 verifier_flags_duplicate_slot_across_scopes", bad.message,
        "window buffer 'buf' is a slot of communication domain comm_d1 and of communication "
        "domain comm_d0 [slot-shared]");
    arena_free(&a);
}
