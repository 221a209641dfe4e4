# test: passes=all auto_sync=yes rows=8
# out[a, b, c] = x[i[a, b, c], b, c]: the same element of another plane.
import pypto.language as pl
@pl.program
class T:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, x: pl.Tensor[[8, 4, 16], pl.INT32], i: pl.Tensor[[2, 4, 16], pl.INT32], out: pl.Out[pl.Tensor[[2, 4, 16], pl.INT32]]) -> pl.Tensor[[2, 4, 16], pl.INT32]:
        g = pl.gather(x, dim=-3, index=i)
        out = pl.assemble(out, g, [0, 0, 0])
        return out
