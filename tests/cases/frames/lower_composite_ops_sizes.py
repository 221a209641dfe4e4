import pypto.language as pl
import pypto.language.distributed as pld
NR = pl.dynamic("NR")
M = pl.dynamic("M")
SIZE = pl.dynamic("SIZE")
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, w: pl.InOut[pld.DistributedTensor[[3, 2000], pl.FP32]], small: pl.InOut[pld.DistributedTensor[[2, 9], pl.FP32]], chunk: pl.InOut[pld.DistributedTensor[[4096], pl.FP32]], half: pl.InOut[pld.DistributedTensor[[9000], pl.FP16]], few: pl.InOut[pld.DistributedTensor[[1, 20], pl.FP16]], one: pl.InOut[pld.DistributedTensor[[17, 1], pl.FP16]], any: pl.InOut[pld.DistributedTensor[[NR, 1, M], pl.FP32]], named: pl.InOut[pld.DistributedTensor[[2, SIZE], pl.FP32]], packed: pl.InOut[pld.DistributedTensor[[2, 4], pl.FP32, pl.TensorView(stride=[4, 1], layout=pl.TensorLayout.ND)]], all: pl.InOut[pld.DistributedTensor[[2, 4], pl.FP32, pl.TensorView(valid_shape=[2, 4], layout=pl.TensorLayout.ND)]], cut: pl.InOut[pld.DistributedTensor[[64, 8], pl.FP16, pl.TensorView(valid_shape=[1, M], layout=pl.TensorLayout.ND)]], prefix: pl.InOut[pld.DistributedTensor[[4, 16], pl.FP16, pl.TensorView(valid_shape=[3, 16], layout=pl.TensorLayout.ND)]], sig: pl.InOut[pld.DistributedTensor[[NR, 1], pl.INT32]], ring: pl.InOut[pld.DistributedTensor[[4, 3], pl.INT32]], rings: pl.InOut[pld.DistributedTensor[[M, NR], pl.INT32]]):
