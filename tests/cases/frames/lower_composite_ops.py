# The statements are those of pypto-front-facts 3.7, their numbers count in the order in which they are made.
import pypto.language as pl
import pypto.language.distributed as pld
NR = pl.dynamic("NR")
ROWS = 4
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, x: pl.Tensor[[4, 8], pl.FP32], row: pl.Tensor[[1, 8], pl.FP32], w: pl.InOut[pld.DistributedTensor[[4, 8], pl.FP32]], box: pl.InOut[pld.DistributedTensor[[2, 3, 8], pl.FP32]], piece: pl.InOut[pld.DistributedTensor[[1, 8], pl.FP32]], named: pl.InOut[pld.DistributedTensor[[ROWS, 8], pl.FP32]], rows: pl.InOut[pld.DistributedTensor[[NR, 8], pl.FP32]], sig: pl.InOut[pld.DistributedTensor[[NR, 1], pl.INT32]], sig2: pl.InOut[pld.DistributedTensor[[2, 1], pl.INT32]], send: pl.Tensor[[2, 1], pl.INT32], send1: pl.Tensor[[2], pl.INT32], got: pl.InOut[pld.DistributedTensor[[2, 1], pl.INT32]], flat: pl.InOut[pld.DistributedTensor[[4], pl.INT32]], wide: pl.InOut[pld.DistributedTensor[[4, 2], pl.INT32]], n: pl.Scalar[pl.INDEX]):
