# test: ranks=1 kernel_tail=barrier
# text order, one buffer for one name, a tail each
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
        pl.write(out, [0, 2], 3)
