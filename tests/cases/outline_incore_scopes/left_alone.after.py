import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(self, x__ssa_v0: pl.Tensor[[64], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[64], pl.FP32]]) -> pl.Tensor[[64], pl.FP32]:
        for i__ssa_v0 in pl.spmd(4):
            t__ssa_v0: pl.Tile[[16], pl.FP32] = pl.tile.load(x__ssa_v0, [i__ssa_v0 * 16], [16], [16])
            o__ssa_v1: pl.Tensor[[64], pl.FP32] = pl.tile.store(t__ssa_v0, [i__ssa_v0 * 16], o__ssa_v0)
        return o__ssa_v1
    @pl.function
    def main(self, x__ssa_v0: pl.Tensor[[64], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[64], pl.FP32]]) -> pl.Tensor[[64], pl.FP32]:
        with pl.at(level=pl.Level.CHIP):
            o__ssa_v1: pl.Tensor[[64], pl.FP32] = self.kernel(x__ssa_v0, o__ssa_v0)
        return o__ssa_v1
