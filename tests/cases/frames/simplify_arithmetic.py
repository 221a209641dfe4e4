import pypto.language as pl
import pypto.language.distributed as pld
SIZE = pl.dynamic("SIZE")
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def callee(self, n: pl.Scalar[pl.INT32]) -> pl.Scalar[pl.INT32]:
        return n
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, x: pl.Tensor[[4, 64], pl.FP32], out: pl.Out[pl.Tensor[[4, 64], pl.FP32]], sig: pl.InOut[pld.DistributedTensor[[8, 1], pl.INT32]], sig_ctx: pld.CommCtx, i: pl.Scalar[pl.INDEX], h: pl.Scalar[pl.INDEX], n: pl.Scalar[pl.INT32], u: pl.Scalar[pl.UINT8], f: pl.Scalar[pl.FP32], b: pl.Scalar[pl.BOOL]):
