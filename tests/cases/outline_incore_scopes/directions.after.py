import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def main_incore_0(x__ssa_v0: pl.Tensor[[64], pl.FP32], a__ssa_v0: pl.Out[pl.Tensor[[64], pl.FP32]], b__ssa_v0: pl.InOut[pl.Tensor[[64], pl.FP32]], c__ssa_v0: pl.InOut[pl.Tensor[[64], pl.FP32]], d__ssa_v0: pl.Out[pl.Tensor[[64], pl.FP32]]) -> tuple[pl.Tensor[[64], pl.FP32], pl.Tensor[[64], pl.FP32], pl.Tensor[[64], pl.FP32], pl.Tensor[[64], pl.FP32]]:
        t__ssa_v0: pl.Tile[[32], pl.FP32] = pl.tile.load(x__ssa_v0, [0], [32], [32])
        a__ssa_v1: pl.Tensor[[64], pl.FP32] = pl.tile.store(t__ssa_v0, [0], a__ssa_v0)
        a__store: pl.Tensor[[64], pl.FP32] = a__ssa_v1
        b__ssa_v1: pl.Tensor[[64], pl.FP32] = pl.tile.store(t__ssa_v0, [0], b__ssa_v0)
        b__store: pl.Tensor[[64], pl.FP32] = b__ssa_v1
        u__ssa_v0: pl.Tile[[32], pl.FP32] = pl.tile.load(b__ssa_v1, [32], [32], [32])
        c__ssa_v1: pl.Tensor[[64], pl.FP32] = pl.tile.store(u__ssa_v0, [0], c__ssa_v0, atomic=pl.AtomicType.Add)
        c__store: pl.Tensor[[64], pl.FP32] = c__ssa_v1
        s__ssa_v0: pl.Tensor[[32], pl.FP32] = pl.tensor.slice(x__ssa_v0, [32], [0])
        d__ssa_v1: pl.Tensor[[64], pl.FP32] = pl.tensor.assemble(d__ssa_v0, s__ssa_v0, [0])
        return d__ssa_v0, c__ssa_v0, b__ssa_v0, a__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def main(self, x__ssa_v0: pl.Tensor[[64], pl.FP32], a__ssa_v0: pl.Out[pl.Tensor[[64], pl.FP32]], b__ssa_v0: pl.Out[pl.Tensor[[64], pl.FP32]], c__ssa_v0: pl.Out[pl.Tensor[[64], pl.FP32]], d__ssa_v0: pl.Out[pl.Tensor[[64], pl.FP32]]) -> pl.Tensor[[64], pl.FP32]:
        d__ssa_v1, c__ssa_v2, b__ssa_v2, a__ssa_v2 = self.main_incore_0(x__ssa_v0, a__ssa_v0, b__ssa_v0, c__ssa_v0, d__ssa_v0)
        return d__ssa_v1
