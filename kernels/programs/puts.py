# SPDX-License-Identifier: MIT
# fencebench: ranks 2,4,8
import pypto.language as pl
import pypto.language.distributed as pld

NR = pl.dynamic("NR")
FORM = 0


@pl.program
class Puts:
    """Each rank puts two rows to its right neighbour.

    FORM=0: at once; 1: row by row through a smaller tile; 2: only its second row, as the first one; 3: each
    rank adds its rows to those of rank 0, which are 0 before.
    """

    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        x: pl.Tensor[[2, 16], pl.INT32],
        win: pl.InOut[pld.DistributedTensor[[2, 16], pl.INT32]],
        sig: pl.InOut[pld.DistributedTensor[[NR, 1], pl.INT32]],
        out: pl.Out[pl.Tensor[[2, 16], pl.INT32]],
    ):
        ctx = pld.system.get_comm_ctx(win)
        me = pld.system.rank(ctx)
        nranks = pld.system.nranks(ctx)
        right = (me + 1) % nranks
        pair = pl.tile.create([2, 16], dtype=pl.INT32, target_memory=pl.Mem.Vec)
        row = pl.tile.create([1, 16], dtype=pl.INT32, target_memory=pl.Mem.Vec)
        if FORM == 0:
            pld.tile.put(win, right, x, pair, [0, 0], [0, 0], [2, 16], atomic=pld.AtomicType.None_)
        elif FORM == 1:
            pld.tile.put(win, right, x, row, [0, 0], [0, 0], [2, 16], atomic=pld.AtomicType.None_)
        elif FORM == 2:
            pld.tile.put(win, right, x, row, [0, 0], [1, 0], [1, 16], atomic=pld.AtomicType.None_)
        else:
            pld.tile.put(win, 0, x, pair, [0, 0], [0, 0], [2, 16], atomic=pld.AtomicType.Add)
        for peer in pl.range(nranks):
            if peer != me:
                pld.system.notify(sig, peer, [me, 0], 1, op=pld.NotifyOp.AtomicAdd)
        for src in pl.range(nranks):
            if src != me:
                pld.system.wait(sig, [src, 0], 1, cmp=pld.WaitCmp.Ge)
        rows = pl.load(win, [0, 0], [2, 16])
        out = pl.store(rows, [0, 0], out)

    @pl.function(type=pl.FunctionType.Orchestration)
    def chip(
        self,
        x: pl.Tensor[[2, 16], pl.INT32],
        win: pl.InOut[pld.DistributedTensor[[2, 16], pl.INT32]],
        sig: pl.InOut[pld.DistributedTensor[[NR, 1], pl.INT32]],
        out: pl.Out[pl.Tensor[[2, 16], pl.INT32]],
    ):
        self.kernel(x, win, sig, out)

    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def main(self, x: pl.Tensor[[NR, 2, 16], pl.INT32], out: pl.Out[pl.Tensor[[NR, 2, 16], pl.INT32]]):
        ws = pld.system.world_size()
        data = pld.tensor.alloc_window_buffer(128)
        cells = pld.tensor.alloc_window_buffer(ws * 4)
        win = pld.tensor.window(data, [2, 16], dtype=pl.INT32)
        sig = pld.tensor.window(cells, [ws, 1], dtype=pl.INT32)
        for r in pl.range(ws):
            self.chip(x[r], win, sig, out[r], device=r)
