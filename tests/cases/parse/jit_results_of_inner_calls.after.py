import pypto.language as pl
import pypto.language.distributed as pld
N = pl.dynamic("N")
@pl.function(type=pl.FunctionType.Inline)
def inner(x: pl.Tensor[[N, 8], pl.INT8], y: pl.Tensor[[4, 8], pl.FP32]) -> tuple[pl.Tensor[[4, 8], pl.FP32], pl.Tensor[[N, 8], pl.INT8]]:
    return y, x
@pl.function(type=pl.FunctionType.Inline)
def outer(x: pl.Tensor[[N, 8], pl.INT8], y: pl.Tensor[[4, 8], pl.FP32]) -> tuple[pl.Tensor[[N, 8], pl.INT8], pl.Tensor[[4, 8], pl.FP32]]:
    y_out, x_out = inner(x, y)
    return x_out, y_out
@pl.function(type=pl.FunctionType.Orchestration)
def main(x: pl.Tensor[[N, 8], pl.INT8], y: pl.Tensor[[4, 8], pl.FP32], o: pl.Out[pl.Tensor[[2, 8], pl.FP32]]) -> pl.Tensor[[2, 8], pl.FP32]:
    a, b = outer(x, y)
    part: pl.Tensor[[2, 8], pl.FP32] = pl.tensor.slice(b, [2, 8], [0, 0])
    return o
