# a query of a window from nowhere
import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(self, x: pl.Tensor[[1, 64], pl.FP32]):
        w: pld.DistributedTensor[[1, 64], pl.FP32] = pl.test.unheard_of(x)
        ctx: pld.CommCtx = pld.system.get_comm_ctx(w)
