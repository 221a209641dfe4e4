# a query below HOST is the parameter
import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(self, w: pl.InOut[pld.DistributedTensor[[1, 64], pl.FP32]]):
        ctx: pld.CommCtx = pld.system.get_comm_ctx(w)
        me: pl.Scalar[pl.INT32] = pld.system.rank(pld.system.get_comm_ctx(w))
