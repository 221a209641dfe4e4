import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(self, x: pl.Tensor[[1, 64], pl.FP32], win: pl.InOut[pld.DistributedTensor[[1, 64], pl.FP32]], n: pl.Scalar[pl.INT32], sig: pl.InOut[pld.DistributedTensor[[1, 64], pl.FP32]], m: pl.Scalar[pl.INT32], win_ctx: pld.CommCtx, sig_ctx: pld.CommCtx):
        return
