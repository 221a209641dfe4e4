/* SPDX-License-Identifier: MIT */
/* One case for each row of the tables that operators share (pypto-facts 2), but for the rows that
 * tests/ir/verify_operators.c has. */
#include "tests/ir/verify_cases.h"

static const struct verify_case rows[] = {
    BAD("pld.tensor.remote_store: rank of target",
        "w: pld.DistributedTensor[[64], pl.FP32] = pl.test.mystery()\npld.tensor.remote_store(x, "
        "w, n, "
        "[0])\n",
        "4:32: argument 'target' of pld.tensor.remote_store must have rank 2 or more, found 1 "
        "[argument-rank]"),
    BAD("pld.tile.get: rank of stage",
        "s: pl.Tile[[64], pl.FP32] = pl.test.mystery()\npld.tile.get(out, n, win, s)\n",
        "4:31: argument 'stage' of pld.tile.get must have rank 2, found 1 [argument-rank]"),
    BAD("pld.tensor.reduce_scatter: rank of target",
        "w: pld.DistributedTensor[[64], pl.FP32] = pl.test.mystery()\npld.tensor.reduce_scatter(w, "
        "sig, "
        "op=0)\n",
        "4:31: argument 'target' of pld.tensor.reduce_scatter must have rank 2, found 1 "
        "[argument-rank]"),
    BAD("pld.tensor.allgather: rank of target",
        "w: pld.DistributedTensor[[64], pl.FP32] = pl.test.mystery()\npld.tensor.allgather(x, w, "
        "sig)\n",
        "4:29: argument 'target' of pld.tensor.allgather must have rank 2, found 1 "
        "[argument-rank]"),
    BAD("pld.tensor.all_to_all: rank of input",
        "w: pl.Tensor[[64], pl.FP32] = pl.test.mystery()\npld.tensor.all_to_all(w, win, sig)\n",
        "4:27: argument 'input' of pld.tensor.all_to_all must have rank 2, found 1 "
        "[argument-rank]"),
    BAD("pld.tensor.all_to_all: rank of target",
        "w: pld.DistributedTensor[[64], pl.FP32] = pl.test.mystery()\npld.tensor.all_to_all(x, w, "
        "sig)\n",
        "4:30: argument 'target' of pld.tensor.all_to_all must have rank 2, found 1 "
        "[argument-rank]"),
    BAD("pld.tensor.all_to_all_v: rank of input",
        "a: pl.Tensor[[8], pl.FP32] = pl.test.mystery()\nt: pld.DistributedTensor[[8, 16], "
        "pl.FP32] = "
        "pl.test.mystery()\ns: pld.DistributedTensor[[4, 1], pl.INT32] = pl.test.mystery()\nc: "
        "pl.Tensor[[4], pl.INT32] = pl.test.mystery()\nr: pld.DistributedTensor[[4, 1], pl.INT32] "
        "= "
        "pl.test.mystery()\npld.tensor.all_to_all_v(a, t, s, c, r)\n",
        "8:29: argument 'input' of pld.tensor.all_to_all_v must have rank 2, found 1 "
        "[argument-rank]"),
    BAD("pld.tensor.all_to_all_v: rank of target",
        "a: pl.Tensor[[8, 16], pl.FP32] = pl.test.mystery()\nt: pld.DistributedTensor[[8], "
        "pl.FP32] = "
        "pl.test.mystery()\ns: pld.DistributedTensor[[4, 1], pl.INT32] = pl.test.mystery()\nc: "
        "pl.Tensor[[4], pl.INT32] = pl.test.mystery()\nr: pld.DistributedTensor[[4, 1], pl.INT32] "
        "= "
        "pl.test.mystery()\npld.tensor.all_to_all_v(a, t, s, c, r)\n",
        "8:32: argument 'target' of pld.tensor.all_to_all_v must have rank 2, found 1 "
        "[argument-rank]"),
    BAD("pld.tensor.all_to_all_v: rank of signal",
        "a: pl.Tensor[[8, 16], pl.FP32] = pl.test.mystery()\nt: pld.DistributedTensor[[8, 16], "
        "pl.FP32] "
        "= pl.test.mystery()\ns: pld.DistributedTensor[[4], pl.INT32] = pl.test.mystery()\nc: "
        "pl.Tensor[[4], "
        "pl.INT32] = pl.test.mystery()\nr: pld.DistributedTensor[[4, 1], pl.INT32] = "
        "pl.test.mystery()\npld.tensor.all_to_all_v(a, t, s, c, r)\n",
        "8:35: argument 'signal' of pld.tensor.all_to_all_v must have rank 2, found 1 "
        "[argument-rank]"),
    BAD("pld.tensor.all_to_all_v: rank of send_counts",
        "a: pl.Tensor[[8, 16], pl.FP32] = pl.test.mystery()\nt: pld.DistributedTensor[[8, 16], "
        "pl.FP32] "
        "= pl.test.mystery()\ns: pld.DistributedTensor[[4, 1], pl.INT32] = pl.test.mystery()\nc: "
        "pl.Tensor[[4, 1, 1], pl.INT32] = pl.test.mystery()\nr: pld.DistributedTensor[[4, 1], "
        "pl.INT32] "
        "= pl.test.mystery()\npld.tensor.all_to_all_v(a, t, s, c, r)\n",
        "8:38: argument 'send_counts' of pld.tensor.all_to_all_v must have rank 1 or 2, found 3 "
        "[argument-rank]"),
    BAD("pld.tensor.reduce_scatter: elements of signal",
        "f4: pld.DistributedTensor[[4, 1], pl.FP32] = "
        "pl.test.mystery()\npld.tensor.reduce_scatter(win, "
        "f4, op=0)\n",
        "4:36: argument 'signal' of pld.tensor.reduce_scatter must hold pl.INT32, found pl.FP32 "
        "[argument-dtype]"),
    BAD("pld.tensor.allgather: elements of signal",
        "w: pl.Tensor[[1, 64], pl.FP32] = pl.test.mystery()\nf4: pld.DistributedTensor[[4, 1], "
        "pl.FP32] "
        "= pl.test.mystery()\npld.tensor.allgather(w, win, f4)\n",
        "5:34: argument 'signal' of pld.tensor.allgather must hold pl.INT32, found pl.FP32 "
        "[argument-dtype]"),
    BAD("pld.tensor.broadcast: elements of signal",
        "f4: pld.DistributedTensor[[4, 1], pl.FP32] = pl.test.mystery()\npld.tensor.broadcast(win, "
        "f4, "
        "root=0)\n",
        "4:31: argument 'signal' of pld.tensor.broadcast must hold pl.INT32, found pl.FP32 "
        "[argument-dtype]"),
    BAD("pld.tensor.all_to_all: elements of signal",
        "f4: pld.DistributedTensor[[4, 1], pl.FP32] = pl.test.mystery()\npld.tensor.all_to_all(x, "
        "win, "
        "f4)\n",
        "4:35: argument 'signal' of pld.tensor.all_to_all must hold pl.INT32, found pl.FP32 "
        "[argument-dtype]"),
    BAD("pld.tensor.all_to_all_v: elements of signal",
        "a: pl.Tensor[[8, 16], pl.FP32] = pl.test.mystery()\nt: pld.DistributedTensor[[8, 16], "
        "pl.FP32] "
        "= pl.test.mystery()\ns: pld.DistributedTensor[[4, 1], pl.INT64] = pl.test.mystery()\nc: "
        "pl.Tensor[[4], pl.INT32] = pl.test.mystery()\nr: pld.DistributedTensor[[4, 1], pl.INT32] "
        "= "
        "pl.test.mystery()\npld.tensor.all_to_all_v(a, t, s, c, r)\n",
        "8:35: argument 'signal' of pld.tensor.all_to_all_v must hold pl.INT32, found pl.INT64 "
        "[argument-dtype]"),
    BAD("pld.tensor.all_to_all_v: elements of send_counts",
        "a: pl.Tensor[[8, 16], pl.FP32] = pl.test.mystery()\nt: pld.DistributedTensor[[8, 16], "
        "pl.FP32] "
        "= pl.test.mystery()\ns: pld.DistributedTensor[[4, 1], pl.INT32] = pl.test.mystery()\nc: "
        "pl.Tensor[[4], pl.INT64] = pl.test.mystery()\nr: pld.DistributedTensor[[4, 1], pl.INT32] "
        "= "
        "pl.test.mystery()\npld.tensor.all_to_all_v(a, t, s, c, r)\n",
        "8:38: argument 'send_counts' of pld.tensor.all_to_all_v must hold pl.INT32, found "
        "pl.INT64 [argument-dtype]"),
    BAD("pld.tensor.all_to_all_v: elements of recv_counts",
        "a: pl.Tensor[[8, 16], pl.FP32] = pl.test.mystery()\nt: pld.DistributedTensor[[8, 16], "
        "pl.FP32] "
        "= pl.test.mystery()\ns: pld.DistributedTensor[[4, 1], pl.INT32] = pl.test.mystery()\nc: "
        "pl.Tensor[[4], pl.INT32] = pl.test.mystery()\nr: pld.DistributedTensor[[4, 1], pl.INT64] "
        "= "
        "pl.test.mystery()\npld.tensor.all_to_all_v(a, t, s, c, r)\n",
        "8:41: argument 'recv_counts' of pld.tensor.all_to_all_v must hold pl.INT32, found "
        "pl.INT64 [argument-dtype]"),
    BAD("pld.tensor.all_to_all_v: columns of signal",
        "a: pl.Tensor[[8, 16], pl.FP32] = pl.test.mystery()\nt: pld.DistributedTensor[[8, 16], "
        "pl.FP32] "
        "= pl.test.mystery()\ns: pld.DistributedTensor[[4, 2], pl.INT32] = pl.test.mystery()\nc: "
        "pl.Tensor[[4], pl.INT32] = pl.test.mystery()\nr: pld.DistributedTensor[[4, 1], pl.INT32] "
        "= "
        "pl.test.mystery()\npld.tensor.all_to_all_v(a, t, s, c, r)\n",
        "8:35: dimension 1 of argument 'signal' of pld.tensor.all_to_all_v must be 1, found 2 "
        "[argument-extent]"),
    BAD("pld.tensor.all_to_all_v: columns of send_counts",
        "a: pl.Tensor[[8, 16], pl.FP32] = pl.test.mystery()\nt: pld.DistributedTensor[[8, 16], "
        "pl.FP32] "
        "= pl.test.mystery()\ns: pld.DistributedTensor[[4, 1], pl.INT32] = pl.test.mystery()\nc: "
        "pl.Tensor[[4, 2], pl.INT32] = pl.test.mystery()\nr: pld.DistributedTensor[[4, 1], "
        "pl.INT32] = "
        "pl.test.mystery()\npld.tensor.all_to_all_v(a, t, s, c, r)\n",
        "8:38: dimension 1 of argument 'send_counts' of pld.tensor.all_to_all_v must be 1, found 2 "
        "[argument-extent]"),
    BAD("pld.tensor.all_to_all_v: rows of target",
        "a: pl.Tensor[[8, 16], pl.FP32] = pl.test.mystery()\nt: pld.DistributedTensor[[i, 16], "
        "pl.FP32] "
        "= pl.test.mystery()\ns: pld.DistributedTensor[[4, 1], pl.INT32] = pl.test.mystery()\nc: "
        "pl.Tensor[[4], pl.INT32] = pl.test.mystery()\nr: pld.DistributedTensor[[4, 1], pl.INT32] "
        "= "
        "pl.test.mystery()\npld.tensor.all_to_all_v(a, t, s, c, r)\n",
        "8:32: dimension 0 of argument 'target' of pld.tensor.all_to_all_v must be known at "
        "compile time [argument-static]"),
    BAD("pld.tensor.put: chunk_cols", "pld.tensor.put(win, n, x, atomic=0, chunk_cols=-1)\n",
        "3:52: keyword 'chunk_cols' of pld.tensor.put must be at least 0, found -1 "
        "[keyword-range]"),
    BAD("pld.tensor.get: chunk_rows", "pld.tensor.get(out, n, win, chunk_rows=-2)\n",
        "3:44: keyword 'chunk_rows' of pld.tensor.get must be at least 0, found -2 "
        "[keyword-range]"),
    BAD("pld.tensor.get: chunk_cols", "pld.tensor.get(out, n, win, chunk_cols=-3)\n",
        "3:44: keyword 'chunk_cols' of pld.tensor.get must be at least 0, found -3 "
        "[keyword-range]"),
    BAD("pld.tensor.remote_store: elements of src and target",
        "h: pl.Tensor[[4, 64], pl.FP16] = pl.test.mystery()\npld.tensor.remote_store(h, win, n, "
        "[0, "
        "0])\n",
        "4:29: argument 'src' of pld.tensor.remote_store holds pl.FP16, but 'target' holds pl.FP32 "
        "[same-dtype]"),
    BAD("pld.tile.put: elements of src and dst",
        "h: pl.Tensor[[4, 64], pl.FP16] = pl.test.mystery()\ns: pl.Tile[[1, 64], pl.FP32] = "
        "pl.test.mystery()\npld.tile.put(win, n, h, s, atomic=0)\n",
        "5:26: argument 'src' of pld.tile.put holds pl.FP16, but 'dst' holds pl.FP32 [same-dtype]"),
    BAD("pld.tile.put: elements of stage2 and dst",
        "s: pl.Tile[[1, 64], pl.FP32] = pl.test.mystery()\nu: pl.Tile[[1, 64], pl.FP16] = "
        "pl.test.mystery()\npld.tile.put(win, n, x, s, u, atomic=0)\n",
        "5:32: argument 'stage2' of pld.tile.put holds pl.FP16, but 'dst' holds pl.FP32 "
        "[same-dtype]"),
    BAD("pld.tile.get: elements of src and dst",
        "h: pld.DistributedTensor[[4, 64], pl.FP16] = pl.test.mystery()\ns: pl.Tile[[1, 64], "
        "pl.FP32] = "
        "pl.test.mystery()\npld.tile.get(out, n, h, s)\n",
        "5:26: argument 'src' of pld.tile.get holds pl.FP16, but 'dst' holds pl.FP32 [same-dtype]"),
    BAD("pld.tile.get: elements of stage and dst",
        "u: pl.Tile[[1, 64], pl.FP16] = pl.test.mystery()\npld.tile.get(out, n, win, u)\n",
        "4:31: argument 'stage' of pld.tile.get holds pl.FP16, but 'dst' holds pl.FP32 "
        "[same-dtype]"),
    BAD("pld.tile.get: elements of stage2 and dst",
        "s: pl.Tile[[1, 64], pl.FP32] = pl.test.mystery()\nu: pl.Tile[[1, 64], pl.FP16] = "
        "pl.test.mystery()\npld.tile.get(out, n, win, s, u)\n",
        "5:34: argument 'stage2' of pld.tile.get holds pl.FP16, but 'dst' holds pl.FP32 "
        "[same-dtype]"),
    BAD("pld.tensor.get: elements of src and dst",
        "h: pld.DistributedTensor[[4, 64], pl.FP16] = pl.test.mystery()\npld.tensor.get(out, n, "
        "h)\n",
        "4:28: argument 'src' of pld.tensor.get holds pl.FP16, but 'dst' holds pl.FP32 "
        "[same-dtype]"),
    BAD("pld.tensor.allgather: elements of input and target",
        "h: pl.Tensor[[1, 64], pl.FP16] = pl.test.mystery()\npld.tensor.allgather(h, win, sig)\n",
        "4:26: argument 'input' of pld.tensor.allgather holds pl.FP16, but 'target' holds pl.FP32 "
        "[same-dtype]"),
    BAD("pld.tensor.all_to_all: elements of input and target",
        "h: pl.Tensor[[4, 64], pl.FP16] = pl.test.mystery()\npld.tensor.all_to_all(h, win, sig)\n",
        "4:27: argument 'input' of pld.tensor.all_to_all holds pl.FP16, but 'target' holds pl.FP32 "
        "[same-dtype]"),
    BAD("pld.tensor.all_to_all_v: elements of input and target",
        "a: pl.Tensor[[8, 16], pl.FP16] = pl.test.mystery()\nt: pld.DistributedTensor[[8, 16], "
        "pl.FP32] "
        "= pl.test.mystery()\ns: pld.DistributedTensor[[4, 1], pl.INT32] = pl.test.mystery()\nc: "
        "pl.Tensor[[4], pl.INT32] = pl.test.mystery()\nr: pld.DistributedTensor[[4, 1], pl.INT32] "
        "= "
        "pl.test.mystery()\npld.tensor.all_to_all_v(a, t, s, c, r)\n",
        "8:29: argument 'input' of pld.tensor.all_to_all_v holds pl.FP16, but 'target' holds "
        "pl.FP32 [same-dtype]"),
    BAD("pld.tile.put: ranks of src and dst",
        "v: pl.Tensor[[64], pl.FP32] = pl.test.mystery()\ns: pl.Tile[[1, 64], pl.FP32] = "
        "pl.test.mystery()\npld.tile.put(win, n, v, s, atomic=0)\n",
        "5:26: argument 'src' of pld.tile.put has rank 1, but 'dst' has rank 2 [same-rank]"),
    BAD("pld.tile.get: ranks of src and dst",
        "v: pl.Tensor[[64], pl.FP32] = pl.test.mystery()\ns: pl.Tile[[1, 64], pl.FP32] = "
        "pl.test.mystery()\npld.tile.get(v, n, win, s)\n",
        "5:24: argument 'src' of pld.tile.get has rank 2, but 'dst' has rank 1 [same-rank]"),
    BAD("pld.tensor.get: ranks of src and dst",
        "v: pl.Tensor[[64], pl.FP32] = pl.test.mystery()\npld.tensor.get(v, n, win)\n",
        "4:26: argument 'src' of pld.tensor.get has rank 2, but 'dst' has rank 1 [same-rank]"),
    BAD("pld.tensor.all_to_all: dimension 1 of input",
        "w: pl.Tensor[[4, 32], pl.FP32] = pl.test.mystery()\npld.tensor.all_to_all(w, win, sig)\n",
        "4:27: dimension 1 of argument 'input' of pld.tensor.all_to_all is 32, but dimension 1 of "
        "'target' is 64 [same-extent]"),
    BAD("pld.tensor.all_to_all_v: dimension 1 of input",
        "a: pl.Tensor[[8, 32], pl.FP32] = pl.test.mystery()\nt: pld.DistributedTensor[[8, 16], "
        "pl.FP32] "
        "= pl.test.mystery()\ns: pld.DistributedTensor[[4, 1], pl.INT32] = pl.test.mystery()\nc: "
        "pl.Tensor[[4], pl.INT32] = pl.test.mystery()\nr: pld.DistributedTensor[[4, 1], pl.INT32] "
        "= "
        "pl.test.mystery()\npld.tensor.all_to_all_v(a, t, s, c, r)\n",
        "8:29: dimension 1 of argument 'input' of pld.tensor.all_to_all_v is 32, but dimension 1 "
        "of 'target' is 16 [same-extent]"),
    BAD("pld.tensor.all_to_all_v: dimension 0 of recv_counts",
        "a: pl.Tensor[[8, 16], pl.FP32] = pl.test.mystery()\nt: pld.DistributedTensor[[8, 16], "
        "pl.FP32] "
        "= pl.test.mystery()\ns: pld.DistributedTensor[[4, 1], pl.INT32] = pl.test.mystery()\nc: "
        "pl.Tensor[[4], pl.INT32] = pl.test.mystery()\nr: pld.DistributedTensor[[2, 1], pl.INT32] "
        "= "
        "pl.test.mystery()\npld.tensor.all_to_all_v(a, t, s, c, r)\n",
        "8:41: dimension 0 of argument 'recv_counts' of pld.tensor.all_to_all_v is 2, but "
        "dimension 0 of 'signal' is 4 [same-extent]"),
    BAD("pld.tensor.allgather: in place",
        "w: pld.DistributedTensor[[1, 64], pl.FP32] = pl.test.mystery()\npld.tensor.allgather(w, "
        "w, "
        "sig)\n",
        "4:26: arguments 'input' and 'target' of pld.tensor.allgather must be different buffers "
        "[distinct-buffers]"),
    BAD("pld.tensor.all_to_all_v: in place",
        "a: pl.Tensor[[8, 16], pl.FP32] = pl.test.mystery()\nt: pld.DistributedTensor[[8, 16], "
        "pl.FP32] "
        "= pl.test.mystery()\ns: pld.DistributedTensor[[4, 1], pl.INT32] = pl.test.mystery()\nc: "
        "pl.Tensor[[4], pl.INT32] = pl.test.mystery()\nr: pld.DistributedTensor[[4, 1], pl.INT32] "
        "= "
        "pl.test.mystery()\npld.tensor.all_to_all_v(t, t, s, c, r)\n",
        "8:29: arguments 'input' and 'target' of pld.tensor.all_to_all_v must be different buffers "
        "[distinct-buffers]"),
};

const struct verify_group verify_table_groups[] = {GROUP(rows, true, IR_PROPERTY_COUNT)};
const size_t verify_table_group_count = sizeof verify_table_groups / sizeof *verify_table_groups;
