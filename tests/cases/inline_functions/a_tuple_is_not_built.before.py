# pypto-front-facts 3.1: a tuple is not built
import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.Inline)
    def pair(self, n: pl.Scalar[pl.INDEX]) -> pl.Tuple[pl.Scalar[pl.INDEX], pl.Scalar[pl.INDEX]]:
        return n, n + 1
    @pl.function
    def f(self, x: pl.Scalar[pl.INDEX]) -> pl.Scalar[pl.INDEX]:
        t: pl.Tuple[pl.Scalar[pl.INDEX], pl.Scalar[pl.INDEX]] = self.pair(x)
        a: pl.Scalar[pl.INDEX] = t[0]
        b: pl.Scalar[pl.INDEX] = t[1]
        return a + b
