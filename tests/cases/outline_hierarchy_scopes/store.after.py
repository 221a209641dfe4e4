import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(level=pl.Level.CHIP)
    def main_chip_0(self, x__ssa_v0: pl.Tensor[[64], pl.FP32], o__ssa_v0: pl.Tensor[[64], pl.FP32]):
        t__ssa_v0: pl.Tile[[64], pl.FP32] = pl.tile.load(x__ssa_v0, [0], [64], [64])
        o__ssa_v1: pl.Tensor[[64], pl.FP32] = pl.tile.store(t__ssa_v0, [0], o__ssa_v0)
    @pl.function
    def main(self, x__ssa_v0: pl.Tensor[[64], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[64], pl.FP32]]) -> pl.Tensor[[64], pl.FP32]:
        self.main_chip_0(x__ssa_v0, o__ssa_v0)
        return o__ssa_v0
