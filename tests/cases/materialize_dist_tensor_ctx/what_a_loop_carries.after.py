import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(self, w: pl.InOut[pld.DistributedTensor[[1, 64], pl.FP32]], w_ctx: pld.CommCtx):
        return
    @pl.function(type=pl.FunctionType.Orchestration)
    def chip(self, data: pl.InOut[pld.DistributedTensor[[1, 64], pl.FP32]], data_ctx: pld.CommCtx):
        for i, (w__iter,) in pl.range(4, init_values=(data,)):
            self.kernel(w__iter, data_ctx)
            w__rv: pld.DistributedTensor[[1, 64], pl.FP32] = pl.yield_(w__iter)
        self.kernel(w__rv, data_ctx)
