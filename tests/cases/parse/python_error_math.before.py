# of math, what has one value for numbers
import math
@pl.function
def f(x: pl.Tensor[[64], pl.FP32]):
    y = pl.mul(x, math.gamma(2))
