# SPDX-License-Identifier: MIT
# fencebench: ranks 2,4
# fencebench: arg peer=(rank+1)%nranks
# fencebench: tasks wait_kernel, reader_kernel
import pypto.language as pl
import pypto.language.distributed as pld

PAYLOAD = 8
USED = 15


@pl.program
class TwoKernel:
    @pl.function(type=pl.FunctionType.InCore)
    def wait_kernel(
        self,
        inp: pl.Tensor[[1, PAYLOAD], pl.INT32],
        win: pl.InOut[pld.DistributedTensor[[1, 16], pl.INT32]],
        sig: pl.InOut[pld.DistributedTensor[[1, 1], pl.INT32]],
        peer: pl.Scalar[pl.INT32],
    ):
        """Put to the right neighbour, signal it, wait for the left one; read nothing of what arrived.

        Word USED of the window, on the payload's line, is written by nobody and says how many credits
        are spent; reading it leaves the line in the cache.
        """
        ctx = pld.system.get_comm_ctx(win)
        me = pld.system.rank(ctx)
        stage = pl.tile.create([1, PAYLOAD], dtype=pl.INT32, target_memory=pl.Mem.Vec)
        used = pl.read(win, [0, USED])

        pld.tile.put(win, peer, inp, stage, [0, 0], [0, 0], [1, PAYLOAD], atomic=pld.AtomicType.None_)
        pld.system.notify(sig, peer, [0, 0], 1, op=pld.NotifyOp.AtomicAdd)
        pld.system.wait(sig, [0, 0], used + 1, cmp=pld.WaitCmp.Ge)
        pld.system.notify(sig, me, [0, 0], -1, op=pld.NotifyOp.AtomicAdd)

    @pl.function(type=pl.FunctionType.InCore)
    def reader_kernel(
        self,
        win: pl.InOut[pld.DistributedTensor[[1, 16], pl.INT32]],
        out: pl.Out[pl.Tensor[[1, PAYLOAD], pl.INT32]],
        head: pl.InOut[pl.Tensor[[1, 16], pl.INT32]],
    ) -> pl.Tensor[[1, PAYLOAD], pl.INT32]:
        """A later task of the same core: only task order ties its reads to the wait."""
        word = pl.read(win, [0, 0])
        pl.write(head, [0, 0], word)
        row = pl.load(win, [0, 0], [1, PAYLOAD])
        out = pl.store(row, [0, 0], out)
        return out
