import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(level=pl.Level.CHIP)
    def main_host_orch_0_chip_0(self, x__ssa_v0: pl.Tensor[[64], pl.FP32]) -> pl.Tensor[[64], pl.FP32]:
        y__ssa_v0: pl.Tensor[[64], pl.FP32] = pl.tensor.add(x__ssa_v0, x__ssa_v0)
        return y__ssa_v0
    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def main_host_orch_0(self, x__ssa_v0: pl.Tensor[[64], pl.FP32]) -> pl.Tensor[[64], pl.FP32]:
        y__ssa_v0: pl.Tensor[[64], pl.FP32] = self.main_host_orch_0_chip_0(x__ssa_v0)
        z__ssa_v0: pl.Tensor[[64], pl.FP32] = pl.tensor.mul(y__ssa_v0, y__ssa_v0)
        return z__ssa_v0
    @pl.function(level=pl.Level.CLUSTER_0)
    def main_cluster0_1(self, z__ssa_v0: pl.Tensor[[64], pl.FP32], x__ssa_v0: pl.Tensor[[64], pl.FP32]) -> pl.Tensor[[64], pl.FP32]:
        w__ssa_v0: pl.Tensor[[64], pl.FP32] = pl.tensor.sub(z__ssa_v0, x__ssa_v0)
        return w__ssa_v0
    @pl.function(level=pl.Level.CHIP)
    def last(self, w__ssa_v0: pl.Tensor[[64], pl.FP32], x__ssa_v0: pl.Tensor[[64], pl.FP32]) -> pl.Tensor[[64], pl.FP32]:
        v__ssa_v0: pl.Tensor[[64], pl.FP32] = pl.tensor.sub(w__ssa_v0, x__ssa_v0)
        return v__ssa_v0
    @pl.function
    def main(self, x__ssa_v0: pl.Tensor[[64], pl.FP32]) -> pl.Tensor[[64], pl.FP32]:
        z__ssa_v0: pl.Tensor[[64], pl.FP32] = self.main_host_orch_0(x__ssa_v0)
        w__ssa_v0: pl.Tensor[[64], pl.FP32] = self.main_cluster0_1(z__ssa_v0, x__ssa_v0)
        v__ssa_v0: pl.Tensor[[64], pl.FP32] = self.last(w__ssa_v0, x__ssa_v0)
        return v__ssa_v0
