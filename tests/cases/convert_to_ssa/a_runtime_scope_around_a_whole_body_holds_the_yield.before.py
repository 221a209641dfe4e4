# a runtime scope around a whole body holds the yield
import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.Orchestration, auto_scope=False)
    def f(self, i: pl.Scalar[pl.INDEX]):
        a = i
        for j in pl.range(4):
            with pl.scope():
                a = a + j
        pl.test.use(a)
