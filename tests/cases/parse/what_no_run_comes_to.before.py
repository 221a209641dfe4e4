# A branch whose condition is a constant that is false is taken in no run: its regions have no elements that could lie outside
# (a model's sizes decide which of its parts there are). The other branch is judged as ever.
import pypto.language as pl

USED = 16
PADDED = 16


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, o: pl.Out[pl.Tensor[[1, 16], pl.FP32]]):
        if USED < PADDED:
            o[0:1, USED:PADDED] = pl.full([1, PADDED - USED], dtype=pl.FP32, value=0.0)
        else:
            o[0:1, 0:USED] = pl.full([1, USED], dtype=pl.FP32, value=0.0)
