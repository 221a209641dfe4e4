def f(x: pl.Tensor[[4], pl.FP32]):
    y = pl.load(x, [0], [pl.load(x, [0], [pl.load(x, [0], [1])])])
    z = -1 ** 2 - -(3) + (-1) ** 2 + ~-pl.cast(x[0], pl.INT32)
