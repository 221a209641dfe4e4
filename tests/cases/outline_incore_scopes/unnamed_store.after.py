import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def main_incore_0(x__ssa_v0: pl.Tensor[[64], pl.FP32], n__ssa_v0: pl.Scalar[pl.INDEX], o__ssa_v0: pl.Out[pl.Tensor[[64], pl.FP32]]) -> pl.Tensor[[64], pl.FP32]:
        t__ssa_v0: pl.Tile[[16], pl.FP32] = pl.tile.load(x__ssa_v0, [n__ssa_v0], [16], [16])
        o__store: pl.Tensor[[64], pl.FP32] = pl.tile.store(t__ssa_v0, [0], o__ssa_v0)
        return o__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def main(self, n__ssa_v0: pl.Scalar[pl.INDEX], x__ssa_v0: pl.Tensor[[64], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[64], pl.FP32]]) -> pl.Tensor[[64], pl.FP32]:
        if n__ssa_v0 < 2:
            o__ssa_v1: pl.Tensor[[64], pl.FP32] = self.main_incore_0(x__ssa_v0, n__ssa_v0, o__ssa_v0)
        return o__ssa_v0
