# test: ranks=1 kernel_tail=barrier
# a function that another calls is no task
import pypto.language as pl
@pl.program
class T:
    @pl.function(type=pl.FunctionType.InCore)
    def first(self, out: pl.InOut[pl.Tensor[[1, 16], pl.INT32]]):
        pl.write(out, [0, 0], 1)
    @pl.function(type=pl.FunctionType.AIV)
    def second(out: pl.InOut[pl.Tensor[[1, 16], pl.INT32]]):
        pl.write(out, [0, 1], 2)
    @pl.function(type=pl.FunctionType.InCore)
    def third(self, out: pl.InOut[pl.Tensor[[1, 16], pl.INT32]]):
        self.first(out)
