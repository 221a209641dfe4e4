# SPDX-License-Identifier: MIT
# fencebench: ranks 2,4
# fencebench: arg peer=(rank+1)%nranks
# fencebench: arg left=(rank+nranks-1)%nranks
import pypto.language as pl
import pypto.language.distributed as pld

SIZE = 16


@pl.program
class LocalReadCredit:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        inp: pl.Tensor[[1, SIZE], pl.INT32],
        win: pl.InOut[pld.DistributedTensor[[1, SIZE], pl.INT32]],
        filled: pl.InOut[pld.DistributedTensor[[1, 1], pl.INT32]],
        free: pl.InOut[pld.DistributedTensor[[1, 1], pl.INT32]],
        out_a: pl.Out[pl.Tensor[[1, SIZE], pl.INT32]],
        out_b: pl.Out[pl.Tensor[[1, SIZE], pl.INT32]],
        peer: pl.Scalar[pl.INT32],
        left: pl.Scalar[pl.INT32],
    ):
        """Push a tile into the right neighbour's window, and another one once the neighbour has loaded the first.

        The neighbour loads its own window and tells so at once. Nothing in front of that notify waits for the load.
        """
        ctx = pld.system.get_comm_ctx(win)
        me = pld.system.rank(ctx)
        t = pl.load(inp, [0, 0], [1, SIZE])
        pld.tile.remote_store(t, win, peer, [0, 0])
        pld.system.notify(filled, peer, [0, 0], 1, op=pld.NotifyOp.AtomicAdd)

        pld.system.wait(filled, [0, 0], 1, cmp=pld.WaitCmp.Ge)
        first = pl.load(win, [0, 0], [1, SIZE])
        pld.system.notify(free, left, [0, 0], 1, op=pld.NotifyOp.AtomicAdd)

        pld.system.wait(free, [0, 0], 1, cmp=pld.WaitCmp.Ge)
        pld.system.notify(free, me, [0, 0], -1, op=pld.NotifyOp.AtomicAdd)
        pld.tile.remote_store(pl.add(t, t), win, peer, [0, 0])
        pld.system.notify(filled, peer, [0, 0], 1, op=pld.NotifyOp.AtomicAdd)
        pld.system.wait(filled, [0, 0], 2, cmp=pld.WaitCmp.Ge)
        pld.system.notify(filled, me, [0, 0], -2, op=pld.NotifyOp.AtomicAdd)
        second = pl.load(win, [0, 0], [1, SIZE])
        pl.store(first, [0, 0], out_a)
        pl.store(second, [0, 0], out_b)
