import pypto.language as pl
import pypto.language.distributed as pld
@pl.function
def k(n: pl.Scalar[pl.INDEX]):
    pl.static_print(f"n is {n:3}")
