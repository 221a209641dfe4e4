import pypto.language as pl
import pypto.language.distributed as pld
M = pl.dynamic("M")
@pl.function(type=pl.FunctionType.Orchestration)
def entry(a: pl.Tensor[[8, 64], pl.FP16], b: pl.Tensor[[M, 64], pl.FP32]) -> pl.Tensor[[8, 64], pl.FP16]:
    R: pl.Scalar[pl.INDEX] = pl.tensor.dim(b, 0)
    t: pl.Tensor[[64, 64], pl.FP16] = pl.tensor.create([64, 64], dtype=pl.FP16)
    u: pl.Tensor[[8, 64], pl.FP32] = pl.tensor.create([8, 64], dtype=pl.FP32)
    n: pl.Scalar[pl.INDEX] = pl.tensor.dim(b, 0) * 2
    return a
