# SPDX-License-Identifier: MIT
# fencebench: ranks 2
"""A host program whose kernels stand in other files; ring_in_one_file.py is the same program."""
import pypto.language as pl
import pypto.language.distributed as pld

import parts.local
from layout import N_RANKS, SIZE
from parts import push as send


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
    y = parts.local.move(x, y)
    y = send(x, win, sig, y)
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
