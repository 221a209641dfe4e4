import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def alike(x__ssa_v0: pl.Tensor[[16, 16], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[16, 16], pl.FP32]]) -> pl.Tensor[[16, 16], pl.FP32]:
        pl.func_attr({"split_aiv": True, "split": pl.SplitMode.UP_DOWN})
        for lane__ssa_v0 in pl.split_aiv(2, mode=pl.SplitMode.UP_DOWN):
            t__ssa_v0: pl.Tile[[16, 16], pl.FP32] = pl.tile.load(x__ssa_v0, [0, 0], [16, 16], [16, 16])
            o__ssa_v1: pl.Tensor[[16, 16], pl.FP32] = pl.tile.store(t__ssa_v0, [0, 0], o__ssa_v0)
            o__store: pl.Tensor[[16, 16], pl.FP32] = o__ssa_v1
        return o__ssa_v0
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def unlike(x__ssa_v0: pl.Tensor[[16, 16], pl.FP32], o__ssa_v1: pl.Out[pl.Tensor[[16, 16], pl.FP32]]) -> tuple[pl.Tensor[[16, 16], pl.FP32], pl.Tensor[[16, 16], pl.FP32]]:
        pl.func_attr({"split_aiv": True})
        for lane__ssa_v0 in pl.split_aiv(2, mode=pl.SplitMode.UP_DOWN):
            t__ssa_v1: pl.Tile[[16, 16], pl.FP32] = pl.tile.load(x__ssa_v0, [0, 0], [16, 16], [16, 16])
            o__ssa_v2: pl.Tensor[[16, 16], pl.FP32] = pl.tile.store(t__ssa_v1, [0, 0], o__ssa_v1)
            o__store: pl.Tensor[[16, 16], pl.FP32] = o__ssa_v2
        for lane__ssa_v0 in pl.split_aiv(2, mode=pl.SplitMode.NONE):
            u__ssa_v0: pl.Tile[[8, 16], pl.FP32] = pl.tile.load(x__ssa_v0, [lane__ssa_v0 * 8, 0], [8, 16], [8, 16])
            o__ssa_v3: pl.Tensor[[16, 16], pl.FP32] = pl.tile.store(u__ssa_v0, [lane__ssa_v0 * 8, 0], o__ssa_v2)
        return o__ssa_v1, o__ssa_v1
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def main(self, x__ssa_v0: pl.Tensor[[16, 16], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[16, 16], pl.FP32]]) -> pl.Tensor[[16, 16], pl.FP32]:
        o__ssa_v4: pl.Tensor[[16, 16], pl.FP32] = self.alike(x__ssa_v0, o__ssa_v0)
        o__ssa_v3, o__ssa_v5 = self.unlike(x__ssa_v0, o__ssa_v4)
        return o__ssa_v3
