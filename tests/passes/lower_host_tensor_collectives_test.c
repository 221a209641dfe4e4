/* SPDX-License-Identifier: MIT */
#include "ir/ops.h"
#include "tests/passes/transform_rig.h"

static const char pass_name[] = "LowerHostTensorCollectives";

static const struct frame host = {
    "import pypto.language as pl\n"
    "import pypto.language.distributed as pld\n"
    "@pl.program\n"
    "class P:\n"
    "    @pl.function(type=pl.FunctionType.Orchestration)\n"
    "    def chip(self, data: pl.InOut[pld.DistributedTensor[[4, 64], pl.FP32]]):\n"
    "        return\n"
    "    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)\n"
    "    def host(self, n: pl.Scalar[pl.INDEX], plain: pl.Tensor[[1, 64], pl.FP32], unbound: "
    "pld.DistributedTensor[[4, 64], pl.FP32]):\n",
    "host"};

#define SLOT(n)                                                                                    \
    "pl._dump.window_buffer(\"" n "_buf_window\", base=\"" n                                       \
    "_buf\", size=4096, load_from_host=False, store_to_host=False)"
#define DOMAIN(name, devices, slots)                                                               \
    "with pl._dump.comm_domain(name='" name "', devices=" devices ", slots=[" slots "]):\n"
#define TYPE(n, shape, dtype)                                                                      \
    "pld.DistributedTensor[" shape ", pl." dtype ", pl._dump.window_ref(\"" n "_buf_window\")]"
#define VIEW_AT(in, n, of, shape, dtype)                                                           \
    in n ": " TYPE(of, shape, dtype) " = pl._dump.call('pld.tensor.window', [" of "_buf, " shape   \
                                     "], " TYPE(of, shape, dtype) ", kwargs={\"dtype\": pl." dtype \
                                                                  "})\n"
#define VIEW(n, of, shape, dtype) VIEW_AT("    ", n, of, shape, dtype)
#define WINDOW_AT(in, n, shape, dtype)                                                             \
    in n "_buf: pl.Ptr = pld.tensor.alloc_window_buffer(4096)\n" VIEW_AT(in, n, n, shape, dtype)
#define WINDOW(n, shape, dtype) WINDOW_AT("    ", n, shape, dtype)

/* Windows of one domain: data, a second one of that shape, one row, a signal, and counts. */
#define WITH(devices)                                                                              \
    DOMAIN("comm_d0", devices,                                                                     \
           SLOT("data") ", " SLOT("stage") ", " SLOT("row") ", " SLOT("sig") ", " SLOT(            \
               "sent") ", " SLOT("got"))                                                           \
    WINDOW("data", "[4, 64]", "FP32")                                                              \
    WINDOW("stage", "[4, 64]", "FP32")                                                             \
    WINDOW("row", "[1, 64]", "FP32")                                                               \
    WINDOW("sig", "[4, 1]", "INT32")                                                               \
    WINDOW("sent", "[4, 1]", "INT32")                                                              \
    WINDOW("got", "[4, 1]", "INT32")

#define EACH(call)                                                                                 \
    "    for r in pl.range(pl.const(0, pl.INT64), pld.system.world_size(), "                       \
    "pl.const(1, pl.INT64)):\n        " call
#define ATTRS(keywords, device, directions)                                                        \
    "attrs={" keywords "\"device\": " device ", \"arg_directions\": [" directions "]})\n"
#define IO           "pl.adir.inout"
#define INP          "pl.adir.input"
#define REDUCE       "op=0, dtype=pl.FP32, "
#define REDUCE_ATTRS "\"op\": 0, \"dtype\": pl.FP32, "
#define MOVE         "dtype=pl.FP32, "
#define MOVE_ATTRS   "\"dtype\": pl.FP32, "

Test(lower_host, each_collective)
{
    static const struct transform_case cases[] = {
        {"allreduce", WITH("[]") "    pld.tensor.allreduce(data, sig, op=0)\n",
         WITH("[]") EACH("pl.builtin.tensor.allreduce(data, sig, " REDUCE
                         "core_num=1, " ATTRS(REDUCE_ATTRS "\"core_num\": 1, ", "r", IO ", " IO)),
         NULL},
        {"allreduce, other operator", WITH("[]") "    pld.tensor.allreduce(data, sig, op=1)\n",
         WITH("[]")
             EACH("pl.builtin.tensor.allreduce(data, sig, op=1, dtype=pl.FP32, core_num=1, " ATTRS(
                 "\"op\": 1, \"dtype\": pl.FP32, \"core_num\": 1, ", "r", IO ", " IO)),
         NULL},
        {"barrier", WITH("[]") "    pld.tensor.barrier(sig)\n",
         WITH("[]") EACH("pl.builtin.tensor.barrier(sig, " ATTRS("", "r", IO)), NULL},
        {"broadcast", WITH("[]") "    pld.tensor.broadcast(data, sig, root=3)\n",
         WITH("[]") EACH("pl.builtin.tensor.broadcast(data, sig, root=3, " MOVE ATTRS(
             "\"root\": 3, " MOVE_ATTRS, "r", IO ", " IO)),
         NULL},
        {"reduce_scatter", WITH("[]") "    pld.tensor.reduce_scatter(data, sig, op=0)\n",
         WITH("[]") EACH("pl.builtin.tensor.reduce_scatter(data, sig, " REDUCE ATTRS(
             REDUCE_ATTRS, "r", IO ", " IO)),
         NULL},
        {"allgather", WITH("[]") "    pld.tensor.allgather(row, data, sig)\n",
         WITH("[]") EACH("pl.builtin.tensor.allgather(row, data, sig, " MOVE ATTRS(
             MOVE_ATTRS, "r", INP ", " IO ", " IO)),
         NULL},
        {"all_to_all", WITH("[]") "    pld.tensor.all_to_all(stage, data, sig)\n",
         WITH("[]") EACH("pl.builtin.tensor.all_to_all(stage, data, sig, " MOVE ATTRS(
             MOVE_ATTRS, "r", INP ", " IO ", " IO)),
         NULL},
        {"all_to_all_v", WITH("[]") "    pld.tensor.all_to_all_v(stage, data, sig, sent, got)\n",
         WITH("[]") EACH("pl.builtin.tensor.all_to_all_v(stage, data, sig, sent, got, " MOVE ATTRS(
             MOVE_ATTRS, "r", INP ", " IO ", " IO ", " INP ", " IO)),
         NULL},
    };
    EXPECT_TRANSFORMS(&host, pass_name, cases);
}

#define RING_DOMAIN(devices, data, sig)                                                            \
    DOMAIN("comm_d0", devices, SLOT("data") ", " SLOT("sig"))                                      \
    WINDOW("data", data, "FP32") WINDOW("sig", sig, "INT32")
#define RING "    pld.tensor.allreduce(data, sig, op=0, mode='ring')\n"
#define RING_CALL(device)                                                                          \
    "pl.builtin.tensor.allreduce_ring(data, sig, " REDUCE ATTRS(REDUCE_ATTRS, device, IO ", " IO)
#define LANES_DOMAIN(shape)                                                                        \
    DOMAIN("comm_d0", "[]", SLOT("data") ", " SLOT("sig"))                                         \
    WINDOW("data", "[4, 64]", "FP32") WINDOW("sig", shape, "INT32")

#define IN8 "        "
/* All devices hold data and sig, device 2 holds other. */
#define TWO_DOMAINS                                                                                \
    DOMAIN("comm_d0", "[]", SLOT("data") ", " SLOT("sig"))                                         \
    "    " DOMAIN("comm_d1", "[2]", SLOT("other")) WINDOW_AT(IN8, "data", "[4, 64]", "FP32")       \
        WINDOW_AT(IN8, "sig", "[4, 1]", "INT32") WINDOW_AT(IN8, "other", "[4, 1]", "INT32")

Test(lower_host, devices_and_shapes)
{
    static const struct transform_case cases[] = {
        {"listed devices", WITH("[0, 3]") "    pld.tensor.barrier(sig)\n",
         WITH("[0, 3]") "    pl.builtin.tensor.barrier(sig, " ATTRS(
             "", "pl.const(0, pl.INT64)",
             IO) "    pl.builtin.tensor.barrier(sig, " ATTRS("", "pl.const(3, pl.INT64)", IO),
         NULL},
        {"as many devices as the signal has cells",
         WITH("[0, 1, 2, 3]") "    pld.tensor.broadcast(data, sig, root=3)\n",
         WITH("[0, 1, 2, 3]") "    pl.builtin.tensor.broadcast(data, sig, root=3, " MOVE ATTRS(
             "\"root\": 3, " MOVE_ATTRS, "pl.const(0, pl.INT64)",
             IO ", " IO) "    pl.builtin.tensor.broadcast(data, sig, root=3, " MOVE
             ATTRS("\"root\": 3, " MOVE_ATTRS, "pl.const(1, pl.INT64)",
                   IO ", " IO) "    pl.builtin.tensor.broadcast(data, sig, root=3, " MOVE
                 ATTRS("\"root\": 3, " MOVE_ATTRS, "pl.const(2, pl.INT64)",
                       IO ", " IO) "    pl.builtin.tensor.broadcast(data, sig, root=3, " MOVE
                     ATTRS("\"root\": 3, " MOVE_ATTRS, "pl.const(3, pl.INT64)", IO ", " IO),
         NULL},
        {"the windows' domain decides, not the innermost one",
         TWO_DOMAINS "        pld.tensor.barrier(sig)\n        pld.tensor.barrier(other)\n",
         TWO_DOMAINS
         "        for r in pl.range(pl.const(0, pl.INT64), pld.system.world_size(), "
         "pl.const(1, pl.INT64)):\n"
         "            pl.builtin.tensor.barrier(sig, " ATTRS(
             "", "r",
             IO) "        pl.builtin.tensor.barrier(other, " ATTRS("", "pl.const(2, pl.INT64)", IO),
         NULL},
        {"a signal of one dimension", LANES_DOMAIN("[4]") "    pld.tensor.barrier(sig)\n",
         LANES_DOMAIN("[4]") EACH("pl.builtin.tensor.barrier(sig, " ATTRS("", "r", IO)), NULL},
        {"more lanes than cores",
         LANES_DOMAIN("[4, 8]") "    pld.tensor.allreduce(data, sig, op=0, core_num=4)\n",
         LANES_DOMAIN("[4, 8]")
             EACH("pl.builtin.tensor.allreduce(data, sig, " REDUCE
                  "core_num=4, " ATTRS(REDUCE_ATTRS "\"core_num\": 4, ", "r", IO ", " IO)),
         NULL},
        {"as many cores as a device has",
         LANES_DOMAIN("[4, 48]") "    pld.tensor.allreduce(data, sig, op=0, core_num=48)\n",
         LANES_DOMAIN("[4, 48]")
             EACH("pl.builtin.tensor.allreduce(data, sig, " REDUCE
                  "core_num=48, " ATTRS(REDUCE_ATTRS "\"core_num\": 48, ", "r", IO ", " IO)),
         NULL},
        {"a ring of all devices", RING_DOMAIN("[]", "[8]", "[7, 4]") RING,
         RING_DOMAIN("[]", "[8]", "[7, 4]") EACH(RING_CALL("r")), NULL},
        {"a ring of listed devices", RING_DOMAIN("[0, 1]", "[8]", "[3, 2]") RING,
         RING_DOMAIN("[0, 1]", "[8]", "[3, 2]") "    " RING_CALL(
             "pl.const(0, pl.INT64)") "    " RING_CALL("pl.const(1, pl.INT64)"),
         NULL},
        {"a ring whose size is known at run time only",
         RING_DOMAIN("[]", "[8]", "[2 * n - 1, n]") RING,
         RING_DOMAIN("[]", "[8]", "[2 * n - 1, n]") EACH(RING_CALL("r")), NULL},
        {"16 ranks", RING_DOMAIN("[]", "[32]", "[31, 16]") RING,
         RING_DOMAIN("[]", "[32]", "[31, 16]") EACH(RING_CALL("r")), NULL},
        {"nothing to lower", WITH("[]") "    self.chip(data, device=0)\n", NULL, NULL},
    };
    EXPECT_TRANSFORMS(&host, pass_name, cases);
}

#define DATA_TYPE  TYPE("data", "[4, 64]", "FP32")
#define PLAIN_DATA "pld.DistributedTensor[[4, 64], pl.FP32]"
#define ALLREDUCE                                                                                  \
    EACH("pl.builtin.tensor.allreduce(data, sig, " REDUCE                                          \
         "core_num=1, " ATTRS(REDUCE_ATTRS "\"core_num\": 1, ", "r", IO ", " IO))

Test(lower_host, results)
{
    static const struct transform_case cases[] = {
        {"a result is another name of the window, with its back-reference",
         WITH("[]") "    sum__ssa_v1: " PLAIN_DATA " = pld.tensor.allreduce(data, sig, op=0)\n"
                    "    self.chip(sum__ssa_v1, device=0)\n",
         WITH("[]") ALLREDUCE "    sum__ssa_v1: " DATA_TYPE " = data\n"
                              "    self.chip(sum__ssa_v1, device=0)\n",
         NULL},
        {"the next collective takes it for a window",
         WITH("[]") "    a: " PLAIN_DATA " = pld.tensor.allreduce(data, sig, op=0)\n"
                    "    b: " PLAIN_DATA " = pld.tensor.broadcast(a, sig, root=0)\n"
                    "    return b\n",
         WITH("[]") ALLREDUCE "    a: " DATA_TYPE " = data\n" EACH(
             "pl.builtin.tensor.broadcast(a, sig, root=0, " MOVE ATTRS(
                 "\"root\": 0, " MOVE_ATTRS, "r", IO ", " IO)) "    b: " DATA_TYPE " = a\n"
                                                               "    return b\n",
         NULL},
        {"the same variable again needs no assignment",
         WITH("[]") "    data = pld.tensor.allreduce(data, sig, op=0)\n", WITH("[]") ALLREDUCE,
         NULL},
        {"in a loop",
         WITH("[]") "    for i in pl.range(n):\n"
                    "        data = pld.tensor.broadcast(data, sig, root=0)\n",
         WITH("[]") "    for i in pl.range(n):\n"
                    "        for r in pl.range(pl.const(0, pl.INT64), pld.system.world_size(), "
                    "pl.const(1, pl.INT64)):\n"
                    "            pl.builtin.tensor.broadcast(data, sig, root=0, " MOVE ATTRS(
                        "\"root\": 0, " MOVE_ATTRS, "r", IO ", " IO),
         NULL},
        {"what a loop carries",
         WITH("[]") "    for i, (w__iter,) in pl.range(n, init_values=(data,)):\n"
                    "        w__ssa_v2: " PLAIN_DATA
                    " = pld.tensor.broadcast(w__iter, sig, root=0)\n"
                    "        w__rv: " PLAIN_DATA " = pl.yield_(w__ssa_v2)\n"
                    "    self.chip(w__rv, device=0)\n"
                    "    pld.tensor.barrier(sig)\n",
         WITH("[]") "    for i, (w__iter,) in pl.range(n, init_values=(data,)):\n"
                    "        for r in pl.range(pl.const(0, pl.INT64), pld.system.world_size(), "
                    "pl.const(1, pl.INT64)):\n"
                    "            pl.builtin.tensor.broadcast(w__iter, sig, root=0, " MOVE ATTRS(
                        "\"root\": 0, " MOVE_ATTRS, "r",
                        IO ", " IO) "        w__ssa_v2: " DATA_TYPE " = w__iter\n"
                                    "        w__rv: " DATA_TYPE " = pl.yield_(w__ssa_v2)\n"
                                    "    self.chip(w__rv, device=0)\n" EACH(
                                        "pl.builtin.tensor.barrier(sig, " ATTRS("", "r", IO)),
         NULL},
        {"what branches yield",
         WITH("[]") "    if n > 0:\n"
                    "        w__phi: " PLAIN_DATA " = pl.yield_(data)\n"
                    "    else:\n"
                    "        w__phi: " PLAIN_DATA " = pl.yield_(data)\n"
                    "    pld.tensor.allreduce(w__phi, sig, op=0)\n",
         WITH("[]") "    if n > 0:\n"
                    "        w__phi: " DATA_TYPE " = pl.yield_(data)\n"
                    "    else:\n"
                    "        w__phi: " DATA_TYPE " = pl.yield_(data)\n" EACH(
                        "pl.builtin.tensor.allreduce(w__phi, sig, " REDUCE
                        "core_num=1, " ATTRS(REDUCE_ATTRS "\"core_num\": 1, ", "r", IO ", " IO)),
         NULL},
        {"a function without a collective keeps its types",
         WITH("[]") "    for i, (w__iter,) in pl.range(n, init_values=(data,)):\n"
                    "        w__rv: " PLAIN_DATA " = pl.yield_(w__iter)\n",
         NULL, NULL},
        {"allgather gives its target",
         WITH("[]") "    all: " PLAIN_DATA " = pld.tensor.allgather(row, data, sig)\n",
         WITH("[]") EACH("pl.builtin.tensor.allgather(row, data, sig, " MOVE ATTRS(
             MOVE_ATTRS, "r", INP ", " IO ", " IO)) "    all: " DATA_TYPE " = data\n",
         NULL},
        {"barrier gives its signal",
         WITH("[]") "    s: pld.DistributedTensor[[4, 1], pl.INT32] = pld.tensor.barrier(sig)\n",
         WITH("[]") EACH("pl.builtin.tensor.barrier(sig, " ATTRS("", "r", IO)) "    s: " TYPE(
             "sig", "[4, 1]", "INT32") " = sig\n",
         NULL},
    };
    EXPECT_TRANSFORMS(&host, pass_name, cases);
}

/* The body's lines: the domain is line 1, the six windows are lines 2 to 13. */
Test(lower_host, errors_of_operands)
{
    static const struct transform_case cases[] = {
        {"operand of a call",
         WITH("[]") "    self.chip(pld.tensor.broadcast(data, sig, root=0), device=0)\n", NULL,
         "14:15+20: pld.tensor.broadcast must be a direct assignment or a statement of its own "
         "[direct-call]"},
        {"returned", WITH("[]") "    return pld.tensor.barrier(sig)\n", NULL,
         "14:12+18: pld.tensor.barrier must be a direct assignment or a statement of its own "
         "[direct-call]"},
        {"unknown mode", WITH("[]") "    pld.tensor.allreduce(data, sig, op=0, mode='tree')\n",
         NULL, "14:48+6: mode of pld.tensor.allreduce must be \"mesh\" or \"ring\" [mode]"},
        {"no signal", WITH("[]") "    pld.tensor.allreduce(data, op=0)\n", NULL,
         "14:5+20: pld.tensor.allreduce has no signal; SynthesizeAllReduceSignals makes one "
         "[explicit-signal]"},
        {"a parameter", WITH("[]") "    pld.tensor.broadcast(unbound, sig, root=0)\n", NULL,
         "14:26+7: argument 'target' of pld.tensor.broadcast must be a window that a host "
         "orchestrator allocated: it has no window buffer [window-bound]"},
        {"a plain tensor", WITH("[]") "    pld.tensor.allgather(plain, data, sig)\n", NULL,
         "14:26+5: argument 'input' of pld.tensor.allgather must be a window that a host "
         "orchestrator allocated: it has no window buffer [window-bound]"},
        {"two views of one allocation",
         WITH("[]") VIEW("again", "data", "[4, 64]",
                         "FP32") "    pld.tensor.all_to_all(again, data, sig)\n",
         NULL,
         "15:34+4: arguments 'input' and 'target' of pld.tensor.all_to_all must be windows of "
         "different allocations, both are of 'data_buf' [distinct-windows]"},
        {"counts in the signal's allocation",
         WITH("[]") VIEW("again", "sig", "[4, 1]",
                         "INT32") "    pld.tensor.all_to_all_v(stage, data, sig, sent, again)\n",
         NULL,
         "15:53+5: arguments 'signal' and 'recv_counts' of pld.tensor.all_to_all_v must be windows "
         "of different allocations, both are of 'sig_buf' [distinct-windows]"},
        {"windows of two domains",
         TWO_DOMAINS "        pld.tensor.broadcast(data, other, root=0)\n", NULL,
         "9:9+20: the windows of pld.tensor.broadcast must belong to one communication domain "
         "around it [one-domain]"},
        {"a loop that carries on with another window",
         WITH("[]") "    for i, (w__iter,) in pl.range(n, init_values=(data,)):\n"
                    "        pld.tensor.broadcast(w__iter, sig, root=0)\n"
                    "        w__rv: " PLAIN_DATA " = pl.yield_(stage)\n",
         NULL, "16:68+5: 'w__iter' would stand for windows of two allocations [one-window]"},
        {"branches of different windows",
         WITH("[]") "    if n > 0:\n"
                    "        w__phi: " PLAIN_DATA " = pl.yield_(data)\n"
                    "    else:\n"
                    "        w__phi: " PLAIN_DATA " = pl.yield_(stage)\n"
                    "    pld.tensor.allreduce(w__phi, sig, op=0)\n",
         NULL,
         "18:26+6: argument 'target' of pld.tensor.allreduce must be a window that a host "
         "orchestrator allocated: it has no window buffer [window-bound]"},
        {"one name for two windows",
         WITH("[]") "    w: " PLAIN_DATA " = pld.tensor.allreduce(data, sig, op=0)\n"
                    "    w = pld.tensor.allreduce(stage, sig, op=0)\n",
         NULL, "15:9+20: 'w' would stand for windows of two allocations [one-window]"},
    };
    EXPECT_TRANSFORMS(&host, pass_name, cases);
}

/* The body's lines: the domain is line 1, data and sig are lines 2 to 5. */
Test(lower_host, errors_of_signals)
{
    static const struct transform_case cases[] = {
        {"several lanes for one", LANES_DOMAIN("[4, 2]") "    pld.tensor.barrier(sig)\n", NULL,
         "6:24+3: the signal of pld.tensor.barrier has 2 lanes, expected 1 [signal-lanes]"},
        {"lanes that are not constant", LANES_DOMAIN("[4, n]") "    pld.tensor.barrier(sig)\n",
         NULL,
         "6:24+3: the second extent of the signal of pld.tensor.barrier must be a constant "
         "[signal-lanes]"},
        {"fewer lanes than cores",
         LANES_DOMAIN("[4, 3]") "    pld.tensor.allreduce(data, sig, op=0, core_num=4)\n", NULL,
         "6:32+3: the signal of pld.tensor.allreduce has 3 lanes, expected at least 4 "
         "[signal-lanes]"},
        {"one dimension is one lane",
         LANES_DOMAIN("[4]") "    pld.tensor.allreduce(data, sig, op=0, core_num=2)\n", NULL,
         "6:32+3: the signal of pld.tensor.allreduce has 1 lanes, expected at least 2 "
         "[signal-lanes]"},
        {"three dimensions",
         LANES_DOMAIN("[4, 1, 1]") "    pld.tensor.allreduce(data, sig, op=0)\n", NULL,
         "6:32+3: the signal of pld.tensor.allreduce must be [ranks] or [ranks, lanes], found 3 "
         "dimensions [signal-rank]"},
        {"more devices than cells", WITH("[0, 1, 2, 3, 4]") "    pld.tensor.barrier(sig)\n", NULL,
         "14:24+3: the signal of pld.tensor.barrier has 4 cells for 5 devices [signal-ranks]"},
        {"more cores than a device has",
         LANES_DOMAIN("[4, 64]") "    pld.tensor.allreduce(data, sig, op=0, core_num=49)\n", NULL,
         "6:5+20: core_num=49 is more than the 48 vector cores of a device [core-num]"},
        {"several cores in a ring",
         RING_DOMAIN("[]", "[8]",
                     "[7, 4]") "    pld.tensor.allreduce(data, sig, op=0, mode='ring', "
                               "core_num=2)\n",
         NULL, "6:5+20: a ring allreduce runs on one core, found core_num=2 [core-num]"},
        {"root", WITH("[0, 1]") "    pld.tensor.broadcast(data, sig, root=2)\n", NULL,
         "14:5+20: root=2 is none of 2 devices [root]"},
        {"ring signal of one dimension", RING_DOMAIN("[]", "[8]", "[7]") RING, NULL,
         "6:32+3: the signal of a ring allreduce must be [2*(NR-1)+1, NR], found 1 dimensions "
         "[ring-signal]"},
        {"ring signal of the composite's size", RING_DOMAIN("[]", "[8]", "[6, 4]") RING, NULL,
         "6:32+3: the signal of a ring allreduce of 4 ranks must be [7, 4] [ring-signal]"},
        {"ring signal for other devices", RING_DOMAIN("[0, 1]", "[8]", "[7, 4]") RING, NULL,
         "6:32+3: the signal of a ring allreduce of 2 ranks must be [3, 2] [ring-signal]"},
        {"ring of a size that is not constant", RING_DOMAIN("[]", "[n]", "[7, 4]") RING, NULL,
         "6:26+4: a ring allreduce needs data of constant size [ring-size]"},
        {"ring of a size that cannot be cut", RING_DOMAIN("[]", "[10]", "[7, 4]") RING, NULL,
         "6:26+4: a ring allreduce of 10 elements cannot be cut in 4 parts [ring-size]"},
        {"ring of 17 ranks", RING_DOMAIN("[]", "[34]", "[33, 17]") RING, NULL,
         "6:5+20: a ring allreduce of 17 ranks, expected at most 16 [ring-ranks]"},
    };
    EXPECT_TRANSFORMS(&host, pass_name, cases);
}

/* Without its domain a collective is refused before the pass starts. */
Test(lower_host, needs_domains)
{
    static const char *const run[] = {"LowerHostTensorCollectives"};
    struct arena a = {0};
    struct diag d = {.arena = &a};
    const struct pass_options o = PASS_OPTIONS_DEFAULT;
    const struct ir_program *p = transform_parse(
        &a, "before",
        transform_text(&a, &host,
                       "buf: pl.Ptr = pld.tensor.alloc_window_buffer(16)\n"
                       "sig: pld.DistributedTensor[[4, 1], pl.INT32] = pld.tensor.window(buf, [4, "
                       "1], dtype=pl.INT32)\n"
                       "pld.tensor.barrier(sig)\n"));
    cr_expect(!passes_run(&a, p, run, 1, &o, NULL, &d));
    expect_text(
        "message", d.message,
        "pass 'LowerHostTensorCollectives' requires 'CommDomainScopesMaterialized', which no "
        "earlier pass produces: this window belongs to no communication domain yet");
    cr_expect_eq(d.span.line, 10);
    arena_free(&a);
}

Test(lower_host, every_collective_has_a_builtin)
{
    static const char prefix[] = "pld.tensor.";
    struct arena a = {0};
    for (size_t i = 0; i < ir_op_count(); i++) {
        const char *name = ir_op_at(i)->name;
        if (ir_op_at(i)->effect != IR_EFFECT_COLLECTIVE)
            continue;
        cr_assert(strncmp(name, prefix, sizeof prefix - 1) == 0, "%s", name);
        const char *builtin = arena_printf(&a, "builtin.tensor.%s", name + sizeof prefix - 1);
        cr_expect(ir_op_find(builtin), "%s", builtin);
    }
    arena_free(&a);
}

Test(lower_host, core_functions_keep_their_collectives)
{
    static const struct transform_case cases[] = {
        {"core",
         "@pl.program\nclass P:\n"
         "    @pl.function(type=pl.FunctionType.InCore)\n"
         "    def k(self, w: pl.InOut[pld.DistributedTensor[[1, 256], pl.FP32]], s: "
         "pl.InOut[pld.DistributedTensor[[4, 1], pl.INT32]]):\n"
         "        pld.tensor.allreduce(w, s, op=0)\n",
         NULL, NULL},
    };
    EXPECT_PROGRAMS(pass_name, cases);
}
