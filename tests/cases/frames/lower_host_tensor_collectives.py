import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.Orchestration)
    def chip(self, data: pl.InOut[pld.DistributedTensor[[4, 64], pl.FP32]]):
        return
    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def host(self, n: pl.Scalar[pl.INDEX], plain: pl.Tensor[[1, 64], pl.FP32], unbound: pld.DistributedTensor[[4, 64], pl.FP32]):
