# the type of a would read the dimension of the module, and not the parameter
import pypto.language as pl
ROWS = pl.dynamic("ROWS")
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, a: pl.Tensor[[64, 64], pl.FP32, pl.TensorView(valid_shape=[64, ROWS], layout=pl.TensorLayout.ND)], ROWS: pl.Scalar[pl.INDEX]):
        t = pl.load(a, [0, 0], [64, 64])
