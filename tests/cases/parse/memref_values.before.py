# Allocations of the Python around the program: one without a name has its variable's, a slot may be found at run time, and
# the same declaration may hold several tiles.
import pypto.language as pl
ping = pl.MemRef()
pong = pl.MemRef("other")
both = pl.MemRef(slots=2)
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, a: pl.Tensor[[64, 64], pl.FP32], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
        t: pl.Tile[[64, 64], pl.FP32, ping, pl.Mem.Vec] = pl.load(a, [0, 0], [64, 64])
        u: pl.Tile[[64, 64], pl.FP32, pong, pl.Mem.Vec] = pl.exp(t)
        v: pl.Tile[[64, 64], pl.FP32, ping, pl.Mem.Vec] = pl.exp(u)
        w: pl.Tile[[64, 64], pl.FP32, both[1], pl.Mem.Vec] = pl.exp(v)
        for i in pl.range(2):
            x: pl.Tile[[64, 64], pl.FP32, both[i % 2], pl.Mem.Vec] = pl.exp(w)
            y: pl.Tile[[64, 64], pl.FP32, pl.MemRef("z", slots=2)[0], pl.Mem.Vec] = pl.exp(x)
        out = pl.store(w, [0, 0], out)
        return out
