# test: passes=all auto_sync=yes rows=8
# Element e of x and of i is 5e % 7 + 1: out[a, b, c] = x[a, b, i[a, b, c]].
import pypto.language as pl
@pl.program
class T:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, x: pl.Tensor[[2, 4, 32], pl.INT32], i: pl.Tensor[[2, 4, 16], pl.INT32], out: pl.Out[pl.Tensor[[2, 4, 16], pl.INT32]]) -> pl.Tensor[[2, 4, 16], pl.INT32]:
        g = pl.gather(x, dim=-1, index=i)
        out = pl.assemble(out, g, [0, 0, 0])
        return out
