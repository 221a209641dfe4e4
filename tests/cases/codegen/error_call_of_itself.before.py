# call of itself
# fencebench: arg n=3+rank
import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class T:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, x: pl.Tensor[[4, 16], pl.INT32], f: pl.Tensor[[4, 16], pl.FP32], win: pl.InOut[pld.DistributedTensor[[4, 16], pl.INT32]], half: pl.InOut[pld.DistributedTensor[[2, 8], pl.INT32]], fwin: pl.InOut[pld.DistributedTensor[[4, 16], pl.FP32]], sig: pl.InOut[pld.DistributedTensor[[4, 1], pl.INT32]], out: pl.InOut[pl.Tensor[[4, 16], pl.INT32]], fout: pl.InOut[pl.Tensor[[4, 16], pl.FP32]], n: pl.Scalar[pl.INT32]):
        """The body starts in the next line."""
        self.again(n)
    @pl.function(type=pl.FunctionType.InCore)
    def again(self, m: pl.Scalar[pl.INT32]):
        self.again(m)
