# and nothing to start together with
import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class T:
    @pl.function(type=pl.FunctionType.InCore, attrs={"deferred_completion_waiter": True})
    def waiter(self, x: pl.Tensor[[4, 1], pl.INT32], o: pl.Out[pl.Tensor[[16, 16], pl.FP32]], sig: pl.InOut[pld.DistributedTensor[[4, 1], pl.INT32]]):
        pld.system.defer_wait(sig, [0, 0], 1, cmp=1)
    @pl.function(type=pl.FunctionType.Orchestration)
    def main(self, x: pl.Tensor[[4, 1], pl.INT32], o: pl.Out[pl.Tensor[[16, 16], pl.FP32]], sig: pl.InOut[pld.DistributedTensor[[4, 1], pl.INT32]]):
        self.waiter(x, o, sig, attrs={"sync_start": True})
