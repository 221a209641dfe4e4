import pypto.language as pl
import pypto.language.distributed as pld
@pl.function(type=pl.FunctionType.AIV, external_source='Path(__file__).parent / "relu.cpp"')
def relu(a: pl.Tensor[[4], pl.FP32], out: pl.Out[pl.Tensor[[4], pl.FP32]]) -> pl.Tensor[[4], pl.FP32]:
    ...
@pl.function(type=pl.FunctionType.Orchestration)
def entry(a: pl.Tensor[[4], pl.FP32], out: pl.Out[pl.Tensor[[4], pl.FP32]]) -> pl.Tensor[[4], pl.FP32]:
    out = relu(a, out)
    return out
