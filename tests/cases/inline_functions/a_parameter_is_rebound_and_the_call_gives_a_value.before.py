# pypto-front-facts 3.1: a parameter is rebound, and the call gives a value
import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.Inline)
    def a(self, n: pl.Scalar[pl.INDEX]) -> pl.Scalar[pl.INDEX]:
        n = n + 1
        return n
    @pl.function
    def f(self, m: pl.Scalar[pl.INDEX]) -> pl.Scalar[pl.INDEX]:
        y: pl.Scalar[pl.INDEX] = self.a(m + 1)
        return y
