# functions of other files are not read
from ..frames.values import helper


@pl.function
def f(x: pl.Tensor[[4], pl.FP32]):
    y = helper(x)
