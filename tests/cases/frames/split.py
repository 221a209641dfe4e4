# A kernel whose body two vector cores share.
import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class T:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(self, x: pl.Tensor[[32, 16], pl.FP32], o: pl.InOut[pl.Tensor[[32, 16], pl.FP32]], s: pld.DistributedTensor[[4, 1], pl.INT32], n: pl.Scalar[pl.INDEX]):
