# static_print and static_assert are read and dropped (pypto-front-facts 2.1)
import pypto.language as pl
import pypto.language.distributed as pld
N = 4
@pl.function
def k(n: pl.Scalar[pl.INDEX]):
    pl.static_print("n is", f"{n} of {N}")
    pl.static_assert(N == 4, "four")
    m = n + 1
