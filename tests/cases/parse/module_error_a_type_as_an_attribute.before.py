# A type stands for no value.
import pypto.language as pl
@pl.program
class Attributes:
    @pl.function(attrs={"bad": pl.Scalar[pl.INT32]})
    def main(self, x: pl.Tensor[[64], pl.FP32]):
        pass
