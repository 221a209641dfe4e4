import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def main_incore_0(x__ssa_v0: pl.Tensor[[64], pl.FP32]) -> tuple[pl.Tensor[[64], pl.FP32], pl.Tensor[[64], pl.FP32]]:
        y__ssa_v0: pl.Tensor[[64], pl.FP32] = pl.tensor.add(x__ssa_v0, x__ssa_v0)
        unused__ssa_v0: pl.Tensor[[64], pl.FP32] = pl.tensor.add(y__ssa_v0, y__ssa_v0)
        z__ssa_v0: pl.Tensor[[64], pl.FP32] = pl.tensor.mul(unused__ssa_v0, y__ssa_v0)
        return y__ssa_v0, z__ssa_v0
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def main_incore_1(z__ssa_v0: pl.Tensor[[64], pl.FP32], y__ssa_v0: pl.Tensor[[64], pl.FP32]) -> pl.Tensor[[64], pl.FP32]:
        w__ssa_v0: pl.Tensor[[64], pl.FP32] = pl.tensor.sub(z__ssa_v0, y__ssa_v0)
        return w__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def main(self, x__ssa_v0: pl.Tensor[[64], pl.FP32]) -> pl.Tensor[[64], pl.FP32]:
        y__ssa_v0, z__ssa_v0 = self.main_incore_0(x__ssa_v0)
        w__ssa_v0: pl.Tensor[[64], pl.FP32] = self.main_incore_1(z__ssa_v0, y__ssa_v0)
        return w__ssa_v0
