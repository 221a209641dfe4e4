# pypto-front-facts 2.1
# the decorator's
@pl.function(type=pl.FunctionType.AIV, attrs={"a": 1})
def k(n: pl.Scalar[pl.INDEX]):
    return
