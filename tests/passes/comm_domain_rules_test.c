/* SPDX-License-Identifier: MIT */
/* MaterializeCommDomainScopes, rule by rule (pypto-facts 4.2, 4.3): what each accepts and refuses.
 */
#include "passes/materialize_comm_domain_scopes.h"

#include "tests/passes/host_rig.h"

#define CASES(table)  expect_host_cases(table, sizeof table / sizeof table[0])
#define ERRORS(table) expect_host_errors(table, sizeof table / sizeof table[0])

#define S "SynthesizeAllReduceSignals"
#define M "MaterializeCommDomainScopes"

/* ---- devices ---- */

/* A line here is a line of a program. */
/* clang-format off */
#define BUF_W                                                                                      \
    "buf = pld.alloc_window_buffer(1024)\n"                                                        \
    "w = pld.window(buf, [256], dtype=pl.FP32)\n"
#define BUF_W_IN                                                                                   \
    "    " ALLOC("buf", "1024")                                                                    \
    "    " DATA_IN("w", "buf")
#define ON(devices) DOMAIN("0", devices, SLOT("buf", "1024")) BUF_W_IN

static const struct host_case devices[] = {
    {"loop that starts above 0", NULL,
     BUF_W
     "for r in pl.range(1, 4):\n"
     "    self.chip(w, device=r)\n",
     ON("1, 2, 3")
     "    for r in pl.range(1, 4):\n"
     "        self.chip(w, device=r)\n"},
    {"bounds through variables, of any integer type", NULL,
     BUF_W
     "low = pl.const(2, pl.INT64)\n"
     "step = pl.const(1, pl.INT64)\n"
     "for r in pl.range(low, pl.const(4, pl.INT64), step):\n"
     "    self.chip(w, device=r)\n",
     ON("2, 3")
     "    low: pl.Scalar[pl.INT64] = pl.const(2, pl.INT64)\n"
     "    step: pl.Scalar[pl.INT64] = pl.const(1, pl.INT64)\n"
     "    for r in pl.range(low, pl.const(4, pl.INT64), step):\n"
     "        self.chip(w, device=r)\n"},
    {"loops of every kind", NULL,
     BUF_W
     "for r in pl.parallel(2):\n"
     "    self.chip(w, device=r)\n"
     "for r in pl.unroll(2, 3):\n"
     "    self.chip(w, device=r)\n",
     ON("0, 1, 2")
     "    for r in pl.parallel(2):\n"
     "        self.chip(w, device=r)\n"
     "    for r in pl.unroll(2, 3):\n"
     "        self.chip(w, device=r)\n"},
    {"an outer loop's variable", NULL,
     BUF_W
     "for r in pl.range(2):\n"
     "    for i in pl.range(7):\n"
     "        if n > 0:\n"
     "            self.chip(w, device=r)\n",
     ON("0, 1")
     "    for r in pl.range(2):\n"
     "        for i in pl.range(7):\n"
     "            if n > 0:\n"
     "                self.chip(w, device=r)\n"},
    {"constants and all: all", NULL,
     BUF_W
     "self.chip(w, device=5)\n"
     "for r in pl.range(pld.world_size()):\n"
     "    self.chip(w, device=r)\n"
     "self.chip(w, device=6)\n",
     ON("")
     "    self.chip(w, device=5)\n"
     "    for r in pl.range(pld.system.world_size(), " GROUPED "):\n"
     "        self.chip(w, device=r)\n"
     "    self.chip(w, device=6)\n"},
    {"overlapping sets are different domains", NULL,
     "a = pld.alloc_window_buffer(1)\n"
     "b = pld.alloc_window_buffer(2)\n"
     "w = pld.window(a, [256], dtype=pl.FP32)\n"
     "v = pld.window(b, [256], dtype=pl.FP32)\n"
     "for r in pl.range(0, 2):\n"
     "    self.chip(w, device=r)\n"
     "for r in pl.range(1, 3):\n"
     "    self.chip(v, device=r)\n",
     DOMAIN("0", "0, 1", SLOT("a", "1"))
     "    " DOMAIN("1", "1, 2", SLOT("b", "2"))
     "        " ALLOC("a", "1")
     "        " ALLOC("b", "2")
     "        " DATA_IN("w", "a")
     "        " DATA_IN("v", "b")
     "        for r in pl.range(2):\n"
     "            self.chip(w, device=r)\n"
     "        for r in pl.range(1, 3):\n"
     "            self.chip(v, device=r)\n"},
    {"a launch counts as a dispatch", NULL,
     BUF_W
     "for r in pl.range(2):\n"
     "    out, tid = pl.submit(self.chip, w, device=r)\n",
     ON("0, 1")
     "    for r in pl.range(2):\n"
     "        out, tid = pl.submit(self.chip, w, device=r)\n"},
    {"device as an attribute", NULL,
     BUF_W
     "self.chip(w, attrs={\"device\": 3})\n",
     ON("3")
     "    self.chip(w, attrs={\"device\": 3})\n"},
    {"a builtin collective is a dispatch to its device", NULL,
     BUF_W
     "cells = pld.alloc_window_buffer(32)\n"
     "s = pld.window(cells, [8, 1], dtype=pl.INT32)\n"
     "self.chip(w, device=0)\n"
     "pl.builtin.tensor.allreduce(w, s, op=0, dtype=pl.FP32, attrs={\"device\": 0})\n"
     "pl.builtin.tensor.allreduce(w, s, op=0, dtype=pl.FP32, attrs={\"device\": 2})\n",
     DOMAIN("0", "0, 2", SLOT("buf", "1024") ", " SLOT("cells", "32"))
     BUF_W_IN
     "    " ALLOC("cells", "32")
     "    " CELLS_IN("s", "cells")
     "    self.chip(w, device=0)\n"
     "    pl.builtin.tensor.allreduce(w, s, op=0, dtype=pl.FP32, attrs={\"device\": 0})\n"
     "    pl.builtin.tensor.allreduce(w, s, op=0, dtype=pl.FP32, attrs={\"device\": 2})\n"},
    {"calls without a device, and of others than chip orchestrators, do not count", NULL,
     BUF_W
     "self.chip(w)\n"
     "self.worker(w)\n"
     "self.chip(w, device=1)\n",
     ON("1")
     "    self.chip(w)\n"
     "    self.worker(w)\n"
     "    self.chip(w, device=1)\n"},
    {"a dispatch in a returned value", NULL,
     BUF_W
     "return self.chip(w, device=1)\n",
     ON("1")
     "    return self.chip(w, device=1)\n"},
    {"two window buffers on all devices, one of them on a constant too: one domain", NULL,
     "a = pld.alloc_window_buffer(1)\n"
     "b = pld.alloc_window_buffer(2)\n"
     "w = pld.window(a, [256], dtype=pl.FP32)\n"
     "v = pld.window(b, [256], dtype=pl.FP32)\n"
     "self.chip(v, device=5)\n"
     "for r in pl.range(pld.world_size()):\n"
     "    self.pair(w, v, device=r)\n",
     DOMAIN("0", "", SLOT("a", "1") ", " SLOT("b", "2"))
     "    " ALLOC("a", "1")
     "    " ALLOC("b", "2")
     "    " DATA_IN("w", "a")
     "    " DATA_IN("v", "b")
     "    self.chip(v, device=5)\n"
     "    for r in pl.range(pld.system.world_size(), " GROUPED "):\n"
     "        self.pair(w, v, device=r)\n"},
    {"a loop over no devices adds none", NULL,
     BUF_W
     "for r in pl.range(7, 7):\n"
     "    self.chip(w, device=r)\n"
     "self.chip(w, device=4096)\n",
     ON("4096")
     "    for r in pl.range(7, 7):\n"
     "        self.chip(w, device=r)\n"
     "    self.chip(w, device=4096)\n"},
};

static const struct host_error device_errors[] = {
    {"negative device", NULL, BUF_W "self.chip(w, device=-1)\n", 3, 21, 2,
     M ": device= must be at least 0, found -1 [device-negative]"},
    {"a variable that no loop counts", NULL, BUF_W "self.chip(w, device=n)\n", 3, 21, 1,
     M ": device= must be a ConstInt or the variable of an enclosing for loop, and 'n' is neither "
       "[device-variable]"},
    {"a variable that holds a constant", NULL, BUF_W "zero = 0\nself.chip(w, device=zero)\n", 4, 21,
     4,
     M ": device= must be a ConstInt or the variable of an enclosing for loop, and 'zero' is "
       "neither [device-variable]"},
    {"a computed device", NULL, BUF_W "for r in pl.range(2):\n    self.chip(w, device=r + 1)\n", 4,
     25, 1,
     M ": device= must be a ConstInt or the variable of an enclosing for loop, found r + 1 "
       "[device-expression]"},
    {"a loop's variable behind the loop's end", NULL,
     BUF_W "for r in pl.range(2):\n    self.chip(w, device=r)\n"
           "for i in pl.range(n):\n    self.chip(w, device=i)\n",
     5, 19, 1, M ": loop bound must be ConstInt or pld.system.world_size() [device-loop-bound]"},
    {"a bound that is neither", NULL,
     BUF_W "m = n + 1\nfor r in pl.range(m):\n    self.chip(w, device=r)\n", 4, 19, 1,
     M ": loop bound must be ConstInt or pld.system.world_size() [device-loop-bound]"},
    {"a bound with two definitions", NULL,
     BUF_W "m = 2\nm = 3\nfor r in pl.range(m):\n    self.chip(w, device=r)\n", 5, 19, 1,
     M ": loop bound must be ConstInt or pld.system.world_size() [device-loop-bound]"},
    {"a start that is no constant", NULL,
     BUF_W "for r in pl.range(n, 4):\n    self.chip(w, device=r)\n", 3, 1, 23,
     M ": start and step of a loop over devices must be ConstInt [device-loop-constant]"},
    {"a step that is no constant", NULL,
     BUF_W "for r in pl.range(0, 4, n):\n    self.chip(w, device=r)\n", 3, 1, 26,
     M ": start and step of a loop over devices must be ConstInt [device-loop-constant]"},
    {"a negative start", NULL, BUF_W "for r in pl.range(-1, 4):\n    self.chip(w, device=r)\n", 3, 1,
     24,
     M ": a loop over devices must count upwards from 0 or more, found -1 to 4 "
       "[device-loop-range]"},
    {"a bound below the start", NULL, BUF_W "for r in pl.range(3, 2):\n    self.chip(w, device=r)\n",
     3, 1, 23,
     M ": a loop over devices must count upwards from 0 or more, found 3 to 2 "
       "[device-loop-range]"},
    {"1025 devices", NULL, BUF_W "for r in pl.range(1025):\n    self.chip(w, device=r)\n", 3, 1, 23,
     M ": a loop over 1025 devices; a communication domain lists at most 1024 "
       "[device-loop-length]"},
    {"a loop over no devices dispatches nothing", NULL,
     BUF_W "for r in pl.range(7, 7):\n    self.chip(w, device=r)\n", 1, 1, 35,
     M ": window buffer 'buf' is not consumed by any chip_orch dispatch [window-not-dispatched]"},
    {"calls without a device", NULL, BUF_W "self.chip(w)\n", 1, 1, 35,
     M ": window buffer 'buf' is not consumed by any chip_orch dispatch [window-not-dispatched]"},
    {"a Graph is not dispatched to", NULL, BUF_W "self.graph(w, device=0)\n", 1, 1, 35,
     M ": window buffer 'buf' is not consumed by any chip_orch dispatch [window-not-dispatched]"},
    {"a sub-worker is not dispatched to", NULL, BUF_W "self.worker(w, device=0)\n", 1, 1, 35,
     M ": window buffer 'buf' is not consumed by any chip_orch dispatch [window-not-dispatched]"},
};
/* clang-format on */

Test(comm_domain_rules, devices)
{
    CASES(devices);
    ERRORS(device_errors);
}

Test(comm_domain_rules, as_many_devices_as_a_domain_lists)
{
    static const char name[] = "1024 devices";
    struct arena a = {0};
    const struct ir_program *p = host_run(
        &a, name, M,
        host_program(&a, name, BUF_W "for r in pl.range(1024):\n    self.chip(w, device=r)\n"));
    const struct ir_expr *listed =
        ir_kwarg_find(&ir_find_func(p, "main")->body.items[0]->scope.call->call.kwargs, "devices");
    cr_assert_eq(listed->items.len, 1024u);
    for (size_t i = 0; i < listed->items.len; i++)
        cr_expect_eq(listed->items.items[i]->integer.value, (int64_t)i);
    arena_free(&a);
}

/* ---- window buffers and their views ---- */

/* A line here is a line of a program. */
/* clang-format off */
/* Where no annotation can name the window, the call records its type. */
#define RECORDED_VIEW                                                                              \
    "pl._dump.call('pld.tensor.window', [buf, [256]], " TYPE_DATA(IN("buf")) ", "                   \
    "kwargs={\"dtype\": pl.FP32})"

static const struct host_case windows[] = {
    {"a view of a view, a result and a name of a view are the same storage", NULL,
     "a = pld.alloc_window_buffer(8192)\n"
     "b = pld.alloc_window_buffer(2048)\n"
     "base = b\n"
     "t = pld.window(a, [8, 256], dtype=pl.FP32)\n"
     "w = pld.window(base, [512], dtype=pl.FP32)\n"
     "row = t[0]\n"
     "half = pl.tensor.slice(w, [256], [256])\n"
     "self.chip(row, device=0)\n"
     "self.chip(half, device=1)\n",
     DOMAIN("0", "0", SLOT("a", "8192"))
     "    " DOMAIN("1", "1", SLOT("b", "2048"))
     "        " ALLOC("a", "8192")
     "        " ALLOC("b", "2048")
     "        base: pl.Ptr = b\n"
     "        " ROWS_IN("t", "a")
     "        " VIEW_IN("w", "b", "base", "512", "FP32")
     "        row: " TYPE_DATA(IN("a")) " = t[0]\n"
     "        half: " TYPE_DATA(IN("b")) " = pl.tensor.slice(w, [256], [256])\n"
     "        self.chip(row, device=0)\n"
     "        self.chip(half, device=1)\n"},
    {"a view as an argument", NULL,
     "buf = pld.alloc_window_buffer(1024)\n"
     "self.chip(pld.window(buf, [256], dtype=pl.FP32), device=0)\n",
     DOMAIN("0", "0", SLOT("buf", "1024"))
     "    " ALLOC("buf", "1024")
     "    self.chip(" RECORDED_VIEW ", device=0)\n"},
    {"a size that is computed", NULL,
     WS_BEFORE
     "buf = pld.alloc_window_buffer(ws * 128)\n"
     "w = pld.window(buf, [256], dtype=pl.FP32)\n"
     "self.chip(w, device=0)\n",
     DOMAIN("0", "0", SLOT("buf", "ws * 128"))
     "    " WS
     "    " ALLOC("buf", "ws * 128")
     "    " DATA_IN("w", "buf")
     "    self.chip(w, device=0)\n"},
    {"a shape becomes bytes in the slot, and stays a shape in the call", NULL,
     WS_BEFORE
     "a = pld.alloc_window_buffer([4, 64], dtype=pl.FP32)\n"
     "b = pld.alloc_window_buffer([ws, 16], dtype=pl.BF16)\n"
     "c = pld.alloc_window_buffer([ws], dtype=pl.INT4)\n"
     "e = pld.alloc_window_buffer([ws], dtype=pl.INT8)\n"
     "w = pld.window(a, [256], dtype=pl.FP32)\n"
     "v = pld.window(b, [256], dtype=pl.FP32)\n"
     "u = pld.window(c, [256], dtype=pl.FP32)\n"
     "t = pld.window(e, [256], dtype=pl.FP32)\n"
     "self.pair(w, v, device=0)\n"
     "self.pair(u, t, device=0)\n",
     DOMAIN("0", "0",
            SLOT("a", "pl.const(1024, pl.INT64)") ", " SLOT("b", "ws * 16 * 2") ", " SLOT(
                "c", "(ws + 1) // 2") ", " SLOT("e", "ws"))
     "    " WS
     "    a: pl.Ptr = pld.tensor.alloc_window_buffer([4, 64], dtype=pl.FP32)\n"
     "    b: pl.Ptr = pld.tensor.alloc_window_buffer([ws, 16], dtype=pl.BF16)\n"
     "    c: pl.Ptr = pld.tensor.alloc_window_buffer([ws], dtype=pl.INT4)\n"
     "    e: pl.Ptr = pld.tensor.alloc_window_buffer([ws], dtype=pl.INT8)\n"
     "    " DATA_IN("w", "a")
     "    " DATA_IN("v", "b")
     "    " DATA_IN("u", "c")
     "    " DATA_IN("t", "e")
     "    self.pair(w, v, device=0)\n"
     "    self.pair(u, t, device=0)\n"},
    {"scopes side by side are scopes already", NULL,
     DOMAIN("0", "0", SLOT("a", "1024"))
     "    " ALLOC("a", "1024")
     "    " DATA_IN("w", "a")
     "    self.chip(w, device=0)\n"
     DOMAIN("1", "1", SLOT("b", "1024"))
     "    " ALLOC("b", "1024")
     "    " DATA_IN("v", "b")
     "    self.chip(v, device=1)\n"
     "return\n",
     NULL},
    {"the same variable views the same window buffer twice", NULL,
     "buf = pld.alloc_window_buffer(1024)\n"
     "for r in pl.range(2):\n"
     "    w = pld.window(buf, [256], dtype=pl.FP32)\n"
     "    self.chip(w, device=r)\n"
     "w = pld.window(buf, [256], dtype=pl.FP32)\n"
     "self.chip(w, device=2)\n",
     DOMAIN("0", "0, 1, 2", SLOT("buf", "1024"))
     "    " ALLOC("buf", "1024")
     "    for r in pl.range(2):\n"
     "        " DATA_IN("w", "buf")
     "        self.chip(w, device=r)\n"
     "    " DATA_IN("w_1", "buf")
     "    self.chip(w_1, device=2)\n"},
};

static const struct host_error window_errors[] = {
    {"one logical name twice in one domain", NULL,
     "a = pl._dump.alloc_window_buffer(1024, name='buf')\n"
     "b = pl._dump.alloc_window_buffer(1024, name='buf')\n"
     "w = pld.window(a, [256], dtype=pl.FP32)\n"
     "v = pld.window(b, [256], dtype=pl.FP32)\n"
     "self.pair(w, v, device=0)\n",
     2, 1, 50,
     M ": two window buffers of one communication domain are named 'buf' [window-same-name]"},
    {"one variable for two window buffers", NULL,
     "a = pld.alloc_window_buffer(1024)\n"
     "b = pld.alloc_window_buffer(1024)\n"
     "w = pld.window(a, [256], dtype=pl.FP32)\n"
     "self.chip(w, device=0)\n"
     "if True:\n"
     "    w = pld.window(b, [256], dtype=pl.FP32)\n"
     "self.chip(w, device=1)\n",
     6, 5, 39,
     M ": 'w' stands for a window buffer and for something else; give the two different names "
       "[window-variable]"},
    {"one variable for two allocations", NULL,
     "buf = pld.alloc_window_buffer(1024)\n"
     "buf = pld.alloc_window_buffer(1024)\n"
     "w = pld.window(buf, [256], dtype=pl.FP32)\n"
     "self.chip(w, device=0)\n",
     2, 1, 35,
     M ": 'buf' stands for a window buffer and for something else; give the two different names "
       "[window-variable]"},
    {"a view that is a parameter as well", NULL,
     "buf = pld.alloc_window_buffer(1024)\n"
     "if True:\n"
     "    d = pld.window(buf, [256], dtype=pl.FP32)\n"
     "self.chip(d, device=0)\n",
     3, 5, 41,
     M ": 'd' stands for a window buffer and for something else; give the two different names "
       "[window-variable]"},
    {"a window buffer outside of the scopes that are there", NULL,
     "with pl._dump.comm_domain(name='comm_d0', devices=[], slots=[" SLOT("buf", "1024") "]):\n"
     "    buf = pld.alloc_window_buffer(1024)\n"
     "    w = pld.window(buf, [256], dtype=pl.FP32)\n"
     "    self.chip(w, device=0)\n"
     "if n > 0:\n"
     "    more = pld.alloc_window_buffer(1024)\n",
     6, 5, 36, M ": this window buffer is outside of the comm_domain scopes of 'main' "
     "[window-outside-scope]"},
    {"only the pointer is passed on", NULL,
     "buf = pld.alloc_window_buffer(1024)\n"
     "w = pld.window(buf, [256], dtype=pl.FP32)\n"
     "self.plain(buf, device=0)\n",
     1, 1, 35,
     M ": window buffer 'buf' is not consumed by any chip_orch dispatch [window-not-dispatched]"},
};
/* clang-format on */

Test(comm_domain_rules, windows)
{
    CASES(windows);
    ERRORS(window_errors);
}

/* The verifier wants logical names to be unique in the whole program, the pass in a domain only. */
Test(comm_domain_rules, one_logical_name_in_two_domains)
{
    static const char name[] = "one logical name in two domains";
    struct arena a = {0};
    struct diag d = {.arena = &a};
    const struct pass_options o = PASS_OPTIONS_DEFAULT;
    const struct ir_program *p = host_program(&a, name,
                                              "a = pl._dump.alloc_window_buffer(1024, name='buf')\n"
                                              "b = pl._dump.alloc_window_buffer(1024, name='buf')\n"
                                              "w = pld.window(a, [256], dtype=pl.FP32)\n"
                                              "v = pld.window(b, [256], dtype=pl.FP32)\n"
                                              "self.chip(w, device=0)\n"
                                              "self.chip(v, device=1)\n");
    cr_expect(materialize_comm_domain_scopes(&a, p, &o, &d), "%s", diag_text(&d, &a));
    arena_free(&a);
}

/* ---- values that loops carry and branches yield ---- */

#define A_B                                                                                        \
    "a = pld.alloc_window_buffer(1)\n"                                                             \
    "b = pld.alloc_window_buffer(2)\n"                                                             \
    "w = pld.window(a, [256], dtype=pl.FP32)\n"                                                    \
    "v = pld.window(b, [256], dtype=pl.FP32)\n"

/* A line here is a line of a program. */
/* clang-format off */
#define A_B_IN                                                                                     \
    DOMAIN("0", "0", SLOT("a", "1") ", " SLOT("b", "2"))                                           \
    "    " ALLOC("a", "1")                                                                         \
    "    " ALLOC("b", "2")                                                                         \
    "    " DATA_IN("w", "a")                                                                       \
    "    " DATA_IN("v", "b")

static const struct host_case carried[] = {
    {"a loop that carries one window", NULL,
     "a = pld.alloc_window_buffer(1024)\n"
     "c = pld.alloc_window_buffer(32)\n"
     "w = pld.window(a, [256], dtype=pl.FP32)\n"
     "s = pld.window(c, [8, 1], dtype=pl.INT32)\n"
     "for i, (acc,) in pl.range(3, init_values=(w,)):\n"
     "    next = pld.tensor.allreduce(acc, s, op=0)\n"
     "    last = pl.yield_(next)\n"
     "self.chip(last, device=0)\n",
     DOMAIN("0", "0", SLOT("a", "1024") ", " SLOT("c", "32"))
     "    " ALLOC("a", "1024")
     "    " ALLOC("c", "32")
     "    " DATA_IN("w", "a")
     "    " CELLS_IN("s", "c")
     "    for i, (acc,) in pl.range(3, init_values=(w,)):\n"
     "        next: " TYPE_DATA(IN("a")) " = pld.tensor.allreduce(acc, s, op=0)\n"
     "        last: " TYPE_DATA(IN("a")) " = pl.yield_(next)\n"
     "    self.chip(last, device=0)\n"},
    {"a while loop that carries one window and a number", NULL,
     BUF_W
     "for (acc, k) in pl.while_(init_values=(w, n)):\n"
     "    pl.cond(k > 0)\n"
     "    self.chip(acc, device=1)\n"
     "    last, m = pl.yield_(acc, k - 1)\n"
     "self.chip(last, device=2)\n",
     ON("1, 2")
     "    for (acc, k) in pl.while_(init_values=(w, n)):\n"
     "        pl.cond(k > 0)\n"
     "        self.chip(acc, device=1)\n"
     "        last, m = pl.yield_(acc, k - 1)\n"
     "    self.chip(last, device=2)\n"},
    {"branches that yield one window", NULL,
     BUF_W
     "if n > 0:\n"
     "    y = pl.yield_(w)\n"
     "else:\n"
     "    y = pl.yield_(w)\n"
     "self.chip(y, device=1)\n",
     ON("1")
     "    if n > 0:\n"
     "        y: " TYPE_DATA(IN("buf")) " = pl.yield_(w)\n"
     "    else:\n"
     "        y: " TYPE_DATA(IN("buf")) " = pl.yield_(w)\n"
     "    self.chip(y, device=1)\n"},
    {"branches that yield two windows lead to neither", NULL,
     A_B
     "if n > 0:\n"
     "    y = pl.yield_(w)\n"
     "else:\n"
     "    y = pl.yield_(v)\n"
     "self.chip(y, device=1)\n"
     "self.pair(w, v, device=0)\n",
     A_B_IN
     "    if n > 0:\n"
     "        y: " TYPE_DATA("") " = pl.yield_(w)\n"
     "    else:\n"
     "        y: " TYPE_DATA("") " = pl.yield_(v)\n"
     "    self.chip(y, device=1)\n"
     "    self.pair(w, v, device=0)\n"},
    {"a loop that goes on with another window leads to neither", NULL,
     A_B
     "for i, (acc,) in pl.range(3, init_values=(w,)):\n"
     "    same = acc\n"
     "    self.chip(same, device=1)\n"
     "    last = pl.yield_(v)\n"
     "self.chip(last, device=2)\n"
     "self.pair(w, v, device=0)\n",
     A_B_IN
     "    for i, (acc,) in pl.range(3, init_values=(w,)):\n"
     "        same: " TYPE_DATA("") " = acc\n"
     "        self.chip(same, device=1)\n"
     "        last: " TYPE_DATA("") " = pl.yield_(v)\n"
     "    self.chip(last, device=2)\n"
     "    self.pair(w, v, device=0)\n"},
    {"nor does one that starts with another value", NULL,
     BUF_W
     "for i, (acc,) in pl.range(3, init_values=(d,)):\n"
     "    last = pl.yield_(w)\n"
     "self.chip(last, device=2)\n"
     "self.chip(w, device=0)\n",
     ON("0")
     "    for i, (acc,) in pl.range(3, init_values=(d,)):\n"
     "        last: " TYPE_DATA("") " = pl.yield_(w)\n"
     "    self.chip(last, device=2)\n"
     "    self.chip(w, device=0)\n"},
    {"an inner loop's surprise reaches the outer one", NULL,
     A_B
     "for i, (x1,) in pl.range(3, init_values=(w,)):\n"
     "    for k, (x2,) in pl.range(3, init_values=(x1,)):\n"
     "        y2 = pl.yield_(v)\n"
     "    y1 = pl.yield_(y2)\n"
     "self.chip(y1, device=2)\n"
     "self.pair(w, v, device=0)\n",
     A_B_IN
     "    for i, (x1,) in pl.range(3, init_values=(w,)):\n"
     "        for k, (x2,) in pl.range(3, init_values=(x1,)):\n"
     "            y2: " TYPE_DATA("") " = pl.yield_(v)\n"
     "        y1: " TYPE_DATA("") " = pl.yield_(y2)\n"
     "    self.chip(y1, device=2)\n"
     "    self.pair(w, v, device=0)\n"},
};
/* clang-format on */

Test(comm_domain_rules, carried_windows)
{
    CASES(carried);
}

/* ---- collectives ---- */

/* A line here is a line of a program. */
/* clang-format off */
/* Data on device 0, a signal on none; the collective decides where the signal lives. */
#define DATA_AND_SIGNAL(data, dispatch)                                                            \
    ALLOC("a", "8192")                                                                             \
    ALLOC("b", "8192")                                                                             \
    ALLOC("c", "32")                                                                               \
    data("w", "a") data("v", "b") CELLS("s", "c") dispatch
#define DATA_AND_SIGNAL_IN(data, dispatch)                                                         \
    DOMAIN("0", "0", SLOT("a", "8192") ", " SLOT("b", "8192") ", " SLOT("c", "32"))                \
    "    " ALLOC("a", "8192") "    " ALLOC("b", "8192") "    " ALLOC("c", "32") "    " data(       \
        "w", "a") "    " data("v", "b") "    " CELLS_IN("s", "c") "    " dispatch
#define ROWS_0                                                                                     \
    "self.rows(w, device=0)\n"                                                                     \
    "self.rows(v, device=0)\n"
#define ROWS_0_IN                                                                                  \
    "self.rows(w, device=0)\n"                                                                     \
    "    self.rows(v, device=0)\n"
#define FOLLOWS(name, type, call)                                                                  \
    {                                                                                              \
        name, NULL, DATA_AND_SIGNAL(ROWS, ROWS_0) "y = " call "\n",                                \
            DATA_AND_SIGNAL_IN(ROWS_IN, ROWS_0_IN) "    y: " type " = " call "\n"                  \
    }

static const struct host_case collectives[] = {
    FOLLOWS("allreduce", TYPE_ROWS(IN("a")), "pld.tensor.allreduce(w, s, op=0)"),
    FOLLOWS("broadcast", TYPE_ROWS(IN("a")), "pld.tensor.broadcast(w, s, root=0)"),
    FOLLOWS("reduce_scatter", TYPE_ROWS(IN("a")), "pld.tensor.reduce_scatter(w, s, op=0)"),
    FOLLOWS("all_to_all", TYPE_ROWS(IN("b")), "pld.tensor.all_to_all(w, v, s)"),
    {"a signal keeps its own devices too", NULL,
     "a = pld.alloc_window_buffer(1024)\n"
     "c = pld.alloc_window_buffer(32)\n"
     "w = pld.window(a, [256], dtype=pl.FP32)\n"
     "s = pld.window(c, [8, 1], dtype=pl.INT32)\n"
     "self.chip(w, device=0)\n"
     "self.cells(s, device=1)\n"
     "pld.tensor.broadcast(w, s, root=0)\n",
     DOMAIN("0", "0", SLOT("a", "1024"))
     "    " DOMAIN("1", "0, 1", SLOT("c", "32"))
     "        " ALLOC("a", "1024")
     "        " ALLOC("c", "32")
     "        " DATA_IN("w", "a")
     "        " CELLS_IN("s", "c")
     "        self.chip(w, device=0)\n"
     "        self.cells(s, device=1)\n"
     "        pld.tensor.broadcast(w, s, root=0)\n"},
    {"a signal of two collectives lives where either's data does", NULL,
     "a = pld.alloc_window_buffer(1024)\n"
     "b = pld.alloc_window_buffer(1024)\n"
     "c = pld.alloc_window_buffer(32)\n"
     "w = pld.window(a, [256], dtype=pl.FP32)\n"
     "v = pld.window(b, [256], dtype=pl.FP32)\n"
     "s = pld.window(c, [8, 1], dtype=pl.INT32)\n"
     "pld.tensor.broadcast(w, s, root=0)\n"
     "pld.tensor.broadcast(v, s, root=0)\n"
     "self.chip(w, device=0)\n"
     "self.chip(v, device=1)\n",
     DOMAIN("0", "0", SLOT("a", "1024"))
     "    " DOMAIN("1", "1", SLOT("b", "1024"))
     "        " DOMAIN("2", "0, 1", SLOT("c", "32"))
     "            " ALLOC("a", "1024")
     "            " ALLOC("b", "1024")
     "            " ALLOC("c", "32")
     "            " DATA_IN("w", "a")
     "            " DATA_IN("v", "b")
     "            " CELLS_IN("s", "c")
     "            pld.tensor.broadcast(w, s, root=0)\n"
     "            pld.tensor.broadcast(v, s, root=0)\n"
     "            self.chip(w, device=0)\n"
     "            self.chip(v, device=1)\n"},
    {"barrier on a signal that is dispatched", NULL,
     "c = pld.alloc_window_buffer(32)\n"
     "s = pld.window(c, [8, 1], dtype=pl.INT32)\n"
     "self.cells(s, device=0)\n"
     "y = pld.tensor.barrier(s)\n",
     DOMAIN("0", "0", SLOT("c", "32"))
     "    " ALLOC("c", "32")
     "    " CELLS_IN("s", "c")
     "    self.cells(s, device=0)\n"
     "    y: " TYPE_CELLS(IN("c")) " = pld.tensor.barrier(s)\n"},
    {"barrier on the signal of another collective", NULL,
     "a = pld.alloc_window_buffer(1024)\n"
     "c = pld.alloc_window_buffer(32)\n"
     "w = pld.window(a, [256], dtype=pl.FP32)\n"
     "s = pld.window(c, [8, 1], dtype=pl.INT32)\n"
     "self.chip(w, device=0)\n"
     "pld.tensor.barrier(s)\n"
     "pld.tensor.broadcast(w, s, root=0)\n",
     DOMAIN("0", "0", SLOT("a", "1024") ", " SLOT("c", "32"))
     "    " ALLOC("a", "1024")
     "    " ALLOC("c", "32")
     "    " DATA_IN("w", "a")
     "    " CELLS_IN("s", "c")
     "    self.chip(w, device=0)\n"
     "    pld.tensor.barrier(s)\n"
     "    pld.tensor.broadcast(w, s, root=0)\n"},
    {"allgather: the input is not tracked", NULL,
     "a = pld.alloc_window_buffer(8192)\n"
     "c = pld.alloc_window_buffer(32)\n"
     "t = pld.window(a, [8, 256], dtype=pl.FP32)\n"
     "s = pld.window(c, [8, 1], dtype=pl.INT32)\n"
     "row = pl.tensor.slice(x, [1, 256], [0, 0])\n"
     "self.rows(t, device=0)\n"
     "pld.tensor.allgather(row, t, s)\n",
     DOMAIN("0", "0", SLOT("a", "8192") ", " SLOT("c", "32"))
     "    " ALLOC("a", "8192")
     "    " ALLOC("c", "32")
     "    " ROWS_IN("t", "a")
     "    " CELLS_IN("s", "c")
     "    row: pl.Tensor[[1, 256], pl.FP32] = pl.tensor.slice(x, [1, 256], [0, 0])\n"
     "    self.rows(t, device=0)\n"
     "    pld.tensor.allgather(row, t, s)\n"},
    {"results are dispatched in place of the data", NULL,
     "a = pld.alloc_window_buffer(8192)\n"
     "b = pld.alloc_window_buffer(8192)\n"
     "c = pld.alloc_window_buffer(32)\n"
     "t = pld.window(a, [8, 256], dtype=pl.FP32)\n"
     "u = pld.window(b, [8, 256], dtype=pl.FP32)\n"
     "s = pld.window(c, [8, 1], dtype=pl.INT32)\n"
     "y = pld.tensor.broadcast(t, s, root=0)\n"
     "z = pld.tensor.all_to_all(y, u, s)\n"
     "e = pld.tensor.barrier(s)\n"
     "self.rows(y, device=0)\n"
     "self.rows(z, device=0)\n"
     "self.cells(e, device=0)\n",
     DOMAIN("0", "0", SLOT("a", "8192") ", " SLOT("b", "8192") ", " SLOT("c", "32"))
     "    " ALLOC("a", "8192")
     "    " ALLOC("b", "8192")
     "    " ALLOC("c", "32")
     "    " ROWS_IN("t", "a")
     "    " ROWS_IN("u", "b")
     "    " CELLS_IN("s", "c")
     "    y: " TYPE_ROWS(IN("a")) " = pld.tensor.broadcast(t, s, root=0)\n"
     "    z: " TYPE_ROWS(IN("b")) " = pld.tensor.all_to_all(y, u, s)\n"
     "    e: " TYPE_CELLS(IN("c")) " = pld.tensor.barrier(s)\n"
     "    self.rows(y, device=0)\n"
     "    self.rows(z, device=0)\n"
     "    self.cells(e, device=0)\n"},
};

#define BUF_W_SIGNAL                                                                               \
    BUF_W                                                                                          \
    "sig = pld.alloc_window_buffer(32)\n"                                                          \
    "s = pld.window(sig, [8, 1], dtype=pl.INT32)\n"

static const struct host_error collective_errors[] = {
    {"data that is dispatched to nothing", NULL, BUF_W_SIGNAL "pld.tensor.broadcast(w, s, root=0)\n",
     5, 1, 20,
     M ": pld.tensor.broadcast works on window buffer 'buf', which is not consumed by any chip_orch "
       "dispatch [collective-coverage]"},
    {"a dispatched signal covers no data", NULL,
     BUF_W_SIGNAL "self.cells(s, device=0)\npld.tensor.allreduce(w, s, op=0)\n", 6, 1, 20,
     M ": pld.tensor.allreduce works on window buffer 'buf', which is not consumed by any chip_orch "
       "dispatch [collective-coverage]"},
    {"barrier on a signal of nothing", NULL,
     BUF_W_SIGNAL "self.chip(w, device=0)\npld.tensor.barrier(s)\n", 6, 1, 18,
     M ": pld.tensor.barrier needs a signal that a chip_orch dispatch or another collective uses, "
       "and window buffer 'sig' has none [barrier-coverage]"},
    {"data that is a parameter", NULL,
     BUF_W_SIGNAL "self.chip(w, device=0)\npld.tensor.broadcast(d, s, root=0)\n", 6, 22, 1,
     M ": argument 'target' of pld.tensor.broadcast is no view of a window buffer of this function "
       "[collective-view]"},
    {"a signal that is a parameter", NULL,
     BUF_W_SIGNAL "self.chip(w, device=0)\npld.tensor.broadcast(w, d, root=0)\n", 6, 25, 1,
     M ": argument 'signal' of pld.tensor.broadcast is no view of a window buffer of this function "
       "[collective-view]"},
    {"a plain tensor as target", NULL,
     BUF_W_SIGNAL "self.chip(w, device=0)\npld.tensor.all_to_all(w, x, s)\n", 6, 26, 1,
     M ": argument 'target' of pld.tensor.all_to_all is no view of a window buffer of this function "
       "[collective-view]"},
};
/* clang-format on */

Test(comm_domain_rules, collectives)
{
    CASES(collectives);
    ERRORS(collective_errors);
}

/* The pass manager sees to it that SynthesizeAllReduceSignals comes first; so does the pass. */
Test(comm_domain_rules, implicit_allreduce)
{
    struct arena a = {0};
    struct diag d = {.arena = &a};
    const struct pass_options o = PASS_OPTIONS_DEFAULT;
    const struct ir_program *p = host_program(
        &a, "implicit", BUF_W "self.chip(w, device=0)\npld.tensor.allreduce(w, op=0)\n");
    cr_expect_null(materialize_comm_domain_scopes(&a, p, &o, &d));
    expect_text("implicit", d.message,
                "pld.tensor.allreduce lacks its argument 'signal'; " S
                " must run before this pass [collective-operand]");
    arena_free(&a);
}
