# SPDX-License-Identifier: MIT
# fencebench: ranks 2,4,8
import pypto.language as pl
import pypto.language.distributed as pld

NR = pl.dynamic("NR")


@pl.program
class PushThenRead:
    """One task pushes to the right and waits for what comes from the left, the next one reads it."""

    @pl.function(type=pl.FunctionType.InCore)
    def push(
        self,
        x: pl.Tensor[[2, 16], pl.INT32],
        win: pl.InOut[pld.DistributedTensor[[2, 16], pl.INT32]],
        sig: pl.InOut[pld.DistributedTensor[[NR, 1], pl.INT32]],
    ):
        ctx = pld.system.get_comm_ctx(win)
        me = pld.system.rank(ctx)
        nranks = pld.system.nranks(ctx)
        mine = pl.load(x, [0, 0], [2, 16])
        pld.tile.remote_store(mine, win, (me + 1) % nranks, [0, 0])
        for peer in pl.range(nranks):
            if peer != me:
                pld.system.notify(sig, peer, [me, 0], 1, op=pld.NotifyOp.AtomicAdd)
        for src in pl.range(nranks):
            if src != me:
                pld.system.wait(sig, [src, 0], 1, cmp=pld.WaitCmp.Ge)

    @pl.function(type=pl.FunctionType.InCore)
    def take(
        self,
        win: pl.InOut[pld.DistributedTensor[[2, 16], pl.INT32]],
        out: pl.Out[pl.Tensor[[2, 16], pl.INT32]],
        head: pl.Out[pl.Tensor[[1, 16], pl.INT32]],
    ):
        rows = pl.load(win, [0, 0], [2, 16])
        out = pl.store(rows, [0, 0], out)
        pl.write(head, [0, 0], pl.read(win, [0, 0]))

    @pl.function(type=pl.FunctionType.Orchestration)
    def chip(
        self,
        x: pl.Tensor[[2, 16], pl.INT32],
        win: pl.InOut[pld.DistributedTensor[[2, 16], pl.INT32]],
        sig: pl.InOut[pld.DistributedTensor[[NR, 1], pl.INT32]],
        out: pl.Out[pl.Tensor[[2, 16], pl.INT32]],
        head: pl.Out[pl.Tensor[[1, 16], pl.INT32]],
    ):
        self.push(x, win, sig)
        self.take(win, out, head)

    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def main(
        self,
        x: pl.Tensor[[NR, 2, 16], pl.INT32],
        out: pl.Out[pl.Tensor[[NR, 2, 16], pl.INT32]],
        head: pl.Out[pl.Tensor[[NR, 1, 16], pl.INT32]],
    ):
        ws = pld.system.world_size()
        data = pld.tensor.alloc_window_buffer(128)
        cells = pld.tensor.alloc_window_buffer(ws * 4)
        win = pld.tensor.window(data, [2, 16], dtype=pl.INT32)
        sig = pld.tensor.window(cells, [ws, 1], dtype=pl.INT32)
        for r in pl.range(ws):
            self.chip(x[r], win, sig, out[r], head[r], device=r)
