# SPDX-License-Identifier: MIT
# fencebench: ranks 2,4
# fencebench: arg peer=(rank+1)%nranks
import pypto.language as pl
import pypto.language.distributed as pld

SIZE = 16


@pl.program
class PutFromPlain:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        inp: pl.Tensor[[1, SIZE], pl.INT32],
        stored: pl.InOut[pl.Tensor[[1, SIZE], pl.INT32]],
        written: pl.InOut[pl.Tensor[[1, SIZE], pl.INT32]],
        win_a: pl.InOut[pld.DistributedTensor[[1, SIZE], pl.INT32]],
        win_b: pl.InOut[pld.DistributedTensor[[1, SIZE], pl.INT32]],
        sig: pl.InOut[pld.DistributedTensor[[1, 1], pl.INT32]],
        out_a: pl.Out[pl.Tensor[[1, SIZE], pl.INT32]],
        out_b: pl.Out[pl.Tensor[[1, SIZE], pl.INT32]],
        peer: pl.Scalar[pl.INT32],
    ):
        """Put two tensors of this rank into the right neighbour's windows, one just stored, one just written.

        Neither is a window, so that no rule puts a marker behind the store or the write. The put reads memory past
        the cache: the store may still be on its way to it, and the written word waits in the cache.
        """
        ctx = pld.system.get_comm_ctx(sig)
        me = pld.system.rank(ctx)
        t = pl.load(inp, [0, 0], [1, SIZE])
        pl.store(pl.add(t, t), [0, 0], stored)
        pld.tensor.put(win_a, peer, stored, atomic=pld.AtomicType.None_)
        first = pl.read(inp, [0, 0])
        pl.write(written, [0, 0], first + 8)
        pld.tensor.put(win_b, peer, written, atomic=pld.AtomicType.None_)

        pld.system.notify(sig, peer, [0, 0], 1, op=pld.NotifyOp.AtomicAdd)
        pld.system.wait(sig, [0, 0], 1, cmp=pld.WaitCmp.Ge)
        pld.system.notify(sig, me, [0, 0], -1, op=pld.NotifyOp.AtomicAdd)
        pl.store(pl.load(win_a, [0, 0], [1, SIZE]), [0, 0], out_a)
        pl.store(pl.load(win_b, [0, 0], [1, SIZE]), [0, 0], out_b)
