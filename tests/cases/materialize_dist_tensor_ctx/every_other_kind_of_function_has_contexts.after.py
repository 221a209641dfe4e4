import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.Group)
    def g(self, w: pl.InOut[pld.DistributedTensor[[1, 64], pl.FP32]], w_ctx: pld.CommCtx):
        return
