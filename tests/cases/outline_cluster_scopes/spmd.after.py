import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def copy(self, x__ssa_v0: pl.Tensor[[64], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[64], pl.FP32]]) -> pl.Tensor[[64], pl.FP32]:
        i__ssa_v0: pl.Scalar[pl.INDEX] = pl.tile.get_block_idx()
        t__ssa_v0: pl.Tile[[16], pl.FP32] = pl.tile.load(x__ssa_v0, [i__ssa_v0 * 16], [16], [16])
        o__ssa_v1: pl.Tensor[[64], pl.FP32] = pl.tile.store(t__ssa_v0, [i__ssa_v0 * 16], o__ssa_v0)
        return o__ssa_v1
    @pl.function(type=pl.FunctionType.Spmd)
    def main_spmd_1(self, x__ssa_v0: pl.Tensor[[64], pl.FP32], o__ssa_v4: pl.Out[pl.Tensor[[64], pl.FP32]]) -> pl.Tensor[[64], pl.FP32]:
        o__ssa_v2: pl.Tensor[[64], pl.FP32] = self.copy(x__ssa_v0, o__ssa_v4)
        return o__ssa_v4
    @pl.function(type=pl.FunctionType.Spmd)
    def main_spmd_2(self, x__ssa_v0: pl.Tensor[[64], pl.FP32], o__ssa_v2: pl.Out[pl.Tensor[[64], pl.FP32]]) -> pl.Tensor[[64], pl.FP32]:
        o__ssa_v3: pl.Tensor[[64], pl.FP32] = self.copy(x__ssa_v0, o__ssa_v2)
        return o__ssa_v2
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def blocks(x__ssa_v0: pl.Tensor[[64], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[64], pl.FP32]]) -> pl.Tensor[[64], pl.FP32]:
        i__ssa_v0: pl.Scalar[pl.INDEX] = pl.tile.get_block_idx()
        t__ssa_v0: pl.Tile[[16], pl.FP32] = pl.tile.load(x__ssa_v0, [i__ssa_v0 * 16], [16], [16])
        o__ssa_v1: pl.Tensor[[64], pl.FP32] = pl.tile.store(t__ssa_v0, [i__ssa_v0 * 16], o__ssa_v0)
        o__store: pl.Tensor[[64], pl.FP32] = o__ssa_v1
        return o__ssa_v0
    @pl.function(type=pl.FunctionType.Spmd)
    def blocks_spmd(self, x__ssa_v0: pl.Tensor[[64], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[64], pl.FP32]]) -> pl.Tensor[[64], pl.FP32]:
        o__ssa_v4: pl.Tensor[[64], pl.FP32] = self.blocks(x__ssa_v0, o__ssa_v0)
        return o__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def main(self, x__ssa_v0: pl.Tensor[[64], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[64], pl.FP32]]) -> pl.Tensor[[64], pl.FP32]:
        o__ssa_v4: pl.Tensor[[64], pl.FP32] = self.blocks_spmd(x__ssa_v0, o__ssa_v0, attrs={"core_num": 4})
        o__ssa_v2, task = pl.spmd_submit(self.main_spmd_1, x__ssa_v0, o__ssa_v4, core_num=2)
        o__ssa_v3, last = pl.spmd_submit(self.main_spmd_2, x__ssa_v0, o__ssa_v2, deps=[task], core_num=2, sync_start=True)
        return o__ssa_v3
