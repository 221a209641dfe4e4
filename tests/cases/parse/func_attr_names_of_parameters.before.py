# pypto-front-facts 2.1
# names of parameters
@pl.function(type=pl.FunctionType.AIV)
def k(n: pl.Scalar[pl.INDEX]):
    pl.func_attr({"stationary": n})
    return
