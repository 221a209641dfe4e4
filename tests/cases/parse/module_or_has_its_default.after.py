import pypto.language as pl
import pypto.language.distributed as pld
N = 4
@pl.program
class K:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(self, x: pl.Tensor[[N, 8], pl.FP32]):
        return x
