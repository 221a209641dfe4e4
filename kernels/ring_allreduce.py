# SPDX-License-Identifier: MIT
# fencebench: ranks 2,4
# fencebench: payload SEG
import pypto.language as pl
import pypto.language.distributed as pld

NR = pl.dynamic("NR")
SEG = 64
SUB = 32


@pl.program
class RingAllreduce:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        inp: pl.Tensor[[NR, SEG], pl.FP32],
        win: pl.InOut[pld.DistributedTensor[[NR, SEG], pl.FP32]],
        sig: pl.InOut[pld.DistributedTensor[[pl.max(2 * (NR - 1), 1), NR], pl.INT32]],
        out: pl.Out[pl.Tensor[[NR, SEG], pl.FP32]],
    ) -> pl.Tensor[[NR, SEG], pl.FP32]:
        """Sum over all ranks around a ring: nranks - 1 steps that reduce, nranks - 1 that gather.

        Row i of the window is segment i. Each step has a row of the signal to itself, and on it two
        barriers for each sub-chunk: one before the left neighbour is read, one before this rank
        stores. The steps of one rank touch each segment in an order in which the segment that the
        right neighbour reads is never the one being stored.
        """
        ctx = pld.system.get_comm_ctx(win)
        me = pld.system.rank(ctx)
        nranks = pld.system.nranks(ctx)
        left = (me + nranks - 1) % nranks

        for row in pl.range(nranks):
            for j in pl.range(SEG // SUB):
                staged = pl.load(inp, [row, j * SUB], [1, SUB])
                pl.store(staged, [row, j * SUB], win)

        # Reduce: after the last step this rank holds the complete sum of segment `me`.
        for step in pl.range(1, nranks):
            seg = (me + 2 * nranks - step - 1) % nranks
            for j in pl.range(SEG // SUB):
                for peer in pl.range(nranks):
                    if peer != me:
                        pld.system.notify(sig, peer, [step - 1, me], 1, op=pld.NotifyOp.AtomicAdd)
                for src in pl.range(nranks):
                    if src != me:
                        pld.system.wait(sig, [step - 1, src], 2 * j + 1, cmp=pld.WaitCmp.Ge)
                recv = pld.tile.remote_load(win, left, [seg, j * SUB], [1, SUB])
                own = pl.load(win, [seg, j * SUB], [1, SUB])
                acc = pl.add(own, recv)
                for peer in pl.range(nranks):
                    if peer != me:
                        pld.system.notify(sig, peer, [step - 1, me], 1, op=pld.NotifyOp.AtomicAdd)
                for src in pl.range(nranks):
                    if src != me:
                        pld.system.wait(sig, [step - 1, src], 2 * j + 2, cmp=pld.WaitCmp.Ge)
                pl.store(acc, [seg, j * SUB], win)

        # Gather: the finished segments travel once around.
        for step in pl.range(1, nranks):
            rnd = nranks - 1 + step - 1
            seg = (me + nranks - step) % nranks
            for j in pl.range(SEG // SUB):
                for peer in pl.range(nranks):
                    if peer != me:
                        pld.system.notify(sig, peer, [rnd, me], 1, op=pld.NotifyOp.AtomicAdd)
                for src in pl.range(nranks):
                    if src != me:
                        pld.system.wait(sig, [rnd, src], 2 * j + 1, cmp=pld.WaitCmp.Ge)
                done = pld.tile.remote_load(win, left, [seg, j * SUB], [1, SUB])
                for peer in pl.range(nranks):
                    if peer != me:
                        pld.system.notify(sig, peer, [rnd, me], 1, op=pld.NotifyOp.AtomicAdd)
                for src in pl.range(nranks):
                    if src != me:
                        pld.system.wait(sig, [rnd, src], 2 * j + 2, cmp=pld.WaitCmp.Ge)
                pl.store(done, [seg, j * SUB], win)

        for rnd in pl.range(2 * (nranks - 1)):
            for src in pl.range(nranks):
                if src != me:
                    pld.system.notify(sig, me, [rnd, src], -(2 * (SEG // SUB)), op=pld.NotifyOp.AtomicAdd)

        for row in pl.range(nranks):
            for j in pl.range(SEG // SUB):
                total = pl.load(win, [row, j * SUB], [1, SUB])
                out = pl.store(total, [row, j * SUB], out)
        return out
