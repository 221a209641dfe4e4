# SPDX-License-Identifier: MIT
# fencebench: ranks 2,4,8
import pypto.language as pl
import pypto.language.distributed as pld

NR = pl.dynamic("NR")
FORM = 0


@pl.program
class Gets:
    """Each rank stores its rows, meets the others, and gets those of its right neighbour into a second window.

    FORM=0: both rows; FORM=1: only the second one, as the first one.
    """

    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        x: pl.Tensor[[2, 16], pl.INT32],
        win: pl.InOut[pld.DistributedTensor[[2, 16], pl.INT32]],
        landing: pl.InOut[pld.DistributedTensor[[2, 16], pl.INT32]],
        sig: pl.InOut[pld.DistributedTensor[[NR, 1], pl.INT32]],
        out: pl.Out[pl.Tensor[[2, 16], pl.INT32]],
    ):
        ctx = pld.system.get_comm_ctx(win)
        me = pld.system.rank(ctx)
        nranks = pld.system.nranks(ctx)
        right = (me + 1) % nranks
        row = pl.tile.create([1, 16], dtype=pl.INT32, target_memory=pl.Mem.Vec)
        mine = pl.load(x, [0, 0], [2, 16])
        pl.store(mine, [0, 0], win)
        for peer in pl.range(nranks):
            if peer != me:
                pld.system.notify(sig, peer, [me, 0], 1, op=pld.NotifyOp.AtomicAdd)
        for src in pl.range(nranks):
            if src != me:
                pld.system.wait(sig, [src, 0], 1, cmp=pld.WaitCmp.Ge)
        if FORM == 0:
            pld.tile.get(landing, right, win, row, [0, 0], [0, 0], [2, 16])
        else:
            pld.tile.get(landing, right, win, row, [0, 0], [1, 0], [1, 16])
        rows = pl.load(landing, [0, 0], [2, 16])
        out = pl.store(rows, [0, 0], out)

    @pl.function(type=pl.FunctionType.Orchestration)
    def chip(
        self,
        x: pl.Tensor[[2, 16], pl.INT32],
        win: pl.InOut[pld.DistributedTensor[[2, 16], pl.INT32]],
        landing: pl.InOut[pld.DistributedTensor[[2, 16], pl.INT32]],
        sig: pl.InOut[pld.DistributedTensor[[NR, 1], pl.INT32]],
        out: pl.Out[pl.Tensor[[2, 16], pl.INT32]],
    ):
        self.kernel(x, win, landing, sig, out)

    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def main(self, x: pl.Tensor[[NR, 2, 16], pl.INT32], out: pl.Out[pl.Tensor[[NR, 2, 16], pl.INT32]]):
        ws = pld.system.world_size()
        data = pld.tensor.alloc_window_buffer(128)
        second = pld.tensor.alloc_window_buffer(128)
        cells = pld.tensor.alloc_window_buffer(ws * 4)
        win = pld.tensor.window(data, [2, 16], dtype=pl.INT32)
        landing = pld.tensor.window(second, [2, 16], dtype=pl.INT32)
        sig = pld.tensor.window(cells, [ws, 1], dtype=pl.INT32)
        for r in pl.range(ws):
            self.chip(x[r], win, landing, sig, out[r], device=r)
