# pypto-front-facts 2.1
# behind a statement
@pl.function(type=pl.FunctionType.AIV)
def k(n: pl.Scalar[pl.INDEX]):
    m = n + 1
    pl.func_attr({"a": 1})
