import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class Printed:
    @pl.function(type=pl.FunctionType.InCore)
    def main(self, x__ssa_v0: pl.Tensor[[64], pl.FP32]):
        x__slice: pl.Tile[[64], pl.FP32] = pl.tile.load(x__ssa_v0, [0], [64], [64])
        t__ssa_v0: pl.Tile[[64], pl.FP32] = pl.tile.adds(x__slice, 1.0)
        pl.tile.store(t__ssa_v0, [0], x__ssa_v0)
