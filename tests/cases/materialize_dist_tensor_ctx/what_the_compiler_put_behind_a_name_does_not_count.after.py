import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(x_inline12__ssa_v0: pl.InOut[pld.DistributedTensor[[1, 64], pl.FP32]], x_inline12__iter_v1: pl.InOut[pld.DistributedTensor[[1, 64], pl.FP32]], __w: pl.InOut[pld.DistributedTensor[[1, 64], pl.FP32]], x_inline12_ctx: pld.CommCtx, x_inline12_ctx_1: pld.CommCtx, __w_ctx: pld.CommCtx):
        return
