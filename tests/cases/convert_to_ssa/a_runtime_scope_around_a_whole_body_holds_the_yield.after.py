import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.Orchestration, auto_scope=False)
    def f(self, i__ssa_v0: pl.Scalar[pl.INDEX]):
        a__ssa_v0: pl.Scalar[pl.INDEX] = i__ssa_v0
        for j__idx_v0, (a__iter_v1,) in pl.range(4, init_values=(a__ssa_v0,)):
            with pl.scope():
                a__ssa_v3: pl.Scalar[pl.INDEX] = a__iter_v1 + j__idx_v0
                a__rv_v2: pl.Scalar[pl.INDEX] = pl.yield_(a__ssa_v3)
        pl.test.use(a__rv_v2)
