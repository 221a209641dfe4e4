# test: passes=all auto_sync=yes rows=4
# By way of w: out[r, c] = x[i[r, c]], where i counts the elements of x.
import pypto.language as pl
@pl.program
class T:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, x: pl.Tensor[[8, 16], pl.INT32], i: pl.Tensor[[16, 16], pl.INT32], w: pl.InOut[pl.Tensor[[16, 16], pl.INT32]], out: pl.Out[pl.Tensor[[16, 16], pl.INT32]]) -> pl.Tensor[[16, 16], pl.INT32]:
        g = pl.tile.mgather(x, i, scratch=w, coalesce="elem", target_memory=pl.Mem.Mat)
        v = pl.tile.move(g, target_memory=pl.Mem.Vec)
        out = pl.store(v, [0, 0], out)
        return out
