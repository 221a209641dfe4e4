import pypto.language as pl
import pypto.language.distributed as pld
@pl.function(type=pl.FunctionType.Orchestration)
def main(x: pl.Tensor[[4, 8], pl.FP32]):
    y = x[0, 0, 0]
