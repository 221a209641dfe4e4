import pypto.language as pl
import pypto.language.distributed as pld
@pl.function(type=pl.FunctionType.AIV)
def k(n: pl.Scalar[pl.INDEX]):
    pl.func_attr({"stationary": n})
    return
