# A tuple that is made in front of a scope would have to be an argument of its kernel.
import pypto.language as pl


@pl.program
class P:
    @pl.function
    def main(self, x: pl.Tensor[[64], pl.FP32], y: pl.Tensor[[64], pl.FP32]) -> pl.Tensor[[64], pl.FP32]:
        both = (pl.add(x, y), x)
        with pl.at(level=pl.Level.CORE_GROUP):
            z = pl.mul(both[0], both[1])
        return z
