# pypto-front-facts 3.1: by way of another
import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.Inline)
    def a(self, n: pl.Scalar[pl.INDEX]) -> pl.Scalar[pl.INDEX]:
        x: pl.Scalar[pl.INDEX] = self.b(n)
        return x
    @pl.function(type=pl.FunctionType.Inline)
    def b(self, n: pl.Scalar[pl.INDEX]) -> pl.Scalar[pl.INDEX]:
        x: pl.Scalar[pl.INDEX] = self.a(n)
        return x
    @pl.function
    def f(self, m: pl.Scalar[pl.INDEX]) -> pl.Scalar[pl.INDEX]:
        y: pl.Scalar[pl.INDEX] = self.a(m)
        return y
