# SPDX-License-Identifier: MIT
# fencebench: ranks 2,4,8
import pypto.language as pl
import pypto.language.distributed as pld

NR = pl.dynamic("NR")
FORM = 0


@pl.program
class ByLoads:
    """Collectives in which every rank stages its rows, meets the others, and loads what it needs.

    FORM=0: the sum of all rows; 1: rank r only that of row r; 2: row 0 of every rank; 3: the rows of rank 1.
    """

    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        x: pl.Tensor[[NR, 16], pl.FP32],
        win: pl.InOut[pld.DistributedTensor[[NR, 16], pl.FP32]],
        sig: pl.InOut[pld.DistributedTensor[[NR, 1], pl.INT32]],
        out: pl.Out[pl.Tensor[[NR, 16], pl.FP32]],
    ):
        ctx = pld.system.get_comm_ctx(win)
        me = pld.system.rank(ctx)
        nranks = pld.system.nranks(ctx)
        for row in pl.range(NR):
            mine = pl.mul(pl.load(x, [row, 0], [1, 16]), 0.1)
            pl.store(mine, [row, 0], win)
        for peer in pl.range(nranks):
            if peer != me:
                pld.system.notify(sig, peer, [me, 0], 1, op=pld.NotifyOp.AtomicAdd)
        for src in pl.range(nranks):
            if src != me:
                pld.system.wait(sig, [src, 0], 1, cmp=pld.WaitCmp.Ge)
        if FORM == 0:
            for row in pl.range(NR):
                acc = pl.load(win, [row, 0], [1, 16])
                for peer in pl.range(nranks):
                    if peer != me:
                        acc = pl.add(acc, pld.tile.remote_load(win, peer, [row, 0], [1, 16]))
                out = pl.store(acc, [row, 0], out)
        elif FORM == 1:
            acc = pl.load(win, [me, 0], [1, 16])
            for peer in pl.range(nranks):
                if peer != me:
                    acc = pl.add(acc, pld.tile.remote_load(win, peer, [me, 0], [1, 16]))
            out = pl.store(acc, [0, 0], out)
        else:
            for row in pl.range(NR):
                if FORM == 2:
                    got = pld.tile.remote_load(win, row, [0, 0], [1, 16])
                    out = pl.store(got, [row, 0], out)
                else:
                    got = pld.tile.remote_load(win, 1, [row, 0], [1, 16])
                    out = pl.store(got, [row, 0], out)

    @pl.function(type=pl.FunctionType.Orchestration)
    def chip(
        self,
        x: pl.Tensor[[NR, 16], pl.FP32],
        win: pl.InOut[pld.DistributedTensor[[NR, 16], pl.FP32]],
        sig: pl.InOut[pld.DistributedTensor[[NR, 1], pl.INT32]],
        out: pl.Out[pl.Tensor[[NR, 16], pl.FP32]],
    ):
        self.kernel(x, win, sig, out)

    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def main(self, x: pl.Tensor[[NR, NR, 16], pl.FP32], out: pl.Out[pl.Tensor[[NR, NR, 16], pl.FP32]]):
        ws = pld.system.world_size()
        data = pld.tensor.alloc_window_buffer(ws * 64)
        cells = pld.tensor.alloc_window_buffer(ws * 4)
        win = pld.tensor.window(data, [ws, 16], dtype=pl.FP32)
        sig = pld.tensor.window(cells, [ws, 1], dtype=pl.INT32)
        for r in pl.range(ws):
            self.chip(x[r], win, sig, out[r], device=r)
