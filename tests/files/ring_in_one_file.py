# SPDX-License-Identifier: MIT
# fencebench: ranks 2
"""What ring.py is when everything stands in one file, under the names that its functions have there."""
import pypto.language as pl
import pypto.language.distributed as pld

N_RANKS = 2
SIZE = 16


@pl.jit.incore
def move_2(x: pl.Tensor[[1, SIZE], pl.INT32], y: pl.Out[pl.Tensor[[1, SIZE], pl.INT32]]):
    y = pl.store(pl.load(x, [0, 0], [1, SIZE]), [0, 0], y)
    return y


@pl.jit.incore
def push(
    x: pl.Tensor[[1, SIZE], pl.INT32],
    win: pl.InOut[pld.DistributedTensor[[1, SIZE], pl.INT32]],
    sig: pl.InOut[pld.DistributedTensor[[1, 1], pl.INT32]],
    y: pl.Out[pl.Tensor[[1, SIZE], pl.INT32]],
):
    ctx = pld.system.get_comm_ctx(win)
    me = pld.system.rank(ctx)
    right = (me + 1) % pld.system.nranks(ctx)
    a = pl.read(x, [0, 0])
    pl.write(win, [0, 0], a)
    pld.system.notify(sig, right, [0, 0], 1, op=pld.NotifyOp.AtomicAdd)
    pld.system.wait(sig, [0, 0], 1, cmp=pld.WaitCmp.Ge)
    got = pld.tile.remote_load(win, right, [0, 0], [1, SIZE])
    y = pl.store(pl.add(got, 1), [0, 0], y)
    return y


@pl.jit.incore
def move(x: pl.Tensor[[1, SIZE], pl.INT32], y: pl.Out[pl.Tensor[[1, SIZE], pl.INT32]]):
    y = pl.store(pl.add(pl.load(x, [0, 0], [1, SIZE]), 5), [0, 0], y)
    return y


@pl.jit
def ring(
    x: pl.Tensor[[1, SIZE], pl.INT32],
    win: pl.InOut[pld.DistributedTensor[[1, SIZE], pl.INT32]],
    sig: pl.InOut[pld.DistributedTensor[[1, 1], pl.INT32]],
    y: pl.Out[pl.Tensor[[1, SIZE], pl.INT32]],
):
    y = move(x, y)
    y = move_2(x, y)
    y = push(x, win, sig, y)
    return y


@pl.jit.host
def host(x: pl.Tensor[[N_RANKS, 1, SIZE], pl.INT32], y: pl.Out[pl.Tensor[[N_RANKS, 1, SIZE], pl.INT32]]):
    data = pld.alloc_window_buffer([1, SIZE], dtype=pl.INT32)
    ready = pld.alloc_window_buffer([1, 1], dtype=pl.INT32)
    for r in pl.range(pld.world_size()):
        win = pld.window(data, [1, SIZE], dtype=pl.INT32)
        sig = pld.window(ready, [1, 1], dtype=pl.INT32)
        ring(x[r], win, sig, y[r], device=r)
    return y
