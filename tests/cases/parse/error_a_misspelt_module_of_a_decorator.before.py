# A method of a program that would silently be none of its functions.
import pypto.language as pl


@pl.program
class P:
    @lp.function
    def f(self, x: pl.Tensor[[16, 64], pl.FP32]):
        return x

    @pl.function
    def g(self, x: pl.Tensor[[16, 64], pl.FP32]):
        return x
