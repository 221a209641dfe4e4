/* SPDX-License-Identifier: MIT */
/*
 * Structural equality, line by line as pypto-front-facts 4 has it: for each thing that a line says, two
 * programs that it makes equal and two that it makes different, each compared both ways.
 */
#include "tests/ir/helpers.h"

struct line_row {
    const char *line, *name;
    const char *x, *same, *other; /* NULL: the line has no such program */
};

#define F(decorator, body) "@pl.function" decorator "\ndef f():\n    " body "\n"
#define K(body)                                                                                    \
    "def f(x: pl.Tensor[[4, 8], pl.FP32], n: pl.Scalar[pl.INDEX], m: pl.Scalar[pl.INDEX]):\n   "   \
    " " body "\n"
#define OF(type) "def f(x: " type "):\n    pass\n"
#define T(type)  K("y: " type " = pl.test.mystery()")

static const struct line_row ignored[] = {
    {"ignored", "spans", "def f():\n    y = 1\n", "\n\ndef f():\n\n    y = (1)\n",
     "def f():\n    y = 2\n"},
    {"ignored", "comments", "def f():\n    y = 1  # one\n", "# what\ndef f():\n    y = 1\n", NULL},
    {"ignored", "names of variables", K("y = n"),
     "def f(a: pl.Tensor[[4, 8], pl.FP32], "
     "b: pl.Scalar[pl.INDEX], c: pl.Scalar[pl.INDEX]):\n    z = b\n",
     K("y = m")},
    {"ignored", "name of the program", "class A:\n    def f(self):\n        pass\n",
     "class B:\n    def f(self):\n        pass\n", NULL},
    {"ignored", "order of functions", "def f():\n    y = 1\ndef g():\n    y = 2\n",
     "def g():\n    y = 2\ndef f():\n    y = 1\n", "def f():\n    y = 2\ndef g():\n    y = 1\n"},
    {"ignored", "name of a function counts", "def f():\n    pass\n", NULL, "def g():\n    pass\n"},
};

#define INCORE "type=pl.FunctionType.InCore"
static const struct line_row functions[] = {
    {"function", "parameters are definitions", OF("pl.Ptr"), "def f(z: pl.Ptr):\n    pass\n",
     "def f(z: pl.Ptr, y: pl.Ptr):\n    pass\n"},
    {"function", "which parameter", "def f(x: pl.Ptr, y: pl.Ptr):\n    pl.test.mystery(x)\n",
     "def f(a: pl.Ptr, b: pl.Ptr):\n    pl.test.mystery(a)\n",
     "def f(x: pl.Ptr, y: pl.Ptr):\n    pl.test.mystery(y)\n"},
    {"function", "In is what is not written", OF("pl.Tensor[[4], pl.FP32]"), NULL,
     OF("pl.Out[pl.Tensor[[4], pl.FP32]]")},
    {"function", "Out or InOut", OF("pl.Out[pl.Tensor[[4], pl.FP32]]"), NULL,
     OF("pl.InOut[pl.Tensor[[4], pl.FP32]]")},
    {"function", "type", F("", "pass"), F("(type=pl.FunctionType.Opaque)", "pass"),
     F("(type=pl.FunctionType.Inline)", "pass")},
    {"function", "Orchestration or Graph", F("(type=pl.FunctionType.Orchestration)", "pass"), NULL,
     F("(type=pl.FunctionType.Graph)", "pass")},
    {"function", "an attribute", F("(attrs={\"a\": 1})", "pass"), F("(attrs={\"a\": 1})", "pass"),
     F("(attrs={\"b\": 1})", "pass")},
    {"function", "bound at run time", F("(level=pl.Level.HOST, role=pl.Role.SubWorker)", "..."),
     F("(level=pl.Level.HOST, role=pl.Role.SubWorker)", "..."),
     F("(level=pl.Level.HOST, role=pl.Role.SubWorker)", "pass")},
    {"function", "return type", "def f(x: pl.Ptr) -> pl.Ptr:\n    return x\n",
     "def f(y: pl.Ptr) -> pl.Ptr:\n    return y\n",
     "def f(x: pl.Ptr) -> pl.Tensor[[4], pl.FP32]:\n    return x\n"},
    {"function", "a return type or none", "def f(x: pl.Ptr) -> pl.Ptr:\n    return x\n", NULL,
     "def f(x: pl.Ptr):\n    return x\n"},
    {"function", "body", K("y = n"), NULL, K("y = n\n    z = n")},
    {"level and role", "InCore", F("(" INCORE ")", "pass"),
     F("(" INCORE ", level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)", "pass"), NULL},
    {"level and role", "AIC", F("(type=pl.FunctionType.AIC)", "pass"),
     F("(type=pl.FunctionType.AIC, level=pl.Level.AIC, role=pl.Role.SubWorker)", "pass"),
     F("(type=pl.FunctionType.AIV)", "pass")},
    {"level and role", "AIV", F("(type=pl.FunctionType.AIV)", "pass"),
     F("(type=pl.FunctionType.AIV, level=pl.Level.AIV)", "pass"), F("(" INCORE ")", "pass")},
    {"level and role", "Group", F("(type=pl.FunctionType.Group)", "pass"),
     F("(type=pl.FunctionType.Group, level=pl.Level.CORE_GROUP, role=pl.Role.SubWorker)", "pass"),
     NULL},
    {"level and role", "Orchestration", F("(type=pl.FunctionType.Orchestration)", "pass"),
     F("(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)",
       "pass"),
     F("(level=pl.Level.CHIP, role=pl.Role.Orchestrator)", "pass")},
    {"level and role", "Graph", F("(type=pl.FunctionType.Graph)", "pass"),
     F("(type=pl.FunctionType.Graph, role=pl.Role.Orchestrator)", "pass"), NULL},
    {"level and role", "Opaque keeps what is written", F("(level=pl.Level.CHIP)", "pass"), NULL,
     F("", "pass")},
    {"level and role", "Opaque keeps its role",
     F("(level=pl.Level.HOST, role=pl.Role.Orchestrator)", "pass"), NULL,
     F("(level=pl.Level.HOST)", "pass")},
    {"level and role", "Spmd keeps what is written",
     F("(type=pl.FunctionType.Spmd, level=pl.Level.CHIP)", "pass"), NULL,
     F("(type=pl.FunctionType.Spmd)", "pass")},
    {"level and role", "Inline keeps what is written",
     F("(type=pl.FunctionType.Inline, level=pl.Level.CHIP)", "pass"), NULL,
     F("(type=pl.FunctionType.Inline)", "pass")},
};

#define SPLIT(mode)                                                                                \
    F("(type=pl.FunctionType.AIV, attrs={\"split\": pl.SplitMode." mode "})", "pass")
static const struct line_row decorators[] = {
    {"parser only", "strict_ssa", F("(strict_ssa=True)", "pass"), F("", "pass"), NULL},
    {"parser only", "strict_ssa=False", F("(strict_ssa=False)", "pass"), F("", "pass"), NULL},
    {"auto_scope", "False is an attribute", F("(auto_scope=False)", "pass"),
     F("(attrs={\"auto_scope\": False})", "pass"), F("", "pass")},
    {"auto_scope", "True is what is not written", F("(auto_scope=True)", "pass"), F("", "pass"),
     NULL},
    {"split", "NONE is dropped", SPLIT("NONE"), F("(type=pl.FunctionType.AIV)", "pass"),
     SPLIT("UP_DOWN")},
    {"split", "which one", SPLIT("UP_DOWN"), SPLIT("UP_DOWN"), SPLIT("LEFT_RIGHT")},
    {"split", "of two lanes or of one", SPLIT("LEFT_RIGHT"), NULL,
     F("(type=pl.FunctionType.AIC, attrs={\"split\": pl.SplitMode.LEFT_RIGHT})", "pass")},
};

static const struct line_row keywords[] = {
    {"keywords", "order", K("pl.test.mystery(a=1, b=2)"), K("pl.test.mystery(b=2, a=1)"),
     K("pl.test.mystery(a=2, b=1)")},
    {"keywords", "order of attributes", K("pl.test.mystery(attrs={\"a\": 1, \"b\": 2})"),
     K("pl.test.mystery(attrs={\"b\": 2, \"a\": 1})"), K("pl.test.mystery(attrs={\"a\": 1})")},
    {"keywords", "attribute or keyword", K("pl.test.mystery(a=1)"), NULL,
     K("pl.test.mystery(attrs={\"a\": 1})")},
    {"keywords", "int or bool", K("pl.test.mystery(a=1)"), NULL, K("pl.test.mystery(a=True)")},
    {"keywords", "int or float", K("pl.test.mystery(a=1)"), NULL, K("pl.test.mystery(a=1.0)")},
    {"keywords", "string", K("pl.test.mystery(a=\"s\")"), K("pl.test.mystery(a='s')"),
     K("pl.test.mystery(a=\"t\")")},
    {"keywords", "element type", K("pl.test.mystery(a=pl.FP32)"), K("pl.test.mystery(a=pl.FP32)"),
     K("pl.test.mystery(a=pl.FP16)")},
    {"keywords", "list of variables", K("pl.test.mystery(attrs={\"a\": [n, m]})"),
     "def f(x: pl.Tensor[[4, 8], pl.FP32], m: pl.Scalar[pl.INDEX], n: pl.Scalar[pl.INDEX]):\n"
     "    pl.test.mystery(attrs={\"a\": [m, n]})\n",
     K("pl.test.mystery(attrs={\"a\": [m, n]})")},
    {"keywords", "value by structure", K("pl.test.mystery(a=n + 1)"),
     K("pl.test.mystery(a=(n + 1))"), K("pl.test.mystery(a=n + 2)")},
};

static const struct line_row variables[] = {
    {"variables", "one to one", K("y = n\n    z = y"), K("a = n\n    b = a"),
     K("y = n\n    z = n")},
    {"variables", "two for one", K("y = n\n    y = n"), NULL, K("y = n\n    z = n")},
    {"variables", "of a loop", K("for i in pl.range(4):\n        pl.test.mystery(i)"),
     K("for j in pl.range(4):\n        pl.test.mystery(j)"),
     K("for i in pl.range(4):\n        pl.test.mystery(n)")},
    {"variables", "carried and results",
     K("for i, (a,) in pl.range(4, init_values=(n,)):\n        r = pl.yield_(a)\n    "
       "pl.test.mystery(r)"),
     K("for i, (b,) in pl.range(4, init_values=(n,)):\n        s = pl.yield_(b)\n    "
       "pl.test.mystery(s)"),
     K("for i, (a,) in pl.range(4, init_values=(n,)):\n        r = pl.yield_(n)\n    "
       "pl.test.mystery(r)")},
    {"variables", "types", T("pl.Tensor[[4], pl.FP32]"), T("pl.Tensor[[4], pl.FP32]"),
     T("pl.Tensor[[4], pl.FP16]")},
    {"variables", "dynamic dimensions", OF("pl.Tensor[[N, N], pl.FP32]"),
     OF("pl.Tensor[[M, M], pl.FP32]"), OF("pl.Tensor[[N, M], pl.FP32]")},
};

#define LOOP(of, body)                                                                             \
    K("for i in pl.range(pl.const(0, pl." of "), pl.const(4, pl." of "), pl.const(1, pl." of       \
      ")):\n        " body)
static const struct line_row scalars[] = {
    {"scalars", "dtype", "def f(n: pl.Scalar[pl.INT32]):\n    pass\n", NULL,
     "def f(n: pl.Scalar[pl.INT64]):\n    pass\n"},
    {"scalars", "INDEX is not INT64 elsewhere", "def f(n: pl.Scalar[pl.INDEX]):\n    pass\n", NULL,
     "def f(n: pl.Scalar[pl.INT64]):\n    pass\n"},
    {"scalars", "a loop variable's own type", LOOP("INDEX", "pl.test.mystery(i)"),
     LOOP("INT64", "pl.test.mystery(i)"), LOOP("INT32", "pl.test.mystery(i)")},
    {"scalars", "but a tuple has one of its own", LOOP("INDEX", "pl.test.mystery([i])"), NULL,
     LOOP("INT64", "pl.test.mystery([i])")},
    {"scalars", "and so has arithmetic", LOOP("INDEX", "pl.test.mystery(i + i)"), NULL,
     LOOP("INT64", "pl.test.mystery(i + i)")},
    {"scalars", "a constant's own type", K("pl.test.mystery(4)"),
     K("pl.test.mystery(pl.const(4, pl.INT64))"), K("pl.test.mystery(pl.const(4, pl.INT32))")},
};

#define TENSOR(view) OF("pl.Tensor[[4, 8], pl.FP32, pl.TensorView(" view ")]")
#define TILE(more)   T("pl.Tile[[16, 16], pl.FP32, pl.Mem.Vec" more "]")
#define VIEW(view)   TILE(", pl.TileView(" view ")")
#define WINDOWS(first, second)                                                                     \
    "def f():\n"                                                                                   \
    "    with pl._dump.comm_domain(slots=[pl._dump.window_buffer(\"u\", base=\"a\", size=16), "    \
    "pl._dump.window_buffer(\"v\", base=\"b\", size=16)]):\n"                                      \
    "        a = pld.tensor.alloc_window_buffer(16)\n"                                             \
    "        b = pld.tensor.alloc_window_buffer(16)\n"                                             \
    "        x: pld.DistributedTensor[[4], pl.FP32" first "] = pl.m(a)\n"                          \
    "        y: pld.DistributedTensor[[4], pl.FP32" second "] = pl.m(b)\n"
#define REF(label) ", pl._dump.window_ref(\"" label "\")"
static const struct line_row types[] = {
    {"tensor types", "shape", OF("pl.Tensor[[4, 8], pl.FP32]"), NULL,
     OF("pl.Tensor[[8, 4], pl.FP32]")},
    {"tensor types", "rank", OF("pl.Tensor[[4, 8], pl.FP32]"), NULL,
     OF("pl.Tensor[[32], pl.FP32]")},
    {"tensor types", "dtype", OF("pl.Tensor[[4], pl.FP32]"), NULL, OF("pl.Tensor[[4], pl.BF16]")},
    {"tensor types", "kind", OF("pl.Tensor[[4], pl.FP32]"), NULL,
     OF("pld.DistributedTensor[[4], pl.FP32]")},
    {"tensor types", "a view or none", TENSOR("stride=[8, 1], layout=pl.TensorLayout.ND"), NULL,
     OF("pl.Tensor[[4, 8], pl.FP32]")},
    {"tensor types", "a view that says nothing", TENSOR("layout=pl.TensorLayout.ND"),
     OF("pl.Tensor[[4, 8], pl.FP32]"), TENSOR("layout=pl.TensorLayout.DN")},
    {"tensor types", "valid_shape", TENSOR("valid_shape=[4, 8], layout=pl.TensorLayout.ND"),
     OF("pl.Tensor[[4, 8], pl.FP32]"), TENSOR("valid_shape=[4, 7], layout=pl.TensorLayout.ND")},
    {"tensor types", "stride", TENSOR("stride=[16, 1], layout=pl.TensorLayout.ND"),
     TENSOR("layout=pl.TensorLayout.ND, stride=[16, 1]"),
     TENSOR("stride=[32, 1], layout=pl.TensorLayout.ND")},
    {"tensor types", "pad", TENSOR("pad=pl.PadValue.zero"), TENSOR("pad=pl.PadValue.zero"),
     TENSOR("pad=pl.PadValue.min")},
    {"tensor types", "window", WINDOWS(REF("u"), REF("v")), WINDOWS(REF("u"), REF("v")),
     WINDOWS(REF("u"), REF("u"))},
    {"tensor types", "a window or none", WINDOWS(REF("u"), REF("v")), NULL, WINDOWS("", REF("v"))},
    {"MemRef", "of a tensor", OF("pl.Tensor[[4], pl.FP32, pl.MemRef(\"a\", 0, 16)]"),
     OF("pl.Tensor[[4], pl.FP32]"), NULL},
    {"MemRef", "another one", OF("pl.Tensor[[4], pl.FP32, pl.MemRef(\"a\", 0, 16)]"),
     OF("pl.Tensor[[4], pl.FP32, pl.MemRef(\"b\", 32, 16)]"), NULL},
    {"MemRef", "of a tile", T("pl.Tile[[4, 8], pl.FP32, pl.MemRef(\"a\", 0, 16), pl.Mem.Vec]"),
     T("pl.Tile[[4, 8], pl.FP32, pl.Mem.Vec]"), NULL},
    {"tile types", "shape", TILE(""), NULL, T("pl.Tile[[16, 32], pl.FP32, pl.Mem.Vec]")},
    {"tile types", "dtype", TILE(""), NULL, T("pl.Tile[[16, 16], pl.FP16, pl.Mem.Vec]")},
    {"tile types", "memory space", TILE(""), NULL, T("pl.Tile[[16, 16], pl.FP32, pl.Mem.Mat]")},
    {"tile types", "valid_shape", VIEW("valid_shape=[16, 16]"), TILE(""),
     VIEW("valid_shape=[16, 9]")},
    {"tile types", "blayout", VIEW("blayout=pl.TileLayout.row_major"), TILE(""),
     VIEW("blayout=pl.TileLayout.col_major")},
    {"tile types", "slayout", VIEW("slayout=pl.TileLayout.none_box"), TILE(""),
     VIEW("slayout=pl.TileLayout.row_major")},
    {"tile types", "fractal", VIEW("fractal=512"), TILE(""), VIEW("fractal=1024")},
    {"tile types", "pad", VIEW("pad=pl.PadValue.null"), TILE(""), VIEW("pad=pl.PadValue.zero")},
    {"tile types", "compact", VIEW("compact=pl.CompactMode.null"), TILE(""),
     VIEW("compact=pl.CompactMode.normal")},
    {"tile types", "stride", VIEW("stride=[16, 1]"), VIEW("stride=[16, 1]"), TILE("")},
    {"tile types", "start offset", VIEW("start_offset=0"), VIEW("start_offset=0"),
     VIEW("start_offset=8")},
    {"tile types", "a start offset or none", VIEW("start_offset=0"), NULL, TILE("")},
};

#define AT(more)     K("with pl.at(level=pl.Level.CORE_GROUP" more "):\n        pass")
#define LAUNCH(more) K("with pl.spmd(4" more "):\n        pl.test.mystery(n)")
#define SUBMIT(more) "def k(n: pl.Scalar[pl.INDEX]):\n    pass\n" K("t = pl.submit(k, n" more ")")
static const struct line_row statements[] = {
    {"statements", "one by one", K("y = n\n    z = m"), K("a = n\n    b = m"), K("y = n")},
    {"statements", "order", K("pl.test.mystery(n)\n    pl.test.mystery(m)"), NULL,
     K("pl.test.mystery(m)\n    pl.test.mystery(n)")},
    {"statements", "an else branch", K("if n < m:\n        y = n"), NULL,
     K("if n < m:\n        y = n\n    else:\n        pass")},
    {"loops", "kind", K("for i in pl.range(4):\n        pass"), NULL,
     K("for i in pl.parallel(4):\n        pass")},
    {"loops", "attributes", K("for i in pl.range(4, attrs={\"a\": 1}):\n        pass"),
     K("for i in pl.range(0, 4, 1, attrs={\"a\": 1}):\n        pass"),
     K("for i in pl.range(4):\n        pass")},
    {"loops", "stages of a pipeline", K("for i in pl.pipeline(4, stage=2):\n        pass"),
     K("for i in pl.pipeline(0, 4, 1, stage=2):\n        pass"),
     K("for i in pl.pipeline(4, stage=3):\n        pass")},
    {"scopes", "name_hint", AT(", name_hint=\"a\""), AT(", name_hint=\"a\""), AT("")},
    {"scopes", "no hint is an empty one", AT(", name_hint=\"\""), AT(""), AT(", name_hint=\"b\"")},
    {"scopes", "split", AT(", optimizations=[pl.split(pl.SplitMode.UP_DOWN)]"),
     AT(", optimizations=[pl.split(pl.SplitMode.UP_DOWN)]"),
     AT(", optimizations=[pl.split(pl.SplitMode.LEFT_RIGHT)]")},
    {"scopes", "no split is NONE", AT(", optimizations=[pl.split(pl.SplitMode.NONE)]"), AT(""),
     AT(", optimizations=[pl.split(pl.SplitMode.UP_DOWN)]")},
    {"scopes", "but around a launch it makes a scope",
     LAUNCH(", optimizations=[pl.split(pl.SplitMode.NONE)]"),
     LAUNCH(", optimizations=[pl.split(pl.SplitMode.NONE)]"), LAUNCH("")},
    {"scopes", "slots",
     AT(", optimizations=[pl.cross_core_slot(slot_num=4), pl.split(pl.SplitMode.UP_DOWN)]"),
     AT(", optimizations=[pl.split(pl.SplitMode.UP_DOWN, slot_num=4)]"),
     AT(", optimizations=[pl.split(pl.SplitMode.UP_DOWN, slot_num=8)]")},
    {"scopes", "level", AT(""), K("with pl.at(pl.Level.CORE_GROUP):\n        pass"),
     K("with pl.at(level=pl.Level.HOST):\n        pass")},
    {"scopes", "other names of a level", K("with pl.at(level=pl.Level.HOST):\n        pass"),
     K("with pl.at(level=pl.Level.NODE):\n        pass"),
     K("with pl.at(level=pl.Level.CHIP):\n        pass")},
    {"scopes", "role", K("with pl.at(level=pl.Level.HOST, role=pl.Role.SubWorker):\n        pass"),
     K("with pl.at(pl.Level.HOST, pl.Role.SubWorker):\n        pass"),
     K("with pl.at(level=pl.Level.HOST):\n        pass")},
    {"scopes", "early resolution", AT(", allow_early_resolve=False"), AT(""),
     AT(", allow_early_resolve=True")},
    {"scopes", "tasks to wait for", AT(", deps=[]"), AT(""), AT(", deps=[n]")},
    {"scopes", "of blocks", LAUNCH(", sync_start=False"), LAUNCH(""), LAUNCH(", sync_start=True")},
    {"scopes", "number of blocks", LAUNCH(""),
     K("with pl.spmd(core_num=4):\n        pl.test.mystery(n)"),
     K("with pl.spmd(8):\n        pl.test.mystery(n)")},
    {"scopes", "dependencies by hand", K("with pl.manual_scope():\n        pass"),
     K("with pl.scope(mode=pl.ScopeMode.MANUAL):\n        pass"),
     K("with pl.scope():\n        pass")},
    {"scopes", "dependencies by themselves", K("with pl.scope():\n        pass"),
     K("with pl.scope(mode=pl.ScopeMode.AUTO):\n        pass"), NULL},
    {"scopes", "kind", K("with pl.scope():\n        pass"), NULL,
     K("with pl.cluster():\n        pass")},
    {"launches", "what is left out", SUBMIT(", deps=[], allow_early_resolve=False"), SUBMIT(""),
     SUBMIT(", allow_early_resolve=True")},
    {"scopes", "a split or none", AT(", optimizations=[pl.split(pl.SplitMode.UP_DOWN)]"), NULL,
     AT("")},
};

static void compare(const struct line_row *r, const char *text, bool equal)
{
    if (!text)
        return;
    struct arena a = {0};
    const char *name = arena_printf(&a, "%s: %s", r->line, r->name);
    struct ir_program *x = parse_good(&a, name, r->x), *y = parse_good(&a, name, text);
    cr_expect(ir_equal(x, y) == equal && ir_equal(y, x) == equal, "%s: expected %s", name,
              equal ? "equal" : "different");
    cr_expect(!equal || ir_hash(x) == ir_hash(y), "%s: equal programs have equal hashes", name);
    arena_free(&a);
}

#define COMPARE_ALL(table)                                                                         \
    for (size_t i = 0; i < sizeof(table) / sizeof *(table); i++) {                                 \
        compare(&(table)[i], (table)[i].x, true);                                                  \
        compare(&(table)[i], (table)[i].same, true);                                               \
        compare(&(table)[i], (table)[i].other, false);                                             \
    }

Test(equality, lines)
{
    COMPARE_ALL(ignored)
    COMPARE_ALL(functions)
    COMPARE_ALL(decorators)
    COMPARE_ALL(keywords)
    COMPARE_ALL(variables)
    COMPARE_ALL(scalars)
    COMPARE_ALL(types)
    COMPARE_ALL(statements)
}
