import pypto.language as pl
import pypto.language.distributed as pld
@pl.function(type=pl.FunctionType.AIV)
def k(n: pl.Scalar[pl.INDEX]):
    """what"""
    pl.func_attr({"a": 1})
    return
