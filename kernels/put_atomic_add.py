# SPDX-License-Identifier: MIT
# fencebench: ranks 2,4
# fencebench: payload SIZE
import pypto.language as pl
import pypto.language.distributed as pld

NR = pl.dynamic("NR")
SIZE = 64
ROOT = 0


@pl.program
class PutAtomicAdd:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        inp: pl.Tensor[[1, SIZE], pl.INT32],
        win: pl.InOut[pld.DistributedTensor[[1, SIZE], pl.INT32]],
        sig: pl.InOut[pld.DistributedTensor[[NR, 1], pl.INT32]],
        out: pl.Out[pl.Tensor[[1, SIZE], pl.INT32]],
    ) -> pl.Tensor[[1, SIZE], pl.INT32]:
        """Every rank adds its row into the root's window; INT32, so the order of the adds is no matter.

        Each rank copies its window out: the sum on the root, zeros elsewhere.
        """
        ctx = pld.system.get_comm_ctx(win)
        me = pld.system.rank(ctx)
        nranks = pld.system.nranks(ctx)
        stage = pl.tile.create([1, SIZE], dtype=pl.INT32, target_memory=pl.Mem.Vec)

        pld.tile.put(win, ROOT, inp, stage, [0, 0], [0, 0], [1, SIZE], atomic=pld.AtomicType.Add)
        pld.system.notify(sig, ROOT, [me, 0], 1, op=pld.NotifyOp.AtomicAdd)
        if me == ROOT:
            for src in pl.range(nranks):
                pld.system.wait(sig, [src, 0], 1, cmp=pld.WaitCmp.Ge)
            for src in pl.range(nranks):
                pld.system.notify(sig, me, [src, 0], -1, op=pld.NotifyOp.AtomicAdd)

        total = pl.load(win, [0, 0], [1, SIZE])
        out = pl.store(total, [0, 0], out)
        return out
