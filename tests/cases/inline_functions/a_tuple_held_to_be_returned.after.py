import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function
    def f(self, x: pl.Scalar[pl.INDEX]) -> pl.Scalar[pl.INDEX]:
        m_inline0: pl.Scalar[pl.INDEX] = x + 1
        a: pl.Scalar[pl.INDEX] = x
        b: pl.Scalar[pl.INDEX] = m_inline0
        return a + b
