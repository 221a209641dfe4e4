# SPDX-License-Identifier: MIT
# fencebench: ranks 2,4,8
import pypto.language as pl
import pypto.language.distributed as pld

NR = pl.dynamic("NR")
REPAIR = 0


@pl.program
class SetBarrier:
    """Row d of each rank goes to rank d; each rank sets its cell at the others to say so.

    The cells of all ranks are on one line, and a Set writes the whole line back: two ranks undo each
    other, and the third waits for ever. With REPAIR=1 they add instead.
    """

    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        x: pl.Tensor[[NR, 16], pl.INT32],
        win: pl.InOut[pld.DistributedTensor[[NR, 16], pl.INT32]],
        sig: pl.InOut[pld.DistributedTensor[[NR, 1], pl.INT32]],
        out: pl.Out[pl.Tensor[[NR, 16], pl.INT32]],
    ):
        ctx = pld.system.get_comm_ctx(win)
        me = pld.system.rank(ctx)
        nranks = pld.system.nranks(ctx)
        through = pl.tile.create([1, 16], dtype=pl.INT32, target_memory=pl.Mem.Vec)
        for dest in pl.range(nranks):
            pld.tile.put(win, dest, x, through, [me, 0], [dest, 0], [1, 16], atomic=pld.AtomicType.None_)
        for peer in pl.range(nranks):
            if peer != me:
                if REPAIR == 1:
                    pld.system.notify(sig, peer, [me, 0], 1, op=pld.NotifyOp.AtomicAdd)
                else:
                    pld.system.notify(sig, peer, [me, 0], 1, op=pld.NotifyOp.Set)
        for src in pl.range(nranks):
            if src != me:
                pld.system.wait(sig, [src, 0], 1, cmp=pld.WaitCmp.Ge)
        for row in pl.range(NR):
            got = pl.load(win, [row, 0], [1, 16])
            out = pl.store(got, [row, 0], out)

    @pl.function(type=pl.FunctionType.Orchestration)
    def chip(
        self,
        x: pl.Tensor[[NR, 16], pl.INT32],
        win: pl.InOut[pld.DistributedTensor[[NR, 16], pl.INT32]],
        sig: pl.InOut[pld.DistributedTensor[[NR, 1], pl.INT32]],
        out: pl.Out[pl.Tensor[[NR, 16], pl.INT32]],
    ):
        self.kernel(x, win, sig, out)

    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def main(
        self,
        x: pl.Tensor[[NR, NR, 16], pl.INT32],
        out: pl.Out[pl.Tensor[[NR, NR, 16], pl.INT32]],
    ):
        ws = pld.system.world_size()
        data = pld.tensor.alloc_window_buffer(ws * 64)
        cells = pld.tensor.alloc_window_buffer(ws * 4)
        win = pld.tensor.window(data, [ws, 16], dtype=pl.INT32)
        sig = pld.tensor.window(cells, [ws, 1], dtype=pl.INT32)
        for r in pl.range(ws):
            self.chip(x[r], win, sig, out[r], device=r)
