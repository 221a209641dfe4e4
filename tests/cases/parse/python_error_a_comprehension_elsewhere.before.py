# comprehensions are for deps= alone (pypto-front-facts 2.1)
@pl.function
def f(x: pl.Tensor[[64], pl.FP32]):
    y = pl.load(x, [0 for k in range(1)], [64])
