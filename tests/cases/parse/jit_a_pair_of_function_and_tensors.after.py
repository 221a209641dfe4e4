import pypto.language as pl
import pypto.language.distributed as pld
@pl.function(type=pl.FunctionType.Orchestration)
def entry(x: pl.Tensor[[4], pl.FP32], y: pl.Tensor[[2, 2], pl.BF16]) -> tuple[pl.Tensor[[4], pl.FP32], pl.Tensor[[2, 2], pl.BF16]]:
    return x, y
