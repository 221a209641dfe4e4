import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class K:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(self, x: pl.Tensor[[4, 8], pl.FP32]):
        return x
