import pypto.language as pl
import pypto.language.distributed as pld
@pl.function
def f(x: pl.Ptr):
    return x
@pl.function
def g(x: pl.Ptr):
    return x
