# pypto-front-facts 3.1: a tuple is not built, either where a variable of the body holds it to be returned
import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.Inline)
    def pair(self, n: pl.Scalar[pl.INDEX]) -> pl.Tuple[pl.Scalar[pl.INDEX], pl.Scalar[pl.INDEX]]:
        m: pl.Scalar[pl.INDEX] = n + 1
        both = (n, m)
        return both
    @pl.function
    def f(self, x: pl.Scalar[pl.INDEX]) -> pl.Scalar[pl.INDEX]:
        a, b = self.pair(x)
        return a + b
