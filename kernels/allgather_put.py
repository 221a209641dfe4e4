# SPDX-License-Identifier: MIT
# fencebench: ranks 2,4
# fencebench: payload SIZE
import pypto.language as pl
import pypto.language.distributed as pld

NR = pl.dynamic("NR")
SIZE = 64


@pl.program
class AllgatherPut:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        inp: pl.Tensor[[1, SIZE], pl.FP32],
        win: pl.InOut[pld.DistributedTensor[[NR, SIZE], pl.FP32]],
        sig: pl.InOut[pld.DistributedTensor[[NR, 1], pl.INT32]],
        out: pl.Out[pl.Tensor[[NR, SIZE], pl.FP32]],
    ) -> pl.Tensor[[NR, SIZE], pl.FP32]:
        """Every rank puts its row into the window of every rank, its own included."""
        ctx = pld.system.get_comm_ctx(win)
        me = pld.system.rank(ctx)
        nranks = pld.system.nranks(ctx)
        stage = pl.tile.create([1, SIZE], dtype=pl.FP32, target_memory=pl.Mem.Vec)

        for peer in pl.range(nranks):
            pld.tile.put(win, peer, inp, stage, [me, 0], [0, 0], [1, SIZE], atomic=pld.AtomicType.None_)

        for peer in pl.range(nranks):
            if peer != me:
                pld.system.notify(sig, peer, [me, 0], 1, op=pld.NotifyOp.AtomicAdd)
        for src in pl.range(nranks):
            if src != me:
                pld.system.wait(sig, [src, 0], 1, cmp=pld.WaitCmp.Ge)
        for src in pl.range(nranks):
            if src != me:
                pld.system.notify(sig, me, [src, 0], -1, op=pld.NotifyOp.AtomicAdd)

        for row in pl.range(nranks):
            part = pl.load(win, [row, 0], [1, SIZE])
            out = pl.store(part, [row, 0], out)
        return out
