import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, a: pl.Tensor[[64, 64], pl.FP32], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
        t: pl.Tile[[64, 64], pl.FP32, pl.MemRef("ping"), pl.Mem.Vec] = pl.tile.load(a, [0, 0], [64, 64], [64, 64])
        u: pl.Tile[[64, 64], pl.FP32, pl.MemRef("other"), pl.Mem.Vec] = pl.tile.exp(t)
        v: pl.Tile[[64, 64], pl.FP32, pl.MemRef("ping"), pl.Mem.Vec] = pl.tile.exp(u)
        w: pl.Tile[[64, 64], pl.FP32, pl.MemRef("both", slots=2)[1], pl.Mem.Vec] = pl.tile.exp(v)
        for i in pl.range(2):
            x: pl.Tile[[64, 64], pl.FP32, pl.MemRef("both", slots=2)[i % 2], pl.Mem.Vec] = pl.tile.exp(w)
            y: pl.Tile[[64, 64], pl.FP32, pl.MemRef("z", slots=2)[0], pl.Mem.Vec] = pl.tile.exp(x)
        out = pl.tile.store(w, [0, 0], out)
        return out
