# SPDX-License-Identifier: MIT
# fencebench: ranks 2,4
# fencebench: payload SIZE
import pypto.language as pl
import pypto.language.distributed as pld

NR = pl.dynamic("NR")
SIZE = 64


@pl.program
class ReduceScatter:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        inp: pl.Tensor[[NR, SIZE], pl.FP32],
        win: pl.InOut[pld.DistributedTensor[[NR, SIZE], pl.FP32]],
        sig: pl.InOut[pld.DistributedTensor[[NR, 1], pl.INT32]],
        out: pl.Out[pl.Tensor[[1, SIZE], pl.FP32]],
    ) -> pl.Tensor[[1, SIZE], pl.FP32]:
        """Rank r ends with the sum over all ranks of row r.

        Peers read row `peer` of this window and this rank stores row `me` only.
        """
        ctx = pld.system.get_comm_ctx(win)
        me = pld.system.rank(ctx)
        nranks = pld.system.nranks(ctx)

        for row in pl.range(nranks):
            staged = pl.load(inp, [row, 0], [1, SIZE])
            pl.store(staged, [row, 0], win)

        for peer in pl.range(nranks):
            if peer != me:
                pld.system.notify(sig, peer, [me, 0], 1, op=pld.NotifyOp.AtomicAdd)
        for src in pl.range(nranks):
            if src != me:
                pld.system.wait(sig, [src, 0], 1, cmp=pld.WaitCmp.Ge)

        acc = pl.load(win, [me, 0], [1, SIZE])
        for peer in pl.range(nranks):
            if peer != me:
                recv = pld.tile.remote_load(win, peer, [me, 0], [1, SIZE])
                acc = pl.add(acc, recv)

        for peer in pl.range(nranks):
            if peer != me:
                pld.system.notify(sig, peer, [me, 0], 1, op=pld.NotifyOp.AtomicAdd)
        for src in pl.range(nranks):
            if src != me:
                pld.system.wait(sig, [src, 0], 2, cmp=pld.WaitCmp.Ge)
        pl.store(acc, [me, 0], win)

        for src in pl.range(nranks):
            if src != me:
                pld.system.notify(sig, me, [src, 0], -2, op=pld.NotifyOp.AtomicAdd)

        mine = pl.load(win, [me, 0], [1, SIZE])
        out = pl.store(mine, [0, 0], out)
        return out
