# arithmetic of tiles has names (pypto-front-facts 2.3)
@pl.function(type=pl.FunctionType.InCore)
def f(x: pl.Tensor[[1, 16], pl.INT32]):
    t = pl.load(x, [0, 0], [1, 16])
    u = 2 * t
