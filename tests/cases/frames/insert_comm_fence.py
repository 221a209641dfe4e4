import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class test:
    @pl.function(type=pl.FunctionType.InCore)
    def helper(self, win: pl.InOut[pld.DistributedTensor[[1, 64], pl.FP32]]):
        return
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(self, win_a: pl.InOut[pld.DistributedTensor[[1, 64], pl.FP32]], win_b: pl.InOut[pld.DistributedTensor[[1, 64], pl.FP32]], sig: pl.InOut[pld.DistributedTensor[[8, 1], pl.INT32]], counts: pl.InOut[pld.DistributedTensor[[8, 1], pl.INT32]], plain: pl.InOut[pl.Tensor[[1, 64], pl.FP32]], out: pl.Out[pl.Tensor[[1, 64], pl.FP32]], peer: pl.Scalar[pl.INT32], me: pl.Scalar[pl.INT32], n: pl.Scalar[pl.INT32], value: pl.Scalar[pl.FP32], tile: pl.Tile[[1, 64], pl.FP32]):
