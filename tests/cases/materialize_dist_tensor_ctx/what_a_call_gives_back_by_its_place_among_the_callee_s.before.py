# what a call gives back, by its place among the callee's parameters
import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def swap(self, a: pl.InOut[pld.DistributedTensor[[1, 64], pl.FP32]], b: pl.InOut[pld.DistributedTensor[[1, 64], pl.FP32]]) -> tuple[pld.DistributedTensor[[1, 64], pl.FP32], pld.DistributedTensor[[1, 64], pl.FP32]]:
        return b, a
    @pl.function(type=pl.FunctionType.Orchestration)
    def chip(self, x: pl.InOut[pld.DistributedTensor[[1, 64], pl.FP32]], y: pl.InOut[pld.DistributedTensor[[1, 64], pl.FP32]]):
        p, q = self.swap(x, y)
        r, s = self.swap(p, q)
        return
