# SPDX-License-Identifier: MIT
# fencebench: ranks 2,4
# fencebench: arg peer=(rank+1)%nranks
# fencebench: arg src=(rank+nranks-1)%nranks
import pypto.language as pl
import pypto.language.distributed as pld

NR = pl.dynamic("NR")


@pl.program
class NotifyWaitTag:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        sig: pl.InOut[pld.DistributedTensor[[NR, 1], pl.INT32]],
        out: pl.InOut[pl.Tensor[[1, 16], pl.INT32]],
        peer: pl.Scalar[pl.INT32],
        src: pl.Scalar[pl.INT32],
    ) -> pl.Tensor[[1, 16], pl.INT32]:
        """The signal is the message: add rank + 1 at the right neighbour, read what the left one added."""
        ctx = pld.system.get_comm_ctx(sig)
        me = pld.system.rank(ctx)

        pld.system.notify(sig, peer, [me, 0], me + 1, op=pld.NotifyOp.AtomicAdd)
        pld.system.wait(sig, [src, 0], 1, cmp=pld.WaitCmp.Ge)
        tag = pl.read(sig, [src, 0])
        pl.write(out, [0, 0], tag)
        pld.system.notify(sig, me, [src, 0], -tag, op=pld.NotifyOp.AtomicAdd)
        return out
