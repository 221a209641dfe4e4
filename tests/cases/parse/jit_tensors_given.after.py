import pypto.language as pl
import pypto.language.distributed as pld
@pl.function(type=pl.FunctionType.Orchestration)
def entry(a: pl.Tensor[[4, 64], pl.BF16]) -> pl.Tensor[[4, 64], pl.BF16]:
    return a
