import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(self, w: pl.InOut[pld.DistributedTensor[[1, 64], pl.FP32]], w_ctx: pld.CommCtx):
        return
    @pl.function(type=pl.FunctionType.Orchestration)
    def chip(self, data: pl.InOut[pld.DistributedTensor[[4, 64], pl.FP32]], data_ctx: pld.CommCtx):
        row: pld.DistributedTensor[[1, 64], pl.FP32] = pl.tensor.slice(data, [1, 64], [2, 0])
        self.kernel(row, data_ctx)
