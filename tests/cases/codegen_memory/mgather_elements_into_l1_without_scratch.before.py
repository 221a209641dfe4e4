# test: passes=all
import pypto.language as pl
@pl.program
class T:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, x: pl.Tensor[[8, 16], pl.INT32], i: pl.Tensor[[16, 16], pl.INT32], out: pl.Out[pl.Tensor[[16, 16], pl.INT32]]) -> pl.Tensor[[16, 16], pl.INT32]:
        g = pl.tile.mgather(x, i, coalesce="elem", target_memory=pl.Mem.Mat)
        out = pl.store(pl.tile.move(g, target_memory=pl.Mem.Vec), [0, 0], out)
        return out
