# A function that is in SSA form already is left alone: x__slice is a name that a pass gave.
import pypto.language as pl
@pl.program
class Printed:
    @pl.function(type=pl.FunctionType.InCore)
    def main(self, x__ssa_v0: pl.Tensor[[64], pl.FP32]):
        x__slice = pl.load(x__ssa_v0, [0], [64])
        t__ssa_v0 = pl.add(x__slice, 1.0)
        pl.store(t__ssa_v0, [0], x__ssa_v0)
