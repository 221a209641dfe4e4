# a plain function of another file is Python, which is not run
from ..frames.values import helper


@pl.function
def f(x: pl.Tensor[[4], pl.FP32]):
    y = helper(x)
