/* SPDX-License-Identifier: MIT */
/* The numbers are those of the cases in pypto-facts 4.4 that concern this pass. */
#include "tests/passes/transform_rig.h"

#define HEAD                                                                                       \
    "import pypto.language as pl\n"                                                                \
    "import pypto.language.distributed as pld\n"                                                   \
    "@pl.program\n"                                                                                \
    "class P:\n"                                                                                   \
    "    @pl.function(type=pl.FunctionType.Orchestration)\n"                                       \
    "    def chip(self, data: pl.InOut[pld.DistributedTensor[[256], pl.FP32]]):\n"                 \
    "        return\n"

static const struct frame host = {
    HEAD "    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)\n"
         "    def host(self, n: pl.Scalar[pl.INDEX]):\n",
    "host"};

#define DATA                                                                                       \
    "data_buf: pl.Ptr = pld.tensor.alloc_window_buffer(1024)\n"                                    \
    "data: pld.DistributedTensor[[256], pl.FP32] = pld.tensor.window(data_buf, [256], "            \
    "dtype=pl.FP32)\n"
#define SIG                                                                                        \
    "sig_buf: pl.Ptr = pld.tensor.alloc_window_buffer(16)\n"                                       \
    "sig: pld.DistributedTensor[[4, 1], pl.INT32] = pld.tensor.window(sig_buf, [4, 1], "           \
    "dtype=pl.INT32)\n"

/* What the pass puts before a call: number, lanes. */
#define MADE_AT(in, k, cores)                                                                      \
    in "__allreduce_signal_world_size_" k ": pl.Scalar[pl.INT64] = pld.system.world_size()\n" in   \
       "__allreduce_signal_buf_" k                                                                 \
       ": pl.Ptr = pld.tensor.alloc_window_buffer(__allreduce_signal_world_size_" k                \
       " * pl.const(" cores ", pl.INT64) * pl.const(4, pl.INT64))\n" in "__allreduce_signal_" k    \
       ": pld.DistributedTensor[[__allreduce_signal_world_size_" k ", pl.const(" cores             \
       ", pl.INT64)], pl.INT32] = pld.tensor.window(__allreduce_signal_buf_" k                     \
       ", [__allreduce_signal_world_size_" k ", pl.const(" cores ", pl.INT64)], dtype=pl.INT32)\n"
#define MADE(k, cores) MADE_AT("", k, cores)

static const char pass_name[] = "SynthesizeAllReduceSignals";

Test(synthesize, signals)
{
    static const struct transform_case cases[] = {
        {"03 explicit_allreduce_assignment_keeps_user_signal",
         DATA SIG "data = pld.tensor.allreduce(data, sig, op=0)\n", NULL, NULL},
        {"04 and 06 implicit allreduce",
         DATA "data = pld.tensor.allreduce(data, op=pld.ReduceOp.Sum)\n",
         DATA MADE("0", "1") "data = pld.tensor.allreduce(data, __allreduce_signal_0, op=0)\n",
         NULL},
        {"07 synthesize_multicore_signal_uses_core_lanes_and_bytes",
         DATA "data = pld.tensor.allreduce(data, op=1, core_num=8)\n",
         DATA MADE(
             "0",
             "8") "data = pld.tensor.allreduce(data, __allreduce_signal_0, op=1, core_num=8)\n",
         NULL},
        {"10 consecutive_implicit_allreduces_get_fresh_signal_slots",
         DATA "data = pld.tensor.allreduce(data, op=0)\n"
              "data = pld.tensor.allreduce(data, op=0)\n",
         DATA MADE("0", "1") "data = pld.tensor.allreduce(data, __allreduce_signal_0, op=0)\n" MADE(
             "1", "1") "data = pld.tensor.allreduce(data, __allreduce_signal_1, op=0)\n",
         NULL},
        {"11 synthesize_reserves_existing_alloc_names",
         DATA "__allreduce_signal_buf_0: pl.Ptr = pld.tensor.alloc_window_buffer(16)\n"
              "own: pl.Ptr = pl._dump.alloc_window_buffer(16, name='__allreduce_signal_buf_1')\n"
              "pld.tensor.allreduce(data, op=0)\n",
         DATA
         "__allreduce_signal_buf_0: pl.Ptr = pld.tensor.alloc_window_buffer(16)\n"
         "own: pl.Ptr = pl._dump.alloc_window_buffer(16, name='__allreduce_signal_buf_1')\n" MADE(
             "2", "1") "pld.tensor.allreduce(data, __allreduce_signal_2, op=0)\n",
         NULL},
        {"12 SSA result",
         DATA "data__ssa_v1: pld.DistributedTensor[[256], pl.FP32] = pld.tensor.allreduce(data, "
              "op=0)\n",
         DATA MADE("0", "1") "data__ssa_v1: pld.DistributedTensor[[256], pl.FP32] = "
                             "pld.tensor.allreduce(data, __allreduce_signal_0, op=0)\n",
         NULL},
        {"13 return_implicit_allreduce_is_lifted", DATA "return pld.tensor.allreduce(data, op=0)\n",
         DATA MADE("0", "1") "__allreduce_result_0: pld.DistributedTensor[[256], pl.FP32] = "
                             "pld.tensor.allreduce(data, __allreduce_signal_0, op=0)\n"
                             "return __allreduce_result_0\n",
         NULL},
        {"14 return_explicit_allreduce_is_lifted",
         DATA SIG "return pld.tensor.allreduce(data, sig, op=0)\n",
         DATA SIG "__allreduce_result_0: pld.DistributedTensor[[256], pl.FP32] = "
                  "pld.tensor.allreduce(data, sig, op=0)\n"
                  "return __allreduce_result_0\n",
         NULL},
        {"15 implicit statement gets a signal", DATA "pld.tensor.allreduce(data, op=0)\n",
         DATA MADE("0", "1") "pld.tensor.allreduce(data, __allreduce_signal_0, op=0)\n", NULL},
        {"16 explicit statement keeps its signal",
         DATA SIG "pld.tensor.allreduce(data, sig, op=0)\n", NULL, NULL},
        {"19 explicit_allreduce_in_loop_accepted",
         DATA SIG "for i in pl.range(n):\n    pld.tensor.allreduce(data, sig, op=0)\n", NULL, NULL},
        {"20 explicit allreduce in a while loop",
         DATA SIG "while n > 0:\n    pld.tensor.allreduce(data, sig, op=0)\n", NULL, NULL},
        {"in a branch", DATA "if n > 0:\n    pld.tensor.allreduce(data, op=0)\n",
         DATA "if n > 0:\n" MADE_AT("    ", "0", "1") "    pld.tensor.allreduce(data, "
                                                      "__allreduce_signal_0, op=0)\n",
         NULL},
        {"explicit ring keeps its signal",
         DATA SIG "pld.tensor.allreduce(data, sig, op=0, mode='ring')\n", NULL, NULL},
        {"other collectives have a signal",
         DATA SIG "pld.tensor.broadcast(data, sig, root=0)\npld.tensor.barrier(sig)\n", NULL, NULL},
        {"a number is left out when one of its names is used by any statement",
         DATA "for __allreduce_result_0 in pl.range(n):\n"
              "    self.chip(data, device=__allreduce_result_0)\n"
              "pld.tensor.allreduce(data, op=0)\n",
         DATA "for __allreduce_result_0 in pl.range(n):\n"
              "    self.chip(data, device=__allreduce_result_0)\n" MADE(
                  "1", "1") "pld.tensor.allreduce(data, __allreduce_signal_1, op=0)\n",
         NULL},
    };
    EXPECT_TRANSFORMS(&host, pass_name, cases);
}

#define LOOP_ERROR                                                                                 \
    "pld.tensor.allreduce in a for/while loop needs a signal of its own: "                         \
    "pld.tensor.allreduce(target, signal, ...) [loop-signal]"
#define DIRECT_ERROR                                                                               \
    "pld.tensor.allreduce must be a direct assignment, a statement of its own or what a return "   \
    "returns [direct-call]"

Test(synthesize, errors)
{
    static const struct transform_case cases[] = {
        {"17 implicit_allreduce_in_loop_rejected",
         DATA "for i in pl.range(n):\n    data = pld.tensor.allreduce(data, op=0)\n", NULL,
         "4:12+20: " LOOP_ERROR},
        {"18 implicit allreduce in a while loop",
         DATA "while n > 0:\n    if n > 1:\n        pld.tensor.allreduce(data, op=0)\n", NULL,
         "5:9+20: " LOOP_ERROR},
        {"24 nested_explicit_allreduce_expression_rejected",
         DATA SIG "self.chip(pld.tensor.allreduce(data, sig, op=0), device=0)\n", NULL,
         "5:11+20: " DIRECT_ERROR},
        {"25 nested_implicit_allreduce_expression_rejected",
         DATA "self.chip(pld.tensor.allreduce(data, op=0), device=0)\n", NULL,
         "3:11+20: " DIRECT_ERROR},
        {"nested in another allreduce",
         DATA "data = pld.tensor.allreduce(pld.tensor.allreduce(data, op=0), op=0)\n", NULL,
         "3:29+20: " DIRECT_ERROR},
        {"in a tuple", DATA "a, b = pld.tensor.allreduce(data, op=0), data\n", NULL,
         "3:8+20: " DIRECT_ERROR},
        {"implicit ring", DATA "pld.tensor.allreduce(data, op=0, mode='ring')\n", NULL,
         "3:1+20: pld.tensor.allreduce with mode=\"ring\" needs a signal of its own: "
         "pld.tensor.allreduce(target, signal, ...) [ring-signal]"},
        {"after a loop is not in it",
         DATA "for i in pl.range(n):\n    self.chip(data, device=i)\npld.tensor.allreduce(data, "
              "op=0)\n",
         DATA "for i in pl.range(n):\n    self.chip(data, device=i)\n" MADE(
             "0", "1") "pld.tensor.allreduce(data, __allreduce_signal_0, op=0)\n",
         NULL},
    };
    EXPECT_TRANSFORMS(&host, pass_name, cases);
}

#define PROGRAM       "@pl.program\nclass P:\n"
#define HOST_FUNCTION "    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)\n"
#define IN            "        "

Test(synthesize, whole_programs)
{
    static const struct transform_case cases[] = {
        {"09 implicit_signal_names_are_program_unique",
         PROGRAM HOST_FUNCTION "    def one(self, w: pld.DistributedTensor[[256], pl.FP32]):\n"
                               "        pld.tensor.allreduce(w, op=0)\n" HOST_FUNCTION
                               "    def two(self, w: pld.DistributedTensor[[256], pl.FP32]):\n"
                               "        pld.tensor.allreduce(w, op=0)\n",
         PROGRAM HOST_FUNCTION
         "    def one(self, w: pld.DistributedTensor[[256], pl.FP32]):\n" MADE_AT(IN, "0", "1") IN
         "pld.tensor.allreduce(w, __allreduce_signal_0, op=0)\n" HOST_FUNCTION
         "    def two(self, w: pld.DistributedTensor[[256], pl.FP32]):\n" MADE_AT(IN, "1", "1") IN
         "pld.tensor.allreduce(w, __allreduce_signal_1, op=0)\n",
         NULL},
        {"a core function keeps what it has",
         PROGRAM "    @pl.function(type=pl.FunctionType.InCore)\n"
                 "    def k(self, w: pl.InOut[pld.DistributedTensor[[1, 256], pl.FP32]], s: "
                 "pl.InOut[pld.DistributedTensor[[4, 1], pl.INT32]]):\n"
                 "        for i in pl.range(2):\n"
                 "            pld.tensor.allreduce(w, s, op=0)\n",
         NULL, NULL},
    };
    EXPECT_PROGRAMS(pass_name, cases);
}

/* 08 synthesized_signal_round_trips_after_materialization: each pass of the run is checked. */
Test(synthesize, signal_is_materialized_with_its_data)
{
    static const char *const both[] = {"SynthesizeAllReduceSignals", "MaterializeCommDomainScopes"};
    struct arena a = {0};
    const struct ir_program *p =
        transform_parse(&a, "before",
                        transform_text(&a, &host,
                                       DATA "for r in pl.range(pld.system.world_size()):\n"
                                            "    self.chip(data, device=r)\n"
                                            "data = pld.tensor.allreduce(data, op=0)\n"));
    const char *body = transform_body(&a, transform_run(&a, "both", p, both, 2), "host");
    cr_expect(strstr(body, "pl._dump.window_buffer(\"__allreduce_signal_buf_0_window\", "
                           "base=\"__allreduce_signal_buf_0\""),
              "%s", body);
    arena_free(&a);
}
