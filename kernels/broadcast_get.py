# SPDX-License-Identifier: MIT
# fencebench: ranks 2,4
# fencebench: payload SIZE
import pypto.language as pl
import pypto.language.distributed as pld

NR = pl.dynamic("NR")
SIZE = 64
ROOT = 0


@pl.program
class BroadcastGet:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        inp: pl.Tensor[[1, SIZE], pl.FP32],
        win: pl.InOut[pld.DistributedTensor[[1, SIZE], pl.FP32]],
        landing: pl.InOut[pld.DistributedTensor[[1, SIZE], pl.FP32]],
        sig: pl.InOut[pld.DistributedTensor[[NR, 1], pl.INT32]],
        out: pl.Out[pl.Tensor[[1, SIZE], pl.FP32]],
    ) -> pl.Tensor[[1, SIZE], pl.FP32]:
        """Every rank gets the root's row, the root its own.

        The row lands in a window of its own: a root that copied its row onto itself would store to
        the words that its peers are reading.
        """
        ctx = pld.system.get_comm_ctx(win)
        me = pld.system.rank(ctx)
        nranks = pld.system.nranks(ctx)

        staged = pl.load(inp, [0, 0], [1, SIZE])
        pl.store(staged, [0, 0], win)

        for peer in pl.range(nranks):
            if peer != me:
                pld.system.notify(sig, peer, [me, 0], 1, op=pld.NotifyOp.AtomicAdd)
        for src in pl.range(nranks):
            if src != me:
                pld.system.wait(sig, [src, 0], 1, cmp=pld.WaitCmp.Ge)

        stage = pl.tile.create([1, SIZE], dtype=pl.FP32, target_memory=pl.Mem.Vec)
        pld.tile.get(landing, ROOT, win, stage, [0, 0], [0, 0], [1, SIZE])

        for src in pl.range(nranks):
            if src != me:
                pld.system.notify(sig, me, [src, 0], -1, op=pld.NotifyOp.AtomicAdd)

        row = pl.load(landing, [0, 0], [1, SIZE])
        out = pl.store(row, [0, 0], out)
        return out
