import pypto.language as pl
first = pl.MemRef("shared")
second = pl.MemRef("shared")
@pl.program
class P:
    @pl.function
    def k(self, a: pl.Tensor[[64, 64], pl.FP32]):
        t: pl.Tile[[64, 64], pl.FP32, first, pl.Mem.Vec] = pl.load(a, [0, 0], [64, 64])
        u: pl.Tile[[64, 64], pl.FP32, second, pl.Mem.Vec] = pl.exp(t)
