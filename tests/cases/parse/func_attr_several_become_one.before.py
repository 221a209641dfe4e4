# pypto-front-facts 2.1
# several become one
@pl.function(type=pl.FunctionType.AIV)
def k(n: pl.Scalar[pl.INDEX]):
    pl.func_attr({"a": 1})
    pl.func_attr({"b": True, "c": "d"})
    return
