import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function
    def f(self, i__ssa_v0: pl.Scalar[pl.INDEX]):
        with pl.at(level=pl.Level.CORE_GROUP):
            for j__idx_v0 in pl.range(4):
                z__ssa_v0: pl.Scalar[pl.INDEX] = i__ssa_v0 + j__idx_v0
            z__ssa_v1: pl.Scalar[pl.INDEX] = i__ssa_v0
        pl.test.use(z__ssa_v1)
