# a function in SSA form is left alone
import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:

    @pl.function(type=pl.FunctionType.InCore)
    def k(self, x__ssa_v3: pl.Tensor[[4, 16], pl.FP32], x_ctx: pl.Scalar[pl.INT32]):
        t__tile: pl.Tile[[1, 16], pl.FP32] = pl.tile.load(x__ssa_v3, [0, 0], [1, 16], [1, 16])
        for i__idx_v0 in pl.range(4):
            pl.test.use(i__idx_v0, t__tile, x_ctx)
