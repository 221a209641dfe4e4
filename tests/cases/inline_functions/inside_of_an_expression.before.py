# pypto-front-facts 3.1: inside of an expression
import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.Inline)
    def twice(self, n: pl.Scalar[pl.INDEX]) -> pl.Scalar[pl.INDEX]:
        return n * 2
    @pl.function
    def f(self, m: pl.Scalar[pl.INDEX]) -> pl.Scalar[pl.INDEX]:
        return self.twice(m) + 1
