# pypto-front-facts 2.1
# splitting
@pl.function(type=pl.FunctionType.AIV)
def k(n: pl.Scalar[pl.INDEX]):
    pl.func_attr({"split": pl.SplitMode.UP_DOWN})
    return
