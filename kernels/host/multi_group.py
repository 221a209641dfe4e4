# SPDX-License-Identifier: MIT
# fencebench: ranks 3
import pypto.language as pl
import pypto.language.distributed as pld


@pl.program
class MultiGroup:
    """Two overlapping domains: ranks 0 and 1, and ranks 1 and 2. Rank 1 swaps in both.

    A rank's number is its place in the domain: rank 1 is number 1 in the first and number 0 in the
    second.
    """

    @pl.function(type=pl.FunctionType.InCore)
    def swap(
        self,
        x: pl.Tensor[[1, 16], pl.INT32],
        win: pl.InOut[pld.DistributedTensor[[1, 16], pl.INT32]],
        sig: pl.InOut[pld.DistributedTensor[[2, 1], pl.INT32]],
        out: pl.Out[pl.Tensor[[1, 16], pl.INT32]],
    ):
        ctx = pld.system.get_comm_ctx(win)
        me = pld.system.rank(ctx)
        mine = pl.load(x, [0, 0], [1, 16])
        pl.store(mine, [0, 0], win)
        pld.system.notify(sig, 1 - me, [me, 0], 1, op=pld.NotifyOp.AtomicAdd)
        pld.system.wait(sig, [1 - me, 0], 1, cmp=pld.WaitCmp.Ge)
        theirs = pld.tile.remote_load(win, 1 - me, [0, 0], [1, 16])
        pl.store(theirs, [0, 0], out)

    @pl.function(type=pl.FunctionType.Orchestration)
    def chip(
        self,
        x: pl.Tensor[[1, 16], pl.INT32],
        win: pl.InOut[pld.DistributedTensor[[1, 16], pl.INT32]],
        sig: pl.InOut[pld.DistributedTensor[[2, 1], pl.INT32]],
        out: pl.Out[pl.Tensor[[1, 16], pl.INT32]],
    ):
        self.swap(x, win, sig, out)

    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def main(
        self,
        x: pl.Tensor[[3, 1, 16], pl.INT32],
        low: pl.Out[pl.Tensor[[3, 1, 16], pl.INT32]],
        high: pl.Out[pl.Tensor[[3, 1, 16], pl.INT32]],
    ):
        data0 = pld.tensor.alloc_window_buffer(64)
        cells0 = pld.tensor.alloc_window_buffer(64)
        data1 = pld.tensor.alloc_window_buffer(64)
        cells1 = pld.tensor.alloc_window_buffer(64)
        win0 = pld.tensor.window(data0, [1, 16], dtype=pl.INT32)
        sig0 = pld.tensor.window(cells0, [2, 1], dtype=pl.INT32)
        win1 = pld.tensor.window(data1, [1, 16], dtype=pl.INT32)
        sig1 = pld.tensor.window(cells1, [2, 1], dtype=pl.INT32)
        for r in pl.range(2):
            self.chip(x[r], win0, sig0, low[r], device=r)
        for r in pl.range(1, 3):
            self.chip(x[r], win1, sig1, high[r], device=r)
