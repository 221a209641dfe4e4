import pypto.language as pl
l0c = pl.MemRef(slots=2)
@pl.program
class P:
    @pl.function
    def k(self, a: pl.Tensor[[64, 64], pl.FP32]):
        t: pl.Tile[[64, 64], pl.FP32, l0c[5], pl.Mem.Vec] = pl.load(a, [0, 0], [64, 64])
