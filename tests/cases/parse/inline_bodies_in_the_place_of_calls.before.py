# a call of a function of @pl.inline is its body: names leak and coincide, those of parameters too (pypto-front-facts 2.9)
import pypto.language as pl

SCALE = 2.0

@pl.inline
def twice(x: pl.Tensor[[64], pl.FP32]) -> pl.Tensor[[64], pl.FP32]:
    """Doc."""
    t = pl.mul(x, SCALE)
    return t

@pl.inline
def one(x): return pl.add(x, x)

@pl.program
class P:
    @pl.function
    def main(self, a: pl.Tensor[[64], pl.FP32], t: pl.Tensor[[64], pl.FP32]) -> pl.Tensor[[64], pl.FP32]:
        y: pl.Tensor[[64], pl.FP32] = twice(a)
        z = one(twice(y))
        for i in pl.range(2):
            z = twice(z)
        w = pl.add(x, t)
        return w
