import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(self, w: pl.InOut[pld.DistributedTensor[[1, 64], pl.FP32]], n: pl.Scalar[pl.INT32], w_ctx_1: pld.CommCtx):
        w_ctx: pl.Scalar[pl.INT32] = pl.cast(n, pl.INDEX) + 1
        return
