# The numbers of temporaries and the order are those of pypto-front-facts 3.5.
import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, x: pl.Tensor[[64], pl.INT32], w: pl.InOut[pld.DistributedTensor[[1, 16], pl.FP32]], n: pl.Scalar[pl.INT32]):
