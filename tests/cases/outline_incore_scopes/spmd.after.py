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
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def blocks(x__ssa_v0: pl.Tensor[[64], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[64], pl.FP32]]) -> pl.Tensor[[64], pl.FP32]:
        i__ssa_v0: pl.Scalar[pl.INDEX] = pl.tile.get_block_idx()
        t__ssa_v0: pl.Tile[[16], pl.FP32] = pl.tile.load(x__ssa_v0, [i__ssa_v0 * 16], [16], [16])
        o__ssa_v1: pl.Tensor[[64], pl.FP32] = pl.tile.store(t__ssa_v0, [i__ssa_v0 * 16], o__ssa_v0)
        o__store: pl.Tensor[[64], pl.FP32] = o__ssa_v1
        return o__ssa_v0
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def main_incore_1(x__ssa_v0: pl.Tensor[[64], pl.FP32], o__ssa_v1: pl.Out[pl.Tensor[[64], pl.FP32]]) -> pl.Tensor[[64], pl.FP32]:
        pl.func_attr({"split": pl.SplitMode.UP_DOWN, "slot_num": 4})
        i__ssa_v0: pl.Scalar[pl.INDEX] = pl.tile.get_block_idx()
        t__ssa_v1: pl.Tile[[16], pl.FP32] = pl.tile.load(x__ssa_v0, [i__ssa_v0 * 16], [16], [16])
        o__ssa_v2: pl.Tensor[[64], pl.FP32] = pl.tile.store(t__ssa_v1, [i__ssa_v0 * 16], o__ssa_v1)
        o__store: pl.Tensor[[64], pl.FP32] = o__ssa_v2
        return o__ssa_v1
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def main(self, x__ssa_v0: pl.Tensor[[64], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[64], pl.FP32]]) -> pl.Tensor[[64], pl.FP32]:
        with pl.spmd(4, name_hint='blocks_spmd'):
            o__ssa_v4: pl.Tensor[[64], pl.FP32] = self.blocks(x__ssa_v0, o__ssa_v0)
        with pl.spmd(4):
            o__ssa_v5: pl.Tensor[[64], pl.FP32] = self.main_incore_1(x__ssa_v0, o__ssa_v4)
        with pl.spmd(4):
            o__ssa_v3: pl.Tensor[[64], pl.FP32] = self.copy(x__ssa_v0, o__ssa_v5)
        return o__ssa_v3
