# a property that does more than return has no value
from ..frames.values import SMALL


@pl.function
def f(x: pl.Tensor[[SMALL.odd], pl.FP32]):
    pass
