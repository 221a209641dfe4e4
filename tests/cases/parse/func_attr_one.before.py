# pypto-front-facts 2.1
# one
@pl.function(type=pl.FunctionType.AIV)
def k(n: pl.Scalar[pl.INDEX]):
    pl.func_attr({"slot_num": 2})
    m = n + 1
