import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def swap(self, a: pl.InOut[pld.DistributedTensor[[1, 64], pl.FP32]], b: pl.InOut[pld.DistributedTensor[[1, 64], pl.FP32]], a_ctx: pld.CommCtx, b_ctx: pld.CommCtx) -> tuple[pld.DistributedTensor[[1, 64], pl.FP32], pld.DistributedTensor[[1, 64], pl.FP32]]:
        return b, a
    @pl.function(type=pl.FunctionType.Orchestration)
    def chip(self, x: pl.InOut[pld.DistributedTensor[[1, 64], pl.FP32]], y: pl.InOut[pld.DistributedTensor[[1, 64], pl.FP32]], x_ctx: pld.CommCtx, y_ctx: pld.CommCtx):
        p, q = self.swap(x, y, x_ctx, y_ctx)
        r, s = self.swap(p, q, y_ctx, x_ctx)
        return
