# SPDX-License-Identifier: MIT
# fencebench: ranks 2,4
# fencebench: arg peer=(rank+1)%nranks
# fencebench: arg left=(rank+nranks-1)%nranks
import pypto.language as pl
import pypto.language.distributed as pld

SIZE = 16


@pl.program
class GetPlain:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        inp: pl.Tensor[[1, SIZE], pl.INT32],
        win: pl.InOut[pld.DistributedTensor[[1, SIZE], pl.INT32]],
        ready: pl.InOut[pld.DistributedTensor[[1, 1], pl.INT32]],
        tmp: pl.InOut[pl.Tensor[[1, SIZE], pl.INT32]],
        out: pl.InOut[pl.Tensor[[1, SIZE], pl.INT32]],
        peer: pl.Scalar[pl.INT32],
        left: pl.Scalar[pl.INT32],
    ) -> pl.Tensor[[1, SIZE], pl.INT32]:
        """Get the right neighbour's window into a tensor of this rank, then read it by scalar.

        The tensor's line is in the cache from before. It is no window, so that no rule puts a marker behind the get.
        """
        ctx = pld.system.get_comm_ctx(win)
        me = pld.system.rank(ctx)
        t = pl.load(inp, [0, 0], [1, SIZE])
        pl.store(t, [0, 0], win)
        pld.system.notify(ready, left, [0, 0], 1, op=pld.NotifyOp.AtomicAdd)

        pld.system.wait(ready, [0, 0], 1, cmp=pld.WaitCmp.Ge)
        pld.system.notify(ready, me, [0, 0], -1, op=pld.NotifyOp.AtomicAdd)
        before = pl.read(tmp, [0, 1])
        pld.tensor.get(tmp, peer, win)
        after = pl.read(tmp, [0, 0])
        pl.write(out, [0, 0], before + after)
        return out
