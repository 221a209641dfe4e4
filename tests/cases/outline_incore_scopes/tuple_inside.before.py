# A tuple that a scope makes and takes apart itself is no argument of its kernel and none of its results.
import pypto.language as pl


@pl.program
class P:
    @pl.function
    def main(self, x: pl.Tensor[[64], pl.FP32], y: pl.Tensor[[64], pl.FP32]) -> pl.Tensor[[64], pl.FP32]:
        with pl.at(level=pl.Level.CORE_GROUP):
            both = (pl.add(x, y), x)
            z = pl.mul(both[0], both[1])
        return z
