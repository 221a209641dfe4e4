import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function
    def f(self, m: pl.Scalar[pl.INDEX]) -> pl.Scalar[pl.INDEX]:
        k: pl.Scalar[pl.INDEX] = (m + 1) * 2
        return k
