# The first kernel writes a part of a tensor that has a value from the start, the second one reads another part.
# fencebench: ranks 1
import pypto.language as pl


@pl.program
class HalfWritten:
    @pl.function(type=pl.FunctionType.InCore)
    def first(self, x: pl.Tensor[[1, 16], pl.INT32], mid: pl.InOut[pl.Tensor[[2, 16], pl.INT32]]):
        t = pl.load(x, [0, 0], [1, 16])
        mid = pl.store(t, [0, 0], mid)

    @pl.function(type=pl.FunctionType.InCore)
    def second(self, mid: pl.InOut[pl.Tensor[[2, 16], pl.INT32]], out: pl.Out[pl.Tensor[[1, 16], pl.INT32]]):
        t = pl.load(mid, [1, 0], [1, 16])
        out = pl.store(t, [0, 0], out)
