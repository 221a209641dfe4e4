# pypto-front-facts 2.1
# in both places
@pl.function(type=pl.FunctionType.AIV, attrs={"a": 1})
def k(n: pl.Scalar[pl.INDEX]):
    pl.func_attr({"a": 1})
