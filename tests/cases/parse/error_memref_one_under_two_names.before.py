import pypto.language as pl
ping = pl.MemRef()
alias = ping
@pl.program
class P:
    @pl.function
    def k(self, a: pl.Tensor[[64, 64], pl.FP32]):
        t: pl.Tile[[64, 64], pl.FP32, ping, pl.Mem.Vec] = pl.load(a, [0, 0], [64, 64])
        u: pl.Tile[[64, 64], pl.FP32, alias, pl.Mem.Vec] = pl.exp(t)
