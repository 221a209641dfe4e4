import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, a: pl.Tensor[[1, 8], pl.FP32], q: pl.Out[pl.Tensor[[1, 8], pl.FP32]]):
        t_inline0: pl.Tile[[1, 8], pl.FP32] = pl.tile.load(a, [0, 0], [1, 8], [1, 8])
        q = pl.tile.store(t_inline0, [0, 0], q)
        t_inline1: pl.Tile[[1, 8], pl.FP32] = pl.tile.load(a, [0, 0], [1, 8], [1, 8])
        q = pl.tile.store(t_inline1, [0, 0], q)
        return q
