# nothing behind a scope that becomes a function makes a loop in it carry
import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function
    def f(self, i: pl.Scalar[pl.INDEX]):
        with pl.at(level=pl.Level.CORE_GROUP):
            for j in pl.range(4):
                z = i + j
            z = i
        pl.test.use(z)
