# a dispatch in the condition of a loop
import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.Orchestration)
    def chip(self, a: pl.InOut[pld.DistributedTensor[[1, 64], pl.FP32]]) -> pl.Scalar[pl.INT32]:
        return 0
    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def host(self, w: pld.DistributedTensor[[1, 64], pl.FP32]):
        while self.chip(w, device=0) > 0:
            pass
