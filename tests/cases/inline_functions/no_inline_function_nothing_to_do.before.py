# pypto-front-facts 3.1: no Inline function, nothing to do
import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function
    def g(self, m: pl.Scalar[pl.INDEX]) -> pl.Scalar[pl.INDEX]:
        return m
    @pl.function
    def f(self, m: pl.Scalar[pl.INDEX]) -> pl.Scalar[pl.INDEX]:
        k: pl.Scalar[pl.INDEX] = self.g(m)
        return k
