import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(self, w: pl.InOut[pld.DistributedTensor[[1, 64], pl.FP32]], w_ctx: pld.CommCtx):
        return
    @pl.function(type=pl.FunctionType.Orchestration)
    def chip(self, data: pl.InOut[pld.DistributedTensor[[1, 64], pl.FP32]], n: pl.Scalar[pl.INT32], data_ctx: pld.CommCtx):
        if pl.cast(n, pl.INDEX) > 0:
            w__phi: pld.DistributedTensor[[1, 64], pl.FP32] = pl.yield_(data)
        else:
            w__phi: pld.DistributedTensor[[1, 64], pl.FP32] = pl.yield_(data)
        self.kernel(w__phi, data_ctx)
