import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def copy(self, x__ssa_v0: pl.Tensor[[64], pl.FP32], o__ssa_v0: pl.InOut[pl.Tensor[[64], pl.FP32]]) -> pl.Tensor[[64], pl.FP32]:
        i__ssa_v0: pl.Scalar[pl.INDEX] = pl.tile.get_block_idx()
        t__ssa_v0: pl.Tile[[16], pl.FP32] = pl.tile.load(x__ssa_v0, [i__ssa_v0 * 16], [16], [16])
        o__ssa_v1: pl.Tensor[[64], pl.FP32] = pl.tile.store(t__ssa_v0, [i__ssa_v0 * 16], o__ssa_v0)
        return o__ssa_v1
    @pl.function(type=pl.FunctionType.Group)
    def main_cluster_0(self, x__ssa_v0: pl.Tensor[[64], pl.FP32], o__ssa_v0: pl.InOut[pl.Tensor[[64], pl.FP32]]) -> pl.Tensor[[64], pl.FP32]:
        o__ssa_v1: pl.Tensor[[64], pl.FP32] = self.copy(x__ssa_v0, o__ssa_v0)
        return o__ssa_v0
    @pl.function(type=pl.FunctionType.Group)
    def blocks(self, n__ssa_v0: pl.Scalar[pl.INDEX], x__ssa_v0: pl.Tensor[[64], pl.FP32], o__ssa_v1: pl.InOut[pl.Tensor[[64], pl.FP32]]) -> pl.Tensor[[64], pl.FP32]:
        pl.func_attr({"spmd_unwrapped": True})
        o__ssa_v2: pl.Tensor[[64], pl.FP32] = self.copy(x__ssa_v0, o__ssa_v1)
        return o__ssa_v1
    @pl.function(type=pl.FunctionType.Orchestration)
    def main(self, n__ssa_v0: pl.Scalar[pl.INDEX], x__ssa_v0: pl.Tensor[[64], pl.FP32], o__ssa_v0: pl.InOut[pl.Tensor[[64], pl.FP32]]) -> pl.Tensor[[64], pl.FP32]:
        o__ssa_v1: pl.Tensor[[64], pl.FP32] = self.main_cluster_0(x__ssa_v0, o__ssa_v0)
        o__ssa_v2: pl.Tensor[[64], pl.FP32] = self.blocks(n__ssa_v0, x__ssa_v0, o__ssa_v1, attrs={"core_num": n__ssa_v0 + 1, "sync_start": True})
        return o__ssa_v2
