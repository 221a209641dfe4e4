import pypto.language as pl

@pl.program
class P:
    @pl.function
    def k(self, a: pl.Tensor[[64, 64], pl.FP32]):
        t: pl.Tile[[64, 64], pl.FP32, pl.MemRef("scratch")] = pl.load(a, [0, 0], [64, 64])
