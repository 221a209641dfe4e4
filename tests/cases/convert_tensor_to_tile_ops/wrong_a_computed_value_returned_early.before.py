import pypto.language as pl
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, x: pl.Tensor[[8, 16], pl.FP32], n: pl.Scalar[pl.INT32]) -> pl.Tensor[[8, 16], pl.FP32]:
        y = pl.add(x, x)
        if n > 0:
            return y
        return y
