# The direction of a parameter, misspelt.
import pypto.language as pl


@pl.program
class P:
    @pl.function
    def f(self, x: pl.InOt[pl.Tensor[[16, 64], pl.FP32]]):
        return x
