# test: passes=all auto_sync=yes
# valid_shape= says how much of the tile is gathered, and there is no scratch tensor in front of it. The indices 1, 6, 4, 2
# lie in memory (element e of a tensor is 5e % 7 + 1): two rows of 16 are gathered, pushed, popped and stored,
# out[r, c] = x[i[0, r], c]; what nothing wrote is not read.
import pypto.language as pl
@pl.program
class T:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, x: pl.Tensor[[8, 16], pl.INT32], i: pl.Tensor[[1, 16], pl.INT32], out: pl.Out[pl.Tensor[[16, 16], pl.INT32]]) -> pl.Tensor[[16, 16], pl.INT32]:
        g = pl.tile.mgather(x, i, target_memory=pl.Mem.Mat, valid_shape=[2, 16])
        v = pl.tile.move(g, target_memory=pl.Mem.Vec)
        out = pl.store(v, [0, 0], out)
        return out
