import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class Prog:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, n: pl.Scalar[pl.INDEX]):
        pl.test.use(24, -6, 1.5, 30, 36, 2, 12, 2, 7 // 2, n + 12, 6 < 7, not 6, 6 // 0, 4, (3, 4))
        K: pl.Scalar[pl.INDEX] = n
        pl.test.use(K * 4)
