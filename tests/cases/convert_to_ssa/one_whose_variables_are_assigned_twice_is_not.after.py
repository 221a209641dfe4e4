import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, x__ssa_v0: pl.Tensor[[4, 16], pl.FP32]):
        t__ssa_v0: pl.Tile[[1, 16], pl.FP32] = pl.tile.load(x__ssa_v0, [0, 0], [1, 16], [1, 16])
        t__ssa_v1: pl.Tile[[1, 16], pl.FP32] = pl.tile.load(x__ssa_v0, [1, 0], [1, 16], [1, 16])
        pl.test.use(t__ssa_v1)
