# What operators on tensors become is pypto-front-facts 3.4.
import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, x: pl.Tensor[[8, 16], pl.FP32], c: pl.Tensor[[8, 1], pl.FP32], h: pl.Tensor[[8, 16], pl.FP16], x3: pl.Tensor[[2, 8, 16], pl.FP32], x1: pl.Tensor[[1, 8, 16], pl.FP32], i: pl.Scalar[pl.INDEX], peer: pl.Scalar[pl.INT32], w: pl.InOut[pld.DistributedTensor[[8, 16], pl.FP32]], out: pl.Out[pl.Tensor[[8, 16], pl.FP32]], row: pl.Out[pl.Tensor[[1, 64], pl.INT32]], table: pl.Out[pl.Tensor[[4, 16], pl.INT32]]):
