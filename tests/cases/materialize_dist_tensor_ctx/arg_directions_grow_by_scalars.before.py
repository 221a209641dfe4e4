# arg_directions grow by scalars
import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(self, w: pl.InOut[pld.DistributedTensor[[1, 64], pl.FP32]]):
        return
    @pl.function(type=pl.FunctionType.Orchestration)
    def chip(self, data: pl.InOut[pld.DistributedTensor[[1, 64], pl.FP32]]):
        self.kernel(data, attrs={"arg_directions": [pl.adir.inout]})
