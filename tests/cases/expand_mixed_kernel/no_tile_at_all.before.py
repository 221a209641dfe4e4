# scalars and signals are of either kind: it runs on a vector core
import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class T:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(self, x: pl.Tensor[[16, 16], pl.FP32], m: pl.InOut[pl.Tensor[[16, 16], pl.FP32]], o: pl.Out[pl.Tensor[[16, 16], pl.FP32]], s: pld.DistributedTensor[[4, 1], pl.INT32]):
        pld.system.notify(s, 1, [0, 0], 1, op=0)
        pld.system.wait(s, [0, 0], 1, cmp=1)
