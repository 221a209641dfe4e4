# pypto-front-facts 3.1: several values, a statement, a return, one Inline function in another
import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.Inline)
    def pair(self, n: pl.Scalar[pl.INDEX]) -> pl.Tuple[pl.Scalar[pl.INDEX], pl.Scalar[pl.INDEX]]:
        m: pl.Scalar[pl.INDEX] = n + 1
        return m, m + 1
    @pl.function(type=pl.FunctionType.Inline)
    def sum(self, n: pl.Scalar[pl.INDEX]) -> pl.Scalar[pl.INDEX]:
        a, b = self.pair(n)
        return a + b
    @pl.function
    def f(self, x: pl.Scalar[pl.INDEX]) -> pl.Scalar[pl.INDEX]:
        self.sum(x)
        return self.sum(x)
