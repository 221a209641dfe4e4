import pypto.language as pl
import pypto.language.distributed as pld
@pl.function
def f(x: pl.Tensor[[12, 12], pl.FP32], y: pl.Tensor[[4], pl.FP32]):
    pass
