# pypto-front-facts 2.1
# no splitting
@pl.function(type=pl.FunctionType.AIV)
def k(n: pl.Scalar[pl.INDEX]):
    pl.func_attr({"split": pl.SplitMode.NONE})
    return
