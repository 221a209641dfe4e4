import pypto.language as pl
import pypto.language.distributed as pld
@pl.function(type=pl.FunctionType.Orchestration)
def entry(a: pl.Tensor[[2, 3], pl.FP32], n: pl.Scalar[pl.INT32], out: pl.Out[pl.Tensor[[2, 3], pl.INT32]]) -> pl.Tensor[[2, 3], pl.INT32]:
    return out
