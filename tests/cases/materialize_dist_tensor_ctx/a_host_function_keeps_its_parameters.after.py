import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def host(self, w: pld.DistributedTensor[[1, 64], pl.FP32]):
        return
