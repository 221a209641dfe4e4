import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def main_incore_0(x__ssa_v0: pl.Tensor[[64], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[64], pl.FP32]]) -> pl.Tensor[[64], pl.FP32]:
        t__ssa_v0: pl.Tile[[64], pl.FP32] = pl.tile.load(x__ssa_v0, [0], [64], [64])
        o__ssa_v1: pl.Tensor[[64], pl.FP32] = pl.tile.store(t__ssa_v0, [0], o__ssa_v0)
        o__store: pl.Tensor[[64], pl.FP32] = o__ssa_v1
        return o__ssa_v0
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def main_incore_1(x__ssa_v0: pl.Tensor[[64], pl.FP32], o__ssa_v1: pl.Out[pl.Tensor[[64], pl.FP32]]) -> pl.Tensor[[64], pl.FP32]:
        t__ssa_v1: pl.Tile[[64], pl.FP32] = pl.tile.load(x__ssa_v0, [0], [64], [64])
        o__ssa_v2: pl.Tensor[[64], pl.FP32] = pl.tile.store(t__ssa_v1, [0], o__ssa_v1)
        o__store: pl.Tensor[[64], pl.FP32] = o__ssa_v2
        return o__ssa_v1
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def main_incore_2(x__ssa_v0: pl.Tensor[[64], pl.FP32], o__ssa_v2: pl.Out[pl.Tensor[[64], pl.FP32]]) -> pl.Tensor[[64], pl.FP32]:
        t__ssa_v2: pl.Tile[[64], pl.FP32] = pl.tile.load(x__ssa_v0, [0], [64], [64])
        o__ssa_v3: pl.Tensor[[64], pl.FP32] = pl.tile.store(t__ssa_v2, [0], o__ssa_v2)
        o__store: pl.Tensor[[64], pl.FP32] = o__ssa_v3
        return o__ssa_v2
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def main(self, x__ssa_v0: pl.Tensor[[64], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[64], pl.FP32]]) -> pl.Tensor[[64], pl.FP32]:
        o__ssa_v4, first = pl.submit(self.main_incore_0, x__ssa_v0, o__ssa_v0)
        o__ssa_v5, tid__ssa_v0 = pl.submit(self.main_incore_1, x__ssa_v0, o__ssa_v4, deps=[first], allow_early_resolve=True)
        o__ssa_v6: pl.Tensor[[64], pl.FP32] = self.main_incore_2(x__ssa_v0, o__ssa_v5, attrs={"arg_direction_overrides": [0]})
        return o__ssa_v6
