# assignments in different blocks
import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(self, w: pl.InOut[pld.DistributedTensor[[1, 64], pl.FP32]]):
        return
    @pl.function(type=pl.FunctionType.Orchestration)
    def chip(self, a: pl.InOut[pld.DistributedTensor[[1, 64], pl.FP32]], b: pl.InOut[pld.DistributedTensor[[1, 64], pl.FP32]], n: pl.Scalar[pl.INT32]):
        w: pld.DistributedTensor[[1, 64], pl.FP32] = a
        if n > 0:
            w = b
