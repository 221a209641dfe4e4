# The delimiter of versions is reserved: what follows it in x__ssa_v0 is counted here.
import pypto.language as pl
@pl.program
class Reserved:
    @pl.function(type=pl.FunctionType.InCore)
    def main(self, x: pl.Tensor[[64], pl.FP32]):
        my__part = pl.load(x, [0], [64])
        pl.store(my__part, [0], x)
