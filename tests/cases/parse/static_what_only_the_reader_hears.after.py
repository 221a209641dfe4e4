import pypto.language as pl
import pypto.language.distributed as pld
@pl.function
def k(n: pl.Scalar[pl.INDEX]):
    m: pl.Scalar[pl.INDEX] = n + 1
