import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class T:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def waiter(self, x: pl.Tensor[[4, 1], pl.INT32], o: pl.Out[pl.Tensor[[16, 16], pl.FP32]], sig: pl.InOut[pld.DistributedTensor[[4, 1], pl.INT32]]):
        pl.func_attr({"deferred_completion_waiter": True})
        for i in pl.range(64):
            pld.system.defer_wait(sig, [i % 4, 0], 1, cmp=1)
    @pl.function(type=pl.FunctionType.Orchestration)
    def main(self, x: pl.Tensor[[4, 1], pl.INT32], o: pl.Out[pl.Tensor[[16, 16], pl.FP32]], sig: pl.InOut[pld.DistributedTensor[[4, 1], pl.INT32]]):
        self.waiter(x, o, sig)
