# SPDX-License-Identifier: MIT
# fencebench: ranks 2,4
# fencebench: arg role=rank%2
# fencebench: arg peer=rank+1-2*(rank%2)
import pypto.language as pl
import pypto.language.distributed as pld

ROUNDS = 2
SIZE = 32


@pl.program
class ScalarReadAfterWait:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        inp: pl.Tensor[[ROUNDS, SIZE], pl.INT32],
        win: pl.InOut[pld.DistributedTensor[[1, SIZE], pl.INT32]],
        data: pl.InOut[pld.DistributedTensor[[1, 1], pl.INT32]],
        free: pl.InOut[pld.DistributedTensor[[1, 1], pl.INT32]],
        out: pl.InOut[pl.Tensor[[ROUNDS, 16], pl.INT32]],
        role: pl.Scalar[pl.INT32],
        peer: pl.Scalar[pl.INT32],
    ) -> pl.Tensor[[ROUNDS, 16], pl.INT32]:
        """Even ranks put rows into the window of the odd rank beside them, which reads words of each row.

        From the second round on both lines of the window are in the reader's cache when the new row
        arrives, and nothing but the invalidate of the wait for `data` takes them out.
        """
        ctx = pld.system.get_comm_ctx(win)
        me = pld.system.rank(ctx)
        stage = pl.tile.create([1, SIZE], dtype=pl.INT32, target_memory=pl.Mem.Vec)

        if role == 0:
            for k in pl.range(ROUNDS):
                pld.tile.put(win, peer, inp, stage, [0, 0], [k, 0], [1, SIZE], atomic=pld.AtomicType.None_)
                pld.system.notify(data, peer, [0, 0], 1, op=pld.NotifyOp.AtomicAdd)
                pld.system.wait(free, [0, 0], k + 1, cmp=pld.WaitCmp.Ge)
            pld.system.notify(free, me, [0, 0], -ROUNDS, op=pld.NotifyOp.AtomicAdd)
        else:
            for k in pl.range(ROUNDS):
                pld.system.wait(data, [0, 0], k + 1, cmp=pld.WaitCmp.Ge)
                first = pl.read(win, [0, 0])
                pl.write(out, [k, 0], first)
                last = pl.read(win, [0, SIZE - 1])
                pl.write(out, [k, 1], last)
                pld.system.notify(free, peer, [0, 0], 1, op=pld.NotifyOp.AtomicAdd)
            pld.system.notify(data, me, [0, 0], -ROUNDS, op=pld.NotifyOp.AtomicAdd)
        return out
