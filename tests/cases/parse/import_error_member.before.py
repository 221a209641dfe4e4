# what the module does not bind
from ..frames import values


@pl.function
def f(x: pl.Tensor[[4], pl.FP32]):
    y = pl.mul(x, values.SCALE)
