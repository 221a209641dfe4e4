"""About."""
import pypto.language as pl
import pypto.language.distributed as pld
@pl.function(type=pl.FunctionType.InCore)
def k(a: pl.Scalar[pl.INT32]):
    return
@pl.function(type=pl.FunctionType.Orchestration)
def main(a: pl.Scalar[pl.INT32]):
    k(a)
    t = pl.submit(k, a)
