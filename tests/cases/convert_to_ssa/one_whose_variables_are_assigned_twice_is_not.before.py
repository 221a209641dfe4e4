# test: unverified=ssa-single
# one whose variables are assigned twice is not
import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:

    @pl.function(type=pl.FunctionType.InCore)
    def k(self, x__ssa_v3: pl.Tensor[[4, 16], pl.FP32]):
        t__tile: pl.Tile[[1, 16], pl.FP32] = pl.tile.load(x__ssa_v3, [0, 0], [1, 16], [1, 16])
        t__tile = pl.tile.load(x__ssa_v3, [1, 0], [1, 16], [1, 16])
        pl.test.use(t__tile)
