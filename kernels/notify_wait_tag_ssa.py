# pypto.program: notify_wait_tag_ssa
# SPDX-License-Identifier: MIT
# fencebench: ranks 2,4
# fencebench: arg peer__ssa_v0=(rank+1)%nranks
# fencebench: arg src__ssa_v0=(rank+nranks-1)%nranks
import pypto.language as pl
import pypto.language.distributed as pld

NR = pl.dynamic("NR")

@pl.program
class notify_wait_tag_ssa:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def kernel(sig__ssa_v0: pl.InOut[pld.DistributedTensor[[NR, 1], pl.INT32]], out__ssa_v0: pl.InOut[pl.Tensor[[1, 16], pl.INT32]], peer__ssa_v0: pl.Scalar[pl.INT32], src__ssa_v0: pl.Scalar[pl.INT32], sig_ctx: pld.CommCtx) -> pl.Tensor[[1, 16], pl.INT32]:
        me: pl.Scalar[pl.INT32] = pld.system.rank(sig_ctx)
        pld.system.notify(sig__ssa_v0, peer__ssa_v0, [me, 0], me + pl.const(1, pl.INT32), op=0)
        pld.system.wait(sig__ssa_v0, [src__ssa_v0, 0], pl.const(1, pl.INT32), cmp=1)
        tag__ssa_v0: pl.Scalar[pl.INT32] = pl.tensor.read(sig__ssa_v0, [src__ssa_v0, 0])
        out__ssa_v1: pl.Tensor[[1, 16], pl.INT32] = pl.tensor.write(out__ssa_v0, [0, 0], tag__ssa_v0)
        pld.system.notify(sig__ssa_v0, me, [src__ssa_v0, 0], -tag__ssa_v0, op=0)
        return out__ssa_v1
