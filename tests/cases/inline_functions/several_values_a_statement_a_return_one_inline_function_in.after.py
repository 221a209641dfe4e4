import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function
    def f(self, x: pl.Scalar[pl.INDEX]) -> pl.Scalar[pl.INDEX]:
        m_inline1: pl.Scalar[pl.INDEX] = x + 1
        a_inline0: pl.Scalar[pl.INDEX] = m_inline1
        b_inline0: pl.Scalar[pl.INDEX] = m_inline1 + 1
        m_inline3: pl.Scalar[pl.INDEX] = x + 1
        a_inline2: pl.Scalar[pl.INDEX] = m_inline3
        b_inline2: pl.Scalar[pl.INDEX] = m_inline3 + 1
        return a_inline2 + b_inline2
