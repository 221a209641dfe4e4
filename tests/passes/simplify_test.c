/* SPDX-License-Identifier: MIT */
#include "passes/simplify.h"

#include "tests/passes/transform_rig.h"

static const char pass_name[] = "Simplify";

/* pl.use is an operator that nobody knows, so it may do anything. */
static const struct frame core = {
    "import pypto.language as pl\n"
    "import pypto.language.distributed as pld\n"
    "SIZE = 64\n"
    "@pl.program\n"
    "class P:\n"
    "    @pl.function(type=pl.FunctionType.InCore)\n"
    "    def callee(self, n: pl.Scalar[pl.INT32]) -> pl.Scalar[pl.INT32]:\n"
    "        return n\n"
    "    @pl.function(type=pl.FunctionType.InCore)\n"
    "    def k(self, x: pl.Tensor[[4, 64], pl.FP32], out: pl.Out[pl.Tensor[[4, 64], pl.FP32]], "
    "sig: "
    "pl.InOut[pld.DistributedTensor[[8, 1], pl.INT32]], sig_ctx: pld.CommCtx, i: "
    "pl.Scalar[pl.INDEX], n: pl.Scalar[pl.INT32], u: pl.Scalar[pl.UINT8], f: pl.Scalar[pl.FP32], "
    "b: "
    "pl.Scalar[pl.BOOL]):\n",
    "k"};

/* ---- arithmetic ---- */

Test(simplify, arithmetic_folds)
{
    static const struct {
        const char *before, *after;
    } cases[] = {
        /* constants */
        {"1 + 2 * 3", "7"},
        {"7 // 2", "3"},
        {"-7 // 2", "-4"},
        {"-7 % 3", "2"},
        {"2 ** 10", "1024"},
        {"1 << 4", "16"},
        {"-16 >> 2", "-4"},
        {"6 & 3 | 8 ^ 1", "11"},
        {"~5", "-6"},
        {"abs(-(3))", "3"},
        {"pl.min(3, 2) + pl.max(3, 2)", "5"},
        {"1 < 2", "True"},
        {"2 != 2", "False"},
        {"not 1 < 2", "False"},
        {"1 < 2 and 2 < 1 or 3 == 3", "True"},
        {"pl.const(3, pl.INT32) + pl.const(4, pl.INT32)", "pl.const(7, pl.INT32)"},
        {"3 + pl.const(4, pl.INT64)", "pl.const(7, pl.INT64)"},
        {"pl.cast(16, pl.INT32) + 1", "pl.const(17, pl.INT32)"},
        /* neutral constants */
        {"i + 0", "i"},
        {"0 + i", "i"},
        {"i - 0", "i"},
        {"i * 1", "i"},
        {"1 * i", "i"},
        {"i // 1", "i"},
        {"i ** 1", "i"},
        {"i << 0", "i"},
        {"i >> 0", "i"},
        {"i | 0", "i"},
        {"0 ^ i", "i"},
        {"b and True", "b"},
        {"True and b", "b"},
        {"b or False", "b"},
        {"n * 1 + 0", "n"},
        /* absorbing constants */
        {"i * 0", "0"},
        {"0 * i", "0"},
        {"i & 0", "0"},
        {"i % 1", "0"},
        {"b and False", "False"},
        {"True or b", "True"},
        {"n * pl.const(0, pl.INT32)", "pl.const(0, pl.INT32)"},
        {"n + u * 0", "n"},
        {"u * pl.const(0, pl.INT32) + n", "pl.cast(pl.const(0, pl.UINT8), pl.UINT8) + n"},
        /* more */
        {"-(-i)", "i"},
        {"~~i", "i"},
        {"not not b", "b"},
        {"pl.cast(n, pl.INT32)", "n"},
        {"i + 1 + 2", "i + 3"},
        {"i * 2 * 3", "i * 6"},
        {"i + 1 + -1", "i"},
        {"i == i", "True"},
        {"i < i", "False"},
        {"(i + 0) * (1 + 1)", "i * 2"},
        /* a literal takes the other operand's type: the sum stays INT32 */
        {"(pl.const(1, pl.INT32) + pl.const(1, pl.INT32)) * i",
         "pl.cast(pl.const(2, pl.INT32), pl.INT32) * i"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct arena a = {0};
        const struct transform_case one = {cases[c].before,
                                           arena_printf(&a, "pl.use(%s)\n", cases[c].before),
                                           arena_printf(&a, "pl.use(%s)\n", cases[c].after), NULL};
        expect_transforms(&core, pass_name, &one, 1);
        arena_free(&a);
    }
}

Test(simplify, arithmetic_stays)
{
    static const char *const cases[] = {
        /* nothing wraps or fails at compile time */
        "pl.const(2147483647, pl.INT32) + pl.const(1, pl.INT32)",
        "pl.const(200, pl.UINT8) + pl.const(100, pl.UINT8)",
        "pl.const(1, pl.UINT8) - pl.const(2, pl.UINT8)",
        "9223372036854775807 + 1",
        "1 // 0",
        "1 % 0",
        "1 << 63",
        "2 ** -1",
        "~pl.const(1, pl.UINT8)",
        /* an unsigned operand beside a negative one */
        "pl.const(1, pl.UINT8) < -1",
        /* floats: 0.0 + -0.0 is not -0.0, and 0.0 * inf is not 0.0 */
        "f + 0.0",
        "f * 1.0",
        "f * 0.0",
        "1.0 + 2.0",
        /* what may not be dropped */
        "self.callee(n) * 0",
        "False and self.callee(n) > 0",
        "pl.tensor.read(out, [0, 0]) * 0",
        "i // n * 0",
        "0 * (i % n)",
        "(1 << i) & 0",
        /* a cast of a constant, as real programs print it */
        "pl.cast(16, pl.INT32)",
        "pl.cast(n, pl.INDEX)",
        /* module constants */
        "SIZE // 2",
        "SIZE - SIZE",
        /* not the same */
        "i - n",
        "i == n",
        "f == f",
        "-~i",
        "i / 1",
        "i - 1 - 2",
        "0 - i",
        "0 // i",
        "1 ** i",
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct arena a = {0};
        const struct transform_case one = {cases[c], arena_printf(&a, "pl.use(%s)\n", cases[c]),
                                           NULL, NULL};
        expect_transforms(&core, pass_name, &one, 1);
        arena_free(&a);
    }
}

/* ---- bindings ---- */

Test(simplify, bindings)
{
    static const struct transform_case cases[] = {
        {"a constant", "c: pl.Scalar[pl.INT32] = 2 + 2\npl.use(c, n + c)\n",
         "pl.use(pl.const(4, pl.INT32), n + pl.const(4, pl.INT32))\n", NULL},
        {"a cast of a constant", "c: pl.Scalar[pl.INT32] = pl.cast(16, pl.INT32)\npl.use(c)\n",
         "pl.use(pl.cast(16, pl.INT32))\n", NULL},
        {"a truth", "c: pl.Scalar[pl.BOOL] = 1 < 2\npl.use(c and b)\n", "pl.use(b)\n", NULL},
        {"another name", "c: pl.Scalar[pl.INT32] = n\nd: pl.Scalar[pl.INT32] = c\npl.use(d)\n",
         "pl.use(n)\n", NULL},
        {"another name of a context",
         "ctx: pld.CommCtx = sig_ctx\nme: pl.Scalar[pl.INT32] = pld.system.rank(ctx)\npl.use(me)\n",
         "me: pl.Scalar[pl.INT32] = pld.system.rank(sig_ctx)\npl.use(me)\n", NULL},
        {"a name of the module", "c: pl.Scalar[pl.INDEX] = SIZE\npl.use(c)\n", "pl.use(SIZE)\n",
         NULL},
        {"nothing uses it", "c: pl.Scalar[pl.INDEX] = i * 3\nd: pl.Scalar[pl.INDEX] = c + 1\n",
         "pass\n", NULL},
        {"another name of what a loop binds",
         "for j, (a,) in pl.range(i, init_values=(n,)):\n"
         "    c: pl.Scalar[pl.INDEX] = j\n"
         "    d: pl.Scalar[pl.INT32] = a\n"
         "    pl.use(c, d)\n"
         "    y: pl.Scalar[pl.INT32] = pl.yield_(d)\n",
         "for j, (a,) in pl.range(i, init_values=(n,)):\n"
         "    pl.use(j, a)\n"
         "    y: pl.Scalar[pl.INT32] = pl.yield_(a)\n",
         NULL},
        {"in a block below",
         "c: pl.Scalar[pl.INDEX] = 3\nfor j in pl.range(i):\n    if b:\n        pl.use(c, j)\n",
         "for j in pl.range(i):\n    if b:\n        pl.use(3, j)\n", NULL},
        {"start of a loop keeps its type",
         "c: pl.Scalar[pl.INT32] = 3\nfor j in pl.range(c, i):\n    pl.use(j)\n",
         "for j in pl.range(3, i):\n    pl.use(j)\n", NULL},
    };
    EXPECT_TRANSFORMS(&core, pass_name, cases);
}

Test(simplify, bindings_that_stay)
{
    static const struct transform_case cases[] = {
        {"assigned twice", "c: pl.Scalar[pl.INDEX] = 1\npl.use(c)\nc = 2\npl.use(c)\n", NULL, NULL},
        {"assigned in a loop as well",
         "c: pl.Scalar[pl.INDEX] = 0\nfor j in pl.range(i):\n    c = c + j\npl.use(c)\n", NULL,
         NULL},
        {"another name of what changes",
         "c: pl.Scalar[pl.INDEX] = i + 1\nd: pl.Scalar[pl.INDEX] = c\nc = 5 * i\npl.use(d, c)\n",
         NULL, NULL},
        {"behind the branch that binds it",
         "if b:\n    c: pl.Scalar[pl.INDEX] = 4\n    pl.use(i)\nelse:\n    pl.use(0)\npl.use(c)\n",
         NULL, NULL},
        {"a value of the last round",
         "for j in pl.range(i):\n"
         "    y: pl.Scalar[pl.INDEX] = j * 2\n"
         "    if j == 0:\n"
         "        z: pl.Scalar[pl.INDEX] = y\n"
         "    pl.use(z)\n",
         NULL, NULL},
        {"another type", "c: pl.Scalar[pl.INDEX] = n\npl.use(c)\n", NULL, NULL},
        {"a number", "c: pl.Scalar[pl.FP32] = 0.5\npl.use(c)\n", NULL, NULL},
        {"arithmetic that is not constant", "c: pl.Scalar[pl.INDEX] = i * 3\npl.use(c, c)\n", NULL,
         NULL},
        {"a call", "c: pl.Scalar[pl.INT32] = self.callee(n)\n", NULL, NULL},
        {"a read", "c: pl.Scalar[pl.FP32] = pl.tensor.read(out, [0, 0])\n", NULL, NULL},
        {"a context's query of memory", "c: pl.Scalar[pl.INT32] = pld.system.rank(sig_ctx)\n", NULL,
         NULL},
        {"a division that could fail", "c: pl.Scalar[pl.INT32] = n // n\n", NULL, NULL},
        {"another name of a tensor", "y: pl.Tensor[[4, 64], pl.FP32] = out\npl.use(y)\n", NULL,
         NULL},
        {"used in a type",
         "c: pl.Scalar[pl.INDEX] = i * 3\n"
         "t: pl.Tile[[c, 64], pl.FP32] = pl.unheard_of(i)\npl.use(t)\n",
         NULL, NULL},
        {"a number in attributes is no expression",
         "c: pl.Scalar[pl.INDEX] = 3\nself.callee(n, attrs={\"hint\": c})\n", NULL, NULL},
    };
    EXPECT_TRANSFORMS(&core, pass_name, cases);
}

/* ---- branches and loops ---- */

#define PHI_BEFORE(cond)                                                                           \
    "if " cond ":\n"                                                                               \
    "    pl.use(1)\n"                                                                              \
    "    y: pl.Scalar[pl.INT32] = pl.yield_(n)\n"                                                  \
    "else:\n"                                                                                      \
    "    pl.use(2)\n"                                                                              \
    "    y: pl.Scalar[pl.INT32] = pl.yield_(n + 1)\n"                                              \
    "pl.use(y)\n"

Test(simplify, branches)
{
    static const struct transform_case cases[] = {
        {"true", "if 1 < 2:\n    pl.use(1)\nelse:\n    pl.use(2)\n", "pl.use(1)\n", NULL},
        {"false", "if False:\n    pl.use(1)\nelse:\n    pl.use(2)\n", "pl.use(2)\n", NULL},
        {"false without else", "if i != i:\n    pl.use(1)\npl.use(3)\n", "pl.use(3)\n", NULL},
        {"with a result, true", PHI_BEFORE("True"), "pl.use(1)\npl.use(n)\n", NULL},
        {"with a result, false", PHI_BEFORE("False"),
         "pl.use(2)\ny: pl.Scalar[pl.INT32] = n + 1\npl.use(y)\n", NULL},
        {"with a result, unknown", PHI_BEFORE("b"), NULL, NULL},
        {"with a result that a scope yields",
         "if True:\n"
         "    with pl.runtime_scope():\n"
         "        y: pl.Scalar[pl.INT32] = pl.yield_(n)\n"
         "else:\n"
         "    y: pl.Scalar[pl.INT32] = pl.yield_(n + 1)\n"
         "pl.use(y)\n",
         NULL, NULL},
        {"of a result of a branch",
         "if True:\n    y: pl.Scalar[pl.BOOL] = pl.yield_(False)\nelse:\n    y: pl.Scalar[pl.BOOL] "
         "= "
         "pl.yield_(b)\nif y:\n    pl.use(1)\n",
         "pass\n", NULL},
        {"empty", "if b:\n    pass\nelse:\n    pass\npl.use(1)\n", "pl.use(1)\n", NULL},
        {"empty once nothing is left in it", "if b:\n    c: pl.Scalar[pl.INDEX] = 1\npl.use(1)\n",
         "pl.use(1)\n", NULL},
        {"empty, but its condition does something", "if self.callee(n) > 0:\n    pass\npl.use(1)\n",
         NULL, NULL},
        {"a jump may not leave its branch",
         "for j in pl.range(i):\n    if True:\n        break\n    pl.use(j)\n", NULL, NULL},
        {"nor may a return", "if True:\n    return\npl.use(1)\n", NULL, NULL},
        {"while false", "while 1 > 2:\n    pl.use(1)\npl.use(2)\n", "pl.use(2)\n", NULL},
        {"while true", "while True:\n    pl.use(1)\n", NULL, NULL},
    };
    EXPECT_TRANSFORMS(&core, pass_name, cases);
}

#define TILE "pl.Tile[[1, 64], pl.FP32]"

Test(simplify, loops)
{
    static const struct transform_case cases[] = {
        {"no round", "for j in pl.range(0):\n    pl.use(j)\npl.use(1)\n", "pl.use(1)\n", NULL},
        {"no round downwards", "for j in pl.range(0, 3, -1):\n    pl.use(j)\n", "pass\n", NULL},
        {"no round, with a result",
         "for j, (a,) in pl.range(3, 3, init_values=(n,)):\n    y: pl.Scalar[pl.INT32] = "
         "pl.yield_(a + 1)\npl.use(y)\n",
         "pl.use(n)\n", NULL},
        {"one round", "for j in pl.range(5, 6):\n    pl.use(j, i + j)\n", "pl.use(5, i + 5)\n",
         NULL},
        {"one long step", "for j in pl.range(0, 4, 4):\n    pl.use(j)\n", "pl.use(0)\n", NULL},
        {"one round, typed",
         "for j in pl.range(pl.const(0, pl.INT64), pl.const(1, pl.INT64), pl.const(1, "
         "pl.INT64)):\n    pl.use(j)\n",
         "pl.use(pl.const(0, pl.INT64))\n", NULL},
        {"one round, with a tile",
         "t: " TILE " = pl.unheard_of(i)\n"
         "for j, (a,) in pl.range(1, init_values=(t,)):\n"
         "    s: " TILE " = pl.tile.add(a, a)\n"
         "    y: " TILE " = pl.yield_(s)\n"
         "pl.use(y)\n",
         "t: " TILE " = pl.unheard_of(i)\n"
         "a: " TILE " = t\n"
         "s: " TILE " = pl.tile.add(a, a)\n"
         "y: " TILE " = s\n"
         "pl.use(y)\n",
         NULL},
        {"one round of one round",
         "for j in pl.range(1):\n    for k in pl.range(j, j + 1):\n        pl.use(j, k)\n",
         "pl.use(0, 0)\n", NULL},
        {"two rounds", "for j in pl.range(2):\n    pl.use(j)\n", NULL, NULL},
        {"unknown", "for j in pl.range(i):\n    pl.use(j)\n", NULL, NULL},
        {"one round that is left",
         "for j in pl.range(1):\n    if b:\n        break\n    pl.use(j)\n", NULL, NULL},
        {"a jump of a loop inside",
         "for j in pl.range(1):\n    for k in pl.range(i):\n        break\n",
         "for k in pl.range(i):\n    break\n", NULL},
        {"a loop of another kind", "for j in pl.unroll(1):\n    pl.use(j)\n", NULL, NULL},
        {"a loop with attributes",
         "for j in pl.range(1, attrs={\"group_dispatch\": True}):\n    pl.use(j)\n", NULL, NULL},
        {"nothing in it", "for j in pl.range(i):\n    c: pl.Scalar[pl.INDEX] = j\n", "pass\n",
         NULL},
        {"nothing in it, but its bound does something",
         "for j in pl.range(self.callee(n)):\n    pass\n", NULL, NULL},
        {"values that cross are not taken one after the other",
         "c: pl.Scalar[pl.INDEX] = i + 1\nd: pl.Scalar[pl.INDEX] = i + 2\n"
         "if True:\n    c, d = pl.yield_(d, c)\nelse:\n    c, d = pl.yield_(c, d)\npl.use(c, d)\n",
         NULL, NULL},
    };
    EXPECT_TRANSFORMS(&core, pass_name, cases);
}

/* What communicates or touches memory stays, and so does its order. */
Test(simplify, effects_stay)
{
    static const struct transform_case cases[] = {
        {"statements without a result",
         "pl.tensor.read(out, [0, 0])\n"
         "pld.system.wait(sig, [0, 0], pl.cast(16, pl.INT32), cmp=1)\n"
         "pl.system.cacheinvalid()\n"
         "pl.system.fence()\n"
         "pl.system.bar_all()\n"
         "pld.system.notify(sig, n, [0, 0], 1, op=0)\n",
         NULL, NULL},
        {"unused tiles",
         "t: " TILE " = pl.tile.load(x, [0, 0], [1, 64], [1, 64])\n"
         "s: " TILE " = pl.tile.add(t, t)\n",
         NULL, NULL},
    };
    EXPECT_TRANSFORMS(&core, pass_name, cases);
}

/* The size of a slot is part of the window buffer that types refer to, and stays as it is. */
Test(simplify, a_size_of_a_slot_keeps_its_binding)
{
    static const struct transform_case cases[] = {
        {"slot",
         "@pl.program\n"
         "class P:\n"
         "    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)\n"
         "    def host(self):\n"
         "        with pl._dump.comm_domain(name='comm_d0', devices=[], "
         "slots=[pl._dump.window_buffer(\"buf_window\", base=\"buf\", size=bytes, "
         "load_from_host=False, store_to_host=False)]):\n"
         "            bytes: pl.Scalar[pl.INT64] = pl.const(64, pl.INT64)\n"
         "            buf: pl.Ptr = pld.tensor.alloc_window_buffer(bytes)\n",
         "@pl.program\n"
         "class P:\n"
         "    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)\n"
         "    def host(self):\n"
         "        with pl._dump.comm_domain(name='comm_d0', devices=[], "
         "slots=[pl._dump.window_buffer(\"buf_window\", base=\"buf\", size=bytes, "
         "load_from_host=False, store_to_host=False)]):\n"
         "            bytes: pl.Scalar[pl.INT64] = pl.const(64, pl.INT64)\n"
         "            buf: pl.Ptr = pld.tensor.alloc_window_buffer(pl.const(64, pl.INT64))\n",
         NULL},
    };
    EXPECT_PROGRAMS(pass_name, cases);
}
