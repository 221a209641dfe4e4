# some contexts
import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(self, a: pl.InOut[pld.DistributedTensor[[1, 64], pl.FP32]], b: pl.InOut[pld.DistributedTensor[[1, 64], pl.FP32]], a_ctx: pld.CommCtx):
        return
