# SPDX-License-Identifier: MIT
# fencebench: ranks 2,4
# fencebench: payload SIZE
import pypto.language as pl
import pypto.language.distributed as pld

NR = pl.dynamic("NR")
SIZE = 16
MAX = 4


@pl.program
class AllToAllV:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        inp: pl.Tensor[[NR * MAX, SIZE], pl.FP32],
        send_counts: pl.Tensor[[NR, 1], pl.INT32],
        win: pl.InOut[pld.DistributedTensor[[NR * MAX, SIZE], pl.FP32]],
        recv_counts: pl.InOut[pld.DistributedTensor[[NR, 1], pl.INT32]],
        sig: pl.InOut[pld.DistributedTensor[[NR, 1], pl.INT32]],
        out: pl.InOut[pl.Tensor[[NR * MAX, SIZE], pl.FP32]],
    ) -> pl.Tensor[[NR * MAX, SIZE], pl.FP32]:
        """As all_to_all, with a row count for each destination; the receiver keeps the counted rows.

        Each count cell has one writer, and all cells of a rank lie on one line: a Set rewrites the
        whole line, so two ranks that set at the same time can undo each other.
        """
        ctx = pld.system.get_comm_ctx(win)
        me = pld.system.rank(ctx)
        nranks = pld.system.nranks(ctx)
        stage = pl.tile.create([MAX, SIZE], dtype=pl.FP32, target_memory=pl.Mem.Vec)

        for dest in pl.range(nranks):
            wanted = pl.read(send_counts, [dest, 0])
            count = pl.min(wanted, MAX)
            pld.system.notify(recv_counts, dest, [me, 0], count, op=pld.NotifyOp.Set)
            pld.tile.put(
                win, dest, inp, stage, [me * MAX, 0], [dest * MAX, 0], [MAX, SIZE], atomic=pld.AtomicType.None_
            )

        for peer in pl.range(nranks):
            if peer != me:
                pld.system.notify(sig, peer, [me, 0], 1, op=pld.NotifyOp.AtomicAdd)
        for src in pl.range(nranks):
            if src != me:
                pld.system.wait(sig, [src, 0], 1, cmp=pld.WaitCmp.Ge)
        for src in pl.range(nranks):
            if src != me:
                pld.system.notify(sig, me, [src, 0], -1, op=pld.NotifyOp.AtomicAdd)

        for src in pl.range(nranks):
            rows = pl.read(recv_counts, [src, 0])
            for j in pl.range(rows):
                row = pl.load(win, [src * MAX + j, 0], [1, SIZE])
                out = pl.store(row, [src * MAX + j, 0], out)
        return out
