import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class Prog:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, x: pl.Tensor[[6, 2], pl.FP32]):
        return x
