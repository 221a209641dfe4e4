# The unified spelling takes the element type of the result and transpositions of tiles as well, where they say what holds
# anyway: an accumulator of FP32 for floats and of INT32 for integers, and none transposed.
import pypto.language as pl


@pl.function(type=pl.FunctionType.AIC)
def k(a: pl.Tensor[[16, 16], pl.FP16], b: pl.Tensor[[16, 16], pl.INT8]):
    x = pl.load(a, [0, 0], [16, 16], target_memory=pl.Mem.Mat)
    y = pl.matmul(x, x, out_dtype=pl.FP32, a_trans=False, b_trans=False)
    y = pl.matmul_acc(y, x, x, b_trans=False)
    v = pl.load(b, [0, 0], [16, 16], target_memory=pl.Mem.Mat)
    w = pl.matmul(v, v, out_dtype=pl.INT32)
    u = pl.matmul(v, v, out_dtype=None)
