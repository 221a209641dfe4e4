/* SPDX-License-Identifier: MIT */
/* Statements, functions, calls and where operators may stand (pypto-facts 1.1-1.3). */
#include "tests/ir/verify_cases.h"

static const struct verify_case statements[] = {
    BAD("nested call", "y = pl.read(x, [0, 64]) + 1.0\n",
        "3:24: tensor.read reaches element 64 of dimension 1, which has 64 elements "
        "[region-bounds]"),
    BAD("condition", "while pl.read(x, [0, 64]) > 1.0:\n    pass\n",
        "3:26: tensor.read reaches element 64 of dimension 1, which has 64 elements "
        "[region-bounds]"),
    BAD("the first error in the text", "if b:\n    pl.system.fence(1)\npl.system.fence(2)\n",
        "4:9: system.fence expects 0 arguments, found 1 [op-arity]"),
    NEAR("break", "loop-exit", "while b:\n    break\n"),
    BAD("break outside", "if b:\n    break\n", "4:9: break outside a loop [loop-exit]"),
    BAD("continue outside", "continue\n", "3:5: continue outside a loop [loop-exit]"),
    NEAR("tuple element", "tuple-index", "y = (i, n)\nz = y[1]\n"),
    BAD("no such tuple element", "y = (i, n)\nz = y[2]\n",
        "4:9: index 2 is outside a tuple of 2 [tuple-index]"),

    BAD("rank as a wide integer", "r: pl.Scalar[pl.INT64] = pld.system.rank(ctx)\n",
        "3:8: 'r' is declared as pl.Scalar[pl.INT64], but pld.system.rank returns "
        "pl.Scalar[pl.INT32] [result-type]"),
    NEAR("rank", "result-type", "r: pl.Scalar[pl.INT32] = pld.system.rank(ctx)\n"),
    BAD("load into a tensor",
        "t: pl.Tensor[[1, 64], pl.FP32] = pl.tile.load(x, [0, 0], [1, 64], [1, 64])\n",
        "3:8: 't' is declared as pl.Tensor[[1, 64], pl.FP32], but tile.load returns pl.Tile[[1, "
        "64], pl.FP32] [result-type]"),
    BAD("load of another element type",
        "t: pl.Tile[[1, 64], pl.FP16] = pl.tile.load(x, [0, 0], [1, 64], [1, 64])\n",
        "3:8: 't' is declared as pl.Tile[[1, 64], pl.FP16], but tile.load returns pl.Tile[[1, 64], "
        "pl.FP32] [result-type]"),
    BAD("load of another extent", "t: pl.Tile[[1, 32], pl.FP32] = pl.load(x, [0, 0], [1, 64])\n",
        "3:8: 't' is declared as pl.Tile[[1, 32], pl.FP32], but tile.load returns pl.Tile[[1, 64], "
        "pl.FP32] [result-type]"),
    BAD("load of another rank", "t: pl.Tile[[64], pl.FP32] = pl.load(x, [0, 0], [1, 64])\n",
        "3:8: 't' is declared as pl.Tile[[64], pl.FP32], but tile.load returns pl.Tile[[1, 64], "
        "pl.FP32] [result-type]"),
    BAD("remote load of another extent",
        "t: pl.Tile[[2, 64], pl.FP32] = pld.remote_load(win, 1, [0, 0], [1, 64])\n",
        "3:8: 't' is declared as pl.Tile[[2, 64], pl.FP32], but pld.tile.remote_load returns "
        "pl.Tile[[1, 64], pl.FP32] [result-type]"),
    BAD("sum of another extent",
        "t = pl.load(x, [0, 0], [1, 64])\ns: pl.Tile[[1, 8], pl.FP32] = pl.add(t, t)\n",
        "4:8: 's' is declared as pl.Tile[[1, 8], pl.FP32], but tile.add returns pl.Tile[[1, 64], "
        "pl.FP32] [result-type]"),
    BAD("store into another extent",
        "t = pl.load(x, [0, 0], [1, 64])\n"
        "o: pl.Tensor[[4, 32], pl.FP32] = pl.store(t, [0, 0], out)\n",
        "4:8: 'o' is declared as pl.Tensor[[4, 32], pl.FP32], but tile.store returns "
        "pl.Tensor[[4, 64], pl.FP32] [result-type]"),
    BAD("view of another rank", "v: pl.Tensor[[4], pl.FP32] = pl.tensor.view(x, [256])\n",
        "3:8: 'v' is declared as pl.Tensor[[4], pl.FP32], but tensor.view returns pl.Tensor[[256], "
        "pl.FP32, pl.TensorView(stride=[1], layout=pl.TensorLayout.ND)] [result-type]"),
    BAD("recorded result",
        "v: pl.Tensor[[4], pl.FP32] = pl._dump.call('tensor.view', [x, (256,)], "
        "pl.Tensor[[8], pl.FP32])\n",
        "3:8: 'v' is declared as pl.Tensor[[4], pl.FP32], but tensor.view returns pl.Tensor[[8], "
        "pl.FP32] [result-type]"),
    NEAR("recorded result that differs from what would be inferred", "result-type",
         "v: pl.Tensor[[8], pl.FP32] = pl._dump.call('tensor.view', [x, (256,)], "
         "pl.Tensor[[8], pl.FP32])\n"),
    NEAR("extents that are no numbers", "result-type",
         "t: pl.Tile[[1, n], pl.FP32] = pl.load(x, [0, 0], [1, 64])\n"
         "u: pl.Tile[[1, 64], pl.FP32] = pl.load(x, [0, 0], [1, i])\n"
         "v: pl.Tile[[m, 64], pl.FP32] = pl.load(x, [0, 0], [i, 64])\n"),
    NEAR("part that is valid", "result-type",
         "t: pl.Tile[[1, 64], pl.FP32, pl.Mem.Vec, pl.TileView(valid_shape=[1, 8])] = "
         "pl.load(x, [0, 0], [1, 64], [1, 8])\n"),
    NEAR("slice without one of its dimensions", "result-type",
         "t = pl.load(x, [0, 0], [4, 64])\n"
         "s: pl.Tile[[1, 64], pl.FP32] = pl.tile.slice(t, [1, 64], [2, 0], [], [0])\n"),
    NEAR("flattened load", "result-type",
         "c: pl.Tensor[[4, 2, 32], pl.FP32] = pl.tensor.reshape(x, [4, 2, 32])\n"
         "t: pl.Tile[[8, 32], pl.FP32] = pl.tile.load(c, [0, 0, 0], [4, 2, 32], [4, 2, 32])\n"
         "u: pl.Tile[[8, 32], pl.FP32] = pl.tile.load(c, [0, 0, 0], [n, 2, 32], [n, 2, 32])\n"),
    BAD("flattened load of another size",
        "c = pl.tensor.reshape(x, [4, 2, 32])\n"
        "t: pl.Tile[[4, 32], pl.FP32] = pl.tile.load(c, [0, 0, 0], [4, 2, 32], [4, 2, 32])\n",
        "4:8: 't' is declared as pl.Tile[[4, 32], pl.FP32], but tile.load returns pl.Tile[[4, 2, "
        "32], pl.FP32] [result-type]"),
    BAD("load flattened the other way",
        "c = pl.tensor.reshape(x, [4, 2, 32])\n"
        "t: pl.Tile[[4, 64], pl.FP32] = pl.tile.load(c, [0, 0, 0], [4, 2, 32], [4, 2, 32])\n",
        "4:8: 't' is declared as pl.Tile[[4, 64], pl.FP32], but tile.load returns pl.Tile[[4, 2, "
        "32], pl.FP32] [result-type]"),
    BAD("value of a wait", "y: pl.Scalar[pl.INT32] = pld.system.wait(sig, [0, 0], 1, cmp=1)\n",
        "3:8: 'y' is declared as pl.Scalar[pl.INT32], but pld.system.wait returns pl.UnknownType "
        "[result-type]"),
    NEAR("no value of a wait", "result-type",
         "y: pl.UnknownType = pld.system.wait(sig, [0, 0], 1, cmp=1)\n"),
    BAD("store into a window as a tensor",
        "t = pl.load(x, [0, 0], [1, 64])\nw: pl.Tensor[[4, 64], pl.FP32] = pl.store(t, [0, 0], "
        "win)\n",
        "4:8: 'w' is declared as pl.Tensor[[4, 64], pl.FP32], but tile.store returns "
        "pld.DistributedTensor[[4, 64], pl.FP32] [result-type]"),
    BAD("real bound", "for j in pl.range(f):\n    pass\n",
        "3:23: the stop of a loop must be an integer scalar, found pl.Scalar[pl.FP32] "
        "[loop-bound]"),
    BAD("tuple as a start", "for j in pl.range((1, 2), 4):\n    pass\n",
        "3:23: the start of a loop must be an integer scalar, found a tuple [loop-bound]"),
    NEAR("integer bound", "loop-bound", "for j in pl.range(n):\n    pass\n"),
    BAD("step of 0", "for j in pl.range(0, 4, 0):\n    pass\n",
        "3:29: the step of a loop cannot be 0 [loop-step]"),
    NEAR("step of -1", "loop-step", "for j in pl.range(4, 0, -1):\n    pass\n"),
    BAD("tensor as a condition", "if x:\n    pass\n",
        "3:8: the condition of an if must be a truth value, found pl.Tensor[[4, 64], "
        "pl.FP32] "
        "[condition]"),
    BAD("string as a condition", "while 'go':\n    pass\n",
        "3:11: the condition of a while must be a truth value, found a string [condition]"),
    BAD("integer as a condition", "if n:\n    pass\n",
        "3:8: the condition of an if must be a truth value, found pl.Scalar[pl.INT32] [condition]"),
    NEAR("comparison as a condition", "condition", "if n > 0:\n    pass\n"),
    BAD("annotated with an empty shape", "y: pl.Tensor[[0], pl.FP32] = pl.test.mystery()\n",
        "3:19: dimension 0 of 'y' is 0, expected at least 1 [dimension]"),
    BAD("inferred dimension", "y = pl.tensor.create([0, 4], dtype=pl.FP32)\n",
        "3:27: dimension 0 of 'y' is 0, expected at least 1 [dimension]"),
    NEAR("annotated with a dynamic shape", "dimension",
         "y: pl.Tensor[[1, i], pl.FP32] = pl.test.mystery()\n"),
};

/* ---- what only a pass can build ---- */

#define CARRIED  "for j, (acc,) in pl.range(4, init_values=(n,)):\n    res = pl.yield_(acc)\n"
#define BRANCHES "if b:\n    y = pl.yield_(n)\nelse:\n    y = pl.yield_(1)\n"

static struct ir_stmt *first(const struct ir_program *p)
{
    return p->funcs.items[0]->body.items[0];
}

static void drop_inits(struct ir_program *p)
{
    first(p)->for_.inits.len = 0;
}

static void drop_results(struct ir_program *p)
{
    first(p)->for_.results.len = 0;
}

static void drop_yield(struct ir_program *p)
{
    first(p)->for_.body.len = 0;
}

static void drop_else(struct ir_program *p)
{
    first(p)->if_.else_body.len = 0;
}

static void move_yield(struct ir_program *p)
{
    p->funcs.items[0]->body.items[0] = first(p)->if_.then_body.items[0];
}

static const struct verify_case changed[] = {

    {"loop without initial values", CARRIED,
     "3:5: the loop has 1 iteration variables, but 0 initial values [carried-count]", NULL,
     drop_inits},
    {"loop without results", CARRIED,
     "3:5: the loop has 1 iteration variables, but 0 results [carried-count]", NULL, drop_results},
    {"loop that yields nothing", CARRIED,
     "3:5: the loop has 1 iteration variables, but 0 yielded values [carried-count]", NULL,
     drop_yield},
    NEAR("loop of one value", "carried-count", CARRIED),
    {"branch that yields nothing", BRANCHES,
     "3:5: the statement has 1 results, but its second branch yields 0 values [branch-yields]",
     NULL, drop_else},
    NEAR("branches of one value", "branch-yields", BRANCHES),
    {"yield outside its branch", BRANCHES,
     "4:13: pl.yield_ stands at the end of a loop body or a branch only [yield-place]", NULL,
     move_yield},
    NEAR("yield in a scope that ends its branch", "branch-yields",
         "if b:\n    with pl.scope(mode=pl.ScopeMode.MANUAL):\n        y = pl.yield_(n)\n"
         "else:\n    y = pl.yield_(1)\n"),
    NEAR("yield in its branch", "yield-place", BRANCHES),
};

/* ---- whole texts ---- */

#define WINDOW "    b = pld.alloc_window_buffer(64)\n    w = pld.window(b, [16], dtype=pl.FP32)\n"
#define KERNEL                                                                                     \
    "class P:\n    @pl.function(type=pl.FunctionType.InCore)\n"                                    \
    "    def k(self, w: pl.InOut[pld.DistributedTensor[[4], pl.FP32]], "                           \
    "t: pl.Tensor[[4], pl.FP32], n: pl.Scalar[pl.INT32]):\n        pass\n"                         \
    "    def main(self, w: pl.InOut[pld.DistributedTensor[[4], pl.FP32]], "                        \
    "t: pl.Tensor[[4], pl.FP32], h: pl.Tensor[[4], pl.FP16]):\n"

#define LAUNCH                                                                                     \
    "class P:\n    @pl.function(type=pl.FunctionType.InCore)\n"                                    \
    "    def f(self, x: pl.Tensor[[4], pl.FP32], y: pl.Out[pl.Tensor[[4], pl.FP32]], "             \
    "z: pl.Out[pl.Tensor[[4], pl.FP32]], n: pl.Scalar[pl.INT32]):\n        pass\n"                 \
    "    def main(self, x: pl.Tensor[[4], pl.FP32], n: pl.Scalar[pl.INT32]):\n"

#define RETURNS(decorator)                                                                         \
    "class P:\n    @" decorator "\n"                                                               \
    "    def k(self, t: pl.Tensor[[4], pl.FP32], n: pl.Scalar[pl.INT32]) -> "                      \
    "pl.Tensor[[4], pl.FP32]:\n        return t\n"                                                 \
    "    def main(self, t: pl.Tensor[[4], pl.FP32], n: pl.Scalar[pl.INT32]):\n"

/* A call that says twice what N is. */
#define EXTENTS(a, b, result, body)                                                                \
    "N = pl.dynamic(\"N\")\nclass P:\n    @pl.function(type=pl.FunctionType.InCore)\n"             \
    "    def k(self, a: pl.Tensor[[N], pl.FP32], b: pl.Tensor[[N], pl.FP32])" result ":\n"         \
    "        " body "\n    def main(self, a: pl.Tensor[[" a "], pl.FP32], b: pl.Tensor[[" b        \
    "], pl.FP32]):\n        self.k(a, b)\n"
#define ONE_OF_N " -> pl.Tensor[[N], pl.FP32]"

static const struct verify_case programs[] = {
    BAD("host operators",
        HOST "    n = pld.world_size()\n    b = pld.alloc_window_buffer(n * 4)\n"
             "    w = pld.window(b, [n], dtype=pl.INT32)\n    pld.tensor.allreduce(w, op=0)\n",
        "6:26: argument 'target' of pld.tensor.allreduce must hold pl.FP16 or pl.FP32, found "
        "pl.INT32 "
        "[argument-dtype]"),
    NEAR("host allreduce needs no signal", "op-arity",
         HOST "    b = pld.alloc_window_buffer(64)\n    w = pld.window(b, [16], dtype=pl.FP32)\n"
              "    pld.tensor.allreduce(w, op=0)\n"),
    BAD("host operator on a core", INCORE "    n = pld.world_size()\n",
        "3:9: pld.system.world_size is for functions of level=pl.Level.HOST, not for the InCore "
        "function 'k' [op-placement]"),
    BAD("allocation on a core", INCORE "    n = pld.tensor.alloc_window_buffer(64)\n",
        "3:9: pld.tensor.alloc_window_buffer is for functions of level=pl.Level.HOST, not for the "
        "InCore function 'k' [op-placement]"),
    BAD("allocation on a chip",
        "@pl.function(type=pl.FunctionType.Orchestration)\ndef chip():\n"
        "    n = pld.alloc_window_buffer(64)\n",
        "3:9: pld.tensor.alloc_window_buffer is for functions of level=pl.Level.HOST, not for the "
        "Orchestration function 'chip' [op-placement]"),
    BAD("window of no pointer", HOST "    w = pld.window(4, [4], dtype=pl.FP32)\n",
        "3:20: argument 'buf' of pld.tensor.window must be a Ptr, found pl.Scalar[pl.INDEX] "
        "[argument-kind]"),
    BAD("window without an element type",
        HOST "    b = pld.alloc_window_buffer(64)\n    w = pld.window(b, [4])\n",
        "4:9: pld.tensor.window needs the keyword 'dtype' [keyword-required]"),
    BAD("window of no shape",
        HOST "    b = pld.alloc_window_buffer(64)\n    w = pld.window(b, 4, dtype=pl.FP32)\n",
        "4:23: argument 'shape' of pld.tensor.window must be a tuple of integers such as [0, 0], "
        "found pl.Scalar[pl.INDEX] [argument-tuple]"),
    BAD("empty window",
        HOST "    b = pld.alloc_window_buffer(64)\n    w = pld.window(b, [], dtype=pl.FP32)\n",
        "4:23: the shape of pld.tensor.window is empty [empty-shape]"),
    NEAR("allocation of a shape", "alloc-shape",
         HOST "    b = pld.alloc_window_buffer([4, 4], dtype=pl.FP32)\n"),
    BAD("allocation of a shape without an element type",
        HOST "    b = pld.alloc_window_buffer([4, 4])\n",
        "3:33: pld.tensor.alloc_window_buffer of a shape needs dtype= [alloc-shape]"),
    BAD("allocation of a size with an element type",
        HOST "    b = pld.alloc_window_buffer(4, dtype=pl.FP32)\n",
        "3:42: pld.tensor.alloc_window_buffer of a size in bytes takes no dtype= [alloc-bytes]"),
    BAD("allocation of nothing", HOST "    b = pld.alloc_window_buffer(0)\n",
        "3:33: window size 0 must be positive [alloc-size]"),
    NEAR("calls", "call-function",
         "class P:\n    def k(self, a: pl.Scalar[pl.INT32]):\n        pass\n"
         "    def main(self):\n        self.k(1)\n"),
    BAD("unknown function",
        "class P:\n    def kern(self):\n        pass\n    def main(self):\n        self.kernn()\n",
        "5:9: no function 'kernn' in this program; did you mean 'kern'? [call-function]"),
    BAD("too many arguments",
        "class P:\n    def k(self):\n        pass\n    def main(self):\n        self.k(1)\n",
        "5:9: 'k' has 0 parameters, found 1 arguments [call-arity]"),
    NEAR("level and role as the type implies", "function-level",
         "@pl.function(type=pl.FunctionType.Graph, level=pl.Level.UMA, "
         "role=pl.Role.Orchestrator)\ndef k():\n    pass\n"),
    NEAR("an Opaque function of any level", "function-level",
         "@pl.function(level=pl.Level.HOST, role=pl.Role.SubWorker)\ndef k():\n    pass\n"),
    BAD("an orchestrator of another level",
        "@pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.HOST)\ndef k():\n"
        "    pass\n",
        "1:56: type Orchestration of 'k' implies level=pl.Level.CHIP, found pl.Level.HOST "
        "[function-level]"),
    BAD("a kernel of another role",
        "@pl.function(type=pl.FunctionType.AIV, role=pl.Role.Orchestrator)\ndef k():\n    pass\n",
        "1:45: type AIV of 'k' implies role=pl.Role.SubWorker, found pl.Role.Orchestrator "
        "[function-level]"),
    BAD("scalar output", "def k(a: pl.InOut[pl.Scalar[pl.INT32]]):\n    pass\n",
        "1:7: scalar parameter 'a' cannot be InOut [scalar-output]"),
    BAD("empty dimension", "def k(a: pl.Tensor[[4, 0], pl.FP32]):\n    pass\n",
        "1:24: dimension 1 of 'a' is 0, expected at least 1 [dimension]"),
    BAD("a dimension of half a word", "def k(a: pl.Tensor[[4, 6.5], pl.FP32]):\n    pass\n",
        "1:24: dimension 1 of 'a' is no integer, expected at least 1 [dimension]"),
    BAD("bounds through constants",
        "N = 8\ndef k(a: pl.Tensor[[N], pl.FP32]):\n    y = pl.read(a, [N])\n",
        "3:21: tensor.read reaches element 8 of dimension 0, which has 8 elements [region-bounds]"),

    BAD("operands of a product",
        "def k(a: pl.Tile[[16, 16], pl.FP16], b: pl.Tile[[16, 16], pl.FP32]):\n    c = "
        "pl.matmul(a, b)\n",
        "2:19: argument 'lhs' of tile.matmul holds pl.FP16, but 'rhs' holds pl.FP32 [same-dtype]"),
    BAD("scratch of a reduction",
        "def k(a: pl.Tile[[16, 16], pl.FP32], t: pl.Tile[[16, 16], pl.FP16]):\n    c = "
        "pl.row_max(a, t)\n",
        "2:20: argument 'tile' of tile.row_max holds pl.FP32, but 'tmp_tile' holds pl.FP16 "
        "[same-dtype]"),
    NEAR("a sum that widens what it adds to", "same-dtype",
         "def k(c: pl.Tile[[16, 16], pl.FP32, pl.Mem.Acc], a: pl.Tile[[16, 16], pl.FP16]):\n    d "
         "= pl.matmul_acc(c, a, a)\n"),

    NEAR("integer constant as a dimension", "dimension",
         "N = 1\ndef k(a: pl.Tensor[[N, 4], pl.FP32]):\n    pass\n"),
    NEAR("scalar that is only written", "scalar-output",
         "def k(a: pl.Out[pl.Scalar[pl.INT32]]):\n    pass\n"),
    BAD("a tuple as a parameter", "def k(a: pl.Tuple[pl.Scalar[pl.INT32]]):\n    pass\n",
        "1:7: parameter 'a' is a tuple, whose values must be parameters each [tuple-parameter]"),
    NEAR("a tuple as the result", "tuple-parameter",
         "def k(a: pl.Scalar[pl.INT32]) -> pl.Tuple[pl.Scalar[pl.INT32]]:\n    return (a,)\n"),
    BAD("an operator that text does not know",
        "def k(a: pl.Tile[[16, 16], pl.FP32]):\n    pl.frobnicate(a)\n",
        "2:5: unknown operator 'pl.frobnicate' [unknown-operator]"),
    BAD("an operator of no category",
        "def k(a: pl.Tile[[16, 16], pl.FP32]):\n    pl.adir.input(a)\n",
        "2:5: unknown operator 'pl.adir.input' [unknown-operator]"),
    NEAR("an operator as a newer compiler prints it", "unknown-operator",
         "def k(a: pl.Tile[[16, 16], pl.FP32]):\n    pl.tile.frobnicate(a)\n"),
    NEAR("tensor output", "scalar-output",
         "def k(a: pl.InOut[pl.Tensor[[4], pl.INT32]]):\n    pass\n"),
    BAD("one value of two",
        "def k(a: pl.Scalar[pl.INT32]) -> tuple[pl.Scalar[pl.INT32], pl.Scalar[pl.INT32]]:\n    "
        "return a\n",
        "2:5: 'k' returns 2 values, found 1 [return-count]"),
    BAD("two values of one",
        "def k(a: pl.Scalar[pl.INT32]) -> pl.Scalar[pl.INT32]:\n    return a, a\n",
        "2:5: 'k' returns 1 values, found 2 [return-count]"),
    NEAR("two values of two", "return-count",
         "def k(a: pl.Scalar[pl.INT32]) -> tuple[pl.Scalar[pl.INT32], pl.Scalar[pl.INT32]]:\n    "
         "return a, a\n"),
    NEAR("bare return", "return-count",
         "def k(a: pl.Scalar[pl.INT32]) -> pl.Scalar[pl.INT32]:\n    return\n"),
    NEAR("two values as a tuple", "return-count",
         "def k(a: pl.Scalar[pl.INT32]) -> tuple[pl.Scalar[pl.INT32], pl.Scalar[pl.INT32]]:\n    t "
         "= (a, a)\n    return t\n"),
};

static const struct verify_case placement[] = {

    BAD("world size of something", HOST "    n = pld.world_size(4)\n",
        "3:9: pld.system.world_size expects 0 arguments, found 1 [op-arity]"),
    BAD("world size by keyword", HOST "    n = pld.world_size(group=4)\n",
        "3:24: pld.system.world_size has no keyword 'group' [keyword-unknown]"),
    NEAR("world size on the host", "op-placement", HOST "    n = pld.world_size()\n"),
    BAD("world size in an opaque function", "def k():\n    n = pld.world_size()\n",
        "2:9: pld.system.world_size is for functions of level=pl.Level.HOST, not for the Opaque "
        "function 'k' [op-placement]"),
    BAD("allocation in an SPMD scope",
        HOST "    with pl.spmd(4):\n        b = pld.alloc_window_buffer(64)\n",
        "4:13: pld.tensor.alloc_window_buffer is for functions of level=pl.Level.HOST, not for the "
        "body of pl.spmd() [op-placement]"),
    NEAR("world size behind a core scope", "op-placement",
         HOST "    with pl.at(level=pl.Level.CORE_GROUP):\n        pl.system.fence()\n    n = "
              "pld.world_size()\n"),
    BAD("world size in a group of cores",
        HOST "    with pl.at(level=pl.Level.CORE_GROUP):\n        n = pld.world_size()\n",
        "4:13: pld.system.world_size is for functions of level=pl.Level.HOST, not for the body of "
        "pl.at() [op-placement]"),
    NEAR("world size at another level", "op-placement",
         HOST "    with pl.at(level=pl.Level.HOST):\n        n = pld.world_size()\n"),
    NEAR("rank on the host", "op-placement",
         HOST WINDOW "    c = pld.get_comm_ctx(w)\n    r = pld.rank(c)\n"),
    NEAR("context on the host", "op-placement", HOST WINDOW "    c = pld.get_comm_ctx(w)\n"),
    NEAR("number of ranks on a chip", "op-placement", CHIP "    r = pld.nranks(c)\n"),
    NEAR("rank in a core scope of a chip", "op-placement",
         CHIP "    with pl.at(level=pl.Level.CORE_GROUP):\n        r = pld.rank(c)\n"),
    BAD("fence on the host", HOST "    pl.system.fence()\n",
        "3:5: system.fence is for functions of a device, not for the HOST function 'main' "
        "[op-placement]"),
    NEAR("fence on a chip", "op-placement", CHIP "    pl.system.fence()\n"),
};

static const struct verify_case allocation[] = {

    BAD("window of another extent",
        HOST
        "    b = pld.alloc_window_buffer(64)\n"
        "    w: pld.DistributedTensor[[4, 8], pl.FP32] = pld.window(b, [4, 4], dtype=pl.FP32)\n",
        "4:8: 'w' is declared as pld.DistributedTensor[[4, 8], pl.FP32], but pld.tensor.window "
        "returns pld.DistributedTensor[[4, 4], pl.FP32] [result-type]"),
    BAD("window of another rank",
        HOST "    b = pld.alloc_window_buffer(64)\n"
             "    w: pld.DistributedTensor[[16], pl.FP32] = pld.window(b, [4, 4], dtype=pl.FP32)\n",
        "4:8: 'w' is declared as pld.DistributedTensor[[16], pl.FP32], but pld.tensor.window "
        "returns pld.DistributedTensor[[4, 4], pl.FP32] [result-type]"),
    NEAR("window whose extent is a variable", "result-type",
         HOST "    n = pld.world_size()\n    b = pld.alloc_window_buffer(n * 16)\n"
              "    w: pld.DistributedTensor[[4, 4], pl.FP32] = pld.window(b, [n, 4], "
              "dtype=pl.FP32)\n"),

    BAD("explicit name", HOST "    b = pld.alloc_window_buffer(64, name='x')\n",
        "3:37: pld.tensor.alloc_window_buffer takes its name from the variable it is assigned to; "
        "drop name= [alloc-explicit-name]"),
    NEAR("recorded name", "alloc-explicit-name",
         HOST "    b = pl._dump.alloc_window_buffer(64, name='x')\n"),
    BAD("empty name", HOST "    b = pl._dump.alloc_window_buffer(64, name='')\n",
        "3:47: the name of a window buffer is empty [alloc-name]"),
    NEAR("name of one letter", "alloc-name",
         HOST "    b = pl._dump.alloc_window_buffer(64, name='x')\n"),
    BAD("shape of strings", HOST "    b = pld.alloc_window_buffer(['x'], dtype=pl.FP32)\n",
        "3:34: argument 'size' of pld.tensor.alloc_window_buffer must hold integers, found a "
        "string [tuple-integers]"),
    BAD("empty shape", HOST "    b = pld.alloc_window_buffer([], dtype=pl.FP32)\n",
        "3:33: the shape of pld.tensor.alloc_window_buffer is empty [empty-shape]"),
    NEAR("shape of one dimension", "empty-shape",
         HOST "    b = pld.alloc_window_buffer([4], dtype=pl.FP32)\n"),
    BAD("empty dimension of an allocation",
        HOST "    b = pld.alloc_window_buffer([4, 0], dtype=pl.FP32)\n",
        "3:37: extent 0 of pld.tensor.alloc_window_buffer must be positive [region-extent]"),
    BAD("empty dimension of a window",
        HOST "    b = pld.alloc_window_buffer(64)\n    w = pld.window(b, [-1], dtype=pl.FP32)\n",
        "4:24: extent -1 of pld.tensor.window must be positive [region-extent]"),
    NEAR("size without an element type", "alloc-bytes",
         HOST "    b = pld.alloc_window_buffer(64)\n"),
    NEAR("size of one byte", "alloc-size", HOST "    b = pld.alloc_window_buffer(1)\n"),
    BAD("real size", HOST "    b = pld.alloc_window_buffer(4.5)\n",
        "3:33: argument 'size' of pld.tensor.alloc_window_buffer must be an integer scalar or a "
        "shape, found pl.Scalar[pl.FP32] [argument-kind]"),
    BAD("allocation for its effect", HOST "    pld.alloc_window_buffer(64)\n",
        "3:5: pld.tensor.alloc_window_buffer must be all that is assigned to one variable: x = "
        "pld.tensor.alloc_window_buffer(...) [alloc-assignment]"),
    BAD("nested allocation",
        HOST "    w = pld.window(pld.alloc_window_buffer(64), [16], dtype=pl.FP32)\n",
        "3:20: pld.tensor.alloc_window_buffer must be all that is assigned to one variable: x = "
        "pld.tensor.alloc_window_buffer(...) [alloc-assignment]"),
    BAD("allocation of two variables", HOST "    a, b = pld.alloc_window_buffer(64)\n",
        "3:12: pld.tensor.alloc_window_buffer must be all that is assigned to one variable: x = "
        "pld.tensor.alloc_window_buffer(...) [alloc-assignment]"),
    NEAR("annotated allocation", "alloc-assignment",
         HOST "    b: pl.Ptr = pld.tensor.alloc_window_buffer(pl.const(64, pl.INT64))\n"),
    BAD("two allocations of one name",
        HOST "    b = pld.alloc_window_buffer(64)\n    b = pld.alloc_window_buffer(64)\n",
        "4:5: window buffer 'b' is already declared in line 3 [alloc-duplicate]"),
    BAD("one name in two functions",
        HOST "    b = pld.alloc_window_buffer(64)\n@pl.function(level=pl.Level.HOST)\ndef "
             "other():\n    b = pld.alloc_window_buffer(64)\n",
        "6:5: window buffer 'b' is already declared in line 3 [alloc-duplicate]"),
    BAD("recorded name of another allocation",
        HOST
        "    b = pld.alloc_window_buffer(64)\n    c = pl._dump.alloc_window_buffer(64, name='b')\n",
        "4:5: window buffer 'b' is already declared in line 3 [alloc-duplicate]"),
    NEAR("two allocations of two names", "alloc-duplicate",
         HOST "    b = pld.alloc_window_buffer(64)\n    c = pld.alloc_window_buffer(64)\n"),
    NEAR("host allreduce on two cores", "keyword-range",
         HOST WINDOW "    pld.tensor.allreduce(w, op=0, core_num=2)\n"),
};

static const struct verify_case calls[] = {

    NEAR("a window is a tensor", "call-argument", KERNEL "        self.k(w, w, 1)\n"),
    BAD("a tensor is no window", KERNEL "        self.k(t, t, 1)\n",
        "6:16: parameter 'w' of 'k' is pld.DistributedTensor[[4], pl.FP32], found pl.Tensor[[4], "
        "pl.FP32] [call-argument]"),
    BAD("argument of another element type", KERNEL "        self.k(w, h, 1)\n",
        "6:19: parameter 't' of 'k' is pl.Tensor[[4], pl.FP32], found pl.Tensor[[4], pl.FP16] "
        "[call-argument]"),
    BAD("scalar for a tensor", KERNEL "        self.k(w, 1, 1)\n",
        "6:19: parameter 't' of 'k' is pl.Tensor[[4], pl.FP32], found pl.Scalar[pl.INDEX] "
        "[call-argument]"),
    BAD("tuple for a scalar", KERNEL "        self.k(w, t, (1, 2))\n",
        "6:22: parameter 'n' of 'k' is pl.Scalar[pl.INT32], found a tuple [call-argument]"),
    BAD("string for a tensor", KERNEL "        self.k(w, 't', 1)\n",
        "6:19: parameter 't' of 'k' is pl.Tensor[[4], pl.FP32], found a string [call-argument]"),
    BAD("too few arguments", KERNEL "        self.k(w, t)\n",
        "6:9: 'k' has 3 parameters, found 2 arguments [call-arity]"),
    NEAR("a launch that leaves out what the runtime allocates", "call-arity",
         LAUNCH "        r = pl.submit(self.f, x, n)\n"),
    NEAR("a launch that leaves out the last of them", "call-arity",
         LAUNCH "        r = pl.submit(self.f, x, x, n)\n"),
    BAD("a call that leaves them out", LAUNCH "        self.f(x, n)\n",
        "6:9: 'f' has 4 parameters, found 2 arguments [call-arity]"),
    BAD("a launch that leaves out an input", LAUNCH "        r = pl.submit(self.f, x)\n",
        "6:13: 'f' has 4 parameters, found 1 arguments [call-arity]"),
    BAD("the arguments that are left go to the inputs",
        LAUNCH "        r = pl.submit(self.f, n, x)\n",
        "6:31: parameter 'x' of 'f' is pl.Tensor[[4], pl.FP32], found pl.Scalar[pl.INT32] "
        "[call-argument]"),
    NEAR("arguments by keyword", "call-arity", KERNEL "        self.k(w, n=1, t=t)\n"),
    BAD("one extent of two lengths", EXTENTS("8", "16", ONE_OF_N, "return a"),
        "7:9: extent 'N' of 'k' would be 8 by argument 'a' and 16 by argument 'b' [call-extent]"),
    NEAR("one extent of one length", "call-extent", EXTENTS("8", "8", ONE_OF_N, "return a")),
    NEAR("extents of a function that gives nothing back", "call-extent",
         EXTENTS("8", "16", "", "pass")),
    BAD("device of a kernel", KERNEL "        self.k(w, t, 1, device=0)\n",
        "6:32: 'device' is for calls of orchestrators; 'k' is an InCore function [call-device]"),
    BAD("device attribute of a kernel", KERNEL "        self.k(w, t, 1, attrs={\"device\": 0})\n",
        "6:42: 'device' is for calls of orchestrators; 'k' is an InCore function [call-device]"),
    BAD("device of an opaque function",
        "class P:\n    def k(self):\n        pass\n    def main(self):\n        self.k(device=0)\n",
        "5:23: 'device' is for calls of orchestrators; 'k' is an Opaque function [call-device]"),
    NEAR("device of an orchestration", "call-device",
         "class P:\n    @pl.function(type=pl.FunctionType.Orchestration)\n    def k(self):\n       "
         " pass\n    def main(self):\n        self.k(device=0)\n"),
    NEAR("device of an orchestrator", "call-device",
         "class P:\n    @pl.function(level=pl.Level.CHIP, role=pl.Role.Orchestrator)\n    def "
         "k(self):\n        pass\n    def main(self, r: pl.Scalar[pl.INDEX]):\n        "
         "self.k(device=r + 1)\n"),
    BAD("result of another extent",
        RETURNS("pl.function") "        y: pl.Tensor[[8], "
                               "pl.FP32] = self.k(t, n)\n",
        "6:12: 'y' is declared as pl.Tensor[[8], pl.FP32], but k returns pl.Tensor[[4], pl.FP32] "
        "[result-type]"),
    BAD("one of two results",
        RETURNS("pl.function") "        y: pl.Tuple[pl.Tensor[[8], pl.FP32], "
                               "pl.Scalar[pl.TASK_ID]] = pl.submit(self.k, t, n)\n",
        "6:12: 'y' is declared as pl.Tuple[pl.Tensor[[8], pl.FP32], pl.Scalar[pl.TASK_ID]], but k "
        "returns pl.Tuple[pl.Tensor[[4], pl.FP32], pl.Scalar[pl.TASK_ID]] [result-type]"),
    NEAR("result of the declared extent", "result-type",
         RETURNS("pl.function") "        y: pl.Tensor[[4], pl.FP32] = self.k(t, n)\n"),
    NEAR("result of a jit function, which is not what is written", "result-type",
         RETURNS("pl.jit.incore") "        y: pl.Tensor[[8], pl.FP32] = self.k(t, n)\n"),
    BAD("dependence on a number", KERNEL "        pl.submit(self.k, w, t, 1, deps=1)\n",
        "6:41: deps of pl.submit must be a list of task ids, found pl.Scalar[pl.INDEX] "
        "[submit-deps]"),
    BAD("dependence on a tensor",
        KERNEL "        pl.spmd_submit(self.k, w, t, 1, deps=[t], core_num=4)\n",
        "6:47: deps of pl.spmd_submit must be a list of task ids, found pl.Tensor[[4], pl.FP32] "
        "[submit-deps]"),
    NEAR("dependence on a task", "submit-deps",
         KERNEL "        r, tid = pl.submit(self.k, w, t, 1)\n        pl.submit(self.k, w, t, 1, "
                "deps=[tid])\n"),
    BAD("launch of an unknown function", KERNEL "        pl.submit(self.kk, w)\n",
        "6:9: no function 'kk' in this program; did you mean 'k'? [call-function]"),
};

#define BODIES(table) GROUP(table, true, IR_PROPERTY_COUNT)
#define TEXTS(table)  GROUP(table, false, IR_PROPERTY_COUNT)

const struct verify_group verify_program_groups[] = {
    BODIES(statements), BODIES(changed),   TEXTS(programs),
    TEXTS(placement),   TEXTS(allocation), TEXTS(calls),
};
const size_t verify_program_group_count =
    sizeof verify_program_groups / sizeof *verify_program_groups;
