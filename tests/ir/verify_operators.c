/* SPDX-License-Identifier: MIT */
/* Operators: the bad uses of pypto-facts 2, and for each rule a use that must pass. */
#include "tests/ir/verify_cases.h"

#define TILE         "t = pl.load(x, [0, 0], [1, 64])\n"
#define PLANES       "w: pl.Tensor[[2, 4, 64], pl.FP32] = pl.test.mystery()\n"
#define THREE        "t = pl.create_tile([3, 64], dtype=pl.FP32)\n"
#define STAGE        "s = pl.create_tile([1, 64], dtype=pl.FP32)\n"
#define PADDED       "t = pld.tile._remote_load_with_physical_tail_padding"
#define HALVES       "a = pl.create_tile([16, 16], dtype=pl.FP16)\n"
#define HALF(shape)  "w: pld.DistributedTensor[[" shape "], pl.FP16] = pl.test.mystery()\n"
#define ROW(shape)   "w: pl.Tensor[[" shape "], pl.FP32] = pl.test.mystery()\n"
#define CELLS(shape) "s: pld.DistributedTensor[[" shape "], pl.INT32] = pl.test.mystery()\n"
#define EXCHANGE(input, target, send, recv)                                                        \
    "a: pl.Tensor[[" input "], pl.FP32] = pl.test.mystery()\n"                                     \
    "t: pld.DistributedTensor[[" target "], pl.FP32] = pl.test.mystery()\n"                        \
    "c: pl.Tensor[[" send "], pl.INT32] = pl.test.mystery()\n"                                     \
    "r: pld.DistributedTensor[[" recv "], pl.INT32] = pl.test.mystery()\n"                         \
    "pld.tensor.all_to_all_v(a, t, sig, c, r)\n"

static const struct verify_case reading[] = {

    BAD("misspelt operator", "pld.tile.putt(win)\n",
        "3:5: unknown operator 'pld.tile.putt'; did you mean 'pld.tile.put'? [unknown-operator]"),
    NEAR("operator of a later compiler", "unknown-operator", "pl.tile.mystery(win)\n"),
    BAD("misspelt member", "pld.system.notify(sig, n, [0, 0], 1, op=pld.NotifyOp.Sett)\n",
        "3:45: 'pld.NotifyOp.Sett' is no member of pld.NotifyOp; did you mean 'pld.NotifyOp.Set'? "
        "[enum-member]"),
    NEAR("member", "enum-member", "pld.system.notify(sig, n, [0, 0], 1, op=pld.NotifyOp.Set)\n"),
    BAD("carried value without a name",
        "for j, (acc,) in pl.range(4, init_values=(n,)):\n    pl.yield_(acc)\n",
        "4:9: pl.yield_ of values needs names on its left: x = pl.yield_(...) [yield-names]"),
    NEAR("carried value with a name", "yield-names",
         "for j, (acc,) in pl.range(4, init_values=(n,)):\n    res = pl.yield_(acc)\n"),
};

static const struct verify_case signals[] = {
    NEAR("notify", "op-arity", "pld.system.notify(sig, n, [i, 0], 1, op=0)\n"),
    NEAR("notify with any scalar value", "argument-kind",
         "pld.system.notify(sig, i + 1, [0, 0], n * 2, op=1)\n"),
    BAD("too few arguments", "pld.system.notify(sig, n, [0, 0], op=0)\n",
        "3:5: pld.system.notify expects 4 arguments, found 3 [op-arity]"),
    BAD("too many arguments", "pld.system.notify(sig, n, [0, 0], 1, 0, op=0)\n",
        "3:5: pld.system.notify expects 4 arguments, found 5 [op-arity]"),
    BAD("plain target", "pld.system.notify(x, n, [0, 0], 1, op=0)\n",
        "3:23: argument 'target' of pld.system.notify must be a DistributedTensor, found "
        "pl.Tensor[[4, 64], pl.FP32] [argument-kind]"),
    BAD("peer is no scalar", "pld.system.notify(sig, x, [0, 0], 1, op=0)\n",
        "3:28: argument 'peer' of pld.system.notify must be an integer scalar, found pl.Tensor[[4, "
        "64], pl.FP32] [argument-kind]"),
    BAD("peer is real", "pld.system.notify(sig, f, [0, 0], 1, op=0)\n",
        "3:28: argument 'peer' of pld.system.notify must be an integer scalar, found "
        "pl.Scalar[pl.FP32] [argument-kind]"),
    BAD("value is no scalar", "pld.system.notify(sig, n, [0, 0], (1, 2), op=0)\n",
        "3:39: argument 'value' of pld.system.notify must be a scalar, found a tuple "
        "[argument-kind]"),
    BAD("offsets are no tuple", "pld.system.notify(sig, n, i, 1, op=0)\n",
        "3:31: argument 'offsets' of pld.system.notify must be a tuple of integers such as [0, 0], "
        "found pl.Scalar[pl.INDEX] [argument-tuple]"),
    BAD("offsets hold a real", "pld.system.notify(sig, n, [0, 1.5], 1, op=0)\n",
        "3:35: argument 'offsets' of pld.system.notify must hold integers, found "
        "pl.Scalar[pl.FP32] "
        "[tuple-integers]"),
    BAD("offsets of another rank", "pld.system.notify(sig, n, [0], 1, op=0)\n",
        "3:31: argument 'offsets' of pld.system.notify has 1 elements, but the tensor has rank 2 "
        "[region-rank]"),
    BAD("cell out of bounds", "pld.system.notify(sig, n, [4, 0], 1, op=0)\n",
        "3:32: pld.system.notify reaches element 4 of dimension 0, which has 4 elements "
        "[region-bounds]"),
    NEAR("last cell", "region-bounds", "pld.system.notify(sig, n, [3, 0], 1, op=0)\n"),
    BAD("negative cell", "pld.system.wait(sig, [-1, 0], 1, cmp=1)\n",
        "3:27: offset -1 of pld.system.wait is negative [region-negative]"),
    BAD("op is missing", "pld.system.notify(sig, n, [0, 0], 1)\n",
        "3:5: pld.system.notify needs the keyword 'op' [keyword-required]"),
    BAD("op is neither", "pld.system.notify(sig, n, [0, 0], 1, op=2)\n",
        "3:45: keyword 'op' of pld.system.notify must be 0 (pld.NotifyOp.AtomicAdd) or 1 "
        "(pld.NotifyOp.Set) [keyword-value]"),
    BAD("unknown keyword", "pld.system.notify(sig, n, [0, 0], 1, op=0, opp=1)\n",
        "3:48: pld.system.notify has no keyword 'opp'; did you mean 'op'? [keyword-unknown]"),
    NEAR("wait", "keyword-value", "pld.system.wait(sig, [i, 0], n, cmp=0)\n"),
    BAD("wait on a plain tensor", "pld.system.wait(out, [0, 0], 1, cmp=1)\n",
        "3:21: argument 'signal' of pld.system.wait must be a DistributedTensor, found "
        "pl.Tensor[[4, "
        "64], pl.FP32] [argument-kind]"),
    BAD("cmp is neither", "pld.system.wait(sig, [0, 0], 1, cmp=3)\n",
        "3:41: keyword 'cmp' of pld.system.wait must be 0 (pld.WaitCmp.Eq) or 1 (pld.WaitCmp.Ge) "
        "[keyword-value]"),
    BAD("cmp is missing", "pld.system.wait(sig, [0, 0], 1)\n",
        "3:5: pld.system.wait needs the keyword 'cmp' [keyword-required]"),
    NEAR("defer_wait", "defer-wait-cmp", "pld.system.defer_wait(sig, [0, 0], 1, cmp=1)\n"),
    BAD("defer_wait Eq", "pld.system.defer_wait(sig, [0, 0], 1, cmp=0)\n",
        "3:5: pld.system.defer_wait compares with pld.WaitCmp.Ge only [defer-wait-cmp]"),
    BAD("defer_wait of a real signal", "pld.system.defer_wait(win, [0, 0], 1, cmp=1)\n",
        "3:27: argument 'signal' of pld.system.defer_wait must hold pl.INT32, found pl.FP32 "
        "[argument-dtype]"),
    BAD("defer_wait of a negative value", "pld.system.defer_wait(sig, [0, 0], -1, cmp=1)\n",
        "3:40: pld.system.defer_wait expects a value in 0 .. 2147483647, found -1 "
        "[defer-wait-expected]"),

    NEAR("all keywords", "keyword-required", "pld.system.notify(sig, n, [0, 0], 1, op=1)\n"),
    NEAR("first cell", "region-negative", "pld.system.wait(sig, [0, 0], 1, cmp=1)\n"),
    NEAR("defer_wait of the greatest value", "defer-wait-expected",
         "pld.system.defer_wait(sig, [0, 0], 2147483647, cmp=1)\n"),
    BAD("defer_wait of a greater value", "pld.system.defer_wait(sig, [0, 0], 2147483648, cmp=1)\n",
        "3:40: pld.system.defer_wait expects a value in 0 .. 2147483647, found 2147483648 "
        "[defer-wait-expected]"),
    BAD("defer_wait on a view",
        "s: pld.DistributedTensor[[4, 1], pl.INT32] = pl.tensor.view(sig, [4, "
        "1])\npld.system.defer_wait(s, [0, 0], 1, cmp=1)\n",
        "4:27: the signal of pld.system.defer_wait must be a parameter of the function "
        "[defer-wait-signal]"),
    NEAR("defer_wait on a parameter", "defer-wait-signal",
         "pld.system.defer_wait(sig, [i, 0], n, cmp=1)\n"),
    BAD("65 conditions in a loop",
        "for j in pl.range(65):\n    pld.system.defer_wait(sig, [0, 0], 1, cmp=1)\n",
        "4:9: pld.system.defer_wait: the task would wait for 65 conditions, at most 64 are allowed "
        "[defer-wait-limit]"),
    BAD("65 conditions in two places",
        "for j in pl.range(0, 128, 2):\n    pld.system.defer_wait(sig, [0, 0], 1, "
        "cmp=1)\npld.system.defer_wait(sig, [0, 0], 1, cmp=1)\n",
        "5:5: pld.system.defer_wait: the task would wait for 65 conditions, at most 64 are allowed "
        "[defer-wait-limit]"),
    NEAR("64 conditions", "defer-wait-limit",
         "for j in pl.range(64):\n    pld.system.defer_wait(sig, [0, 0], 1, cmp=1)\n"),
    NEAR("65 conditions at most", "defer-wait-limit",
         "for j in pl.range(65):\n    if b:\n        pld.system.defer_wait(sig, [0, 0], 1, "
         "cmp=1)\n"),
    NEAR("65 conditions in a loop that may end early", "defer-wait-limit",
         "for j in pl.range(n):\n    for k in pl.range(65):\n        pld.system.defer_wait(sig, "
         "[0, 0], 1, cmp=1)\n"),
};

static const struct verify_case contexts[] = {
    NEAR("context", "argument-kind",
         "c = pld.system.get_comm_ctx(win)\nr = pld.system.rank(c)\ns = pld.system.nranks(ctx)\n"),
    BAD("context of a plain tensor", "c = pld.system.get_comm_ctx(x)\n",
        "3:33: argument 'dist_tensor' of pld.system.get_comm_ctx must be a DistributedTensor, "
        "found "
        "pl.Tensor[[4, 64], pl.FP32] [argument-kind]"),
    BAD("rank of a window", "r = pld.system.rank(win)\n",
        "3:25: argument 'ctx' of pld.system.rank must be a CommCtx, found "
        "pld.DistributedTensor[[4, "
        "64], pl.FP32] [argument-kind]"),
    BAD("keyword", "c = pld.system.get_comm_ctx(win, k=1)\n",
        "3:38: pld.system.get_comm_ctx has no keyword 'k' [keyword-unknown]"),
};

static const struct verify_case tiles[] = {
    NEAR("load and store", "region-bounds", TILE "out = pl.store(t, [3, 0], out)\n"),
    BAD("load beyond the end", "t = pl.load(x, [1, 0], [4, 64])\n",
        "3:21: tile.load reaches element 4 of dimension 0, which has 4 elements [region-bounds]"),
    NEAR("load at a variable offset", "region-bounds", "t = pl.load(x, [i, 0], [4, 64])\n"),
    NEAR("valid part within bounds", "valid-exceeds", "t = pl.load(x, [3, 0], [4, 64], [1, 64])\n"),
    BAD("valid part larger than the tile", "t = pl.load(x, [0, 0], [1, 64], [2, 64])\n",
        "3:38: valid extent 2 of tile.load exceeds the extent 1 [valid-exceeds]"),
    BAD("offsets of another rank", "t = pl.load(x, [0], [1, 64])\n",
        "3:20: argument 'offsets' of tile.load has 1 elements, but the tensor has rank 2 "
        "[region-rank]"),
    BAD("shapes of another rank", "t = pl.load(x, [0, 0], [64])\n",
        "3:28: argument 'shapes' of tile.load has 1 elements, but the tensor has rank 2 "
        "[region-rank]"),
    BAD("load of a tile", TILE "u = pl.tile.load(t, [0, 0], [1, 64], [1, 64])\n",
        "4:22: argument 'tensor' of tile.load must be a Tensor or DistributedTensor, found "
        "pl.Tile[[1, 64], pl.FP32] [argument-kind]"),
    BAD("store beyond the end", TILE "pl.store(t, [4, 0], out)\n",
        "4:18: tile.store reaches element 4 of dimension 0, which has 4 elements [region-bounds]"),
    NEAR("rows that go on in the next plane", "region-bounds",
         PLANES THREE "w = pl.store(t, [0, 2, 0], w)\n"),
    BAD("rows beyond the last plane", PLANES THREE "w = pl.store(t, [1, 2, 0], w)\n",
        "5:25: tile.store reaches element 4 of dimension 1, which has 4 elements "
        "[region-bounds]"),
    BAD("rows of a load that would go on", PLANES "t = pl.load(w, [0, 2, 0], [1, 3, 64])\n",
        "4:24: tile.load reaches element 4 of dimension 1, which has 4 elements [region-bounds]"),
    BAD("store of a tensor", "pl.tile.store(x, [0, 0], out)\n",
        "3:19: argument 'tile' of tile.store must be a Tile, found pl.Tensor[[4, 64], pl.FP32] "
        "[argument-kind]"),
    BAD("store of another element type", TILE "u = pl.cast(t, pl.FP16)\npl.store(u, [0, 0], out)\n",
        "5:14: argument 'tile' of tile.store holds pl.FP16, but 'output_tensor' holds pl.FP32 "
        "[same-dtype]"),
    NEAR(
        "the accumulator narrows", "same-dtype",
        "u: pl.Tile[[1, 1], pl.INT64, pl.Mem.Acc] = pl.test.mystery()\npl.store(u, [0, 0], out)\n"),
    NEAR("atomic store", "atomic-dtype",
         TILE "pl.store(t, [0, 0], win, atomic=pl.AtomicType.Add)\n"),
    BAD("atomic type",
        "u: pl.Tile[[1, 1], pl.INT64] = pl.test.mystery()\nw: pl.Tensor[[4, 4], pl.INT64] = "
        "pl.test.mystery()\n"
        "pl.store(u, [0, 0], w, atomic=1)\npl.store(u, [0, 0], w, atomic=0)\n",
        "5:25: tile.store cannot add atomically to pl.INT64 [atomic-dtype]"),
    BAD("addition of a tensor", TILE "u = pl.tile.add(t, x)\n",
        "4:24: argument 'rhs' of tile.add must be a Tile, found pl.Tensor[[4, 64], pl.FP32] "
        "[argument-kind]"),
    NEAR("unknown operators are not judged", "unknown-operator", "pl.tile.mystery(1, 2, 3, k=4)\n"),
    BAD("missing element type", "t = pl.tile.create([1, 64])\n",
        "3:9: tile.create needs the keyword 'dtype' [keyword-required]"),
    BAD("no element type", "t = pl.tile.create([1, 64], dtype=4)\n",
        "3:39: keyword 'dtype' of tile.create must be an element type such as pl.FP32 "
        "[keyword-value]"),
    NEAR("flat index", "argument-tuple",
         TILE "y = pl.tile.read(t, 5)\nz = pl.tile.read(t, [0, 5])\n"),
    BAD("bad flag", TILE "u = pl.tile.div(t, t, high_precision='yes')\n",
        "4:42: keyword 'high_precision' of tile.div must be True or False [keyword-value]"),
};

/* A store covers what is valid of its tile: a load of a part, and what keeps that part. */
#define NARROW "o: pl.Tensor[[1, 17], pl.FP32] = pl.test.mystery()\n"
#define WIDE   "y: pl.Tensor[[1, 24], pl.FP32] = pl.test.mystery()\n"
#define PART   NARROW WIDE "t = pl.load(y, [0, 0], [1, 24], [1, 17])\n"
#define FULL   NARROW WIDE "t = pl.load(y, [0, 0], [1, 24])\n"
#define STORED "pl.store(t, [0, 0], o)\n"
#define BEYOND(place, last)                                                                        \
    place ": tile.store reaches element " last                                                     \
          " of dimension 1, which has 17 elements [region-bounds]"

static const struct verify_case valid_parts[] = {
    NEAR("valid part of a load", "region-bounds", PART STORED),
    BAD("whole load", FULL STORED, BEYOND("6:21", "23")),
    BAD("valid part that is one too wide",
        NARROW WIDE "t = pl.load(y, [0, 0], [1, 24], [1, 18])\n" STORED, BEYOND("6:21", "17")),
    BAD("valid part behind an offset", PART "pl.store(t, [0, 1], o)\n", BEYOND("6:21", "17")),
    BAD("negative offset of an unknown part",
        NARROW WIDE "t = pl.load(y, [0, 0], [1, 24], [1, i])\npl.store(t, [0, -1], o)\n",
        "6:21: offset -1 of tile.store is negative [region-negative]"),
    NEAR("valid part of unknown extent", "region-bounds",
         NARROW WIDE "t = pl.load(y, [0, 0], [1, 24], [1, i])\n" STORED),
    NEAR("valid part of a type", "region-bounds",
         NARROW "t: pl.Tile[[1, 24], pl.FP32, pl.Mem.Vec, pl.TileView(valid_shape=[1, 17])] = "
                "pl.test.mystery()\n" STORED),
    BAD("valid part of a type that is too wide",
        NARROW "t: pl.Tile[[1, 24], pl.FP32, pl.Mem.Vec, pl.TileView(valid_shape=[1, 20])] = "
               "pl.test.mystery()\n" STORED,
        BEYOND("5:21", "19")),
    NEAR("elementwise operators keep it", "region-bounds",
         PART "t = pl.add(t, t)\nt = pl.exp(t)\nt = pl.mul(t, 2.0)\n" STORED),
    NEAR("casts keep it", "region-bounds", PART "t = pl.cast(t, pl.FP32)\n" STORED),
    BAD("filled padding is valid", PART "u = pl.fillpad(t)\npl.store(u, [0, 0], o)\n",
        BEYOND("7:21", "23")),
    NEAR("given by an operator", "region-bounds",
         FULL "u = pl.tile.set_validshape(t, 1, 17)\npl.store(u, [0, 0], o)\n"),
    NEAR("not stated: a sum with another part", "region-bounds",
         PART "u = pl.load(y, [0, 0], [1, 24], [1, 20])\nw = pl.add(t, u)\npl.store(w, [0, 0], "
              "o)\n"),
    BAD("operators of whole tiles", FULL "u = pl.add(t, t)\npl.store(u, [0, 0], o)\n",
        BEYOND("7:21", "23")),
    NEAR("branches that load parts of one extent", "region-bounds",
         PART "if b:\n    u = pl.yield_(t)\nelse:\n    u = pl.yield_(t)\npl.store(u, [0, 0], o)\n"),
    BAD("what a loop carries",
        FULL "for j, (a,) in pl.range(2, init_values=(t,)):\n    pl.store(a, [0, 0], o)\n"
             "    r = pl.yield_(a)\n",
        BEYOND("7:25", "23")),
    NEAR("a loop that may carry a part", "region-bounds",
         FULL "for j, (a,) in pl.range(2, init_values=(t,)):\n    pl.store(a, [0, 0], o)\n"
              "    v = pl.load(y, [0, 0], [1, 24], [1, 17])\n    r = pl.yield_(v)\n"),
    NEAR("remote store of a valid part", "region-bounds",
         PART "w: pld.DistributedTensor[[2, 17], pl.FP32] = pl.test.mystery()\n"
              "pld.tile.remote_store(t, w, n, [1, 0])\n"),
    BAD("remote store of a whole tile",
        FULL "w: pld.DistributedTensor[[2, 17], pl.FP32] = pl.test.mystery()\n"
             "pld.tile.remote_store(t, w, n, [1, 0])\n",
        "7:40: pld.tile.remote_store reaches element 23 of dimension 1, which has 17 elements "
        "[region-bounds]"),
    NEAR("remote store of a tensor's valid part", "region-bounds",
         WIDE "w: pld.DistributedTensor[[2, 17], pl.FP32] = pl.test.mystery()\n"
              "z = pl.tensor.slice(y, [1, 24], [0, 0], [1, 17])\n"
              "pld.tensor.remote_store(z, w, n, [1, 0])\n"),
    BAD("remote store of a tensor that does not fit",
        WIDE "w: pld.DistributedTensor[[2, 17], pl.FP32] = pl.test.mystery()\n"
             "pld.tensor.remote_store(y, w, n, [1, 0])\n",
        "5:42: pld.tensor.remote_store reaches element 23 of dimension 1, which has 17 elements "
        "[region-bounds]"),
    BAD("a stored-to tensor is whole",
        PART "z = pl.store(t, [0, 0], y)\nu = pl.load(z, [0, 0], [1, 24])\npl.store(u, [0, 0], "
             "o)\n",
        BEYOND("8:21", "23")),
};

static const struct verify_case scalar_accesses[] = {
    NEAR("read and write", "tuple-integers", "y = pl.read(x, [3, 63])\npl.write(win, [i, 0], f)\n"),
    BAD("index out of bounds", "y = pl.read(x, [0, 64])\n",
        "3:24: tensor.read reaches element 64 of dimension 1, which has 64 elements "
        "[region-bounds]"),
    BAD("write out of bounds", "pl.write(out, [4, 0], f)\n",
        "3:20: tensor.write reaches element 4 of dimension 0, which has 4 elements "
        "[region-bounds]"),
    BAD("indices of another rank", "y = pl.read(x, [0])\n",
        "3:20: argument 'indices' of tensor.read has 1 elements, but the tensor has rank 2 "
        "[region-rank]"),
    BAD("real index", "y = pl.read(x, [f, 0])\n",
        "3:21: argument 'indices' of tensor.read must hold integers, found pl.Scalar[pl.FP32] "
        "[tuple-integers]"),
    BAD("value is a tensor", "pl.write(out, [0, 0], x)\n",
        "3:27: argument 'value' of tensor.write must be a scalar, found pl.Tensor[[4, 64], "
        "pl.FP32] "
        "[argument-kind]"),
};

static const struct verify_case remote_accesses[] = {
    NEAR("remote load", "region-rank", "t = pld.tile.remote_load(win, n, [3, 0], [1, 64])\n"),
    BAD("remote load of a plain tensor", "t = pld.tile.remote_load(x, n, [0, 0], [1, 64])\n",
        "3:30: argument 'target' of pld.tile.remote_load must be a DistributedTensor, found "
        "pl.Tensor[[4, 64], pl.FP32] [argument-kind]"),
    BAD("remote load beyond the end", "t = pld.tile.remote_load(win, n, [0, 1], [1, 64])\n",
        "3:42: pld.tile.remote_load reaches element 64 of dimension 1, which has 64 elements "
        "[region-bounds]"),
    BAD("remote load of another rank", "t = pld.tile.remote_load(win, n, [0, 0], [64])\n",
        "3:46: argument 'shape' of pld.tile.remote_load has 1 elements, but the tensor has rank 2 "
        "[region-rank]"),
    BAD("negative valid extent", "t = pld.tile.remote_load(win, n, [0, 0], [1, 64], [1, -1])\n",
        "3:59: valid extent -1 of pld.tile.remote_load is negative [valid-negative]"),
    NEAR("remote store", "argument-rank", TILE "pld.tile.remote_store(t, win, n, [3, 0])\n"),
    BAD("remote store of a tensor", "pld.tile.remote_store(x, win, n, [0, 0])\n",
        "3:27: argument 'src_tile' of pld.tile.remote_store must be a Tile, found pl.Tensor[[4, "
        "64], pl.FP32]; use pld.tensor.remote_store [argument-kind]"),
    BAD("remote store of a window", "pld.tensor.remote_store(win, win, n, [0, 0])\n",
        "3:29: argument 'src' of pld.tensor.remote_store must be a plain Tensor, found "
        "pld.DistributedTensor[[4, 64], pl.FP32]; use pld.tensor.put [argument-kind]"),
    BAD("remote store that does not fit", TILE "pld.tile.remote_store(t, win, n, [0, 8])\n",
        "4:42: pld.tile.remote_store reaches element 71 of dimension 1, which has 64 elements "
        "[region-bounds]"),
    BAD("remote store of another element type", TILE "pld.tile.remote_store(t, sig, n, [0, 0])\n",
        "4:27: argument 'src_tile' of pld.tile.remote_store holds pl.FP32, but 'target' holds "
        "pl.INT32 [same-dtype]"),
    BAD("element types differ",
        "t = pl.tile.full([1, 1], pl.FP32, 0.0)\npld.tile.remote_store(t, sig, n, [0, 0])\n",
        "4:27: argument 'src_tile' of pld.tile.remote_store holds pl.FP32, but 'target' holds "
        "pl.INT32 [same-dtype]"),
    BAD("leading dimension",
        "t = pl.tile.full([2, 1, 64], pl.FP32, 0.0)\npld.tile.remote_store(t, win, n, [0, 0])\n",
        "4:27: leading dimension 0 of the source of pld.tile.remote_store is 2, expected 1 "
        "[remote-store-leading]"),
    NEAR("leading dimension of 1", "remote-store-leading",
         "t = pl.tile.full([1, 1, 64], pl.FP32, 0.0)\npld.tile.remote_store(t, win, n, [0, 0])\n"),

    NEAR("empty valid part", "valid-negative",
         "t = pld.tile.remote_load(win, n, [0, 0], [1, 64], [1, 0])\n"),
    NEAR("a ragged tail: a shape beyond the end, of which the part inside is valid",
         "region-bounds", "t = pld.tile.remote_load(win, n, [0, 32], [1, 64], [1, 32])\n"),
    BAD("a valid part beyond the end",
        "t = pld.tile.remote_load(win, n, [0, 32], [1, 64], [1, 33])\n",
        "3:42: pld.tile.remote_load reaches element 64 of dimension 1, which has 64 elements "
        "[region-bounds]"),
    NEAR("clamped beyond the end", "region-bounds",
         "t = pl.tile.load(x, [0, 32], [1, 64], clamp=True)\n"),
    BAD("load beyond the end", "t = pl.tile.load(x, [0, 32], [1, 64])\n",
        "3:29: tile.load reaches element 95 of dimension 1, which has 64 elements "
        "[region-bounds]"),
    NEAR("tail padding", "tail-padding", HALF("4, 60") PADDED "(w, n, [0, 0], [1, 64], [1, 60])\n"),
    NEAR("15 elements of tail padding", "region-bounds",
         HALF("4, 49") PADDED "(w, n, [0, 0], [1, 64], [1, 64])\n"),
    BAD("16 elements of tail padding", HALF("4, 48") PADDED "(w, n, [0, 0], [1, 64], [1, 64])\n",
        "4:68: pld.tile.remote_load reaches element 63 of dimension 1, which has 48 elements "
        "[region-bounds]"),
    BAD("tail padding of FP32", PADDED "(win, n, [0, 0], [1, 64], [1, 60])\n",
        "3:9: the physical tail padding of pld.tile.remote_load needs a window of pl.FP16 "
        "[tail-padding]"),
    BAD("tail padding without a valid part", HALF("4, 64") PADDED "(w, n, [0, 0], [1, 64])\n",
        "4:9: the physical tail padding of pld.tile.remote_load needs an explicit valid_shape "
        "[tail-padding]"),
    BAD("tail padding of rank 3",
        HALF("1, 4, 60") PADDED "(w, n, [0, 0, 0], [1, 1, 64], [1, 1, 60])\n",
        "4:9: the physical tail padding of pld.tile.remote_load needs a window of rank 2 "
        "[tail-padding]"),
    BAD("layout of scaled blocks",
        "w: pld.DistributedTensor[[4, 64], pl.FP8, pl.TensorLayout.MX_A_ZZ] = pl.test.mystery()\nt "
        "= "
        "pld.tile.remote_load(w, n, [0, 0], [1, 64])\n",
        "4:30: pld.tile.remote_load cannot load from a window of layout pl.TensorLayout.MX_A_ZZ "
        "[remote-load-layout]"),
    BAD("layout of scaled blocks in a view",
        "w: pld.DistributedTensor[[4, 64], pl.FP8, pl.TensorView(layout=pl.TensorLayout.MX_B_NN)] "
        "= pl.test.mystery()\nt = pld.tile.remote_load(w, n, [0, 0], [1, 64])\n",
        "4:30: pld.tile.remote_load cannot load from a window of layout pl.TensorLayout.MX_B_NN "
        "[remote-load-layout]"),
    NEAR("plain layout", "remote-load-layout",
         "w: pld.DistributedTensor[[4, 64], pl.FP8, pl.TensorLayout.ND] = pl.test.mystery()\nt = "
         "pld.tile.remote_load(w, n, [0, 0], [1, 64])\n"),
    BAD("part of scaled blocks",
        "s: pl.Tensor[[16, 8], pl.FP8E8M0, pl.MX_A_ZZ] = pl.test.mystery()\n"
        "t = pl.slice(s, [8, 8], [1, 0])\n",
        "4:18: tensor.slice makes no view of a tensor of layout pl.MX_A_ZZ [view-layout]"),
    BAD("shape of scaled blocks",
        "s: pl.Tensor[[16, 8], pl.FP8E8M0, pl.TensorView(layout=pl.TensorLayout.MX_B_NN)] = "
        "pl.test.mystery()\nt = pl.reshape(s, [8, 16])\n",
        "4:20: tensor.reshape makes no view of a tensor of layout pl.TensorLayout.MX_B_NN "
        "[view-layout]"),
    NEAR("part of plain rows", "view-layout",
         "s: pl.Tensor[[16, 8], pl.FP8E8M0, pl.TensorLayout.ND] = pl.test.mystery()\n"
         "t = pl.slice(s, [8, 8], [1, 0])\n"),
    BAD("tile store of a window", "pld.tile.remote_store(win, win, n, [0, 0])\n",
        "3:27: argument 'src_tile' of pld.tile.remote_store must be a Tile, found "
        "pld.DistributedTensor[[4, 64], pl.FP32]; use pld.tensor.put [argument-kind]"),
    BAD("tensor store of a tile", TILE "pld.tensor.remote_store(t, win, n, [0, 0])\n",
        "4:29: argument 'src' of pld.tensor.remote_store must be a plain Tensor, found pl.Tile[[1, "
        "64], pl.FP32]; use pld.tile.remote_store [argument-kind]"),
    BAD("remote store into a vector",
        "w: pld.DistributedTensor[[64], pl.FP32] = pl.test.mystery()\n" TILE
        "pld.tile.remote_store(t, w, n, [0])\n",
        "5:30: argument 'target' of pld.tile.remote_store must have rank 2 or more, found 1 "
        "[argument-rank]"),
};

static const struct verify_case transfers[] = {
    NEAR("put", "transfer-whole", STAGE "pld.tile.put(win, n, x, s, atomic=0)\n"),
    NEAR("put of a region", "region-extent",
         STAGE "pld.tile.put(win, n, x, s, [0, 0], [1, 0], [1, 64], atomic=0)\n"),
    BAD("put of six arguments", STAGE "pld.tile.put(win, n, x, s, [0, 0], [0, 0], atomic=0)\n",
        "4:5: pld.tile.put expects 4, 5, 7 or 8 arguments, found 6 [op-arity]"),
    BAD("put into a plain tensor", STAGE "pld.tile.put(out, n, x, s, atomic=0)\n",
        "4:18: argument 'dst' of pld.tile.put must be a DistributedTensor, found pl.Tensor[[4, "
        "64], "
        "pl.FP32] [argument-kind]"),
    NEAR("put without atomic", "keyword-required", STAGE "pld.tile.put(win, n, x, s)\n"),
    BAD("put beyond the destination",
        STAGE "pld.tile.put(win, n, x, s, [4, 0], [0, 0], [1, 64], atomic=0)\n",
        "4:33: pld.tile.put reaches element 4 of dimension 0, which has 4 elements "
        "[region-bounds]"),
    BAD("put beyond the source",
        STAGE "pld.tile.put(win, n, x, s, [0, 0], [4, 0], [1, 64], atomic=0)\n",
        "4:41: pld.tile.put reaches element 4 of dimension 0, which has 4 elements "
        "[region-bounds]"),
    BAD("region of another rank",
        STAGE "pld.tile.put(win, n, x, s, [0, 0], [0, 0], [64], atomic=0)\n",
        "4:48: argument 'shape' of pld.tile.put has 1 elements, but the tensor has rank 2 "
        "[region-rank]"),
    BAD("empty region", STAGE "pld.tile.put(win, n, x, s, [0, 0], [0, 0], [0, 64], atomic=0)\n",
        "4:49: extent 0 of pld.tile.put must be positive [region-extent]"),
    BAD("stage of another element type",
        "s = pl.create_tile([1, 64], dtype=pl.INT32)\npld.tile.put(win, n, x, s, atomic=0)\n",
        "4:29: argument 'stage' of pld.tile.put holds pl.INT32, but 'dst' holds pl.FP32 "
        "[same-dtype]"),
    BAD("stage of rank 1",
        "s = pl.create_tile([64], dtype=pl.FP32)\npld.tile.put(win, n, x, s, atomic=0)\n",
        "4:29: argument 'stage' of pld.tile.put must have rank 2, found 1 [argument-rank]"),
    BAD("stage too large",
        "s = pl.create_tile([8, 64], dtype=pl.FP32)\npld.tile.put(win, n, x, s, atomic=0)\n",
        "4:29: the stage of pld.tile.put has 512 elements, more than the transfer's 256 "
        "[stage-size]"),
    BAD("stages differ",
        STAGE
        "r = pl.create_tile([2, 64], dtype=pl.FP32)\npld.tile.put(win, n, x, s, r, atomic=0)\n",
        "5:32: the stages of pld.tile.put differ in shape [stage-pair]"),
    BAD("sources of another element type", "pld.tensor.put(win, n, sig, atomic=0)\n",
        "3:28: argument 'src' of pld.tensor.put holds pl.INT32, but 'dst' holds pl.FP32 "
        "[same-dtype]"),
    BAD("shapes differ",
        "w: pl.Tensor[[2, 64], pl.FP32] = pl.test.mystery()\npld.tensor.put(win, n, w, atomic=0)\n",
        "4:28: source and destination of pld.tensor.put differ in shape; name the region to copy "
        "[transfer-whole]"),
    BAD("ranks differ",
        "w: pl.Tensor[[64], pl.FP32] = pl.test.mystery()\npld.tensor.put(win, n, w, atomic=0)\n",
        "4:28: argument 'src' of pld.tensor.put has rank 1, but 'dst' has rank 2 [same-rank]"),
    NEAR("tensor put", "chunk-pipeline",
         "pld.tensor.put(win, n, x, atomic=1, chunk_rows=2, chunk_cols=64, pipeline=True)\n"),
    BAD("negative chunk", "pld.tensor.put(win, n, x, atomic=0, chunk_rows=-1)\n",
        "3:52: keyword 'chunk_rows' of pld.tensor.put must be at least 0, found -1 "
        "[keyword-range]"),
    BAD("pipeline without chunks", "pld.tensor.put(win, n, x, atomic=0, pipeline=True)\n",
        "3:5: pipeline=True of pld.tensor.put needs chunk_rows and chunk_cols [chunk-pipeline]"),
    BAD("dynamic leading extent", "pld.tensor.put(win, n, x, [0, 0], [0, 0], [i, 64], atomic=0)\n",
        "3:5: pld.tensor.put needs chunk_rows: dimension 0 is not static [chunk-missing]"),
    BAD("dynamic innermost extent",
        "pld.tensor.put(win, n, x, [0, 0], [0, 0], [4, i], atomic=0, chunk_rows=1)\n",
        "3:5: pld.tensor.put needs chunk_cols: dimension 1 is not static [chunk-missing]"),
    NEAR("get", "keyword-unknown", STAGE "pld.tile.get(out, n, win, s)\n"),
    BAD("get from a plain tensor", STAGE "pld.tile.get(win, n, x, s)\n",
        "4:26: argument 'src' of pld.tile.get must be a DistributedTensor, found pl.Tensor[[4, "
        "64], "
        "pl.FP32] [argument-kind]"),
    BAD("get takes no keyword", STAGE "pld.tile.get(out, n, win, s, atomic=0)\n",
        "4:34: pld.tile.get has no keyword 'atomic' [keyword-unknown]"),
    NEAR("product of tiles, in the type of the accumulator", "keyword-unknown",
         HALVES "c = pl.matmul(a, a, out_dtype=pl.FP32, b_trans=False)\n"),
    BAD("product of tiles in another type", HALVES "c = pl.matmul(a, a, out_dtype=pl.BF16)\n",
        "4:25: tile.matmul has no keyword 'out_dtype' [keyword-unknown]"),
    BAD("product of a transposed tile", HALVES "c = pl.matmul(a, a, a_trans=True)\n",
        "4:25: tile.matmul has no keyword 'a_trans' [keyword-unknown]"),

    NEAR("put of equal ranks", "same-rank", STAGE "pld.tile.put(win, n, out, s, atomic=0)\n"),
    NEAR("two stages", "stage-pair",
         STAGE
         "r = pl.create_tile([1, 64], dtype=pl.FP32)\npld.tile.put(win, n, x, s, r, atomic=0)\n"),
    NEAR("stage as large as the transfer", "stage-size",
         "s = pl.create_tile([4, 64], dtype=pl.FP32)\npld.tile.put(win, n, x, s, atomic=0)\n"),
    NEAR("dynamic extents in chunks", "chunk-missing",
         "pld.tensor.put(win, n, x, [0, 0], [0, 0], [i, i], atomic=0, chunk_rows=1, "
         "chunk_cols=8)\n"),
    BAD("tensor get without chunks",
        "pld.tensor.get(out, n, win, [0, 0], [0, 0], [4, i], chunk_rows=1)\n",
        "3:5: pld.tensor.get needs chunk_cols: dimension 1 is not static [chunk-missing]"),
};

static const struct verify_case markers[] = {
    NEAR("markers", "op-arity",
         "pl.system.fence()\npl.system.bar_all()\npl.system.cacheinvalid()\n"
         "pl.system.cacheinvalid(win, [4, 64], [0, 0])\n"),
    BAD("fence of something", "pl.system.fence(win)\n",
        "3:5: system.fence expects 0 arguments, found 1 [op-arity]"),
    BAD("half a region", "pl.system.cacheinvalid(win, [4, 64])\n",
        "3:5: system.cacheinvalid expects 0 or 3 arguments, found 2 [op-arity]"),
    BAD("region of another rank", "pl.system.cacheinvalid(win, [64], [0, 0])\n",
        "3:33: argument 'shapes' of system.cacheinvalid has 1 elements, but the tensor has rank 2 "
        "[region-rank]"),
    BAD("real extent", "pl.system.cacheinvalid(win, [4.0, 64], [0, 0])\n",
        "3:34: argument 'shapes' of system.cacheinvalid must hold integers, found "
        "pl.Scalar[pl.FP32] "
        "[tuple-integers]"),
    BAD("region of a scalar", "pl.system.cacheinvalid(n, [4, 64], [0, 0])\n",
        "3:28: argument 'tensor' of system.cacheinvalid must be a Tensor or DistributedTensor, "
        "found "
        "pl.Scalar[pl.INT32] [argument-kind]"),
};

#define L1     "a = pl.create_l1([16, 64], pl.FP32)\n"
#define TURNED "a = pl.create_l1([64, 16], pl.FP32, transpose=True)\n"
#define PAGES(i)                                                                                   \
    "i1: pl.Tensor[[" i "] = pl.test.mystery()\nb1: pl.Tensor[[8], pl.INT32] = "                   \
    "pl.test.mystery()\n"
#define PAGED "p = pl.paged_gather(x, i1, b1, block_size=2, size=64, max_indices=8)\n"
#define PRODUCT                                                                                    \
    "a: pl.Tile[[16, 16], pl.FP32, pl.Mem.Acc] = pl.test.mystery()\n"                              \
    "m: pl.Tile[[16, 16], pl.FP16] = pl.test.mystery()\n"

/* pypto-ops-facts 1.2, 1.3 */
static const struct verify_case gathers[] = {
    NEAR("a row into L1", "same-dtype", L1 "a = pl.gather_row(a, x, [i, 0], [i, 0], [1, 64])\n"),
    BAD("a row of another element type",
        "a = pl.create_l1([16, 64], pl.FP16)\na = pl.gather_row(a, x, [0, 0], [0, 0], [1, 64])\n",
        "4:23: argument 'acc' of tensor.gather_row holds pl.FP16, but 'src' holds pl.FP32 "
        "[same-dtype]"),
    BAD("a window of unknown size", L1 "a = pl.gather_row(a, x, [0, 0], [0, 0], [i, 64])\n",
        "4:46: dimension 0 of argument 'shapes' of tensor.gather_row must be known at compile time "
        "[argument-static]"),
    NEAR("a part of unknown size", "argument-static",
         L1 "a = pl.gather_row(a, x, [0, 0], [0, 0], [4, 64], valid_shape=[i, 64])\n"),
    BAD("a part of unknown size as columns",
        TURNED "a = pl.gather_row(a, x, [0, 0], [0, 0], [4, 64], valid_shape=[i, 64], "
               "transpose=True)\n",
        "4:67: dimension 0 of argument 'valid_shape' of tensor.gather_row must be known at compile "
        "time [argument-static]"),
    BAD("memory of no size", "a = pl.create_l1([16, 0], pl.FP32)\n",
        "3:27: extent 0 of tensor.create_l1 must be positive [region-extent]"),
    BAD("a load of nothing", "t = pl.load(x, [0, 0], [0, 64])\n",
        "3:29: extent 0 of tile.load must be positive [region-extent]"),
    NEAR("a load of one row", "region-extent", "t = pl.load(x, [0, 0], [1, 64])\n"),
    NEAR("columns in Mat", "keyword-place",
         "a = pl.tile.create([16, 64], dtype=pl.FP32, target_memory=pl.Mem.Mat, transpose=True)\n"),
    BAD("columns in Vec",
        "a = pl.tile.create([16, 64], dtype=pl.FP32, target_memory=pl.Mem.Vec, transpose=True)\n",
        "3:85: 'transpose' of tile.create cannot be given but for a matrix in pl.Mem.Mat "
        "[keyword-place]"),
    NEAR("a row as a column", "region-bounds",
         "a = pl.tile.create([64, 16], dtype=pl.FP32, target_memory=pl.Mem.Mat, transpose=True)\n"
         "a = pl.tile.gather_row(a, x, [0, 15], [0, 0], [1, 64], transpose=True)\n"),
    BAD("a row as a column that there is not",
        "a = pl.tile.create([64, 16], dtype=pl.FP32, target_memory=pl.Mem.Mat, transpose=True)\n"
        "a = pl.tile.gather_row(a, x, [0, 16], [0, 0], [1, 64], transpose=True)\n",
        "4:38: tile.gather_row reaches element 16 of dimension 1, which has 16 elements "
        "[region-bounds]"),
    NEAR("pages", "argument-dtype", PAGES("8], pl.INT32") PAGED),
    BAD("pages by real numbers", PAGES("8], pl.FP16") PAGED,
        "5:28: argument 'indices' of tensor.paged_gather must hold pl.INT32, found pl.FP16 "
        "[argument-dtype]"),
    BAD("pages by three dimensions", PAGES("1, 1, 8], pl.INT32") PAGED,
        "5:28: argument 'indices' of tensor.paged_gather must have rank 1 or 2, found 3 "
        "[argument-rank]"),
    BAD("no pages",
        PAGES("8], pl.INT32") "p = pl.paged_gather(x, i1, b1, block_size=2, size=64, "
                              "max_indices=0)\n",
        "5:71: keyword 'max_indices' of tensor.paged_gather must be at least 1, found 0 "
        "[keyword-range]"),
    NEAR("a condition", "argument-dtype",
         PRODUCT "c = pl.tile.matmul_acc(a, m, m, init_cond=i == 0)\n"),
    BAD("a number as condition", PRODUCT "c = pl.tile.matmul_acc(a, m, m, init_cond=n)\n",
        "5:47: argument 'init_cond' of tile.matmul_acc must hold pl.BOOL, found pl.INT32 "
        "[argument-dtype]"),
    BAD("a value of another type",
        TILE "d, c = pl.tile.gather_compare(t, n, t, cmp_mode=\"eq\", out_cols=8)\n",
        "4:38: argument 'kvalue' of tile.gather_compare holds pl.INT32, but 'src' holds pl.FP32 "
        "[same-dtype]"),
    NEAR("a value of its type", "same-dtype",
         TILE "d, c = pl.tile.gather_compare(t, f, t, cmp_mode=\"eq\", out_cols=8)\n"),
    BAD("a prefetch of rows", "c = pl.prefetch.make_context()\npl.prefetch.async_prefetch(x, c)\n",
        "4:32: dimension 0 of argument 'src' of prefetch.async_prefetch must be 1, found 4 "
        "[argument-extent]"),
    NEAR("a prefetch of one row", "argument-extent",
         ROW("1, 64") "c = pl.prefetch.make_context()\npl.prefetch.async_prefetch(w, c)\n"),
    NEAR("a dimension in second place", "op-arity",
         "i1: pl.Tensor[[1, 4], pl.INT32] = pl.test.mystery()\ny = pl.scatter_update(x, -2, i1, "
         "x)\n"),
    NEAR("or by its name", "op-arity",
         "i1: pl.Tensor[[1, 4], pl.INT32] = pl.test.mystery()\ny = pl.scatter_update(x, i1, x, "
         "dim=-2)\n"),
};

static const struct verify_case collectives[] = {
    BAD("allreduce on no core", "pld.tensor.allreduce(win, sig, op=0, core_num=0)\n",
        "3:51: keyword 'core_num' of pld.tensor.allreduce must be at least 1, found 0 "
        "[keyword-range]"),
    BAD("allreduce of integers", "pld.tensor.allreduce(sig, sig, op=0)\n",
        "3:26: argument 'target' of pld.tensor.allreduce must hold pl.FP16 or pl.FP32, found "
        "pl.INT32 "
        "[argument-dtype]"),
    BAD("allreduce of another kind", "pld.tensor.allreduce(win, sig, op=4)\n",
        "3:39: keyword 'op' of pld.tensor.allreduce must be 0 (pld.ReduceOp.Sum) or 1 "
        "(pld.ReduceOp.Max) or 2 (pld.ReduceOp.Min) or 3 (pld.ReduceOp.Prod) [keyword-value]"),
    BAD("signal of reals", "pld.tensor.allreduce(win, win, op=0)\n",
        "3:31: argument 'signal' of pld.tensor.allreduce must hold pl.INT32, found pl.FP32 "
        "[argument-dtype]"),
    NEAR("reduce_scatter", "reduce-scatter-sum", "pld.tensor.reduce_scatter(win, sig, op=0)\n"),
    BAD("reduce_scatter of a maximum", "pld.tensor.reduce_scatter(win, sig, op=1)\n",
        "3:5: pld.tensor.reduce_scatter supports pld.ReduceOp.Sum only [reduce-scatter-sum]"),
    NEAR("all_to_all", "distinct-buffers", "pld.tensor.all_to_all(x, win, sig)\n"),
    BAD("all_to_all in place", "pld.tensor.all_to_all(win, win, sig)\n",
        "3:27: arguments 'input' and 'target' of pld.tensor.all_to_all must be different buffers "
        "[distinct-buffers]"),
    BAD("allgather of other rows",
        "w: pl.Tensor[[1, 32], pl.FP32] = pl.test.mystery()\npld.tensor.allgather(w, win, sig)\n",
        "4:26: dimension 1 of argument 'input' of pld.tensor.allgather is 32, but dimension 1 of "
        "'target' is 64 [same-extent]"),
    NEAR("broadcast", "keyword-range", "pld.tensor.broadcast(win, sig, root=1)\n"),
    BAD("broadcast without a root", "pld.tensor.broadcast(win, sig)\n",
        "3:5: pld.tensor.broadcast needs the keyword 'root' [keyword-required]"),
    BAD("broadcast from nobody", "pld.tensor.broadcast(win, sig, root=-1)\n",
        "3:41: keyword 'root' of pld.tensor.broadcast must be at least 0, found -1 "
        "[keyword-range]"),
    NEAR("barrier", "argument-dtype", "pld.tensor.barrier(sig)\n"),

    NEAR("allreduce on one core", "keyword-range",
         "pld.tensor.allreduce(win, sig, op=0, core_num=1)\n"),
    NEAR("broadcast from rank 0", "keyword-range", "pld.tensor.broadcast(win, sig, root=0)\n"),
    NEAR("allgather of one row", "argument-extent",
         ROW("1, 64") "pld.tensor.allgather(w, win, sig)\n"),
    BAD("allgather of two rows", ROW("2, 64") "pld.tensor.allgather(w, win, sig)\n",
        "4:26: dimension 0 of argument 'input' of pld.tensor.allgather must be 1, found 2 "
        "[argument-extent]"),
    BAD("allgather of a vector", ROW("64") "pld.tensor.allgather(w, win, sig)\n",
        "4:26: argument 'input' of pld.tensor.allgather must have rank 2, found 1 [argument-rank]"),
    NEAR("signal of rank 1", "argument-rank",
         ROW("1, 64") CELLS("4") "pld.tensor.allgather(w, win, s)\n"),
    BAD("signal of two columns", ROW("1, 64") CELLS("4, 2") "pld.tensor.allgather(w, win, s)\n",
        "5:34: dimension 1 of argument 'signal' of pld.tensor.allgather must be 1, found 2 "
        "[argument-extent]"),
    BAD("signal of rank 3", ROW("1, 64") CELLS("4, 1, 1") "pld.tensor.allgather(w, win, s)\n",
        "5:34: argument 'signal' of pld.tensor.allgather must have rank 1 or 2, found 3 "
        "[argument-rank]"),
    NEAR("all_to_all of equal rows", "same-extent",
         ROW("4, 64") "pld.tensor.all_to_all(w, win, sig)\n"),
    BAD("all_to_all of other rows", ROW("2, 64") "pld.tensor.all_to_all(w, win, sig)\n",
        "4:27: dimension 0 of argument 'input' of pld.tensor.all_to_all is 2, but dimension 0 of "
        "'target' is 4 [same-extent]"),
    NEAR("all_to_all_v", "rows-per-rank", EXCHANGE("8, 16", "8, 16", "4", "4, 1")),
    BAD("rows that the ranks do not divide", EXCHANGE("6, 16", "6, 16", "4", "4, 1"),
        "7:32: the target of pld.tensor.all_to_all_v has 6 rows, which 4 ranks do not divide "
        "[rows-per-rank]"),
    BAD("all_to_all_v of other rows", EXCHANGE("8, 16", "4, 16", "4", "4, 1"),
        "7:29: dimension 0 of argument 'input' of pld.tensor.all_to_all_v is 8, but dimension 0 of "
        "'target' is 4 [same-extent]"),
    BAD("rows known at run time only", EXCHANGE("i, 16", "8, 16", "4", "4, 1"),
        "7:29: dimension 0 of argument 'input' of pld.tensor.all_to_all_v must be known at compile "
        "time [argument-static]"),
    NEAR("columns known at run time only", "argument-static",
         EXCHANGE("8, i", "8, i", "4", "4, 1")),
    NEAR("a column of counts", "argument-extent", EXCHANGE("8, 16", "8, 16", "4, 1", "4, 1")),
    BAD("counts for other ranks", EXCHANGE("8, 16", "8, 16", "3", "4, 1"),
        "7:40: dimension 0 of argument 'send_counts' of pld.tensor.all_to_all_v is 3, but "
        "dimension 0 of 'signal' is 4 [same-extent]"),
    BAD("a row of counts", EXCHANGE("8, 16", "8, 16", "4", "4, 4"),
        "7:43: dimension 1 of argument 'recv_counts' of pld.tensor.all_to_all_v must be 1, found 4 "
        "[argument-extent]"),
    BAD("counts of rank 1", EXCHANGE("8, 16", "8, 16", "4", "4"),
        "7:43: argument 'recv_counts' of pld.tensor.all_to_all_v must have rank 2, found 1 "
        "[argument-rank]"),
    BAD("barrier on reals", "pld.tensor.barrier(win)\n",
        "3:24: argument 'signal' of pld.tensor.barrier must hold pl.INT32, found pl.FP32 "
        "[argument-dtype]"),
    BAD("builtin kernel on a core", "pl.builtin.tensor.barrier(sig)\n",
        "3:5: builtin.tensor.barrier is for functions of level=pl.Level.HOST, not for the InCore "
        "function 'k' [op-placement]"),
};

#define BODIES(table) GROUP(table, true, IR_PROPERTY_COUNT)

const struct verify_group verify_operator_groups[] = {
    BODIES(reading),     BODIES(signals),         BODIES(contexts),        BODIES(tiles),
    BODIES(valid_parts), BODIES(scalar_accesses), BODIES(remote_accesses), BODIES(transfers),
    BODIES(markers),     BODIES(gathers),         BODIES(collectives),
};
const size_t verify_operator_group_count =
    sizeof verify_operator_groups / sizeof *verify_operator_groups;
