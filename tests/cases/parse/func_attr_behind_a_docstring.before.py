# pypto-front-facts 2.1
# behind a docstring
@pl.function(type=pl.FunctionType.AIV)
def k(n: pl.Scalar[pl.INDEX]):
    """what"""
    pl.func_attr({"a": 1})
    return
