import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(self, w: pl.InOut[pld.DistributedTensor[[1, 64], pl.FP32]], w_ctx: pld.CommCtx):
        return
    @pl.function(type=pl.FunctionType.Orchestration)
    def chip(self, a: pl.InOut[pld.DistributedTensor[[1, 64], pl.FP32]], b: pl.InOut[pld.DistributedTensor[[1, 64], pl.FP32]], a_ctx: pld.CommCtx, b_ctx: pld.CommCtx):
        w: pld.DistributedTensor[[1, 64], pl.FP32] = a
        self.kernel(w, a_ctx)
        w = b
        self.kernel(w, b_ctx)
