# A function that the class calls by its bare name joins its functions (pypto-front-facts 2.7).
import pypto.language as pl
@pl.function
def half(x: pl.Tensor[[64], pl.FP32]) -> pl.Tensor[[64], pl.FP32]:
    return x
@pl.program
class Joined:
    @pl.function
    def half(self, x: pl.Tensor[[64], pl.FP32]) -> pl.Tensor[[64], pl.FP32]:
        return x
    @pl.function
    def main(self, x: pl.Tensor[[64], pl.FP32]) -> pl.Tensor[[64], pl.FP32]:
        y = half(x)
        return y
