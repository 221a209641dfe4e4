import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def main_incore_0(x__ssa_v0: pl.Tensor[[64], pl.FP32], a__ssa_v0: pl.Out[pl.Tensor[[64], pl.FP32]], b__ssa_v0: pl.Out[pl.Tensor[[64], pl.FP32]]) -> tuple[pl.Tensor[[64], pl.FP32], pl.Tensor[[64], pl.FP32]]:
        t__ssa_v0: pl.Tile[[64], pl.FP32] = pl.tile.load(x__ssa_v0, [0], [64], [64])
        a__ssa_v1: pl.Tensor[[64], pl.FP32] = pl.tile.store(t__ssa_v0, [0], a__ssa_v0)
        a__store: pl.Tensor[[64], pl.FP32] = a__ssa_v1
        b__store: pl.Tensor[[64], pl.FP32] = pl.tile.store(t__ssa_v0, [0], b__ssa_v0)
        return b__ssa_v0, a__ssa_v0
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def main_incore_1(a__ssa_v1: pl.Tensor[[64], pl.FP32], b__ssa_v0: pl.InOut[pl.Tensor[[64], pl.FP32]]) -> pl.Tensor[[64], pl.FP32]:
        u__ssa_v0: pl.Tile[[64], pl.FP32] = pl.tile.load(a__ssa_v1, [0], [64], [64])
        v__ssa_v0: pl.Tile[[64], pl.FP32] = pl.tile.load(b__ssa_v0, [0], [64], [64])
        s__ssa_v0: pl.Tile[[64], pl.FP32] = pl.tile.add(u__ssa_v0, v__ssa_v0)
        b__ssa_v1: pl.Tensor[[64], pl.FP32] = pl.tile.store(s__ssa_v0, [0], b__ssa_v0)
        b__store: pl.Tensor[[64], pl.FP32] = b__ssa_v1
        return b__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def main(self, x__ssa_v0: pl.Tensor[[64], pl.FP32], a__ssa_v0: pl.Out[pl.Tensor[[64], pl.FP32]], b__ssa_v0: pl.Out[pl.Tensor[[64], pl.FP32]]) -> pl.Tensor[[64], pl.FP32]:
        b__ssa_v2, a__ssa_v2 = self.main_incore_0(x__ssa_v0, a__ssa_v0, b__ssa_v0)
        b__ssa_v3: pl.Tensor[[64], pl.FP32] = self.main_incore_1(a__ssa_v2, b__ssa_v2)
        return b__ssa_v3
