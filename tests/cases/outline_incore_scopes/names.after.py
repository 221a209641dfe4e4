import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def main_copy(x__ssa_v0: pl.Tensor[[64], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[64], pl.FP32]]) -> pl.Tensor[[64], pl.FP32]:
        t__ssa_v0: pl.Tile[[64], pl.FP32] = pl.tile.load(x__ssa_v0, [0], [64], [64])
        o__ssa_v1: pl.Tensor[[64], pl.FP32] = pl.tile.store(t__ssa_v0, [0], o__ssa_v0)
        o__store: pl.Tensor[[64], pl.FP32] = o__ssa_v1
        return o__ssa_v0
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def own(x__ssa_v0: pl.Tensor[[64], pl.FP32], o__ssa_v1: pl.Out[pl.Tensor[[64], pl.FP32]]) -> pl.Tensor[[64], pl.FP32]:
        t__ssa_v1: pl.Tile[[64], pl.FP32] = pl.tile.load(x__ssa_v0, [0], [64], [64])
        o__ssa_v2: pl.Tensor[[64], pl.FP32] = pl.tile.store(t__ssa_v1, [0], o__ssa_v1)
        o__store: pl.Tensor[[64], pl.FP32] = o__ssa_v2
        return o__ssa_v1
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def own_0(x__ssa_v0: pl.Tensor[[64], pl.FP32], o__ssa_v2: pl.Out[pl.Tensor[[64], pl.FP32]]) -> pl.Tensor[[64], pl.FP32]:
        t__ssa_v2: pl.Tile[[64], pl.FP32] = pl.tile.load(x__ssa_v0, [0], [64], [64])
        o__ssa_v3: pl.Tensor[[64], pl.FP32] = pl.tile.store(t__ssa_v2, [0], o__ssa_v2)
        o__store: pl.Tensor[[64], pl.FP32] = o__ssa_v3
        return o__ssa_v2
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def main_incore_3(x__ssa_v0: pl.Tensor[[64], pl.FP32], o__ssa_v3: pl.Out[pl.Tensor[[64], pl.FP32]]) -> pl.Tensor[[64], pl.FP32]:
        t__ssa_v3: pl.Tile[[64], pl.FP32] = pl.tile.load(x__ssa_v0, [0], [64], [64])
        o__ssa_v4: pl.Tensor[[64], pl.FP32] = pl.tile.store(t__ssa_v3, [0], o__ssa_v3)
        o__store: pl.Tensor[[64], pl.FP32] = o__ssa_v4
        return o__ssa_v3
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def main(self, x__ssa_v0: pl.Tensor[[64], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[64], pl.FP32]]) -> pl.Tensor[[64], pl.FP32]:
        o__ssa_v5: pl.Tensor[[64], pl.FP32] = self.main_copy(x__ssa_v0, o__ssa_v0)
        o__ssa_v6: pl.Tensor[[64], pl.FP32] = self.own(x__ssa_v0, o__ssa_v5)
        o__ssa_v7: pl.Tensor[[64], pl.FP32] = self.own_0(x__ssa_v0, o__ssa_v6)
        o__ssa_v8: pl.Tensor[[64], pl.FP32] = self.main_incore_3(x__ssa_v0, o__ssa_v7)
        return o__ssa_v8
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def copy(x__ssa_v0: pl.Tensor[[64], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[64], pl.FP32]]) -> pl.Tensor[[64], pl.FP32]:
        t__ssa_v0: pl.Tile[[64], pl.FP32] = pl.tile.load(x__ssa_v0, [0], [64], [64])
        o__ssa_v1: pl.Tensor[[64], pl.FP32] = pl.tile.store(t__ssa_v0, [0], o__ssa_v0)
        o__store: pl.Tensor[[64], pl.FP32] = o__ssa_v1
        return o__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration)
    def helper(self, x__ssa_v0: pl.Tensor[[64], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[64], pl.FP32]]) -> pl.Tensor[[64], pl.FP32]:
        o__ssa_v2: pl.Tensor[[64], pl.FP32] = self.copy(x__ssa_v0, o__ssa_v0)
        return o__ssa_v2
