import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.Orchestration)
    def chip(self, n__ssa_v0: pl.Scalar[pl.INDEX], x__ssa_v0: pl.Tensor[[n__ssa_v0, 16], pl.FP32]) -> pl.Tensor[[n__ssa_v0, 16], pl.FP32]:
        return x__ssa_v0
    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def host(self, x__ssa_v0: pl.Tensor[[8, 16], pl.FP32]):
        for r__idx_v0 in pl.range(2):
            y__ssa_v0: pl.Tensor[[8, 16], pl.FP32] = self.chip(8, x__ssa_v0, device=r__idx_v0)
            pl.test.use(y__ssa_v0)
