import pypto.language as pl
scratch = pl.MemRef()
@pl.program
class P:
    @pl.function
    def k(self, a: pl.Tensor[[64, 64], pl.FP32]):
        t: pl.Tile[[64, 64], pl.FP32, scratch[0], pl.Mem.Vec] = pl.load(a, [0, 0], [64, 64])
