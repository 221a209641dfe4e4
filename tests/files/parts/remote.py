# SPDX-License-Identifier: MIT
"""What speaks to another rank. This file and local.py import each other."""
import pypto.language as pl
import pypto.language.distributed as pld

from layout import SIZE
from . import local

FIRST = 0


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
    y = pl.store(pl.add(got, local.STEP), [0, 0], y)
    return y
