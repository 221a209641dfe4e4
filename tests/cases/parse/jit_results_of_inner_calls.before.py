# outer says no types of what it returns: they are those of what inner returns, which are types of its parameters
import pypto.language as pl

N = pl.dynamic("N")


@pl.jit.inline
def inner(x: pl.Tensor[[N, 8], pl.INT8], y: pl.Tensor[[4, 8], pl.FP32]):
    return y, x


@pl.jit.inline
def outer(x: pl.Tensor[[N, 8], pl.INT8], y: pl.Tensor[[4, 8], pl.FP32]):
    y_out, x_out = inner(x, y)
    return x_out, y_out


@pl.jit
def main(x: pl.Tensor[[N, 8], pl.INT8], y: pl.Tensor[[4, 8], pl.FP32], o: pl.Out[pl.Tensor[[2, 8], pl.FP32]]):
    a, b = outer(x, y)
    part = b[0:2, :]
    return o
