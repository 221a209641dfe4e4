# task that is no function
# fencebench: tasks k, kk
import pypto.language as pl
import pypto.language.distributed as pld
ROWS = 2
@pl.program
class T:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, x: pl.InOut[pl.Tensor[[2, 16], pl.INT32]]):
        pl.write(x, [0, 0], 1)
