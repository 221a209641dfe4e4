# test: ranks=1
# A task in front of the read writes x, so its value is not what the input started with.
import pypto.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def fill(self, o: pl.Out[pl.Tensor[[1, 16], pl.INT32]]) -> pl.Tensor[[1, 16], pl.INT32]:
        t = pl.tile.full([1, 16], dtype=pl.INT32, value=1)
        o = pl.store(t, [0, 0], o)
        return o

    @pl.function(type=pl.FunctionType.Orchestration)
    def main(self, x: pl.InOut[pl.Tensor[[1, 16], pl.INT32]], y: pl.Out[pl.Tensor[[1, 16], pl.INT32]]):
        x = self.fill(x)
        n = pl.read(x, [0, 3])
