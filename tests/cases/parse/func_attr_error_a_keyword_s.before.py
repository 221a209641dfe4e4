# pypto-front-facts 2.1
# a keyword's
@pl.function(type=pl.FunctionType.AIV)
def k(n: pl.Scalar[pl.INDEX]):
    pl.func_attr({"auto_scope": False})
