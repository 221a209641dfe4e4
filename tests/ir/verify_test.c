/* SPDX-License-Identifier: MIT */
/* The bad uses of pypto-facts 2, and for each rule a use that must pass. */
#include "tests/ir/helpers.h"

#include "ir/verify.h"

struct verify_case {
    const char *name, *text, *error; /* NULL: well formed */
};

static void expect_verdicts(const struct verify_case *cases, size_t n, bool bodies)
{
    for (size_t i = 0; i < n; i++) {
        struct arena a = {0};
        struct diag d = {.arena = &a};
        const char *text = bodies ? kernel_text(&a, cases[i].text) : cases[i].text;
        struct ir_program *p = parse_good(&a, cases[i].name, text);
        bool ok = ir_verify(p, &d);
        cr_expect(ok == !d.failed, "%s", cases[i].name);
        expect_text(cases[i].name, ok ? "well formed" : short_error(&a, diag_text(&d, &a)),
                    cases[i].error ? cases[i].error : "well formed");
        arena_free(&a);
    }
}
#define EXPECT_VERDICTS(cases, bodies)                                                             \
    expect_verdicts(cases, sizeof(cases) / sizeof *(cases), bodies)

#define TILE  "t = pl.load(x, [0, 0], [1, 64])\n"
#define STAGE "s = pl.create_tile([1, 64], dtype=pl.FP32)\n"

Test(verify, signals)
{
    static const struct verify_case cases[] = {
        {"notify", "pld.system.notify(sig, n, [i, 0], 1, op=0)\n", NULL},
        {"notify with any scalar value", "pld.system.notify(sig, i + 1, [0, 0], n * 2, op=1)\n",
         NULL},
        {"too few arguments", "pld.system.notify(sig, n, [0, 0], op=0)\n",
         "3:5: pld.system.notify expects 4 arguments, found 3"},
        {"too many arguments", "pld.system.notify(sig, n, [0, 0], 1, 0, op=0)\n",
         "3:5: pld.system.notify expects 4 arguments, found 5"},
        {"plain target", "pld.system.notify(x, n, [0, 0], 1, op=0)\n",
         "3:23: argument 'target' of pld.system.notify must be a DistributedTensor, found "
         "pl.Tensor[[4, 64], pl.FP32]"},
        {"peer is no scalar", "pld.system.notify(sig, x, [0, 0], 1, op=0)\n",
         "3:28: argument 'peer' of pld.system.notify must be an integer scalar, found "
         "pl.Tensor[[4, 64], pl.FP32]"},
        {"peer is real", "pld.system.notify(sig, f, [0, 0], 1, op=0)\n",
         "3:28: argument 'peer' of pld.system.notify must be an integer scalar, found "
         "pl.Scalar[pl.FP32]"},
        {"value is no scalar", "pld.system.notify(sig, n, [0, 0], (1, 2), op=0)\n",
         "3:39: argument 'value' of pld.system.notify must be a scalar, found a tuple"},
        {"offsets are no tuple", "pld.system.notify(sig, n, i, 1, op=0)\n",
         "3:31: argument 'offsets' of pld.system.notify must be a tuple of integers such as [0, "
         "0], found "
         "pl.Scalar[pl.INDEX]"},
        {"offsets hold a real", "pld.system.notify(sig, n, [0, 1.5], 1, op=0)\n",
         "3:35: argument 'offsets' of pld.system.notify must hold integers, found "
         "pl.Scalar[pl.FP32]"},
        {"offsets of another rank", "pld.system.notify(sig, n, [0], 1, op=0)\n",
         "3:31: argument 'offsets' of pld.system.notify has 1 elements, but the tensor has rank 2"},
        {"cell out of bounds", "pld.system.notify(sig, n, [4, 0], 1, op=0)\n",
         "3:32: pld.system.notify reaches element 4 of dimension 0, which has 4 elements"},
        {"last cell", "pld.system.notify(sig, n, [3, 0], 1, op=0)\n", NULL},
        {"negative cell", "pld.system.wait(sig, [-1, 0], 1, cmp=1)\n",
         "3:27: offset -1 of pld.system.wait is negative"},
        {"op is missing", "pld.system.notify(sig, n, [0, 0], 1)\n",
         "3:5: pld.system.notify needs the keyword 'op'"},
        {"op is neither", "pld.system.notify(sig, n, [0, 0], 1, op=2)\n",
         "3:45: keyword 'op' of pld.system.notify must be 0 (pld.NotifyOp.AtomicAdd) or 1 "
         "(pld.NotifyOp.Set)"},
        {"unknown keyword", "pld.system.notify(sig, n, [0, 0], 1, op=0, opp=1)\n",
         "3:48: pld.system.notify has no keyword 'opp'; did you mean 'op'?"},
        {"wait", "pld.system.wait(sig, [i, 0], n, cmp=0)\n", NULL},
        {"wait on a plain tensor", "pld.system.wait(out, [0, 0], 1, cmp=1)\n",
         "3:21: argument 'signal' of pld.system.wait must be a DistributedTensor, found "
         "pl.Tensor[[4, 64], pl.FP32]"},
        {"cmp is neither", "pld.system.wait(sig, [0, 0], 1, cmp=3)\n",
         "3:41: keyword 'cmp' of pld.system.wait must be 0 (pld.WaitCmp.Eq) or 1 (pld.WaitCmp.Ge)"},
        {"cmp is missing", "pld.system.wait(sig, [0, 0], 1)\n",
         "3:5: pld.system.wait needs the keyword 'cmp'"},
        {"defer_wait", "pld.system.defer_wait(sig, [0, 0], 1, cmp=1)\n", NULL},
        {"defer_wait Eq", "pld.system.defer_wait(sig, [0, 0], 1, cmp=0)\n",
         "3:5: pld.system.defer_wait compares with pld.WaitCmp.Ge only"},
        {"defer_wait of a real signal", "pld.system.defer_wait(win, [0, 0], 1, cmp=1)\n",
         "3:27: the signal of pld.system.defer_wait must hold pl.INT32"},
        {"defer_wait of a negative value", "pld.system.defer_wait(sig, [0, 0], -1, cmp=1)\n",
         "3:40: pld.system.defer_wait expects a value in 0 .. 2147483647, found -1"},
    };
    EXPECT_VERDICTS(cases, true);
}

Test(verify, contexts)
{
    static const struct verify_case cases[] = {
        {"context",
         "c = pld.system.get_comm_ctx(win)\nr = pld.system.rank(c)\ns = pld.system.nranks(ctx)\n",
         NULL},
        {"context of a plain tensor", "c = pld.system.get_comm_ctx(x)\n",
         "3:33: argument 'dist_tensor' of pld.system.get_comm_ctx must be a DistributedTensor, "
         "found "
         "pl.Tensor[[4, 64], pl.FP32]"},
        {"rank of a window", "r = pld.system.rank(win)\n",
         "3:25: argument 'ctx' of pld.system.rank must be a CommCtx, found "
         "pld.DistributedTensor[[4, 64], pl.FP32]"},
        {"keyword", "c = pld.system.get_comm_ctx(win, k=1)\n",
         "3:38: pld.system.get_comm_ctx has no keyword 'k'"},
    };
    EXPECT_VERDICTS(cases, true);
}

Test(verify, tiles)
{
    static const struct verify_case cases[] = {
        {"load and store", TILE "out = pl.store(t, [3, 0], out)\n", NULL},
        {"load beyond the end", "t = pl.load(x, [1, 0], [4, 64])\n",
         "3:21: tile.load reaches element 4 of dimension 0, which has 4 elements"},
        {"load at a variable offset", "t = pl.load(x, [i, 0], [4, 64])\n", NULL},
        {"valid part within bounds", "t = pl.load(x, [3, 0], [4, 64], [1, 64])\n", NULL},
        {"valid part larger than the tile", "t = pl.load(x, [0, 0], [1, 64], [2, 64])\n",
         "3:38: valid extent 2 of tile.load exceeds the extent 1"},
        {"offsets of another rank", "t = pl.load(x, [0], [1, 64])\n",
         "3:20: argument 'offsets' of tile.load has 1 elements, but the tensor has rank 2"},
        {"shapes of another rank", "t = pl.load(x, [0, 0], [64])\n",
         "3:28: argument 'shapes' of tile.load has 1 elements, but the tensor has rank 2"},
        {"load of a tile", TILE "u = pl.tile.load(t, [0, 0], [1, 64], [1, 64])\n",
         "4:22: argument 'tensor' of tile.load must be a Tensor or DistributedTensor, found "
         "pl.Tile[[1, 64], pl.FP32]"},
        {"store beyond the end", TILE "pl.store(t, [4, 0], out)\n",
         "4:18: tile.store reaches element 4 of dimension 0, which has 4 elements"},
        {"store of a tensor", "pl.tile.store(x, [0, 0], out)\n",
         "3:19: argument 'tile' of tile.store must be a Tile, found pl.Tensor[[4, 64], pl.FP32]"},
        {"store of another element type",
         TILE "u = pl.cast(t, pl.FP16)\npl.store(u, [0, 0], out)\n",
         "5:14: argument 'tile' of tile.store holds pl.FP16, but 'output_tensor' holds pl.FP32"},
        {"the accumulator narrows",
         "u: pl.Tile[[1, 1], pl.INT64, pl.Mem.Acc] = pl.mystery()\npl.store(u, [0, 0], out)\n",
         NULL},
        {"atomic store", TILE "pl.store(t, [0, 0], win, atomic=pl.AtomicType.Add)\n", NULL},
        {"atomic type",
         "u: pl.Tile[[1, 1], pl.INT64] = pl.mystery()\nw: pl.Tensor[[4, 4], pl.INT64] = "
         "pl.mystery()\n"
         "pl.store(u, [0, 0], w, atomic=1)\npl.store(u, [0, 0], w, atomic=0)\n",
         "5:25: tile.store cannot add atomically to pl.INT64"},
        {"addition of a tensor", TILE "u = pl.tile.add(t, x)\n",
         "4:24: argument 'rhs' of tile.add must be a Tile, found pl.Tensor[[4, 64], pl.FP32]"},
        {"unknown operators are not judged", "pl.tile.mystery(1, 2, 3, k=4)\n", NULL},
        {"missing element type", "t = pl.tile.create([1, 64])\n",
         "3:9: tile.create needs the keyword 'dtype'"},
        {"no element type", "t = pl.tile.create([1, 64], dtype=4)\n",
         "3:39: keyword 'dtype' of tile.create must be an element type such as pl.FP32"},
        {"flat index", TILE "y = pl.tile.read(t, 5)\nz = pl.tile.read(t, [0, 5])\n", NULL},
        {"bad flag", TILE "u = pl.tile.div(t, t, high_precision='yes')\n",
         "4:42: keyword 'high_precision' of tile.div must be True or False"},
    };
    EXPECT_VERDICTS(cases, true);
}

Test(verify, scalar_accesses)
{
    static const struct verify_case cases[] = {
        {"read and write", "y = pl.read(x, [3, 63])\npl.write(win, [i, 0], f)\n", NULL},
        {"index out of bounds", "y = pl.read(x, [0, 64])\n",
         "3:24: tensor.read reaches element 64 of dimension 1, which has 64 elements"},
        {"write out of bounds", "pl.write(out, [4, 0], f)\n",
         "3:20: tensor.write reaches element 4 of dimension 0, which has 4 elements"},
        {"indices of another rank", "y = pl.read(x, [0])\n",
         "3:20: argument 'indices' of tensor.read has 1 elements, but the tensor has rank 2"},
        {"real index", "y = pl.read(x, [f, 0])\n",
         "3:21: argument 'indices' of tensor.read must hold integers, found pl.Scalar[pl.FP32]"},
        {"value is a tensor", "pl.write(out, [0, 0], x)\n",
         "3:27: argument 'value' of tensor.write must be a scalar, found pl.Tensor[[4, 64], "
         "pl.FP32]"},
    };
    EXPECT_VERDICTS(cases, true);
}

Test(verify, remote_accesses)
{
    static const struct verify_case cases[] = {
        {"remote load", "t = pld.tile.remote_load(win, n, [3, 0], [1, 64])\n", NULL},
        {"remote load of a plain tensor", "t = pld.tile.remote_load(x, n, [0, 0], [1, 64])\n",
         "3:30: argument 'target' of pld.tile.remote_load must be a DistributedTensor, found "
         "pl.Tensor[[4, 64], pl.FP32]"},
        {"remote load beyond the end", "t = pld.tile.remote_load(win, n, [0, 1], [1, 64])\n",
         "3:42: pld.tile.remote_load reaches element 64 of dimension 1, which has 64 elements"},
        {"remote load of another rank", "t = pld.tile.remote_load(win, n, [0, 0], [64])\n",
         "3:46: argument 'shape' of pld.tile.remote_load has 1 elements, but the tensor has rank "
         "2"},
        {"negative valid extent", "t = pld.tile.remote_load(win, n, [0, 0], [1, 64], [1, -1])\n",
         "3:59: valid extent -1 of pld.tile.remote_load is negative"},
        {"remote store", TILE "pld.tile.remote_store(t, win, n, [3, 0])\n", NULL},
        {"remote store of a tensor", "pld.tile.remote_store(x, win, n, [0, 0])\n",
         "3:27: argument 'src_tile' of pld.tile.remote_store must be a Tile, found pl.Tensor[[4, "
         "64], pl.FP32]"},
        {"remote store of a window", "pld.tensor.remote_store(win, win, n, [0, 0])\n",
         "3:29: argument 'src' of pld.tensor.remote_store must be a plain Tensor, found "
         "pld.DistributedTensor[[4, 64], pl.FP32]"},
        {"remote store that does not fit", TILE "pld.tile.remote_store(t, win, n, [0, 8])\n",
         "4:42: pld.tile.remote_store reaches element 71 of dimension 1, which has 64 elements"},
        {"remote store of another element type", TILE "pld.tile.remote_store(t, sig, n, [0, 0])\n",
         "4:42: pld.tile.remote_store reaches element 63 of dimension 1, which has 1 elements"},
        {"element types differ",
         "t = pl.full([1, 1], pl.FP32, 0.0)\npld.tile.remote_store(t, sig, n, [0, 0])\n",
         "4:27: argument 'src_tile' of pld.tile.remote_store holds pl.FP32, but 'target' holds "
         "pl.INT32"},
        {"leading dimension",
         "t = pl.full([2, 1, 64], pl.FP32, 0.0)\npld.tile.remote_store(t, win, n, [0, 0])\n",
         "4:27: leading dimension 0 of the source of pld.tile.remote_store is 2, expected 1"},
        {"leading dimension of 1",
         "t = pl.full([1, 1, 64], pl.FP32, 0.0)\npld.tile.remote_store(t, win, n, [0, 0])\n", NULL},
    };
    EXPECT_VERDICTS(cases, true);
}

Test(verify, transfers)
{
    static const struct verify_case cases[] = {
        {"put", STAGE "pld.tile.put(win, n, x, s, atomic=0)\n", NULL},
        {"put of a region", STAGE "pld.tile.put(win, n, x, s, [0, 0], [1, 0], [1, 64], atomic=0)\n",
         NULL},
        {"put of six arguments", STAGE "pld.tile.put(win, n, x, s, [0, 0], [0, 0], atomic=0)\n",
         "4:5: pld.tile.put expects 4, 5, 7 or 8 arguments, found 6"},
        {"put into a plain tensor", STAGE "pld.tile.put(out, n, x, s, atomic=0)\n",
         "4:18: argument 'dst' of pld.tile.put must be a DistributedTensor, found pl.Tensor[[4, "
         "64], pl.FP32]"},
        {"put without atomic", STAGE "pld.tile.put(win, n, x, s)\n",
         "4:5: pld.tile.put needs the keyword 'atomic'"},
        {"put beyond the destination",
         STAGE "pld.tile.put(win, n, x, s, [4, 0], [0, 0], [1, 64], atomic=0)\n",
         "4:33: pld.tile.put reaches element 4 of dimension 0, which has 4 elements"},
        {"put beyond the source",
         STAGE "pld.tile.put(win, n, x, s, [0, 0], [4, 0], [1, 64], atomic=0)\n",
         "4:41: pld.tile.put reaches element 4 of dimension 0, which has 4 elements"},
        {"region of another rank",
         STAGE "pld.tile.put(win, n, x, s, [0, 0], [0, 0], [64], atomic=0)\n",
         "4:48: argument 'shape' of pld.tile.put has 1 elements, but the tensor has rank 2"},
        {"empty region", STAGE "pld.tile.put(win, n, x, s, [0, 0], [0, 0], [0, 64], atomic=0)\n",
         "4:49: extent 0 of pld.tile.put must be positive"},
        {"stage of another element type",
         "s = pl.create_tile([1, 64], dtype=pl.INT32)\npld.tile.put(win, n, x, s, atomic=0)\n",
         "4:29: argument 'stage' of pld.tile.put holds pl.INT32, but 'dst' holds pl.FP32"},
        {"stage of rank 1",
         "s = pl.create_tile([64], dtype=pl.FP32)\npld.tile.put(win, n, x, s, atomic=0)\n",
         "4:29: the stage of pld.tile.put must have rank 2, found 1"},
        {"stage too large",
         "s = pl.create_tile([8, 64], dtype=pl.FP32)\npld.tile.put(win, n, x, s, atomic=0)\n",
         "4:29: the stage of pld.tile.put has 512 elements, more than the transfer's 256"},
        {"stages differ",
         STAGE
         "r = pl.create_tile([2, 64], dtype=pl.FP32)\npld.tile.put(win, n, x, s, r, atomic=0)\n",
         "5:32: the stages of pld.tile.put differ in shape"},
        {"sources of another element type", "pld.tensor.put(win, n, sig, atomic=0)\n",
         "3:28: argument 'src' of pld.tensor.put holds pl.INT32, but 'dst' holds pl.FP32"},
        {"shapes differ",
         "w: pl.Tensor[[2, 64], pl.FP32] = pl.mystery()\npld.tensor.put(win, n, w, atomic=0)\n",
         "4:28: source and destination of pld.tensor.put differ in shape; name the region to copy"},
        {"ranks differ",
         "w: pl.Tensor[[64], pl.FP32] = pl.mystery()\npld.tensor.put(win, n, w, atomic=0)\n",
         "4:28: source and destination of pld.tensor.put have ranks 1 and 2"},
        {"tensor put",
         "pld.tensor.put(win, n, x, atomic=1, chunk_rows=2, chunk_cols=64, pipeline=True)\n", NULL},
        {"negative chunk", "pld.tensor.put(win, n, x, atomic=0, chunk_rows=-1)\n",
         "3:5: chunk_rows and chunk_cols of pld.tensor.put cannot be negative"},
        {"pipeline without chunks", "pld.tensor.put(win, n, x, atomic=0, pipeline=True)\n",
         "3:5: pipeline=True of pld.tensor.put needs chunk_rows and chunk_cols"},
        {"dynamic leading extent", "pld.tensor.put(win, n, x, [0, 0], [0, 0], [i, 64], atomic=0)\n",
         "3:5: pld.tensor.put needs chunk_rows: dimension 0 is not static"},
        {"dynamic innermost extent",
         "pld.tensor.put(win, n, x, [0, 0], [0, 0], [4, i], atomic=0, chunk_rows=1)\n",
         "3:5: pld.tensor.put needs chunk_cols: dimension 1 is not static"},
        {"get", STAGE "pld.tile.get(out, n, win, s)\n", NULL},
        {"get from a plain tensor", STAGE "pld.tile.get(win, n, x, s)\n",
         "4:26: argument 'src' of pld.tile.get must be a DistributedTensor, found pl.Tensor[[4, "
         "64], pl.FP32]"},
        {"get takes no keyword", STAGE "pld.tile.get(out, n, win, s, atomic=0)\n",
         "4:34: pld.tile.get has no keyword 'atomic'"},
    };
    EXPECT_VERDICTS(cases, true);
}

Test(verify, markers)
{
    static const struct verify_case cases[] = {
        {"markers",
         "pl.system.fence()\npl.system.bar_all()\npl.system.cacheinvalid()\n"
         "pl.system.cacheinvalid(win, [4, 64], [0, 0])\n",
         NULL},
        {"fence of something", "pl.system.fence(win)\n",
         "3:5: system.fence expects 0 arguments, found 1"},
        {"half a region", "pl.system.cacheinvalid(win, [4, 64])\n",
         "3:5: system.cacheinvalid expects 0 or 3 arguments, found 2"},
        {"region of another rank", "pl.system.cacheinvalid(win, [64], [0, 0])\n",
         "3:33: argument 'shapes' of system.cacheinvalid has 1 elements, but the tensor has rank "
         "2"},
        {"real extent", "pl.system.cacheinvalid(win, [4.0, 64], [0, 0])\n",
         "3:34: argument 'shapes' of system.cacheinvalid must hold integers, found "
         "pl.Scalar[pl.FP32]"},
        {"region of a scalar", "pl.system.cacheinvalid(n, [4, 64], [0, 0])\n",
         "3:28: argument 'tensor' of system.cacheinvalid must be a Tensor or DistributedTensor, "
         "found "
         "pl.Scalar[pl.INT32]"},
    };
    EXPECT_VERDICTS(cases, true);
}

Test(verify, collectives)
{
    static const struct verify_case cases[] = {
        {"allreduce", "pld.tensor.allreduce(win, sig, op=pld.ReduceOp.Max)\n", NULL},
        {"allreduce without a signal", "pld.tensor.allreduce(win, op=0)\n",
         "3:5: pld.tensor.allreduce in an InCore function needs its signal"},
        {"allreduce on several cores", "pld.tensor.allreduce(win, sig, op=0, core_num=2)\n",
         "3:5: pld.tensor.allreduce in an InCore function runs with core_num=1"},
        {"allreduce on no core", "pld.tensor.allreduce(win, sig, op=0, core_num=0)\n",
         "3:5: core_num of pld.tensor.allreduce must be positive, found 0"},
        {"allreduce of integers", "pld.tensor.allreduce(sig, sig, op=0)\n",
         "3:26: pld.tensor.allreduce reduces pl.FP16 and pl.FP32, found pl.INT32"},
        {"allreduce of another kind", "pld.tensor.allreduce(win, sig, op=4)\n",
         "3:39: keyword 'op' of pld.tensor.allreduce must be 0 (pld.ReduceOp.Sum) or 1 "
         "(pld.ReduceOp.Max) or 2 "
         "(pld.ReduceOp.Min) or 3 (pld.ReduceOp.Prod)"},
        {"signal of reals", "pld.tensor.allreduce(win, win, op=0)\n",
         "3:31: the signal of pld.tensor.allreduce must hold pl.INT32, found pl.FP32"},
        {"reduce_scatter", "pld.tensor.reduce_scatter(win, sig, op=0)\n", NULL},
        {"reduce_scatter of a maximum", "pld.tensor.reduce_scatter(win, sig, op=1)\n",
         "3:5: pld.tensor.reduce_scatter supports pld.ReduceOp.Sum only"},
        {"all_to_all", "pld.tensor.all_to_all(x, win, sig)\n", NULL},
        {"all_to_all in place", "pld.tensor.all_to_all(win, win, sig)\n",
         "3:27: input and target of pld.tensor.all_to_all must be different buffers"},
        {"allgather of other rows",
         "w: pl.Tensor[[1, 32], pl.FP32] = pl.mystery()\npld.tensor.allgather(w, win, sig)\n",
         "4:26: input and target of pld.tensor.allgather have rows of 32 and 64 elements"},
        {"broadcast", "pld.tensor.broadcast(win, sig, root=1)\n", NULL},
        {"broadcast without a root", "pld.tensor.broadcast(win, sig)\n",
         "3:5: pld.tensor.broadcast needs the keyword 'root'"},
        {"broadcast from nobody", "pld.tensor.broadcast(win, sig, root=-1)\n",
         "3:5: root of pld.tensor.broadcast cannot be negative, found -1"},
        {"barrier", "pld.tensor.barrier(sig)\n", NULL},
    };
    EXPECT_VERDICTS(cases, true);
}

Test(verify, statements)
{
    static const struct verify_case cases[] = {
        {"nested call", "y = pl.read(x, [0, 64]) + 1.0\n",
         "3:24: tensor.read reaches element 64 of dimension 1, which has 64 elements"},
        {"condition", "while pl.read(x, [0, 64]) > 1.0:\n    pass\n",
         "3:26: tensor.read reaches element 64 of dimension 1, which has 64 elements"},
        {"the first error in the text", "if b:\n    pl.system.fence(1)\npl.system.fence(2)\n",
         "4:9: system.fence expects 0 arguments, found 1"},
        {"break", "while b:\n    break\n", NULL},
        {"break outside", "if b:\n    break\n", "4:9: break outside a loop"},
        {"continue outside", "continue\n", "3:5: continue outside a loop"},
        {"tuple element", "y = (i, n)\nz = y[1]\n", NULL},
        {"no such tuple element", "y = (i, n)\nz = y[2]\n", "4:9: index 2 is outside a tuple of 2"},
    };
    EXPECT_VERDICTS(cases, true);
}

#define HOST   "@pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)\ndef main():\n"
#define INCORE "@pl.function(type=pl.FunctionType.InCore)\ndef k():\n"

Test(verify, programs)
{
    static const struct verify_case cases[] = {
        {"host operators",
         HOST "    n = pld.world_size()\n    b = pld.alloc_window_buffer(n * 4)\n"
              "    w = pld.window(b, [n], dtype=pl.INT32)\n    pld.tensor.allreduce(w, op=0)\n",
         "6:26: pld.tensor.allreduce reduces pl.FP16 and pl.FP32, found pl.INT32"},
        {"host allreduce needs no signal",
         HOST "    b = pld.alloc_window_buffer(64)\n    w = pld.window(b, [16], dtype=pl.FP32)\n"
              "    pld.tensor.allreduce(w, op=0)\n",
         NULL},
        {"host operator on a core", INCORE "    n = pld.world_size()\n",
         "3:9: pld.system.world_size is for functions of level=pl.Level.HOST, not for the InCore "
         "function 'k'"},
        {"allocation on a core", INCORE "    n = pld.tensor.alloc_window_buffer(64)\n",
         "3:9: pld.tensor.alloc_window_buffer is for functions of level=pl.Level.HOST, not for the "
         "InCore function 'k'"},
        {"allocation on a chip",
         "@pl.function(type=pl.FunctionType.Orchestration)\ndef chip():\n"
         "    n = pld.alloc_window_buffer(64)\n",
         "3:9: pld.tensor.alloc_window_buffer is for functions of level=pl.Level.HOST, not for the "
         "Orchestration function 'chip'"},
        {"window of no pointer", HOST "    w = pld.window(4, [4], dtype=pl.FP32)\n",
         "3:20: argument 'ptr' of pld.tensor.window must be a Ptr, found pl.Scalar[pl.INDEX]"},
        {"window without an element type",
         HOST "    b = pld.alloc_window_buffer(64)\n    w = pld.window(b, [4])\n",
         "4:9: pld.tensor.window needs the keyword 'dtype'"},
        {"window of no shape",
         HOST "    b = pld.alloc_window_buffer(64)\n    w = pld.window(b, 4, dtype=pl.FP32)\n",
         "4:23: argument 'shape' of pld.tensor.window must be a tuple of integers such as [0, 0], "
         "found "
         "pl.Scalar[pl.INDEX]"},
        {"empty window",
         HOST "    b = pld.alloc_window_buffer(64)\n    w = pld.window(b, [], dtype=pl.FP32)\n",
         "4:23: the shape of pld.tensor.window is empty"},
        {"allocation of a shape", HOST "    b = pld.alloc_window_buffer([4, 4], dtype=pl.FP32)\n",
         NULL},
        {"allocation of a shape without an element type",
         HOST "    b = pld.alloc_window_buffer([4, 4])\n",
         "3:33: pld.tensor.alloc_window_buffer of a shape needs dtype="},
        {"allocation of a size with an element type",
         HOST "    b = pld.alloc_window_buffer(4, dtype=pl.FP32)\n",
         "3:42: pld.tensor.alloc_window_buffer of a size in bytes takes no dtype="},
        {"allocation of nothing", HOST "    b = pld.alloc_window_buffer(0)\n",
         "3:33: window size 0 must be positive"},
        {"calls",
         "class P:\n    def k(self, a: pl.Scalar[pl.INT32]):\n        pass\n"
         "    def main(self):\n        self.k(1)\n",
         NULL},
        {"unknown function",
         "class P:\n    def kern(self):\n        pass\n    def main(self):\n        self.kernn()\n",
         "5:9: no function 'kernn' in this program; did you mean 'kern'?"},
        {"too many arguments",
         "class P:\n    def k(self):\n        pass\n    def main(self):\n        self.k(1)\n",
         "5:9: 'k' has 0 parameters, found 1 arguments"},
        {"scalar output", "def k(a: pl.InOut[pl.Scalar[pl.INT32]]):\n    pass\n",
         "1:7: scalar parameter 'a' cannot be an output"},
        {"empty dimension", "def k(a: pl.Tensor[[4, 0], pl.FP32]):\n    pass\n",
         "1:24: dimension 1 of 'a' is 0, expected at least 1"},
        {"bounds through constants",
         "N = 8\ndef k(a: pl.Tensor[[N], pl.FP32]):\n    y = pl.read(a, [N])\n",
         "3:21: tensor.read reaches element 8 of dimension 0, which has 8 elements"},
    };
    EXPECT_VERDICTS(cases, false);
}
