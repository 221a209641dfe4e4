import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def main_incore_0(x__ssa_v0: pl.Tensor[[64], pl.FP32], i__idx_v0: pl.Scalar[pl.INDEX], o__iter_v1: pl.Tensor[[64], pl.FP32]) -> pl.Tensor[[64], pl.FP32]:
        t__ssa_v0: pl.Tile[[16], pl.FP32] = pl.tile.load(x__ssa_v0, [i__idx_v0 * 16], [16], [16])
        o__ssa_v3: pl.Tensor[[64], pl.FP32] = pl.tile.store(t__ssa_v0, [i__idx_v0 * 16], o__iter_v1)
        return o__iter_v1
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def main(self, x__ssa_v0: pl.Tensor[[64], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[64], pl.FP32]]) -> pl.Tensor[[64], pl.FP32]:
        for i__idx_v0, (o__iter_v1,) in pl.range(4, init_values=(o__ssa_v0,)):
            o__ssa_v3: pl.Tensor[[64], pl.FP32] = self.main_incore_0(x__ssa_v0, i__idx_v0, o__iter_v1)
            o__rv_v2: pl.Tensor[[64], pl.FP32] = pl.yield_(o__ssa_v3)
        return o__rv_v2
