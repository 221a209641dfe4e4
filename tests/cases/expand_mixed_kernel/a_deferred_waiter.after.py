import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class T:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def waiter(self, x: pl.Tensor[[4, 1], pl.INT32], o: pl.Out[pl.Tensor[[16, 16], pl.FP32]], sig: pl.InOut[pld.DistributedTensor[[4, 1], pl.INT32]]):
        pl.func_attr({"deferred_completion_waiter": True})
        n: pl.Scalar[pl.INT32] = pl.tensor.read(x, [0, 0])
        for i in pl.range(4):
            if i > 0:
                pld.system.defer_wait(sig, [i, 0], pl.cast(n, pl.INDEX) + 1, cmp=1)
        return
    @pl.function(type=pl.FunctionType.Orchestration)
    def main(self, x: pl.Tensor[[4, 1], pl.INT32], o: pl.Out[pl.Tensor[[16, 16], pl.FP32]], sig: pl.InOut[pld.DistributedTensor[[4, 1], pl.INT32]]):
        task = pl.submit(self.waiter, x, o, sig)
