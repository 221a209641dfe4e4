# pypto-front-facts 2.1
# twice
@pl.function(type=pl.FunctionType.AIV)
def k(n: pl.Scalar[pl.INDEX]):
    pl.func_attr({"a": 1})
    pl.func_attr({"a": 2})
