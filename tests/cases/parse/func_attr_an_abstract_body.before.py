# pypto-front-facts 2.1
# an abstract body
@pl.function(type=pl.FunctionType.AIV)
def k(n: pl.Scalar[pl.INDEX]):
    pl.func_attr({"a": 1})
    ...
